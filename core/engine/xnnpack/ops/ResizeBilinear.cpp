// aten.upsample_bilinear2d: xnn_define_static_resize_bilinear_2d.
#include "core/engine/xnnpack/Emitter.h"

#include <cmath>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kSize, kAlignCorners, kFactors };

/// PyTorch steps by the factor it is given, XNNPACK by the quotient of the sizes.
bool areExactFactors(const OpCall& call)
{
    const pt2e::Argument& argument = call.node->arg(kFactors);
    if (argument.isNone())
        return true;
    const ArgumentList* list = argument.get<ArgumentList>();
    if (!list || list->items.size() != 2)
        return false;
    for (const std::size_t i : {0, 1}) {
        const auto factor = numberOf(list->items[i]);
        const auto in = static_cast<double>(call.operand(kInput).shape[2 + i]);
        if (!factor || in * *factor != static_cast<double>(call.outputShape[2 + i]))
            return false;
    }
    return true;
}

} // namespace

Decision decideResizeBilinear(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    if (!call.isActivation(input) || input.shape.size() != 4 || call.outputShape.size() != 4)
        return Decision::no("its input is not a 4-D activation");
    const auto alignCorners = boolOf(*call.node, kAlignCorners, false);
    if (!alignCorners || hasKeywords(*call.node))
        return Decision::no("its arguments are not fixed");
    if (!*alignCorners && !areExactFactors(call))
        return Decision::no("its factors do not give whole sizes");
    for (const std::size_t i : {2, 3}) {
        // XNNPACK takes sizes below 2^24.
        if (input.shape[i] >= (1 << 24) || call.outputShape[i] >= (1 << 24))
            return Decision::no("its image is too large");
        if (*alignCorners && call.outputShape[i] == 1)
            return Decision::no("it aligns the corners of one pixel");
    }
    return Decision::yes(fmt::format("static_resize_bilinear_2d {}", call.typeName()),
                         DataLayout::Nhwc);
}

Result<void> emitResizeBilinear(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(kInput)));
    return emitter.into(call.operand(kInput).type, [&](ValueId result) {
        return emitter.subgraph().resizeBilinear2d(
            static_cast<std::size_t>(call.outputShape[2]),
            static_cast<std::size_t>(call.outputShape[3]),
            boolOf(*call.node, kAlignCorners, false).value_or(false), input, result);
    });
}

} // namespace pt2e::xnn
