// Which ops may write a tensor in place without anybody else seeing it.
#pragma once

#include "core/ir/Graph.h"

namespace pt2e::xnn {

/// The node's result is memory that nobody knows by another name: a fresh result, or one that ops
/// have written in place each of which alone read the one before it (add_ and then relu_).
bool hasOwnMemory(const Graph& graph, const Node& node);

} // namespace pt2e::xnn
