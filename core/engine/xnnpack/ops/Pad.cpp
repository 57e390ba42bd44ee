// aten.pad with a constant, aten.constant_pad_nd: xnn_define_static_constant_pad. XNNPACK takes a
// padding by zero into the convolution behind it.
#include "core/engine/xnnpack/Emitter.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

struct Padding
{
    Shape before; ///< in the graph's order, one per axis
    Shape after;
    double value = 0;
    Reason reason;
};

Padding refused(Reason reason)
{
    Padding result;
    result.reason = std::move(reason);
    return result;
}

Padding readPadding(const OpCall& call)
{
    const Node& node = *call.node;
    const Shape& shape = call.operand(0).shape;
    if (!call.isActivation(call.operand(0)))
        return refused("its input is not an activation");
    const auto pads = listOf(node.arg(1));
    if (!pads || pads->size() % 2 != 0 || pads->size() > 2 * shape.size() || hasKeywords(node))
        return refused("its arguments are not fixed numbers");
    std::size_t valueAt = 2;
    if (shortOpName(node.target) == "pad") {
        valueAt = 3;
        const std::string* mode = node.arg(2).get<std::string>();
        if (!node.arg(2).isNone() && (!mode || *mode != "constant"))
            return refused("it pads with other values than a constant");
    }
    Padding result;
    result.before.assign(shape.size(), 0);
    result.after.assign(shape.size(), 0);
    for (std::size_t i = 0; i < pads->size(); i += 2) {
        const std::size_t axis = shape.size() - 1 - i / 2; // the last axis comes first
        if ((*pads)[i] < 0 || (*pads)[i + 1] < 0)
            return refused("it cuts off a border (negative padding)");
        result.before[axis] = (*pads)[i];
        result.after[axis] = (*pads)[i + 1];
    }
    if (!node.arg(valueAt).isNone()) {
        const auto value = numberOf(node.arg(valueAt));
        if (!value)
            return refused("its value is not a fixed number");
        result.value = *value;
    }
    return result;
}

constexpr std::int64_t kMostPixels = 4096; ///< of a border that a convolution takes in

std::vector<std::size_t> counts(const Shape& values) { return {values.begin(), values.end()}; }

} // namespace

std::optional<Border> zeroBorder(const OpCall& call)
{
    const Padding padding = readPadding(call);
    if (!padding.reason.empty() || padding.value != 0 || padding.before.size() != 4
        || !call.bounds.isTrivial())
        return std::nullopt;
    const auto pixels = [](std::int64_t count) { return static_cast<std::uint32_t>(count); };
    for (const Shape* side : {&padding.before, &padding.after}) {
        const bool isOfImage = (*side)[0] == 0 && (*side)[1] == 0;
        if (!isOfImage || (*side)[2] > kMostPixels || (*side)[3] > kMostPixels)
            return std::nullopt;
    }
    return Border{pixels(padding.before[2]), pixels(padding.after[3]), pixels(padding.after[2]),
                  pixels(padding.before[3])};
}

Decision decidePad(const OpCall& call)
{
    if (const Padding padding = readPadding(call); !padding.reason.empty())
        return Decision::no(padding.reason);
    return Decision::yes(fmt::format("static_constant_pad {}", call.typeName()), DataLayout::Any);
}

Result<void> emitPad(const OpCall& call, Emitter& emitter)
{
    const Padding padding = readPadding(call);
    const QuantType& type = call.output.type;
    PT2E_ASSIGN(ValueId input, emitter.input(call.operand(0)));
    auto value = static_cast<float>(padding.value);
    if (!call.isFloat) {
        // The border has the output's parameters, and its value is on their grid.
        if (!call.operand(0).type.sameParameters(type)) {
            PT2E_ASSIGN(input, emitter.requantized(input, call.operand(0).shape, type));
        }
        value =
            static_cast<float>(quantizeValue(padding.value, type) - type.zeroPoint) * type.scale;
    }
    return emitter.into(type, [&](ValueId padded) {
        return emitter.subgraph().constantPad(counts(emitter.ordered(padding.before)),
                                              counts(emitter.ordered(padding.after)), value, input,
                                              padded);
    });
}

} // namespace pt2e::xnn
