#include "core/engine/xnnpack/FloatCall.h"

#include "core/engine/xnnpack/Aliasing.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

Reason fillOperands(const ConvertedView& view, const Node& node, OpCall& call)
{
    const auto add = [&](const Argument& argument, std::vector<Operand>& to) {
        to.push_back(view.floatOperand(argument));
        return to.back().reason;
    };
    for (const Argument& argument : node.args) {
        if (Reason reason = add(argument, call.operands); !reason.empty())
            return reason;
    }
    if (const ArgumentList* list = node.arg(0).get<ArgumentList>()) {
        for (const Argument& item : list->items) {
            if (Reason reason = add(item, call.items); !reason.empty())
                return reason;
        }
    }
    return {};
}

/// XNNPACK has kernels for it: linear, and convolutions over images but depthwise ones.
bool takesDynamicInput(const ConvertedView& view, const Node& node)
{
    if (node.target == "aten.linear.default")
        return true;
    const Shape* weight = view.shape(node.arg(1).node());
    if (!weight || weight->size() != 4)
        return false;
    return node.target == "aten.conv_transpose2d.input"
           || (node.target == "aten.conv2d.default"
               && ((*weight)[1] > 1 || intOf(node, 6, 1) == 1));
}

/// Where the input is quantized while running: the float value behind it.
void useDynamicInput(const ConvertedView& view, const Node& node, OpCall& call)
{
    const NodeId source = view.dynamicSource(node.arg(0).node());
    if (!source || !takesDynamicInput(view, node))
        return;
    Operand input = view.floatOperand(Argument(source));
    Operand weight = view.operand(node.arg(1));
    if (!input.reason.empty() || input.kind != Operand::Kind::Float
        || weight.kind != Operand::Kind::Int8Constant)
        return;
    call.operands[0] = std::move(input);
    call.operands[1] = std::move(weight);
    call.isDynamic = true;
}

/// The memory that an in-place op writes is a fresh result that nobody else reads.
bool ownsInput(const ConvertedView& view, const Node& node)
{
    const Node* input = view.graph().find(node.arg(0).node());
    return input && input->users.size() == 1 && hasOwnMemory(view.graph(), *input);
}

void clip(const Node& node, OpCall& call)
{
    if (const auto range = activationOf(node)) {
        call.range.low = std::max(call.range.low, range->low);
        call.range.high = std::min(call.range.high, range->high);
    }
}

Reason checkResult(const ConvertedView& view, const Node& node)
{
    const Shape* shape = view.shape(node.id);
    const TensorMeta* meta = node.val.tensor();
    if (!shape || !meta || meta->dtype != DType::Float32 || shape->empty()
        || shape->size() > kMaxRank
        || std::any_of(shape->begin(), shape->end(), [](auto size) { return size <= 0; }))
        return "its result is not a float32 tensor of fixed sizes";
    return {};
}

} // namespace

Reason makeFloatCall(const ConvertedView& view, const Node& node, bool fusesActivation,
                     const std::function<bool(const Node&)>& mayFuse, OpCall& call)
{
    call.view = &view;
    call.node = &node;
    call.isFloat = true;
    if (Reason reason = fillOperands(view, node, call); !reason.empty())
        return reason;
    useDynamicInput(view, node, call);
    const auto isFloat = [](const Operand& one) { return one.kind == Operand::Kind::Float; };
    if (std::none_of(call.operands.begin(), call.operands.end(), isFloat)
        && std::none_of(call.items.begin(), call.items.end(), isFloat))
        return "it reads constants only";
    if (Reason reason = checkResult(view, node); !reason.empty())
        return reason;
    call.outputShape = *view.shape(node.id);
    if (mutatesArgument(node.target) && !ownsInput(view, node))
        return "it writes its input in place, which others may read";
    clip(node, call);
    const Node* user = node.users.size() == 1 ? view.graph().find(node.users.front()) : nullptr;
    if (fusesActivation && user && activationOf(*user) && user->arg(0).node() == node.id
        && mayFuse(*user) && (!mutatesArgument(user->target) || hasOwnMemory(view.graph(), node))) {
        call.output.activation = user->id;
        clip(*user, call);
    }
    return call.range.low < call.range.high ? Reason() : "it is clipped to one value";
}

} // namespace pt2e::xnn
