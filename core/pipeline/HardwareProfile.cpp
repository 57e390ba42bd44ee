#include "core/pipeline/HardwareProfile.h"

#include "core/pipeline/AskedPoints.h"
#include "core/quant/NodeMatch.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace pt2e {

namespace {

using C = Constraint;
constexpr C kIntegerOnly[] = {C::NoDynamic, C::SameInCatAndPool, C::Int32Bias};
constexpr C kSymmetric[] = {C::NoDynamic, C::Symmetric, C::Int32Bias};
constexpr C kOneScale[] = {C::NoDynamic,        C::Symmetric, C::PerTensor,
                           C::SameInCatAndPool, C::SameInAdd, C::Int32Bias};
constexpr C kShifts[] = {C::NoDynamic,        C::Symmetric, C::PerTensor,
                         C::SameInCatAndPool, C::Int32Bias, C::PowerOfTwo};
constexpr HardwareProfile kProfiles[] = {
    {"integer-only",
     "integers throughout: static scales, int32 bias, no rescaling in cat and pools", kIntegerOnly},
    {"symmetric", "no zero points: static symmetric scales, int32 bias", kSymmetric},
    {"one-scale", "no zero points, one scale per tensor, no rescaling in cat, pools and additions",
     kOneScale},
    {"shift-only", "rescaling by shifts: symmetric, one scale per tensor, scales are powers of two",
     kShifts},
};

constexpr std::string_view kCatAndPool[] = {"aten.cat.default", "aten.max_pool*", "aten.avg_pool*",
                                            "aten.adaptive_avg_pool*"};
constexpr std::string_view kAdd[] = {"aten.add.Tensor", "aten.add_.Tensor"};
constexpr std::string_view kRelu[] = {"aten.relu.default", "aten.relu_.default"};
constexpr std::string_view kWithBias[] = {"aten.conv*", "aten.linear.default"};
constexpr std::size_t kBias = 2; ///< input, weight, bias

bool isOf(const Node& node, std::span<const std::string_view> patterns)
{
    return node.is(OpKind::CallFunction)
           && std::any_of(patterns.begin(), patterns.end(), [&](std::string_view pattern) {
                  return matchesPattern(node.target, pattern);
              });
}

/// Looks at one annotated model.
class Check
{
public:
    explicit Check(const Snapshot& snapshot) : m_snapshot(snapshot), m_asked(*snapshot.annotated)
    {
        if (snapshot.prepared)
            m_instances = snapshot.prepared->instanceOf;
    }
    std::vector<Violation> run(const HardwareProfile& profile);

private:
    void checkSpecs(Constraint constraint);
    void checkSame(Constraint constraint);
    void checkBiases();
    void checkScales();
    void add(Constraint constraint, Point at, NodeId owner, std::string detail);
    const FixedSpec* fixedAt(const Point& point) const;

