// aten.linear: xnn_define_fully_connected over the last axis. Where the graph quantizes its input
// while running, XNNPACK does so row by row (qdint8), as ExecuTorch has it: finer than the graph, which
// takes one scale for the whole tensor.
#include "core/engine/xnnpack/ops/Weights.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kWeight, kBias };
constexpr std::size_t kOrder[] = {0, 1};

Reason checkDynamic(const OpCall& call)
{
    const Operand& weight = call.operand(kWeight);
    const QuantizedConstant& constant = *weight.constant;
    if (!constant.isSymmetric())
        return "its weight has a zero point other than 0";
    if (constant.axis > 0 || (constant.scales.size() > 1 && constant.axis != 0))
        return "its weight is not quantized along its output channels";
    const Operand& bias = call.operand(kBias);
    if (bias.kind != Operand::Kind::None
        && (bias.kind != Operand::Kind::FloatConstant || bias.shape != Shape{weight.shape[0]}))
        return "its bias is not a constant";
    return {};
}

Result<void> emitDynamic(const OpCall& call, Emitter& emitter)
{
    const Operand& weight = call.operand(kWeight);
    Subgraph& subgraph = emitter.subgraph();
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(kInput)));
    PT2E_ASSIGN(const ValueId rows, subgraph.dynamic(call.operand(kInput).shape, 1));
    PT2E_TRY(subgraph.convert(input, rows));
    PT2E_ASSIGN(const auto bytes, weight.constant->values.bytes());
    ConstantSpec spec{weight.shape, DType::Int8, bytes, weight.constant->scales, 0, 0};
    // XNNPACK wants a scale per channel, equal or not.
    spec.scales.resize(static_cast<std::size_t>(weight.shape[0]), spec.scales.front());
    spec.isPerChannel = true;
    spec.isPacked = true;
    PT2E_ASSIGN(const ValueId filter, subgraph.constant(spec));
    PT2E_ASSIGN(const ValueId bias, emitBias(call, emitter, weight, call.operand(kBias)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return subgraph.fullyConnected(emitter.outputRange(), rows, filter, bias, output);
}

} // namespace

Decision decideLinear(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const Operand& weight = call.operand(kWeight);
    if (!call.isActivation(input) || input.shape.size() < 2)
        return Decision::no("its input is not an activation of two dimensions or more");
    if (!call.isConstant(weight) || weight.shape.size() != 2 || elementCount(weight.shape) == 0)
        return Decision::no("its weight is not a 2-D constant");
    if (hasKeywords(*call.node))
        return Decision::no("it has keyword arguments");
    if (weight.shape[1] != input.shape.back())
        return Decision::no(fmt::format("weight {} does not fit input {}", shapeText(weight.shape),
                                        shapeText(input.shape)));
    if (call.isDynamic) {
        if (Reason reason = checkDynamic(call); !reason.empty())
            return Decision::no(std::move(reason));
        return Decision::yes("fully_connected qdint8 qcint8 (a scale per row)",
                             DataLayout::Natural);
    }
    if (Reason reason =
            checkWeights(call, weight, call.operand(kBias), weight.shape[0], 0, weight.shape[1]);
        !reason.empty())
        return Decision::no(std::move(reason));
    return Decision::yes(fmt::format("fully_connected {}", weightTypeName(weight)),
                         DataLayout::Natural);
}

Result<void> emitLinear(const OpCall& call, Emitter& emitter)
{
    if (call.isDynamic)
        return emitDynamic(call, emitter);
    const Operand& weight = call.operand(kWeight);
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(kInput)));
    PT2E_ASSIGN(const ValueId filter, emitWeight(call, emitter, weight, kOrder, 0));
    PT2E_ASSIGN(const ValueId bias, emitBias(call, emitter, weight, call.operand(kBias)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    return emitter.subgraph().fullyConnected(emitter.outputRange(), input, filter, bias, output);
}

} // namespace pt2e::xnn
