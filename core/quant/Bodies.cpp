#include "core/quant/Bodies.h"

#include <algorithm>

namespace pt2e {

namespace {

void collect(const Graph& graph, std::string_view op, std::size_t argument,
             std::vector<std::string>& names)
{
    for (const Node& node : graph) {
        if (!node.calls(op))
            continue;
        const Node* body = graph.find(node.arg(argument).node());
        const bool isBody =
            body && body->is(OpKind::GetAttr) && graph.subgraphs().contains(body->target);
        if (isBody && std::find(names.begin(), names.end(), body->target) == names.end())
            names.push_back(body->target);
    }
}

} // namespace

std::vector<std::string> visitedBodies(const Graph& graph)
{
    std::vector<std::string> names;
    if (graph.subgraphs().empty())
        return names;
    collect(graph, "scan", 0, names);
    collect(graph, "while_loop", 1, names);
    return names;
}

} // namespace pt2e
