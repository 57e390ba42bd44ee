// aten.softmax over the last axis, in float: xnn_define_softmax.
#include "core/engine/xnnpack/Emitter.h"

namespace pt2e::xnn {

Decision decideSoftmax(const OpCall& call)
{
    const Operand& input = call.operand(0);
    if (!call.isActivation(input) || input.shape.empty())
        return Decision::no("its input is not an activation");
    const auto dim = intOf(*call.node, 1, -1);
    const auto axis = dim ? axisOf(*dim, input.shape.size()) : std::nullopt;
    if (!axis || *axis + 1 != input.shape.size())
        return Decision::no("it is not over the last axis");
    if (!call.node->arg(2).isNone() || hasKeywords(*call.node))
        return Decision::no("it gives another type");
    return Decision::yes("softmax f32", DataLayout::Natural);
}

Result<void> emitSoftmax(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().softmax(input, output);
}

} // namespace pt2e::xnn
