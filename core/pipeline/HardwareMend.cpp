#include "core/pipeline/HardwareMend.h"

#include "core/pipeline/AskedPoints.h"
#include "core/pipeline/Edits.h"
#include "core/quant/Config.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

using Kind = EditSpec::Kind;

class Mender
{
public:
    Mender(const Snapshot& snapshot, Constraint constraint)
        : m_snapshot(snapshot),
          m_constraint(constraint),
          m_asked(*snapshot.annotated)
    {
        if (snapshot.prepared)
            m_instances = snapshot.prepared->instanceOf;
    }

    void mend(const Violation& violation);
    RecipeChange change() const
    {
        return changeFor(*m_snapshot.annotated, m_snapshot.recipe, m_wanted,
                         m_constraint == Constraint::PowerOfTwo);
    }

private:
    void mendTogether(const Point& at, Constraint constraint);
    void mendSame(const Violation& violation);
    void mendBias(const Violation& violation);
    void mendScale(const Point& at);
    EditSpec mended(const Spec& spec) const;
    EditSpec perTensor(const Spec& spec) const;
    std::int64_t sizeAt(NodeId id, std::int64_t axis) const;
    NamedPoint named(const Point& point) const { return namedPoint(point, m_asked.names()); }

    const Snapshot& m_snapshot;
    Constraint m_constraint;
    AskedPoints m_asked;
    std::unordered_map<Point, ObserverId> m_instances;
    std::map<Point, EditSpec> m_wanted;
};

/// The range of a fixed spec, covered without a zero point.
FixedSpec symmetricFixed(FixedSpec spec)
{
    const double low =
        spec.scale * static_cast<double>(spec.quantMin.value_or(-128) - spec.zeroPoint);
    const double high =
        spec.scale * static_cast<double>(spec.quantMax.value_or(127) - spec.zeroPoint);
    if (spec.dtype == DType::UInt8) {
        spec.dtype = DType::Int8;
        spec.quantMin = -128;
        spec.quantMax = 127;
    }
    const auto scaleFor = [](double value, std::int64_t end) {
        return end == 0 ? 0.0 : value / static_cast<double>(end);
    };
    spec.scale = std::max(scaleFor(low, spec.quantMin.value_or(-128)),
                          scaleFor(high, spec.quantMax.value_or(127)));
    spec.zeroPoint = 0;
    spec.qscheme = QScheme::PerTensorSymmetric;
    return spec;
}

ObserverKind perTensorKind(ObserverKind kind)
{
    switch (kind) {
    case ObserverKind::PerChannelMinMax: return ObserverKind::MinMax;
    case ObserverKind::MovingAveragePerChannelMinMax: return ObserverKind::MovingAverageMinMax;
    default: return kind;
    }
}

QScheme perTensorScheme(QScheme scheme)
{
    return scheme == QScheme::PerChannelSymmetric ? QScheme::PerTensorSymmetric
                                                  : QScheme::PerTensorAffine;
}

EditSpec Mender::perTensor(const Spec& spec) const
{
    EditSpec edit = editSpecOf(spec, m_asked.names());
    if (edit.kind == Kind::Derived) {
        edit.derived.qscheme = perTensorScheme(*edit.derived.qscheme);
        edit.derived.chAxis.reset();
    } else {
        edit.observed.qscheme = perTensorScheme(*edit.observed.qscheme);
        edit.observed.observer.kind = perTensorKind(edit.observed.observer.kind);
    }
    return edit;
}

