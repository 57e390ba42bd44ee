// Runs of graphs that differ in a few places from one whose values are kept: only what differs is computed.
#pragma once

#include "core/data/DataSet.h"
#include "core/engine/Engine.h"
#include "core/pipeline/ActivationCache.h"

#include <memory>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pt2e {

/// What can be kept of a model's values, found out in one run of it.
struct RunTraits
{
    std::unordered_set<NodeId> tensors; ///< nodes that give one tensor
    /// False where a value is written after others read it, or an attribute is written: then all is computed anew.
    bool isCuttable = true;
};
/// Of the float graph: of all graphs with some values quantized, it shares most memory.
Result<RunTraits> traitsOf(const GraphPtr& graph, const Values& inputs, const JobContext& context);

/// The part of a graph that differs from another of the same model (nodes that are the same have the same ids): the
/// other nodes' values are placeholders of it, beside the model's own.
struct Suffix
{
    GraphPtr graph;
    std::vector<NodeId> inputs; ///< one per placeholder of `graph`: its node in the whole graph
};
Suffix suffixOf(const GraphPtr& graph, const Graph& base, const RunTraits& traits);

class VariantRuns
{
public:
    /// Runs the base on each batch and keeps what the variants will read: in memory, then in a temporary file, within the
    /// limits; batches that find no room there are computed as a whole each time. The batches must outlive this.
    static Result<std::unique_ptr<VariantRuns>> make(
        GraphPtr base, std::span<const GraphPtr> variants, std::span<const DataBatch> batches,
        const RunTraits& traits, const ActivationLimits& limits, const JobContext& context);

    /// Outputs by batch.
    using Outputs = std::vector<Values>;
    const Outputs& baseOutputs() const { return m_baseOutputs; }
    /// The outputs of each graph, the same as whole runs give, bit by bit. Any graph of the model can be given; those
    /// that make() was given are fastest. Graphs and batches run side by side, each on one thread.
    Result<std::vector<Outputs>> run(std::span<const GraphPtr> variants,
                                     const JobContext& context) const;
    /// Batches that found no room.
    std::size_t notKept() const { return m_notKept; }

private:
    explicit VariantRuns(std::span<const DataBatch> batches, const RunTraits& traits,
                         const ActivationLimits& limits)
        : m_batches(batches),
          m_traits(traits),
          m_cache(limits)
    {}
    Result<void> runBase(const JobContext& context);
    Result<Values> runSuffix(Program& program, const Suffix& suffix, std::size_t batch,
                             const JobContext& context) const;
    Result<Values> runWhole(const GraphPtr& graph, std::size_t batch,
                            const JobContext& context) const;
    /// Whether all that the suffix reads of this batch is there.
    bool hasInputs(const Suffix& suffix, std::size_t batch) const;

    GraphPtr m_base;
    std::span<const DataBatch> m_batches;
    RunTraits m_traits;
    std::unordered_set<NodeId> m_wanted; ///< values that depend on the inputs
    std::unordered_set<NodeId> m_wantedConstants;
    ActivationCache m_cache;
    std::unordered_map<NodeId, Tensor> m_constants;
    Outputs m_baseOutputs;
    std::size_t m_notKept = 0;
};

/// Outputs of a whole run per batch, batches side by side.
Result<std::vector<Values>> runBatches(const GraphPtr& graph, std::span<const DataBatch> batches,
                                       const JobContext& context);

} // namespace pt2e
