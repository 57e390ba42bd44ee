// DuplicateDQPass of torchao: every annotated user reads a dequantize of its own.
#include "core/passes/Catalogue.h"

namespace pt2e {

namespace {

bool isDequantize(const Node& node)
{
    return node.calls("quantized_decomposed.dequantize_per_tensor.default")
           || node.calls("quantized_decomposed.dequantize_per_tensor.tensor")
           || node.calls("quantized_decomposed.dequantize_per_channel.default");
}

/// Uses that ask for the shape only.
bool asksShape(const Node& node)
{
    return node.is(OpKind::CallFunction)
           && (node.target.starts_with("aten.sym_size.")
               || node.target.starts_with("aten.sym_numel."));
}

/// True behind a q whose scale choose_qparams.tensor computes; the symmetric chooser is not exempt in torchao.
bool isDynamic(const Graph& graph, const Node& dequantize)
{
    const Node* quantize = graph.find(dequantize.arg(0).node());
    if (!quantize || !quantize->is(OpKind::CallFunction)
        || !quantize->target.starts_with("quantized_decomposed.quantize_per_tensor."))
        return false;
    const Node* scale = graph.find(quantize->arg(1).node());
    if (!scale || !scale->calls("getitem"))
        return false;
    const Node* chosen = graph.find(scale->arg(0).node());
    return chosen && chosen->calls("quantized_decomposed.choose_qparams.tensor");
}

void duplicate(GraphEditor& editor, ConvertState& state, NodeId id)
{
    std::vector<NodeId> users;
    for (NodeId user : editor.graph().node(id).users) {
        if (!asksShape(editor.graph().node(user)))
            users.push_back(user);
    }
    if (users.size() <= 1)
        return;
    const NodeId observer = editor.graph().node(id).origin.node;
    for (NodeId user : users) {
        if (!state.annotations.hasValid(user))
            continue;
        // Each copy directly behind the original: later ones stand before earlier ones.
        InsertPoint at = InsertPoint::after(id);
        const NodeId copy = editor.copy(at, id);
        editor.setOrigin(copy, {OriginKind::Duplicated, observer, "duplicate_dq"});
        editor.replaceInput(user, id, copy);
        state.successors.emplace(id, copy);
    }
}

/// torchao's convert throws away all modules that the graph does not name itself, and with them the sub-graphs of its
/// sub-graphs; the pass then fails when dead code is removed in those.
Result<void> checkNested(const Graph& graph, const std::string& around)
{
    for (const Node& node : graph) {
        const auto* body = node.is(OpKind::GetAttr) ? graph.subgraphs().find(node.target) : nullptr;
        if (!body)
            continue;
        for (const Node& inner : **body) {
            if (inner.is(OpKind::GetAttr) && (*body)->subgraphs().contains(inner.target))
                return fail(ErrorCode::Unsupported,
                            "convert: '" + around + node.target + "/" + inner.name + "'",
                            "is a sub-graph of a sub-graph, which torchao's convert loses (it "
                            "raises in DuplicateDQPass: references nonexistent attribute)");
        }
    }
    return {};
}

} // namespace

Result<void> duplicateDq(GraphEditor& editor, ConvertState& state)
{
    PT2E_TRY(checkNested(editor.graph(), state.around));
    if (!state.options.duplicateDq)
        return {};
    for (NodeId id : editor.graph().order()) {
        const Node& node = editor.graph().node(id);
        // Copies are skipped by going through the order before: each has one user.
        if (isDequantize(node) && !isDynamic(editor.graph(), node))
            duplicate(editor, state, id);
    }
    editor.eliminateDeadCode();
    return {};
}

} // namespace pt2e
