// What lies between two nodes.
#pragma once

#include "core/ir/Graph.h"

#include <vector>

namespace pt2e {

/// The nodes on all paths along the edges from one to the other, whichever of them comes first, both included; in graph
/// order. Empty where no path leads from one to the other, or one of them is not in the graph.
std::vector<NodeId> nodesBetween(const Graph& graph, NodeId a, NodeId b);

} // namespace pt2e
