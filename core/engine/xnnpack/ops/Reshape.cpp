// Ops that only give the same elements another shape, or no change at all.
#include "core/engine/xnnpack/Emitter.h"

#include <fmt/format.h>

namespace pt2e::xnn {

Decision decideReshape(const OpCall& call)
{
    const Operand& input = call.operand(0);
    if (input.kind != Operand::Kind::Int8)
        return Decision::no("its input is not an int8 activation");
    if (elementCount(input.shape) != elementCount(call.outputShape))
        return Decision::no(fmt::format("{} and {} differ in size", shapeText(input.shape),
                                        shapeText(call.outputShape)));
    return Decision::yes("static_reshape qs8", DataLayout::Natural);
}

Result<void> emitReshape(const OpCall& call, Emitter& emitter)
{
    const QuantType& type = call.operand(0).type;
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    const bool isPlain = emitter.isPlainOutput(type);
    PT2E_ASSIGN(const ValueId shaped,
                isPlain ? emitter.output() : emitter.temporary(call.outputShape, type));
    PT2E_TRY(emitter.subgraph().reshape(call.outputShape, input, shaped));
    return isPlain ? Result<void>() : emitter.finish(shaped, type);
}

Decision decideDropout(const OpCall& call)
{
    if (call.operand(0).kind != Operand::Kind::Int8)
        return Decision::no("its input is not an int8 activation");
    const auto isTraining = boolOf(*call.node, 2, true);
    if (!isTraining || *isTraining)
        return Decision::no("it drops values (training)");
    return Decision::yes("copy qs8", DataLayout::Any);
}

Result<void> emitDropout(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.finish(input, call.operand(0).type);
}

} // namespace pt2e::xnn