    const Snapshot& m_snapshot;
    AskedPoints m_asked;
    std::unordered_map<Point, ObserverId> m_instances;
    std::vector<Violation> m_found;
};

void Check::add(Constraint constraint, Point at, NodeId owner, std::string detail)
{
    const NodeNames::Entry* entry = m_asked.names().entry(owner);
    m_found.push_back({constraint, at, owner, entry ? entry->node->target : std::string(),
                       m_asked.names().pointText(at), std::move(detail)});
}

std::string detailOf(const Spec& spec)
{
    if (const auto* fixed = std::get_if<FixedSpec>(&spec))
        return fmt::format("fixed zero point {}", fixed->zeroPoint);
    const auto* observed = std::get_if<ObservedSpec>(&spec);
    const auto* derived = std::get_if<DerivedSpec>(&spec);
    const auto scheme = observed ? observed->qscheme : derived ? derived->qscheme : std::nullopt;
    return fmt::format("{} {}", dtypeName(observed ? observed->dtype : DType::Int32),
                       qschemeName(scheme.value_or(QScheme::PerTensorAffine)));
}

void Check::checkSpecs(Constraint constraint)
{
    for (const AskedPoint& point : m_asked.all()) {
        if (breaks(constraint, *point.spec))
            add(constraint, point.at, point.owner,
                constraint == Constraint::NoDynamic ? std::string() : detailOf(*point.spec));
    }
}

const FixedSpec* Check::fixedAt(const Point& point) const
{
    const Spec* spec = m_asked.specAt(m_asked.root(point));
    return spec ? std::get_if<FixedSpec>(spec) : nullptr;
}

void Check::checkSame(Constraint constraint)
{
    if (!m_snapshot.prepared)
        return;
    for (const NodeNames::Entry& entry : m_asked.names().entries()) {
        std::set<ObserverId> observers;
        std::vector<const FixedSpec*> fixed;
        for (const Point& point :
             pointsWithSameQParams(constraint, *m_snapshot.annotated, *entry.graph, *entry.node)) {
            const FixedSpec* here = fixedAt(point);
            // Fixed at the same numbers is the same, whatever observer passes them on.
            const auto isSame = [&](const FixedSpec* other) { return here && *other == *here; };
            if (std::any_of(fixed.begin(), fixed.end(), isSame))
                continue;
            if (here)
                fixed.push_back(here);
            if (const auto it = m_instances.find(point); it != m_instances.end())
                observers.insert(it->second);
        }
        if (observers.size() > 1)
            add(constraint, Point::output(entry.node->id), entry.node->id,
                std::to_string(observers.size()));
    }
}

void Check::checkBiases()
{
    for (const NodeNames::Entry& entry : m_asked.names().entries()) {
        const Node& node = *entry.node;
        if (!isOf(node, kWithBias))
            continue;
        const std::vector<NodeId> inputs = node.inputs();
        if (inputs.size() <= kBias)
            continue;
        const Point x = Point::edge(inputs[0], node.id), weight = Point::edge(inputs[1], node.id),
                    bias = Point::edge(inputs[kBias], node.id);
        const Spec* given = m_asked.specAt(m_asked.root(x));
        if (!given || breaks(Constraint::NoDynamic, *given) || !m_asked.specAt(weight))
            continue; // computed in float, or with a scale that is not known before it runs
        const Spec* now = m_asked.specAt(bias);
        const auto* derived = now ? std::get_if<DerivedSpec>(now) : nullptr;
        if (!derived || derived->dtype != DType::Int32
            || derived->rule != DeriveRule::ProductOfScales
            || derived->from != std::vector{x, weight})
            add(Constraint::Int32Bias, bias, node.id, "");
    }
}

void Check::checkScales()
{
    if (!m_snapshot.prepared || !m_snapshot.calibrated)
        return;
    for (const AskedPoint& point : m_asked.all()) {
        const auto it = m_instances.find(point.at);
        if (it == m_instances.end() || std::holds_alternative<SharedSpec>(*point.spec)
            || std::holds_alternative<DerivedSpec>(*point.spec))
            continue; // those follow the others
        const QParamsResult& result = m_snapshot.calibrated->qparams[it->second.value];
        if (!result.qparams || !result.hasData)
            continue;
        const auto& scales = result.qparams->scale;
        const auto odd = std::find_if(scales.begin(), scales.end(),
                                      [](float scale) { return powerOfTwoAbove(scale) != scale; });
        if (odd != scales.end())
            add(Constraint::PowerOfTwo, point.at, point.owner, fmt::format("{:.4g}", *odd));
    }
}

std::vector<Violation> Check::run(const HardwareProfile& profile)
{
    for (const Constraint constraint : profile.constraints) {
        switch (constraint) {
        case Constraint::NoDynamic:
        case Constraint::Symmetric:
        case Constraint::PerTensor: checkSpecs(constraint); break;
        case Constraint::SameInCatAndPool:
        case Constraint::SameInAdd: checkSame(constraint); break;
        case Constraint::Int32Bias: checkBiases(); break;
        case Constraint::PowerOfTwo: checkScales(); break;
        }
    }
    return std::move(m_found);
}

} // namespace

