// aten.add.Tensor: xnn_define_add2.
#include "core/engine/xnnpack/Emitter.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

float scaleOf(const Operand& operand)
{
    return operand.kind == Operand::Kind::Int8 ? operand.type.scale
                                               : operand.constant->scales.front();
}

Reason checkOperand(const OpCall& call, const Operand& operand, const char* which)
{
    if (!operand.isInt8())
        return fmt::format("its {} operand is not int8", which);
    if (operand.constant && operand.constant->scales.size() > 1)
        return fmt::format("its {} operand is quantized per channel", which);
    if (operand.shape.size() != call.outputShape.size())
        return fmt::format("its {} operand has {} dimensions and the result {}", which,
                           operand.shape.size(), call.outputShape.size());
    if (operand.constant && !isUsableScale(scaleOf(operand)))
        return fmt::format("its {} operand's scale is not a normal number above 0", which);
    // xnn_init_qs8_add_minmax_scalar_params only asserts this.
    return checkRatio(fmt::format("{} scale / output scale", which).c_str(), scaleOf(operand),
                      call.output.type.scale, -10, 8);
}

} // namespace

Decision decideAdd(const OpCall& call)
{
    if (const pt2e::Argument* alpha = call.node->kwarg("alpha"); alpha && !alpha->isNone()) {
        const std::int64_t* factor = alpha->get<std::int64_t>();
        if (!factor || *factor != 1)
            return Decision::no("it adds a multiple (alpha)");
    }
    if (Reason reason = checkOperand(call, call.operand(0), "first"); !reason.empty())
        return Decision::no(std::move(reason));
    if (Reason reason = checkOperand(call, call.operand(1), "second"); !reason.empty())
        return Decision::no(std::move(reason));
    return Decision::yes("add2 qs8", DataLayout::Any);
}

Result<void> emitAdd(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId a, emitter.input(call.operand(0)));
    PT2E_ASSIGN(const ValueId b, emitter.input(call.operand(1)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().add(emitter.outputRange(), a, b, output);
}

} // namespace pt2e::xnn
