#include "core/engine/xnnpack/ops/Weights.h"

#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

Reason checkScales(const OpCall& call, const QuantizedConstant& constant, std::int64_t outputs,
                   std::int64_t axis, std::int64_t products)
{
    if (!constant.isSymmetric())
        return "its weight has a zero point other than 0";
    if (constant.axis >= 0 && constant.axis != axis)
        return fmt::format("its weight is quantized along axis {}, not {}", constant.axis, axis);
    if (constant.axis >= 0 && static_cast<std::int64_t>(constant.scales.size()) != outputs)
        return "its weight has not one scale per output channel";
    for (const float scale : constant.scales) {
        if (!isUsableScale(scale))
            return fmt::format("a weight scale is {}, not a normal number above 0",
                               shortNumber(scale));
    }
    if (call.isDynamic)
        return {}; // its result is float
    // |q - zero point| ≤ 255 and |weight| ≤ 128; half the range is left to the bias.
    constexpr std::int64_t kMostProducts = (std::int64_t{1} << 30) / (255 * 128);
    if (products > kMostProducts)
        return fmt::format("{} products per output could exceed 32 bits", products);
    return checkRequantization(call.operand(0).type.scale, constant.scales, call.output.type.scale);
}

} // namespace

Reason checkWeights(const OpCall& call, const Operand& weight, const Operand& bias,
                    std::int64_t outputs, std::int64_t axis, std::int64_t products)
{
    if (!call.isConstant(weight))
        return call.isFloat ? "its weight is not a constant" : "its weight is not an int8 constant";
    if (weight.constant) {
        if (Reason reason = checkScales(call, *weight.constant, outputs, axis, products);
            !reason.empty())
            return reason;
    }
    if (bias.kind == Operand::Kind::None)
        return {};
    if (bias.kind != Operand::Kind::FloatConstant)
        return "its bias is not a constant";
    if (bias.shape != Shape{outputs})
        return fmt::format("its bias has shape {}", shapeText(bias.shape));
    const ConvertedView::Floats floats = call.view->floats(bias);
    if (!floats.reason.empty() || call.isFloat)
        return floats.reason;
    return quantizeBias(floats.values, call.operand(0).type.scale, weight.constant->scales).reason;
}

const char* weightTypeName(const Operand& weight)
{
    if (weight.kind != Operand::Kind::Int8Constant)
        return "f32";
    return weight.constant->scales.size() > 1 ? "qcint8" : "qint8";
}

std::string imageTypeName(const OpCall& call, const Operand& weight)
{
    return call.isDynamic ? "qdint8 qcint8 (a scale per image)" : weightTypeName(weight);
}

Result<ValueId> emitWeight(const OpCall& call, Emitter& emitter, const Operand& weight,
                           std::span<const std::size_t> permutation, std::size_t channels)
{
    const Shape natural = Tensor::contiguousStrides(weight.shape);
    WeightView view;
    for (const std::size_t axis : permutation) {
        view.sizes.push_back(weight.shape[axis]);
        view.strides.push_back(natural[axis]);
    }
    view.shape = view.sizes;
    return emitWeightView(call, emitter, weight, view, channels);
}

Result<ValueId> emitWeightView(const OpCall& call, Emitter& emitter, const Operand& weight,
                               const WeightView& view, std::size_t channels)
{
    Tensor values;
    if (weight.kind == Operand::Kind::Int8Constant) {
        values = weight.constant->values;
    } else {
        PT2E_ASSIGN(values, call.view->constantValue(weight.node));
    }
    const Tensor ordered(values.storage(), values.dtype(), view.sizes, view.strides,
                         values.offset());
    PT2E_ASSIGN(values, ordered.contiguous());
    PT2E_ASSIGN(const auto bytes, values.bytes());
    ConstantSpec spec{view.shape, values.dtype(), bytes, {}, channels, 0};
    if (weight.kind == Operand::Kind::Int8Constant) {
        spec.scales = weight.constant->scales;
        spec.isPerChannel = weight.constant->axis >= 0 || call.isDynamic;
        // XNNPACK wants a scale per channel then, equal or not.
        if (call.isDynamic)
            spec.scales.resize(static_cast<std::size_t>(view.shape[channels]), spec.scales.front());
    }
    spec.isPacked = true;
    return emitter.subgraph().constant(spec);
}

Result<ValueId> emitImage(const OpCall& call, Emitter& emitter)
{
    const Operand& operand = call.operand(0);
    PT2E_ASSIGN(const ValueId input, emitter.input(operand));
    if (!call.isDynamic)
        return input;
    PT2E_ASSIGN(const ValueId quantized,
                emitter.subgraph().dynamic(emitter.ordered(operand.shape), 3));
    PT2E_TRY(emitter.subgraph().convert(input, quantized));
    return quantized;
}

Result<ValueId> emitBias(const OpCall& call, Emitter& emitter, const Operand& weight,
                         const Operand& bias)
{
    if (bias.kind == Operand::Kind::None)
        return kNoValue;
    const ConvertedView::Floats floats = call.view->floats(bias);
    if (call.isFloat || weight.kind != Operand::Kind::Int8Constant) {
        ConstantSpec spec{bias.shape, DType::Float32, std::as_bytes(std::span(floats.values)), {}};
        spec.isPacked = true;
        return emitter.subgraph().constant(spec);
    }
    const QuantizedBias quantized =
        quantizeBias(floats.values, call.operand(0).type.scale, weight.constant->scales);
    ConstantSpec spec{
        bias.shape, DType::Int32, std::as_bytes(std::span(quantized.values)), quantized.scales, 0,
        0};
    spec.isPerChannel = weight.constant->axis >= 0;
    spec.isPacked = true;
    return emitter.subgraph().constant(spec);
}

} // namespace pt2e::xnn
