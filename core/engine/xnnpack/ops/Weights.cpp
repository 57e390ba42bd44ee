#include "core/engine/xnnpack/ops/Weights.h"

#include <fmt/format.h>

namespace pt2e::xnn {

Reason checkWeights(const OpCall& call, const Operand& weight, const Operand& bias,
                    std::int64_t products)
{
    const QuantizedConstant& constant = *weight.constant;
    const std::int64_t outputs = weight.shape[0];
    if (!constant.isSymmetric())
        return "its weight has a zero point other than 0";
    if (constant.axis > 0)
        return fmt::format("its weight is quantized along axis {}, not 0", constant.axis);
    if (constant.axis == 0 && static_cast<std::int64_t>(constant.scales.size()) != outputs)
        return "its weight has not one scale per output channel";
    for (const float scale : constant.scales) {
        if (!isUsableScale(scale))
            return fmt::format("a weight scale is {}, not a normal number above 0",
                               shortNumber(scale));
    }
    // |q - zero point| ≤ 255 and |weight| ≤ 128; half the range is left to the bias.
    constexpr std::int64_t kMostProducts = (std::int64_t{1} << 30) / (255 * 128);
    if (products > kMostProducts)
        return fmt::format("{} products per output could exceed 32 bits", products);
    const float input = call.operand(0).type.scale;
    if (Reason reason = checkRequantization(input, constant.scales, call.output.type.scale);
        !reason.empty())
        return reason;
    if (bias.kind == Operand::Kind::None)
        return {};
    if (bias.kind != Operand::Kind::FloatConstant)
        return "its bias is not a constant";
    if (bias.shape != Shape{outputs})
        return fmt::format("its bias has shape {}", shapeText(bias.shape));
    const ConvertedView::Floats floats = call.view->floats(bias);
    if (!floats.reason.empty())
        return floats.reason;
    return quantizeBias(floats.values, input, constant.scales).reason;
}

const char* weightTypeName(const QuantizedConstant& weight)
{
    return weight.scales.size() > 1 ? "qcint8" : "qint8";
}

Result<ValueId> emitWeight(Emitter& emitter, const QuantizedConstant& weight,
                           std::span<const std::size_t> permutation, std::size_t channels)
{
    Shape shape;
    std::vector<std::int64_t> strides;
    for (const std::size_t axis : permutation) {
        shape.push_back(weight.values.shape()[axis]);
        strides.push_back(weight.values.strides()[axis]);
    }
    const Tensor view(weight.values.storage(), DType::Int8, shape, strides, weight.values.offset());
    PT2E_ASSIGN(const Tensor values, view.contiguous());
    PT2E_ASSIGN(const auto bytes, values.bytes());
    return emitter.subgraph().constant({shape, DType::Int8, bytes, weight.scales, channels, 0});
}

Result<ValueId> emitBias(const OpCall& call, Emitter& emitter, const Operand& weight,
                         const Operand& bias)
{
    if (bias.kind == Operand::Kind::None)
        return kNoValue;
    const ConvertedView::Floats floats = call.view->floats(bias);
    const QuantizedBias quantized =
        quantizeBias(floats.values, call.operand(0).type.scale, weight.constant->scales);
    return emitter.subgraph().constant({bias.shape, DType::Int32,
                                        std::as_bytes(std::span(quantized.values)),
                                        quantized.scales, 0, 0});
}

} // namespace pt2e::xnn
