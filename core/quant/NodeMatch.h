// Which operators a rule of a recipe means.
#pragma once

#include "core/ir/Graph.h"
#include "core/tensor/DType.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

/// Every part that is given must hold. In patterns, '*' stands for any characters and '?' for one.
struct NodeMatch
{
    enum class Position : std::uint8_t { All, First, Last };

    std::string op; ///< pattern of the target: "aten.conv2d.default", "aten.conv*"
    std::string
        module; ///< path: traced in this module or in one inside it, as set_module_name finds nodes
    std::string name; ///< pattern of the node's name: "conv2d_*"
    std::optional<DType> dtype; ///< of the tensor it gives
    Position position = Position::All; ///< of those that all else finds in a graph, in its order
    friend bool operator==(const NodeMatch&, const NodeMatch&) = default;
};

std::string_view positionName(NodeMatch::Position position); ///< "all", "first", "last"

/// The calls of one graph that match, in its order; its sub-graphs are not looked at.
std::vector<NodeId> matchNodes(const Graph& graph, const NodeMatch& match);

/// As fnmatch with '*' and '?' alone; the whole text must match.
bool matchesPattern(std::string_view text, std::string_view pattern);

} // namespace pt2e
