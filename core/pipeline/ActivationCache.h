// Activations of the folded float graph, batch by batch, kept so that an edit needs no model run.
//
// Observers pass their input through, so the values at every place are those of the float graph whatever is
// annotated. Kept are: the values themselves (in memory up to a bound, then in a temporary file, then not at
// all), and what each observer made of them, by settings and places.
#pragma once

#include "core/engine/Engine.h"
#include "core/ir/Graph.h"
#include "core/observers/Observer.h"
#include "core/pipeline/ActivationLimits.h"
#include "core/pipeline/SeenValues.h"
#include "core/pipeline/SpillFile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pt2e {

/// The values of one batch in execution order; a node of a loop body once per iteration.
using BatchValues = std::vector<std::pair<NodeId, Tensor>>;

/// What an observer ended with.
struct ObserverResult
{
    ObserverStatePtr state;
    QParamsResult qparams;
    std::optional<Error> error; ///< calculateQParams failed (a NaN was seen)
};

class ActivationCache
{
public:
    explicit ActivationCache(const ActivationLimits& limits = ActivationLimits::defaults());

    /// Makes it that of this graph and data; empties it if it was another's.
    void bind(const GraphPtr& graph, const std::string& dataHash);

    /// Takes what another cache has of its graph and data, and becomes that graph's and data's. Nothing is copied: the
    /// values are the same memory. What the other one has in its file stays there.
    void shareFrom(const ActivationCache& other);

    /// True for the memory of a parameter, buffer or constant of the graph.
    bool isConstant(const Storage* storage) const { return m_constants.contains(storage); }
    bool keepsNothing() const { return m_limits == ActivationLimits::none(); }
    bool has(std::size_t batch) const { return m_batches.contains(batch); }
    /// The values of a batch it has; read from the file where they are there.
    Result<BatchValues> values(std::size_t batch) const;
    /// Keeps the values if there is room; true if it did. Storages count once however many views they have,
    /// the graph's constants not at all.
    bool keep(std::size_t batch, const BatchValues& values);

    /// What the runs of the batches before this one left in the module's buffers.
    RunState stateBefore(std::size_t batch) const;
    bool knowsStateAfter(std::size_t batch) const { return m_states.contains(batch); }
    void setStateAfter(std::size_t batch, RunState state) { m_states[batch] = std::move(state); }

    const ObserverResult* finished(const std::string& key) const;
    void setFinished(const std::string& key, ObserverResult result);
    /// What all batches showed, by node; it grows as further nodes are observed.
    SeenValues& seen() { return m_seen; }
    std::vector<SeenInput>& seenInputs() { return m_seenInputs; }

    /// Batches that were run through the model since the cache was made: how its use is checked and told.
    std::int64_t modelRuns() const { return m_modelRuns; }
    void countModelRun() { ++m_modelRuns; }
    std::uint64_t bytesInMemory() const { return m_bytesInMemory; }

private:
    struct Spilled
    {
        std::uint64_t offset = 0;
        std::size_t bytes = 0;
    };
    struct Batch
    {
        BatchValues values; ///< as they are, where in memory; else with constants' storages only
        std::unordered_map<std::size_t, Spilled>
            spilled; ///< index into values → place of its storage
    };
    std::optional<Batch> spill(const BatchValues& values);

    ActivationLimits m_limits;
    GraphPtr m_graph;
    std::string m_dataHash;
    std::unordered_set<const Storage*> m_constants;
    std::map<std::size_t, Batch> m_batches;
    std::map<std::size_t, RunState> m_states; ///< after each batch
    std::uint64_t m_bytesInMemory = 0;
    SpillFile m_file;
    std::map<std::string, ObserverResult> m_finished;
    SeenValues m_seen;
    std::vector<SeenInput> m_seenInputs;
    std::int64_t m_modelRuns = 0;
};

} // namespace pt2e
