#include "core/engine/xnnpack/OutOfPlace.h"

#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/Quantization.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <unordered_map>

namespace pt2e::xnn {

namespace {

/// Those with a form of the same arguments that writes nothing.
constexpr std::string_view kInPlace[] = {
    "aten.add_.Tensor",         "aten.clamp_.default",       "aten.elu_.default",
    "aten.hardtanh_.default",   "aten.hardsigmoid_.default", "aten.hardswish_.default",
    "aten.leaky_relu_.default", "aten.mul_.Tensor",          "aten.relu_.default",
    "aten.sigmoid_.default",    "aten.silu_.default",        "aten.sub_.Tensor",
    "aten.tanh_.default",
};

/// Reads memory and makes none of it known by another name.
bool readsOnly(const Node& node) { return isFreshResult(node) || isQuantizeOrDequantize(node); }

/// A dequantize node, which has no description of its own, gives float32 unless it is told otherwise.
bool isFloat32(const Node& node)
{
    if (isPerTensorDequantize(node) || isPerChannelDequantize(node))
        return !hasKeywords(node);
    const TensorMeta* meta = node.val.tensor();
    return meta && meta->dtype == DType::Float32;
}

/// The op's written tensor is private up to the names that its readers have.
bool canBeWrittenElsewhere(const Graph& graph, const Node& op, const Node& written)
{
    const bool isKnown = std::any_of(std::begin(kInPlace), std::end(kInPlace),
                                     [&](std::string_view target) { return op.calls(target); });
    // Where both are float32, of another dtype or shape than the written one nothing can come out.
    const auto inputs = op.inputs();
    return isKnown && isFreshResult(written)
           && std::all_of(inputs.begin(), inputs.end(),
                          [&](NodeId id) { return isFloat32(graph.node(id)); })
           && std::all_of(written.users.begin(), written.users.end(), [&](NodeId id) {
                  const Node& user = graph.node(id);
                  return user.is(OpKind::Output) || readsOnly(user)
                         || (user.is(OpKind::CallFunction) && mutatesArgument(user.target)
                             && user.arg(0).node() == written.id);
              });
}

} // namespace

GraphPtr writeOutOfPlace(const GraphPtr& graph)
{
    std::unordered_map<NodeId, std::size_t> place;
    for (const NodeId id : graph->order())
        place.emplace(id, place.size());
    GraphEditor editor(*graph);
    bool isChanged = false;
    for (const NodeId id : graph->order()) {
        const Node& op = editor.graph().node(id);
        if (!op.is(OpKind::CallFunction) || !mutatesArgument(op.target))
            continue;
        const Node* written = editor.graph().find(op.arg(0).node());
        // Alone with it, the op is fused or run in place as it is.
        if (!written || written->users.size() < 2
            || !canBeWrittenElsewhere(editor.graph(), op, *written))
            continue;
        const NodeId from = written->id;
        std::string target = op.target;
        target.erase(target.find("_."), 1);
        editor.setTarget(id, std::move(target));
        editor.replaceAllUses(from, id,
                              [&](NodeId user) { return place.at(user) <= place.at(id); });
        isChanged = true;
    }
    return isChanged ? std::move(editor).publish() : graph;
}

} // namespace pt2e::xnn
