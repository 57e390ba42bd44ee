#pragma once

#include "core/base/Result.h"
#include "core/ir/Graph.h"

namespace pt2e {

/// Checks every invariant of a graph and its sub-graphs: names unique, inputs defined before use, users consistent
/// with arguments, one output at the end, targets of get_attr and call_module present, ids unique.
Result<void> lint(const Graph& graph);

} // namespace pt2e
