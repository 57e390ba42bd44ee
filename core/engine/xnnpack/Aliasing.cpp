#include "core/engine/xnnpack/Aliasing.h"

#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/Quantization.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

/// No other attribute that is read has the buffer's memory, and of the op's result, which is the buffer
/// itself, nothing is made but fresh values.
bool isLoneBuffer(const Graph& graph, const Node& buffer, const Node& op)
{
    const auto memoryOf = [&](const Node& node) -> const Storage* {
        const auto* found = graph.attributes().find(node.target);
        return found ? found->value.storage().get() : nullptr;
    };
    if (!buffer.is(OpKind::GetAttr) || !memoryOf(buffer) || !graph.subgraphs().empty())
        return false;
    const bool isReadElsewhere = std::any_of(graph.begin(), graph.end(), [&](const Node& other) {
        return other.is(OpKind::GetAttr) && other.id != buffer.id
               && memoryOf(other) == memoryOf(buffer);
    });
    return !isReadElsewhere && std::all_of(op.users.begin(), op.users.end(), [&](NodeId id) {
        const Node& user = graph.node(id);
        return user.is(OpKind::Output) || isFreshResult(user) || isQuantizeOrDequantize(user);
    });
}

} // namespace

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

bool isPrivateWrite(const Graph& graph, const Node& op)
{
    const Node* written = graph.find(op.arg(0).node());
    return written && written->users.size() == 1
           && (hasOwnMemory(graph, *written) || isLoneBuffer(graph, *written, op));
}

bool hasOnlyPrivateWrites(const Graph& graph)
{
    return std::all_of(graph.begin(), graph.end(), [&](const Node& node) {
        return !node.is(OpKind::CallFunction) || !mutatesArgument(node.target)
               || isPrivateWrite(graph, node);
    });
}

} // namespace pt2e::xnn