EditSpec Mender::mended(const Spec& spec) const
{
    EditSpec edit = editSpecOf(spec, m_asked.names());
    ObservedSpec& observed = edit.observed;
    switch (m_constraint) {
    case Constraint::NoDynamic: {
        QuantizationConfig config =
            m_snapshot.recipe.quantizer.global.value_or(QuantizationConfig{});
        config.dynamic = false;
        observed = std::get<ObservedSpec>(symmetricConfig(config).inputActivation);
        break;
    }
    case Constraint::Symmetric:
        if (edit.kind == Kind::Fixed) {
            edit.fixed = symmetricFixed(edit.fixed);
            break;
        }
        if (observed.dtype == DType::UInt8) {
            observed.dtype = DType::Int8;
            observed.quantMin = -128;
            observed.quantMax = 127;
        }
        observed.qscheme = observed.qscheme && isPerChannel(*observed.qscheme)
                               ? QScheme::PerChannelSymmetric
                               : QScheme::PerTensorSymmetric;
        break;
    case Constraint::PerTensor: return perTensor(spec);
    default: break;
    }
    return edit;
}

void Mender::mendTogether(const Point& at, Constraint constraint)
{
    const auto index = m_asked.indexOf(at);
    if (!index || m_wanted.contains(at))
        return;
    for (const std::size_t other : m_asked.together(*index)) {
        const AskedPoint& point = m_asked.all()[other];
        if (breaks(constraint, *point.spec))
            m_wanted.emplace(point.at, constraint == Constraint::PerTensor ? perTensor(*point.spec)
                                                                           : mended(*point.spec));
    }
}

void Mender::mendSame(const Violation& violation)
{
    const NodeNames::Entry& entry = *m_asked.names().entry(violation.node);
    const std::vector<Point> points =
        pointsWithSameQParams(m_constraint, *m_snapshot.annotated, *entry.graph, *entry.node);
    // The first point keeps its spec; where it follows one of the others, it takes over what that one has.
    const Point root = m_asked.root(points.front());
    const bool followsOther = std::find(points.begin() + 1, points.end(), root) != points.end();
    if (followsOther)
        m_wanted[points.front()] = editSpecOf(*m_asked.specAt(root), m_asked.names());
    EditSpec shared;
    shared.kind = Kind::Shared;
    shared.sharedWith = named(points.front());
    for (std::size_t i = 1; i < points.size(); ++i)
        m_wanted[points[i]] = shared;
}

void Mender::mendBias(const Violation& violation)
{
    const NodeNames::Entry& entry = *m_asked.names().entry(violation.node);
    const std::vector<NodeId> inputs = entry.node->inputs();
    const Point weight = Point::edge(inputs[1], violation.node);
    const Spec* spec = m_asked.specAt(m_asked.root(weight));
    const auto* observed = spec ? std::get_if<ObservedSpec>(spec) : nullptr;
    bool isChannelwise = observed && observed->qscheme && isPerChannel(*observed->qscheme);
    if (isChannelwise && sizeAt(inputs[1], observed->chAxis.value_or(0)) != sizeAt(inputs[2], 0)) {
        mendTogether(weight, Constraint::PerTensor);
        isChannelwise = false;
    }
    EditSpec edit;
    edit.kind = Kind::Derived;
    edit.derivedFrom = {named(Point::edge(inputs[0], violation.node)), named(weight)};
    edit.derived.quantMin = std::numeric_limits<std::int32_t>::min();
    edit.derived.quantMax = std::numeric_limits<std::int32_t>::max();
    edit.derived.qscheme =
        isChannelwise ? QScheme::PerChannelSymmetric : QScheme::PerTensorSymmetric;
    if (isChannelwise)
        edit.derived.chAxis = 0;
    m_wanted[violation.at] = edit;
}

/// Of a parameter, along an axis; -1 where it is not known.
std::int64_t Mender::sizeAt(NodeId id, std::int64_t axis) const
{
    const NodeNames::Entry* entry = m_asked.names().entry(id);
    const Attribute* attribute =
        entry ? entry->graph->attributes().find(entry->node->target) : nullptr;
    const auto dimensions = attribute ? attribute->value.shape() : std::vector<std::int64_t>();
    const bool isThere = axis >= 0 && static_cast<std::size_t>(axis) < dimensions.size();
    return isThere ? dimensions[static_cast<std::size_t>(axis)] : -1;
}

