#include "core/pipeline/RangeEdits.h"

#include "core/pipeline/Edits.h"

namespace pt2e {

namespace {

bool asksForItself(const Spec& spec)
{
    return std::holds_alternative<ObservedSpec>(spec) || std::holds_alternative<FixedSpec>(spec);
}

} // namespace

const ObserverState& seenBy(const Snapshot& snapshot, ObserverId instance)
{
    const CalibratedStage& calibrated = *snapshot.calibrated;
    const bool isWatched = instance.value < calibrated.watched.size()
                           && calibrated.watched[instance.value]
                           && !calibrated.watched[instance.value]->histogram.empty();
    return isWatched ? *calibrated.watched[instance.value] : *calibrated.states[instance.value];
}

std::vector<Edit> fixedEdits(const Snapshot& snapshot, ObserverId instance, const QParams& qparams)
{
    const PreparedGraph& prepared = *snapshot.prepared;
    const ObserverInstance& made = prepared.instances[instance.value];
    if (qparams.scale.size() != 1 || isPerChannel(made.config.qscheme))
        return {};
    EditSpec spec;
    spec.kind = EditSpec::Kind::Fixed;
    spec.fixed.dtype = made.config.dtype;
    spec.fixed.scale = static_cast<double>(qparams.scale.front());
    spec.fixed.zeroPoint = qparams.zeroPoint.front();
    spec.fixed.quantMin = made.config.quantMin;
    spec.fixed.quantMax = made.config.quantMax;
    spec.fixed.qscheme = made.config.qscheme;
    const NodeNames names(*snapshot.annotated->folded.graph);
    std::vector<Edit> edits;
    for (const auto& [point, asked] : prepared.sharing.specs) {
        const auto at = prepared.instanceOf.find(point);
        if (at == prepared.instanceOf.end() || at->second != instance || !asksForItself(asked))
            continue;
        edits.push_back({namedPoint(point, names), spec});
    }
    return edits;
}

Result<std::vector<Edit>> rangeEdits(const Snapshot& snapshot, ObserverId instance,
                                     RangeMethod method)
{
    const ObserverConfig& config = snapshot.prepared->instances[instance.value].config;
    PT2E_ASSIGN(const ValueRange range, chooseRange(method, config, seenBy(snapshot, instance)));
    PT2E_ASSIGN(const QParams qparams, qparamsOfRange(config, range));
    return fixedEdits(snapshot, instance, qparams);
}

Recipe withRanges(const Snapshot& snapshot, RangeMethod method)
{
    Recipe recipe = snapshot.recipe;
    for (const ObserverInstance& instance : snapshot.prepared->instances) {
        const auto edits = rangeEdits(snapshot, instance.id, method);
        if (!edits)
            continue; // weights, and what has seen nothing
        recipe = withEdits(std::move(recipe), *edits);
    }
    return recipe;
}

} // namespace pt2e
