#include "core/analysis/Diagnosis.h"

#include "core/pipeline/Edits.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <unordered_map>

namespace pt2e {

namespace {

struct Range
{
    double low = 0, high = 0;
    double width() const { return high - low; }
};

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

class Doctor
{
public:
    explicit Doctor(const Snapshot& snapshot)
        : m_snapshot(snapshot),
          m_graph(*snapshot.prepared->graph),
          m_names(*snapshot.annotated->folded.graph)
    {}

    std::vector<Diagnosis> examine()
    {
        for (const Node& node : m_graph) {
            const ModuleRef* module =
                node.is(OpKind::CallModule) ? m_graph.modules().find(node.target) : nullptr;
            if (!module || !node.arg(0).node())
                continue;
            const Node& value = m_graph.node(node.arg(0).node());
            const ObserverConfig& config =
                m_snapshot.prepared->instances[module->instance.value].config;
            if (value.is(OpKind::GetAttr)) {
                findOutlier(value, node, config);
            } else {
                findPreClamp(value, node, module->instance);
                findOneSided(value, module->instance, config);
            }
        }
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const auto& a, const auto& b) { return a.severity > b.severity; });
        return std::move(m_found);
    }

private:
    /// Points of an operator's annotation, if they are observed: where edits can be made.
    const ObservedSpec* specAt(const Point& point) const
    {
        const Spec* spec = m_snapshot.prepared->sharing.specAt(point);
        return spec ? std::get_if<ObservedSpec>(spec) : nullptr;
    }
    Edit editAt(const Point& point, std::optional<ObservedSpec> spec) const
    {
        Edit edit;
        edit.at = namedPoint(point, m_names);
        if (spec) {
            edit.spec.kind = EditSpec::Kind::Observed;
            edit.spec.observed = *spec;
        }
        return edit;
    }
    std::vector<Edit> withoutPoints(const std::vector<Point>& points, const Point& heir) const;
    std::optional<Range> seen(ObserverId id) const
    {
        const ObserverState& state = *m_snapshot.calibrated->states[id.value];
        if (state.minVal.size() != 1 || state.maxVal.size() != 1
            || !(state.maxVal[0] > state.minVal[0]))
            return std::nullopt;
        return Range{state.minVal[0], state.maxVal[0]};
    }
    void findOutlier(const Node& weight, const Node& observer, const ObserverConfig& config);
    void findPreClamp(const Node& value, const Node& observer, ObserverId instance);
    void findOneSided(const Node& value, ObserverId instance, const ObserverConfig& config);

    const Snapshot& m_snapshot;
    const Graph& m_graph;
    NodeNames m_names;
    std::vector<Diagnosis> m_found;
};

/// The largest absolute weight of each output channel.
std::vector<double> channelSizes(const Tensor& weight)
{
    std::vector<double> sizes;
    const auto values = weight.toDoubles();
    if (!values || weight.shape().size() < 2 || weight.shape().front() < 2)
        return sizes;
    const std::size_t each = values->size() / static_cast<std::size_t>(weight.shape().front());
    for (std::size_t i = 0; each > 0 && i < values->size(); i += each) {
        double size = 0;
        for (std::size_t j = i; j < i + each; ++j)
            size = std::max(size, std::abs((*values)[j]));
        sizes.push_back(size);
    }
    return sizes;
}

void Doctor::findOutlier(const Node& weight, const Node& observer, const ObserverConfig& config)
{
    const Attribute* attribute = m_graph.attributes().find(weight.target);
    const bool isOne = observer.users.size() == 1;
    if (isPerChannel(config.qscheme) || config.isDynamic || !attribute || !isOne)
        return;
    const Node& operation = m_graph.node(observer.users.front());
    const std::string_view op = shortOpName(operation.target);
    const Point point = Point::edge(weight.id, operation.id);
    const ObservedSpec* spec = specAt(point);
    if (!spec || (op != "conv1d" && op != "conv2d" && op != "conv3d" && op != "linear"))
        return;
    const std::vector<double> sizes = channelSizes(attribute->value);
    std::vector<double> sorted = sizes;
    std::sort(sorted.begin(), sorted.end());
    const double median = sorted.empty() ? 0 : sorted[sorted.size() / 2];
    if (median <= 0 || sorted.back() < kOutlierRatio * median)
        return;
    const auto worst = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
    ObservedSpec better = *spec;
    better.qscheme = QScheme::PerChannelSymmetric;
    better.chAxis = 0;
    better.observer.kind = ObserverKind::PerChannelMinMax;
    m_found.push_back({DiagnosisKind::OutlierChannel,
                       {operation.id, weight.id},
                       operation.name,
                       "largest weight of one channel against that of most: %1",
                       fmt::format("{}: {:.4g} / {:.4g}", worst, sorted.back(), median),
                       sorted.back() / median / kOutlierRatio,
                       {editAt(point, better)}});
}

