// How often each op stands in a graph.
#pragma once

#include "core/ir/Graph.h"

#include <map>
#include <string>

namespace pt2e {

using OpCounts = std::map<std::string, std::int64_t>;

/// Calls by target ("aten.conv2d.default"); an observer as "<module:HistogramObserver>". get_attr,
/// placeholder and output are not counted, sub-graphs neither.
OpCounts countOps(const Graph& graph);

/// The key for a node as countOps has it, or empty if it is not counted.
std::string opCountKey(const Graph& graph, const Node& node);

} // namespace pt2e