std::string_view constraintName(Constraint constraint)
{
    constexpr std::string_view kNames[] = {"no-dynamic",           "symmetric",   "per-tensor",
                                           "same-in-cat-and-pool", "same-in-add", "int32-bias",
                                           "power-of-two"};
    return kNames[static_cast<std::size_t>(constraint)];
}

std::string_view constraintText(Constraint constraint)
{
    constexpr std::string_view kTexts[] = {"no dynamic quantization",
                                           "symmetric: zero point 0",
                                           "one scale per tensor",
                                           "cat and pools: inputs and output with one scale",
                                           "additions: inputs and output with one scale",
                                           "bias in int32, input scale × weight scale",
                                           "scales are powers of two"};
    return kTexts[static_cast<std::size_t>(constraint)];
}

std::span<const HardwareProfile> hardwareProfiles() { return kProfiles; }

const HardwareProfile* profileNamed(std::string_view name)
{
    const auto it = std::find_if(std::begin(kProfiles), std::end(kProfiles),
                                 [&](const HardwareProfile& p) { return p.name == name; });
    return it == std::end(kProfiles) ? nullptr : &*it;
}

std::string Violation::message() const
{
    switch (constraint) {
    case Constraint::NoDynamic: return point + " is quantized dynamically";
    case Constraint::Symmetric: return point + " is not symmetric: " + detail;
    case Constraint::PerTensor: return point + " has a scale per channel";
    case Constraint::SameInCatAndPool:
    case Constraint::SameInAdd:
        return "inputs and output of " + point + " use " + detail + " observers";
    case Constraint::Int32Bias: return point + " is not int32 with input scale × weight scale";
    case Constraint::PowerOfTwo: return point + " has scale " + detail;
    }
    return point;
}

std::vector<Violation> violationsOf(const Snapshot& snapshot, const HardwareProfile& profile)
{
    return snapshot.annotated ? Check(snapshot).run(profile) : std::vector<Violation>();
}

bool breaks(Constraint constraint, const Spec& spec)
{
    const auto* observed = std::get_if<ObservedSpec>(&spec);
    const auto* fixed = std::get_if<FixedSpec>(&spec);
    const auto* derived = std::get_if<DerivedSpec>(&spec);
    const auto scheme = observed  ? observed->qscheme
                        : derived ? derived->qscheme
                                  : std::optional<QScheme>();
    switch (constraint) {
    case Constraint::NoDynamic: return observed && observed->isDynamic;
    case Constraint::Symmetric:
        if (fixed)
            return fixed->zeroPoint != 0;
        return observed && isInteger(observed->dtype)
               && (observed->dtype == DType::UInt8
                   || (scheme != QScheme::PerTensorSymmetric
                       && scheme != QScheme::PerChannelSymmetric));
    case Constraint::PerTensor: return scheme && isPerChannel(*scheme);
    default: return false;
    }
}

double powerOfTwoAbove(double scale)
{
    int exponent = 0;
    const double mantissa = std::frexp(scale, &exponent); // 0.5 ≤ mantissa < 1
    return mantissa == 0.5 ? scale : std::ldexp(1.0, exponent);
}

std::vector<Point> pointsWithSameQParams(Constraint constraint, const AnnotatedStage& stage,
                                         const Graph& graph, const Node& node)
{
    const bool isAdd = constraint == Constraint::SameInAdd;
    const Annotation* annotation = stage.annotations.find(node.id);
    std::vector<Point> points;
    if (!annotation || !(isAdd ? isOf(node, kAdd) : isOf(node, kCatAndPool)))
        return points;
    for (const NodeId input : node.inputs()) {
        const Spec* spec = annotation->input(input);
        if (spec && !isNone(*spec))
            points.push_back(Point::edge(input, node.id));
    }
    if (!isNone(annotation->output)) {
        points.push_back(Point::output(node.id));
    } else if (isAdd && node.users.size() == 1) {
        const Node& user = graph.node(node.users[0]);
        const Annotation* fused = stage.annotations.find(user.id);
        if (isOf(user, kRelu) && fused && !isNone(fused->output) && !fused->input(node.id))
            points.push_back(Point::output(user.id));
    }
    return points;
}

} // namespace pt2e
