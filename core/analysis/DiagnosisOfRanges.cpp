// Activations whose range suits their values badly.
#include "core/analysis/Doctor.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_set>

namespace pt2e::diagnoses {

namespace {

/// What an operator lets through, if it clamps.
std::optional<Range> clampOf(const Node& node)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::string_view op = shortOpName(node.target);
    if (!node.is(OpKind::CallFunction))
        return std::nullopt;
    if (op == "relu" || op == "relu_")
        return Range{0, kInfinity};
    if (op == "relu6" || op == "relu6_")
        return Range{0, 6};
    if (op != "hardtanh" && op != "hardtanh_" && op != "clamp" && op != "clamp_")
        return std::nullopt;
    const auto number = [&](std::size_t place, double otherwise) {
        if (const double* real = node.arg(place).get<double>())
            return *real;
        const std::int64_t* whole = node.arg(place).get<std::int64_t>();
        return whole ? static_cast<double>(*whole) : otherwise;
    };
    const bool isClamp = op.starts_with("clamp");
    return Range{number(1, isClamp ? -kInfinity : -1), number(2, isClamp ? kInfinity : 1)};
}

/// How many codes lie in the range.
std::int64_t codesIn(const MinMaxPair& range, const ObserverConfig& config, const QParams& qparams)
{
    const auto code = [&](float value) {
        const double steps =
            std::nearbyint(static_cast<double>(value) / static_cast<double>(qparams.scale.front()));
        return std::clamp(steps + static_cast<double>(qparams.zeroPoint.front()),
                          static_cast<double>(config.quantMin),
                          static_cast<double>(config.quantMax));
    };
    return static_cast<std::int64_t>(code(range.max) - code(range.min)) + 1;
}

/// All that is computed from the node, itself included.
std::unordered_set<NodeId> reachedFrom(const Graph& graph, NodeId start)
{
    std::unordered_set<NodeId> reached{start};
    for (const Node& node : graph) {
        for (const NodeId input : node.inputs()) {
            if (reached.contains(input))
                reached.insert(node.id);
        }
    }
    return reached;
}

/// Leaves float what shares the instance from the operator on; what comes before it keeps parameters of its own. Behind
/// the operator a range of its own would not help: its result has to hold the largest input.
std::vector<Edit> floatFrom(const Doctor& doctor, const Node& operation, ObserverId instance)
{
    const Graph& graph = *doctor.snapshot.annotated->folded.graph;
    const std::unordered_set<NodeId> behind = reachedFrom(graph, operation.id);
    const auto isOfGroup = [&](const Point& point) { return doctor.instanceAt(point) == instance; };
    return doctor.without(
        [&](const Point& point) {
            return isOfGroup(point) && (behind.contains(point.node) || point.user == operation.id);
        },
        isOfGroup);
}

void judgeInputs(Doctor& doctor, const Node& operation, ObserverId instance,
                 const std::vector<NodeId>& inputs)
{
    const ObserverConfig& config = doctor.snapshot.prepared->instances[instance.value].config;
    const auto& qparams = doctor.snapshot.calibrated->qparams[instance.value].qparams;
    if (!qparams || qparams->scale.size() != 1 || config.isDynamic)
        return;
    std::string numbers;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (const NodeId input : inputs) {
        const SeenValue* seen = doctor.seenAt(input);
        if (!seen)
            return;
        const std::int64_t codes = codesIn(seen->range(), config, *qparams);
        fewest = std::min(fewest, codes);
        numbers += fmt::format("{}{} {}", numbers.empty() ? "" : ", ",
                               doctor.graph.node(input).name, codes);
    }
    const auto enough = static_cast<double>(config.quantMax - config.quantMin + 1) * kFewCodesShare;
    if (static_cast<double>(fewest) >= enough)
        return;
    std::vector<NodeId> nodes{operation.id};
    nodes.insert(nodes.end(), inputs.begin(), inputs.end());
    doctor.found.push_back({DiagnosisKind::UnbalancedInputs, std::move(nodes), operation.name,
                            "codes that each of the inputs uses: %1", numbers,
                            enough / static_cast<double>(fewest),
                            "leave the operator float; its inputs get ranges of their own",
                            floatFrom(doctor, operation, instance)});
}

} // namespace

void findPreClamp(Doctor& doctor, const Observed& observed)
{
    if (observed.observer.users.size() != 1)
        return;
    const Node& value = observed.value;
    const Node& reader = doctor.graph.node(observed.observer.users.front());
    const std::optional<Range> clamp = clampOf(reader);
    const std::optional<Range> range = doctor.seen(observed.instance);
    if (!clamp || !range)
        return;
    const Range kept{std::clamp(range->low, clamp->low, clamp->high),
                     std::clamp(range->high, clamp->low, clamp->high)};
    const double cutOff = 1 - kept.width() / range->width();
    if (cutOff < kClampedShare)
        return;
    Diagnosis found{DiagnosisKind::PreClamp,
                    {value.id, reader.id},
                    value.name,
                    "range before the clamp and behind it: %1",
                    fmt::format("{:.4g} … {:.4g} / {:.4g} … {:.4g}", range->low, range->high,
                                kept.low, kept.high),
                    cutOff / kClampedShare,
                    "quantize behind the clamp only"};
    const Point before = Point::edge(value.id, reader.id), output = Point::output(value.id);
    found.edits =
        doctor.without([&](const Point& point) { return point == before || point == output; },
                       [&](const Point& point) { return point == Point::output(reader.id); });
    if (!found.edits.empty())
        doctor.found.push_back(std::move(found));
}

void findOneSided(Doctor& doctor, const Observed& observed)
{
    const std::optional<Range> range = doctor.seen(observed.instance);
    const ObserverConfig& config = observed.config;
    if (config.qscheme != QScheme::PerTensorSymmetric || config.isDynamic || !range)
        return;
    const double below = std::max(0.0, -range->low), above = std::max(0.0, range->high);
    const double share = std::min(below, above) / std::max(below, above);
    if (share >= kOneSidedShare)
        return;
    Diagnosis found{DiagnosisKind::OneSided,
                    {observed.value.id},
                    observed.value.name,
                    "smallest and largest value on a symmetric grid: %1",
                    fmt::format("{:.4g} … {:.4g}", range->low, range->high),
                    1 + (kOneSidedShare - share),
                    "affine instead of symmetric"};
    for (const auto& [point, spec] : doctor.snapshot.prepared->sharing.specs) {
        const auto* asked = std::get_if<ObservedSpec>(&spec);
        if (point.node != observed.value.id || !asked
            || asked->qscheme != QScheme::PerTensorSymmetric)
            continue;
        ObservedSpec better = *asked;
        better.qscheme = QScheme::PerTensorAffine;
        found.edits.push_back(doctor.editAt(point, better));
    }
    doctor.found.push_back(std::move(found));
}

void findUnbalancedInputs(Doctor& doctor)
{
    for (const Node& node : *doctor.snapshot.annotated->folded.graph) {
        if (!node.is(OpKind::CallFunction))
            continue;
        const std::vector<NodeId> inputs = node.inputs();
        const ObserverId instance =
            inputs.size() < 2 ? ObserverId{} : doctor.instanceAt(Point::edge(inputs[0], node.id));
        const bool areShared =
            instance && std::all_of(inputs.begin(), inputs.end(), [&](NodeId input) {
                return doctor.instanceAt(Point::edge(input, node.id)) == instance;
            });
        if (areShared)
            judgeInputs(doctor, node, instance, inputs);
    }
}

} // namespace pt2e::diagnoses