void Mender::mendScale(const Point& at)
{
    if (m_wanted.contains(at))
        return;
    const ObserverId id = m_instances.at(at);
    const ObserverConfig& config = m_snapshot.prepared->instances[id.value].config;
    const QParams& now = *m_snapshot.calibrated->qparams[id.value].qparams;
    const double scale = *std::max_element(now.scale.begin(), now.scale.end());
    EditSpec edit;
    edit.kind = Kind::Fixed;
    FixedSpec& fixed = edit.fixed;
    fixed.dtype = config.dtype;
    fixed.quantMin = config.quantMin;
    fixed.quantMax = config.quantMax;
    fixed.scale = powerOfTwoAbove(scale);
    const bool isSymmetric = config.qscheme == QScheme::PerTensorSymmetric
                             || config.qscheme == QScheme::PerChannelSymmetric;
    fixed.qscheme = isSymmetric ? QScheme::PerTensorSymmetric : QScheme::PerTensorAffine;
    fixed.zeroPoint = now.zeroPoint.front();
    // The smallest value that could be represented stays at the lower end.
    if (!isSymmetric) {
        const auto below = static_cast<double>(config.quantMin - fixed.zeroPoint);
        fixed.zeroPoint = std::clamp(config.quantMin - std::llround(below * scale / fixed.scale),
                                     static_cast<long long>(config.quantMin),
                                     static_cast<long long>(config.quantMax));
    }
    // All points of that observer, and what is derived from a scale that was one per channel.
    for (const std::size_t other : m_asked.together(*m_asked.indexOf(at))) {
        const AskedPoint& point = m_asked.all()[other];
        const auto it = m_instances.find(point.at);
        if (std::holds_alternative<DerivedSpec>(*point.spec)) {
            if (now.scale.size() > 1 && breaks(Constraint::PerTensor, *point.spec))
                m_wanted.emplace(point.at, perTensor(*point.spec));
        } else if (it != m_instances.end() && it->second == id
                   && !std::holds_alternative<SharedSpec>(*point.spec)) {
            m_wanted.emplace(point.at, edit);
        }
    }
}

void Mender::mend(const Violation& violation)
{
    switch (m_constraint) {
    case Constraint::NoDynamic:
    case Constraint::Symmetric:
    case Constraint::PerTensor: mendTogether(violation.at, m_constraint); return;
    case Constraint::SameInCatAndPool:
    case Constraint::SameInAdd: mendSame(violation); return;
    case Constraint::Int32Bias: mendBias(violation); return;
    case Constraint::PowerOfTwo: mendScale(violation.at); return;
    }
}

} // namespace

RecipeChange mendOf(const Snapshot& snapshot, std::span<const Violation> violations)
{
    if (violations.empty() || !snapshot.annotated)
        return {};
    Mender mender(snapshot, violations.front().constraint);
    for (const Violation& violation : violations)
        mender.mend(violation);
    return mender.change();
}

Result<Recipe> mendedRecipe(Pipeline& pipeline, Recipe recipe, const HardwareProfile& profile,
                            const JobContext& context)
{
    for (std::size_t step = 0; step <= profile.constraints.size(); ++step) {
        const SnapshotPtr snapshot = pipeline.run(recipe, StageKind::Calibrated, context);
        if (snapshot->error)
            return tl::unexpected<Error>(*snapshot->error);
        std::vector<Violation> found = violationsOf(*snapshot, profile);
        if (found.empty())
            return recipe;
        std::erase_if(found, [first = found.front().constraint](const Violation& violation) {
            return violation.constraint != first;
        });
        recipe = withChange(std::move(recipe), mendOf(*snapshot, found));
    }
    return fail(ErrorCode::Internal, std::string(profile.name), "violations are left");
}

} // namespace pt2e
