#include "core/pipeline/Convergence.h"

#include "core/base/ParallelFor.h"
#include "core/observers/RangeMethods.h"
#include "core/pipeline/ModelRuns.h"
#include "core/pipeline/ObserverRuns.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

bool hasOneScale(const ObserverConfig& config)
{
    return config.kind == ObserverKind::Histogram || config.kind == ObserverKind::MinMax
           || config.kind == ObserverKind::MovingAverageMinMax;
}

void judge(Convergence& result, const ObserverConfig& config, const ObserverState& last)
{
    const double signal = meanSquare(last);
    const auto scaleAt = [&](std::size_t i) {
        return static_cast<double>(result.points[i].qparams.scale.front());
    };
    for (Convergence::Point& point : result.points) {
        const auto real = [&](std::int64_t code) {
            return static_cast<double>(point.qparams.scale.front())
                   * static_cast<double>(code - point.qparams.zeroPoint.front());
        };
        point.low = real(config.quantMin);
        point.high = real(config.quantMax);
        point.sqnrDb = 10 * std::log10(signal / squaredError(config, point.qparams, last));
    }
    result.enough = result.points.size();
    while (result.enough > 1
           && std::fabs(scaleAt(result.enough - 2) / scaleAt(result.points.size() - 1) - 1)
                  <= Convergence::kTolerance)
        --result.enough;
}

} // namespace

Result<Convergence> convergenceOf(const Snapshot& snapshot, ObserverId instance,
                                  const Batches& batches, ActivationCache& cache,
                                  const JobContext& context)
{
    const ObserverConfig& config = snapshot.prepared->instances[instance.value].config;
    if (!hasOneScale(config))
        return badInput(std::string(observerClassName(config.kind)),
                        "has no one scale that could change from batch to batch");
    const std::vector<NodeId> places = observedPlaces(*snapshot.prepared)[instance.value];
    const auto timesAt = [&](NodeId node) {
        return std::count(places.begin(), places.end(), node);
    };
    const GraphPtr& graph = snapshot.annotated->folded.graph;
    cache.bind(graph, batches.hash);
    ModelRuns runs(graph, batches, cache, context, [&](NodeId node) { return timesAt(node) > 0; });
    PT2E_ASSIGN(const auto observer, makeObserver(config));
    Convergence result;
    for (std::size_t batch = 0; batch < batches.batches.size(); ++batch) {
        context.report("observing", static_cast<std::int64_t>(batch),
                       static_cast<std::int64_t>(batches.batches.size()));
        PT2E_TRY(context.checkpoint());
        PT2E_ASSIGN(const BatchValues values, runs.valuesOf(batch));
        for (const auto& [node, tensor] : values) {
            for (auto times = timesAt(node); times > 0; --times)
                PT2E_TRY(observer->observe(tensor));
        }
        PT2E_ASSIGN(QParamsResult qparams, calculateQParams(config, observer->state()));
        if (!qparams.hasData || !qparams.qparams)
            return badInput(std::string(observerClassName(config.kind)), "has seen no values");
        result.points.push_back({std::move(*qparams.qparams), 0, 0, 0});
    }
    if (result.points.empty())
        return badInput("calibration", "there are no batches");
    judge(result, config, observer->state());
    return result;
}

namespace {

Result<std::shared_ptr<const CalibratedStage>> stageAfter(std::size_t count,
                                                          const Snapshot& snapshot,
                                                          const ObserverRuns& observers,
                                                          const ActivationCache& cache,
                                                          const JobContext& context)
{
    PT2E_ASSIGN(
        std::vector<ObserverResult> results,
        resultsOf(
            *snapshot.prepared, observers.states(), [](std::size_t) { return nullptr; }, context));
    auto stage = std::make_shared<CalibratedStage>();
    stage->batches = static_cast<std::int64_t>(count);
    stage->total = snapshot.calibrated->total;
    stage->data = snapshot.calibrated->data;
    stage->buffers = cache.stateBefore(count).attributes;
    for (ObserverResult& result : results) {
        stage->states.push_back(std::move(result.state));
        stage->qparams.push_back(std::move(result.qparams));
        stage->errors.push_back(std::move(result.error));
    }
    return stage;
}

} // namespace

Result<std::vector<std::shared_ptr<const CalibratedStage>>> calibratedAfter(
    const Snapshot& snapshot, std::span<const std::size_t> counts, const Batches& batches,
    ActivationCache& cache, const JobContext& context)
{
    const GraphPtr& graph = snapshot.annotated->folded.graph;
    cache.bind(graph, batches.hash);
    // One that knows of no observer that ended already: all are fed again.
    ActivationCache none(ActivationLimits::none());
    none.bind(graph, batches.hash);
    ObserverRuns observers(*snapshot.prepared, none, context);
    PT2E_TRY(observers.make(!batches.batches.empty()));
    ModelRuns runs(graph, batches, cache, context,
                   [&](NodeId node) { return observers.isWanted(node); });
    const std::vector<std::size_t> fed = observers.fedOnes();
    std::vector<std::shared_ptr<const CalibratedStage>> stages;
    const std::size_t last = counts.empty() ? 0 : std::min(counts.back(), batches.batches.size());
    for (std::size_t batch = 0; batch < last; ++batch) {
        context.report("observing", static_cast<std::int64_t>(batch),
                       static_cast<std::int64_t>(last));
        PT2E_TRY(context.checkpoint());
        PT2E_ASSIGN(const BatchValues values, runs.valuesOf(batch));
        PT2E_TRY(parallelFor(context, fed.size(), [&](std::size_t i) -> Result<void> {
            for (const auto& [node, tensor] : values)
                PT2E_TRY(observers.feed(fed[i], node, tensor));
            return {};
        }));
        if (std::find(counts.begin(), counts.end(), batch + 1) == counts.end())
            continue;
        PT2E_ASSIGN(stages.emplace_back(),
                    stageAfter(batch + 1, snapshot, observers, cache, context));
    }
    return stages;
}

} // namespace pt2e
