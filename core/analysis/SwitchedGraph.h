// The converted graph with a switch at each observer instance: any part of the quantization taken out again.
//
// What is left computes exactly what convert would make of a recipe that leaves the other points unobserved: observers
// pass their input through, so an instance has the same parameters whatever else is observed, and one sharing group
// does not depend on whether another one is there.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <unordered_map>
#include <vector>

namespace pt2e {

/// Which observer instances quantize; index = ObserverId.value.
using InstanceSet = std::vector<bool>;

/// What stands in the unfolded graph for one observer node.
struct QuantizationSite
{
    ObserverId instance;
    NodeId value; ///< what is quantized
    std::vector<NodeId> results; ///< what others read instead of it: dequantize nodes
    bool isConstant = false; ///< a weight or bias: computed from attributes alone
};

class SwitchedGraph
{
public:
    /// The snapshot has its converted stage.
    static Result<SwitchedGraph> make(const Snapshot& snapshot, const JobContext& context);

    /// All switched on: convert's graph with fold_quantize off.
    const GraphPtr& full() const { return m_full; }
    /// Only those quantize. Nodes that stay have their ids, also those in bodies.
    GraphPtr only(const InstanceSet& on) const;
    /// In execution order, of the top graph and then of its bodies.
    const std::vector<QuantizationSite>& sites() const { return m_sites; }
    std::size_t instanceCount() const { return m_instanceCount; }
    /// The instance that an observer node of the prepared graph stands for; invalid for any other node.
    ObserverId instanceAt(NodeId observer) const;

private:
    std::vector<QuantizationSite> sitesIn(const Graph& graph) const;
    void collectSites(const Graph& graph);
    GraphPtr strip(const GraphPtr& graph, const InstanceSet& on) const;

    GraphPtr m_full;
    std::unordered_map<NodeId, ObserverId> m_instanceOf; ///< by observer node
    std::vector<QuantizationSite> m_sites;
    std::size_t m_instanceCount = 0;
};

} // namespace pt2e
