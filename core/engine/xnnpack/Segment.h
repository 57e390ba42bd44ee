// A part of a graph as a graph of its own, for everything that runs on LibTorch.
#pragma once

#include "core/engine/Engine.h"

#include <chrono>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pt2e::xnn {

class Segment
{
public:
    /// nodes: in execution order. Constants that they read (get_attr, q/dq and embedding of those) are taken
    /// along. wanted: nodes whose values are asked for.
    static Result<Segment> make(const Graph& graph, const std::vector<NodeId>& nodes,
                                const std::vector<NodeId>& wanted);

    const std::vector<NodeId>& inputs() const { return m_inputs; }
    const std::vector<NodeId>& outputs() const { return m_outputs; }
    /// Reads inputs() from the values and adds outputs() to them. isTimed: for times().
    Result<void> run(std::unordered_map<NodeId, Value>& values, const RunOptions& options,
                     const JobContext& context, bool isTimed = false);
    struct Time
    {
        NodeId node; ///< of the graph
        std::chrono::nanoseconds time{0};
    };
    /// Of the last run that was timed: one per node computed here.
    const std::vector<Time>& times() const { return m_times; }

private:
    std::vector<NodeId> m_inputs;
    std::vector<NodeId> m_outputs;
    std::unordered_map<NodeId, NodeId> m_originOf; ///< own node → node of the graph
    std::unordered_set<NodeId> m_nodes; ///< nodes of the graph that are computed here
    std::unique_ptr<Program> m_program;
    std::vector<Time> m_times;
};

} // namespace pt2e::xnn
