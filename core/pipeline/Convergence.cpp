#include "core/pipeline/Convergence.h"

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

} // namespace pt2e
