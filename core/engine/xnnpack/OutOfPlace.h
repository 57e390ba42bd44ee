// Ops that write in place as ops with a result of their own, where nobody can tell the difference.
#pragma once

#include "core/ir/Graph.h"

namespace pt2e::xnn {

/// relu_(y) becomes relu(y), and what reads y behind it reads the result: the same values, and the graph
/// can be cut. Done where y is memory that only its readers know: a fresh result of which none makes a
/// view. Nodes keep their ids. The graph itself where there is nothing to do.
GraphPtr writeOutOfPlace(const GraphPtr& graph);

} // namespace pt2e::xnn
