#include "core/pipeline/OpCounts.h"

namespace pt2e {

std::string opCountKey(const Graph& graph, const Node& node)
{
    if (node.is(OpKind::CallFunction))
        return node.target;
    if (!node.is(OpKind::CallModule))
        return {};
    const ModuleRef* module = graph.modules().find(node.target);
    return "<module:" + (module ? module->className : std::string("?")) + ">";
}

OpCounts countOps(const Graph& graph)
{
    OpCounts counts;
    for (const Node& node : graph) {
        if (std::string key = opCountKey(graph, node); !key.empty())
            ++counts[std::move(key)];
    }
    return counts;
}

} // namespace pt2e
