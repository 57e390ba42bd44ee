#include "core/analysis/OutputConvergence.h"

#include "core/analysis/OneTorchThread.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

/// The scales of values; per-channel ones and those of weights do not depend on the number of batches.
std::vector<std::size_t> movableScales(const Snapshot& snapshot)
{
    std::vector<std::size_t> movable;
    const auto& instances = snapshot.prepared->instances;
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const ObserverKind kind = instances[i].config.kind;
        const bool observes = kind == ObserverKind::Histogram || kind == ObserverKind::MinMax
                              || kind == ObserverKind::MovingAverageMinMax;
        if (!observes || instances[i].config.isDynamic)
            continue;
        const bool isOfValue = std::any_of(
            snapshot.prepared->instanceOf.begin(), snapshot.prepared->instanceOf.end(),
            [&](const auto& at) {
                return at.second.value == i && snapshot.calibrated->seen.contains(at.first.node);
            });
        if (isOfValue)
            movable.push_back(i);
    }
    return movable;
}

std::optional<double> scaleOf(const CalibratedStage& stage, std::size_t instance)
{
    const auto& qparams = stage.qparams[instance].qparams;
    return qparams && qparams->scale.size() == 1
               ? std::optional(static_cast<double>(qparams->scale.front()))
               : std::nullopt;
}

std::size_t movedScales(const CalibratedStage& now, const CalibratedStage& last,
                        const std::vector<std::size_t>& movable)
{
    return static_cast<std::size_t>(
        std::count_if(movable.begin(), movable.end(), [&](std::size_t i) {
            const auto scale = scaleOf(now, i), end = scaleOf(last, i);
            return scale && end && std::fabs(*scale / *end - 1) > Convergence::kTolerance;
        }));
}

void findEnough(OutputConvergence& result)
{
    const auto decibel = [&](std::size_t i) { return result.points[i].score.output.sqnrDb; };
    const double last = decibel(result.points.size() - 1);
    std::size_t first = result.points.size() - 1;
    const auto isNear = [&](double value) {
        return value == last || std::fabs(value - last) <= OutputConvergence::kEnoughDb;
    };
    while (first > 0 && isNear(decibel(first - 1)))
        --first;
    result.enough = result.points[first].batches;
}

} // namespace

std::vector<std::size_t> convergenceCounts(std::size_t batches)
{
    std::vector<std::size_t> counts;
    for (std::size_t count = 1; count < batches; count *= 2)
        counts.push_back(count);
    if (batches > 0)
        counts.push_back(batches);
    return counts;
}

Result<OutputConvergence> outputConvergence(
    const Snapshot& snapshot, const CalibratedStages& stages, const SensitivityData& data,
    const JobContext& context, const std::function<void(const OutputConvergence&)>& onPoint)
{
    if (!snapshot.converted || stages.empty())
        return badInput("convergence", "there is no converted stage");
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const OneTorchThread oneThread(*torch); // batches run side by side
    context.report("judging", 0, static_cast<std::int64_t>(stages.size()));
    PT2E_ASSIGN(std::vector<Values> floats,
                runBatches(snapshot.model->exported, data.batches, context));
    const Scorer scorer(std::move(floats), data.batches, data.labels);
    OutputConvergence result;
    result.calibration = snapshot.calibrated->data;
    result.data = data.description;
    result.wanted = stages.size();
    const std::vector<std::size_t> movable = movableScales(snapshot);
    result.scales = movable.size();
    for (const auto& stage : stages) {
        context.report("judging", static_cast<std::int64_t>(result.points.size()),
                       static_cast<std::int64_t>(stages.size()));
        PT2E_TRY(context.checkpoint());
        PT2E_ASSIGN(const auto converted, convertStage(*snapshot.annotated, *snapshot.prepared,
                                                       *stage, snapshot.recipe, context));
        PT2E_ASSIGN(const std::vector<Values> outputs,
                    runBatches(converted->graph, data.batches, context));
        PT2E_ASSIGN(SensitivityScore score, scorer.score(outputs));
        result.points.push_back({static_cast<std::size_t>(stage->batches), std::move(score),
                                 movedScales(*stage, *stages.back(), movable)});
        if (result.points.size() == result.wanted)
            findEnough(result);
        if (onPoint)
            onPoint(result);
    }
    return result;
}

} // namespace pt2e
