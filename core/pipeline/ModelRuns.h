// The values of the batches: kept ones from the cache, others by running the model.
#pragma once

#include "core/base/JobContext.h"
#include "core/data/Batches.h"
#include "core/engine/Engine.h"
#include "core/pipeline/ActivationCache.h"

#include <functional>
#include <map>
#include <memory>

namespace pt2e {

/// True if running the graph may draw from the default generator: then batches have to be run in order.
bool mayDrawRandomNumbers(const Graph& graph);
/// True if no run of the graph can write an attribute; false also where that cannot be seen from the operators' names.
bool leavesAttributesAlone(const Graph& graph);

/// One calibration's runs of the model. Where there are threads, several batches are run side by side, each on one
/// thread, so that the numbers are those of one thread; unless a run depends on the one before it, through a buffer
/// that the model writes or the random numbers it draws.
class ModelRuns
{
public:
    /// wants: the nodes whose values matter if the cache keeps nothing. All are held by reference.
    ModelRuns(GraphPtr graph, const Batches& batches, ActivationCache& cache,
              const JobContext& context, std::function<bool(NodeId)> wants);

    /// The values of a batch in execution order; the cache keeps them if it has room.
    Result<BatchValues> valuesOf(std::size_t batch);
    /// Whether batches may be streamed: in any order, and by several threads at a time.
    Result<bool> areIndependent();
    /// Runs a batch and hands its values over one by one; nothing is kept, nothing counted. Thread-safe.
    Result<void> stream(std::size_t batch, const ValueSink& onValue) const;
    void countRuns(std::size_t batches);

    /// How many batches found no room in the cache.
    std::int64_t notKept() const { return m_notKept; }

private:
    struct Outcome
    {
        BatchValues values;
        RunState state;
    };
    Result<void> prepare();
    Result<RunState> run(std::size_t batch, const ValueSink& onValue) const;
    Result<Outcome> compute(std::size_t batch) const;
    std::size_t aheadOf(std::size_t batch) const;
    Result<void> runAhead(std::size_t first, std::size_t count);

    GraphPtr m_graph;
    const Batches& m_batches;
    ActivationCache& m_cache;
    const JobContext& m_context;
    std::function<bool(NodeId)> m_wants;
    std::unique_ptr<Program> m_program;
    bool m_isInOrder = false; ///< a run depends on the one before
    std::map<std::size_t, BatchValues> m_ahead; ///< run, and not asked for yet
    std::int64_t m_notKept = 0;
};

} // namespace pt2e