/// Edits that leave the points unobserved; one that shares with them, which is to be the heir, gets their spec. Empty if
/// yet others share with them.
std::vector<Edit> Doctor::withoutPoints(const std::vector<Point>& points, const Point& heir) const
{
    const auto isGone = [&](const Point& point) {
        return std::find(points.begin(), points.end(), point) != points.end();
    };
    const ObservedSpec* spec = nullptr;
    for (const Point& point : points)
        spec = spec ? spec : specAt(point);
    std::vector<Edit> edits;
    for (const auto& [point, given] : m_snapshot.prepared->sharing.specs) {
        const auto* shared = std::get_if<SharedSpec>(&given);
        if (isGone(point) && !isNone(given))
            edits.push_back(editAt(point, std::nullopt));
        else if (shared && isGone(shared->with) && point == heir && spec)
            edits.push_back(editAt(point, *spec));
        else if (shared && isGone(shared->with))
            return {};
    }
    return edits;
}

void Doctor::findPreClamp(const Node& value, const Node& observer, ObserverId instance)
{
    if (observer.users.size() != 1)
        return;
    const Node& reader = m_graph.node(observer.users.front());
    const std::optional<Range> clamp = clampOf(reader);
    const std::optional<Range> range = seen(instance);
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
                    {}};
    found.edits = withoutPoints({Point::edge(value.id, reader.id), Point::output(value.id)},
                                Point::output(reader.id));
    if (found.edits.empty())
        return;
    m_found.push_back(std::move(found));
}

void Doctor::findOneSided(const Node& value, ObserverId instance, const ObserverConfig& config)
{
    const std::optional<Range> range = seen(instance);
    if (config.qscheme != QScheme::PerTensorSymmetric || config.isDynamic || !range)
        return;
    const double below = std::max(0.0, -range->low), above = std::max(0.0, range->high);
    const double share = std::min(below, above) / std::max(below, above);
    if (share >= kOneSidedShare)
        return;
    Diagnosis found{DiagnosisKind::OneSided,
                    {value.id},
                    value.name,
                    "smallest and largest value on a symmetric grid: %1",
                    fmt::format("{:.4g} … {:.4g}", range->low, range->high),
                    1 + (kOneSidedShare - share),
                    {}};
    for (const auto& [point, spec] : m_snapshot.prepared->sharing.specs) {
        const auto* observed = std::get_if<ObservedSpec>(&spec);
        if (point.node != value.id || !observed || observed->qscheme != QScheme::PerTensorSymmetric)
            continue;
        ObservedSpec better = *observed;
        better.qscheme = QScheme::PerTensorAffine;
        found.edits.push_back(editAt(point, better));
    }
    m_found.push_back(std::move(found));
}

} // namespace

const char* diagnosisName(DiagnosisKind kind)
{
    switch (kind) {
    case DiagnosisKind::OutlierChannel: return "outlier channel";
    case DiagnosisKind::PreClamp: return "quantized before a clamp";
    case DiagnosisKind::OneSided: break;
    }
    return "one-sided values";
}

const char* diagnosisMend(DiagnosisKind kind)
{
    switch (kind) {
    case DiagnosisKind::OutlierChannel: return "quantize the weights per channel";
    case DiagnosisKind::PreClamp: return "quantize behind the clamp only";
    case DiagnosisKind::OneSided: break;
    }
    return "affine instead of symmetric";
}

std::vector<Diagnosis> diagnose(const Snapshot& snapshot)
{
    return snapshot.prepared && snapshot.calibrated ? Doctor(snapshot).examine()
                                                    : std::vector<Diagnosis>{};
}

} // namespace pt2e
