#include "core/engine/xnnpack/Aliasing.h"

#include "core/engine/xnnpack/Ops.h"

#include <algorithm>

namespace pt2e::xnn {

bool hasOwnMemory(const Graph& graph, const Node& node)
{
    const Node* one = &node;
    while (one->is(OpKind::CallFunction) && mutatesArgument(one->target)) {
        one = graph.find(one->arg(0).node()); // its result is what it wrote
        if (!one || one->users.size() != 1)
            return false;
    }
    return isFreshResult(*one);
}

bool hasOnlyPrivateWrites(const Graph& graph)
{
    return std::all_of(graph.begin(), graph.end(), [&](const Node& node) {
        if (!node.is(OpKind::CallFunction) || !mutatesArgument(node.target))
            return true;
        const Node* written = graph.find(node.arg(0).node());
        return written && written->users.size() == 1 && hasOwnMemory(graph, *written);
    });
}

} // namespace pt2e::xnn
