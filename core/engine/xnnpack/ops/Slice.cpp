// aten.slice with step 1: xnn_define_static_slice.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

struct Part
{
    std::size_t axis = 0;
    std::int64_t start = 0;
    Reason reason;
};

Part readPart(const OpCall& call)
{
    enum Argument : std::size_t { kInput, kDim, kStart, kEnd, kStep };
    const Node& node = *call.node;
    const Shape& shape = call.operand(kInput).shape;
    if (!call.isActivation(call.operand(kInput)))
        return {0, 0, "its input is not an activation"};
    const auto dim = intOf(node, kDim, 0);
    const auto axis = dim ? axisOf(*dim, shape.size()) : std::nullopt;
    auto start = intOf(node, kStart, 0);
    const auto end = intOf(node, kEnd, std::numeric_limits<std::int64_t>::max());
    if (!axis || !start || !end || hasKeywords(node))
        return {0, 0, "its arguments are not fixed numbers"};
    if (intOf(node, kStep, 1) != 1)
        return {0, 0, "its step is not 1"};
    const std::int64_t size = shape[*axis];
    const auto clipped = [&](std::int64_t at) {
        return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size);
    };
    if (clipped(*end) - clipped(*start) != call.outputShape[*axis])
        return {0, 0,
                fmt::format("{} is no part of {}", shapeText(call.outputShape), shapeText(shape))};
    return {*axis, clipped(*start), {}};
}

} // namespace

Decision decideSlice(const OpCall& call)
{
    if (const Part part = readPart(call); !part.reason.empty())
        return Decision::no(part.reason);
    return Decision::yes(fmt::format("static_slice {}", call.typeName()), DataLayout::Any);
}

Result<void> emitSlice(const OpCall& call, Emitter& emitter)
{
    const Part part = readPart(call);
    Shape starts(call.outputShape.size(), 0);
    starts[part.axis] = part.start;
    const Shape offsets = emitter.ordered(starts);
    const Shape sizes = emitter.ordered(call.outputShape);
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.into(call.operand(0).type, [&](ValueId taken) {
        return emitter.subgraph().slice(std::vector<std::size_t>(offsets.begin(), offsets.end()),
                                        std::vector<std::size_t>(sizes.begin(), sizes.end()), input,
                                        taken);
    });
}

} // namespace pt2e::xnn
