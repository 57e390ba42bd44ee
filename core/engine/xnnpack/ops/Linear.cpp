// aten.linear: xnn_define_fully_connected over the last axis.
#include "core/engine/xnnpack/ops/Weights.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kWeight, kBias };

} // namespace

Decision decideLinear(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const Operand& weight = call.operand(kWeight);
    if (input.kind != Operand::Kind::Int8 || input.shape.size() < 2)
        return Decision::no("its input is not an int8 activation of two dimensions or more");
    if (weight.kind != Operand::Kind::Int8Constant || weight.shape.size() != 2
        || elementCount(weight.shape) == 0)
        return Decision::no("its weight is not a 2-D int8 constant");
    if (hasKeywords(*call.node))
        return Decision::no("it has keyword arguments");
    if (weight.shape[1] != input.shape.back())
        return Decision::no(fmt::format("weight {} does not fit input {}", shapeText(weight.shape),
                                        shapeText(input.shape)));
    if (Reason reason = checkWeights(call, weight, call.operand(kBias), weight.shape[1]);
        !reason.empty())
        return Decision::no(std::move(reason));
    return Decision::yes(fmt::format("fully_connected {}", weightTypeName(*weight.constant)),
                         DataLayout::Natural);
}

Result<void> emitLinear(const OpCall& call, Emitter& emitter)
{
    constexpr std::size_t kOrder[] = {0, 1};
    const Operand& weight = call.operand(kWeight);
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(kInput)));
    PT2E_ASSIGN(const ValueId filter, emitWeight(emitter, *weight.constant, kOrder, 0));
    PT2E_ASSIGN(const ValueId bias, emitBias(call, emitter, weight, call.operand(kBias)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().fullyConnected(emitter.outputRange(), input, filter, bias, output);
}

} // namespace pt2e::xnn
