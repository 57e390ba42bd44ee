#include "core/view/Paths.h"

#include <unordered_set>

namespace pt2e {

namespace {

/// All that can be reached from a node, itself included; next(node) gives its neighbours.
template<typename Next>
std::unordered_set<NodeId> reachable(const Graph& graph, NodeId from, Next next)
{
    std::unordered_set<NodeId> seen{from};
    std::vector<NodeId> open{from};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        for (const NodeId neighbour : next(graph.node(id))) {
            if (seen.insert(neighbour).second)
                open.push_back(neighbour);
        }
    }
    return seen;
}

} // namespace

std::vector<NodeId> nodesBetween(const Graph& graph, NodeId a, NodeId b)
{
    if (!graph.contains(a) || !graph.contains(b))
        return {};
    const auto users = [](const Node& node) { return node.users; };
    const auto inputs = [](const Node& node) { return node.inputs(); };
    auto below = reachable(graph, a, users);
    if (!below.contains(b)) {
        std::swap(a, b);
        below = reachable(graph, a, users);
        if (!below.contains(b))
            return {};
    }
    const auto above = reachable(graph, b, inputs);
    std::vector<NodeId> between;
    for (const Node& node : graph) {
        if (below.contains(node.id) && above.contains(node.id))
            between.push_back(node.id);
    }
    return between;
}

} // namespace pt2e
