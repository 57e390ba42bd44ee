// Nodes grouped by the Python callable they came from (torch.fx.passes.utils.source_matcher_utils).
#pragma once

#include "core/ir/Graph.h"

#include <optional>
#include <string_view>
#include <vector>

namespace pt2e {

/// A class ("torch.nn.modules.pooling.AdaptiveAvgPool2d") or a function ("torch.cat").
struct SourceCallable
{
    std::string_view name;
    bool isClass = false;
};

/// Nodes in graph order. (The original keeps them in a set; graph order is one of its possible orders.)
struct SourcePartition
{
    std::vector<NodeId> nodes;
    std::vector<NodeId> inputs; ///< nodes outside that feed one of them directly, without get_attr
    std::vector<NodeId> outputs; ///< nodes with a user outside
};

/// get_source_partitions. A node with a source_fn_stack is matched by its last entry only; without one, a
/// call_function is matched by the class of its innermost module (torch 2.12 and newer), never by a function:
/// that is why torch.cat is not found in programs of torch newer than 2.6.
std::vector<SourcePartition> sourcePartitions(const Graph& graph,
                                              const std::vector<SourceCallable>& wanted);
/// The one of them that a node is in. A node that came from none of the callables is told without a look at the graph.
std::optional<SourcePartition> sourcePartitionOf(const Graph& graph,
                                                 const std::vector<SourceCallable>& wanted,
                                                 const Node& node);

} // namespace pt2e
