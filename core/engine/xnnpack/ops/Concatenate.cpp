// aten.cat of any number of tensors: xnn_define_concatenate2 to 5, in a tree where there are more.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

constexpr std::size_t kMostAtOnce = 5;

std::optional<std::size_t> joinAxis(const OpCall& call)
{
    const auto dim = intOf(*call.node, 1, 0);
    return dim ? axisOf(*dim, call.outputShape.size()) : std::nullopt;
}

Reason checkItem(const OpCall& call, const Operand& item, std::size_t axis)
{
    if (!call.isActivation(item) && !call.isConstant(item))
        return call.isFloat ? "one of its inputs is not a tensor" : "one of its inputs is not int8";
    if (item.constant && !call.isFloat && item.constant->scales.size() > 1)
        return "one of its inputs is quantized per channel";
    if (item.shape.size() != call.outputShape.size())
        return fmt::format("{} and {} differ in dimensions", shapeText(item.shape),
                           shapeText(call.outputShape));
    for (std::size_t i = 0; i < item.shape.size(); ++i) {
        if (item.shape[i] <= 0 || (i != axis && item.shape[i] != call.outputShape[i]))
            return fmt::format("{} does not fit {}", shapeText(item.shape),
                               shapeText(call.outputShape));
    }
    return {};
}

QuantType typeOf(const Operand& item)
{
    if (item.kind != Operand::Kind::Int8Constant)
        return item.type;
    QuantType type;
    type.scale = item.constant->scales.front();
    type.zeroPoint = item.constant->zeroPoints.front();
    return type;
}

/// The inputs, int8 ones in the output's parameters.
Result<std::vector<ValueId>> inputsOf(const OpCall& call, Emitter& emitter)
{
    std::vector<ValueId> inputs;
    for (const Operand& item : call.items) {
        PT2E_ASSIGN(ValueId input, emitter.input(item));
        if (!call.isFloat && !typeOf(item).sameParameters(call.output.type)) {
            PT2E_ASSIGN(input, emitter.requantized(input, item.shape, call.output.type));
        }
        inputs.push_back(input);
    }
    return inputs;
}

} // namespace

Decision decideConcatenate(const OpCall& call)
{
    const auto axis = joinAxis(call);
    if (!axis || hasKeywords(*call.node))
        return Decision::no("its axis is not a fixed number");
    if (call.items.size() < 2)
        return Decision::no("it joins fewer than two tensors");
    for (const Operand& item : call.items) {
        if (Reason reason = checkItem(call, item, *axis); !reason.empty())
            return Decision::no(std::move(reason));
    }
    return Decision::yes(fmt::format("concatenate {}", call.typeName()), DataLayout::Any);
}

Result<void> emitConcatenate(const OpCall& call, Emitter& emitter)
{
    const std::size_t axis = joinAxis(call).value_or(0);
    const std::size_t at = emitter.axis(axis, call.outputShape.size());
    const QuantType& type = call.output.type;
    PT2E_ASSIGN(std::vector<ValueId> inputs, inputsOf(call, emitter));
    std::vector<std::int64_t> sizes;
    for (const Operand& item : call.items)
        sizes.push_back(item.shape[axis]);
    while (inputs.size() > kMostAtOnce) {
        Shape shape = call.outputShape;
        shape[axis] = 0;
        for (std::size_t i = 0; i < kMostAtOnce; ++i)
            shape[axis] += sizes[i];
        PT2E_ASSIGN(const ValueId part, emitter.temporary(shape, type));
        PT2E_TRY(emitter.subgraph().concatenate(at, std::span(inputs).first(kMostAtOnce), part));
        inputs.erase(inputs.begin(), inputs.begin() + kMostAtOnce);
        sizes.erase(sizes.begin(), sizes.begin() + kMostAtOnce);
        inputs.insert(inputs.begin(), part);
        sizes.insert(sizes.begin(), shape[axis]);
    }
    return emitter.into(
        type, [&](ValueId joined) { return emitter.subgraph().concatenate(at, inputs, joined); });
}

} // namespace pt2e::xnn
