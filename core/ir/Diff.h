// What changed between two graphs, by node name.
#pragma once

#include "core/ir/Graph.h"

#include <string>
#include <vector>

namespace pt2e {

struct GraphDifference
{
    enum class Kind { Added, Removed, Changed, Moved } kind;
    std::string node;
    std::string what; ///< "args: (x, …) → (y, …)", "target: …"; empty for Added and Removed
};

/// Empty if names, kinds, targets, arguments, users and order are all equal.
std::vector<GraphDifference> diffGraphs(const Graph& before, const Graph& after);

} // namespace pt2e
