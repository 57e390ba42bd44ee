// Which ops may write a tensor in place without anybody else seeing it.
#pragma once

#include "core/ir/Graph.h"

namespace pt2e::xnn {

/// The node's result is memory that nobody knows by another name: a fresh result, or one that ops
/// have written in place each of which alone read the one before it (add_ and then relu_).
bool hasOwnMemory(const Graph& graph, const Node& node);

/// What the op writes in place is seen by nobody else, so that the graph may be cut before and behind
/// it: memory of its own, or a buffer that only this op reads and whose new value is only read.
bool isPrivateWrite(const Graph& graph, const Node& op);

/// So are all writes of the graph.
bool hasOnlyPrivateWrites(const Graph& graph);

} // namespace pt2e::xnn
