#include "core/engine/xnnpack/Quantization.h"

#include "core/engine/xnnpack/Ops.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pt2e::xnn {

namespace {

constexpr std::size_t kScaleArgument = 1;
constexpr std::size_t kZeroPointArgument = 2;
constexpr std::size_t kLowestArgument = 3;
constexpr std::size_t kHighestArgument = 4;
constexpr std::size_t kDTypeArgument = 5;

ParsedType refused(Reason reason) { return {std::nullopt, std::move(reason)}; }

} // namespace

std::string shortNumber(double value) { return fmt::format("{:.4g}", value); }

std::string QuantType::text() const
{
    return fmt::format("scale {}, zero point {}", shortNumber(scale),
                       zeroPoint + (isShifted ? 128 : 0));
}

bool isPerTensorQuantize(const Node& node)
{
    return node.calls("quantized_decomposed.quantize_per_tensor.default");
}

bool isPerTensorDequantize(const Node& node)
{
    return node.calls("quantized_decomposed.dequantize_per_tensor.default");
}

bool isPerChannelQuantize(const Node& node)
{
    return node.calls("quantized_decomposed.quantize_per_channel.default");
}

bool isPerChannelDequantize(const Node& node)
{
    return node.calls("quantized_decomposed.dequantize_per_channel.default");
}

bool isDynamicQuantize(const Node& node)
{
    return node.calls("quantized_decomposed.quantize_per_tensor.tensor");
}

bool isDynamicDequantize(const Node& node)
{
    return node.calls("quantized_decomposed.dequantize_per_tensor.tensor");
}

bool isQuantizeOrDequantize(const Node& node)
{
    return node.is(OpKind::CallFunction) && node.target.starts_with("quantized_decomposed.");
}

bool isLookup(const Node& node)
{
    return node.is(OpKind::CallFunction) && node.target == "aten.embedding.default";
}

bool isUsableScale(float scale) { return std::isnormal(scale) && scale > 0; }

ParsedType parsePerTensor(const Node& node)
{
    const auto scale = numberOf(node.arg(kScaleArgument));
    const std::int64_t* zeroPoint = node.arg(kZeroPointArgument).get<std::int64_t>();
    const std::int64_t* lowest = node.arg(kLowestArgument).get<std::int64_t>();
    const std::int64_t* highest = node.arg(kHighestArgument).get<std::int64_t>();
    const DType* dtype = node.arg(kDTypeArgument).get<DType>();
    if (!scale || !zeroPoint || !lowest || !highest || !dtype)
        return refused("its quantization parameters are not numbers");
    if (*dtype != DType::Int8 && *dtype != DType::UInt8)
        return refused(fmt::format("it is quantized to {}, not to 8 bits", dtypeName(*dtype)));
    if (const Argument* out = node.kwarg("out_dtype"); out && !out->isNone()) {
        const DType* outType = out->get<DType>();
        if (!outType || *outType != DType::Float32)
            return refused("it dequantizes to another type than float32");
    }
    const bool isShifted = *dtype == DType::UInt8;
    const std::int64_t shift = isShifted ? 128 : 0;
    QuantType type;
    type.scale = static_cast<float>(*scale);
    type.isShifted = isShifted;
    if (!isUsableScale(type.scale))
        return refused(fmt::format("its scale {} is not a normal number above 0", *scale));
    const auto inRange = [&](std::int64_t value) {
        return value - shift >= -128 && value - shift <= 127;
    };
    if (!inRange(*zeroPoint) || !inRange(*lowest) || !inRange(*highest) || *lowest >= *highest)
        return refused(fmt::format("zero point {} or range {} to {} does not fit {}", *zeroPoint,
                                   *lowest, *highest, dtypeName(*dtype)));
    type.zeroPoint = static_cast<std::int32_t>(*zeroPoint - shift);
    type.lowest = static_cast<std::int32_t>(*lowest - shift);
    type.highest = static_cast<std::int32_t>(*highest - shift);
    return {type, {}};
}

std::int32_t quantizeValue(double value, const QuantType& type)
{
    // The op works in float32 with a reciprocal; ends at infinity are clamped like any other.
    const float inverse = static_cast<float>(1.0 / static_cast<double>(type.scale));
    const float scaled =
        std::nearbyint(static_cast<float>(value) * inverse) + static_cast<float>(type.zeroPoint);
    const float clamped =
        std::clamp(scaled, static_cast<float>(type.lowest), static_cast<float>(type.highest));
    return static_cast<std::int32_t>(clamped);
}

Reason checkRequantization(float input, std::span<const float> weights, float output)
{
    for (std::size_t channel = 0; channel < weights.size(); ++channel) {
        // In this order and precision, as XNNPACK computes it.
        const float requantization = input * weights[channel] / output;
        if (!(requantization >= 0x1p-32f && requantization < 256.0f))
            return fmt::format("input scale x weight scale / output scale is {} in channel {}; "
                               "XNNPACK takes 2^-32 up to 256",
                               shortNumber(requantization), channel);
    }
    return {};
}

Reason checkRatio(const char* what, float from, float to, int lowExponent, int highExponent)
{
    const float ratio = from / to;
    if (ratio >= std::ldexp(1.0f, lowExponent) && ratio < std::ldexp(1.0f, highExponent))
        return {};
    return fmt::format("{} is {}; XNNPACK takes 2^{} up to 2^{}", what, shortNumber(ratio),
                       lowExponent, highExponent);
}

QuantizedBias quantizeBias(std::span<const float> bias, float input, std::span<const float> weights)
{
    QuantizedBias result;
    for (const float scale : weights)
        result.scales.push_back(input * scale);
    result.values.reserve(bias.size());
    for (std::size_t channel = 0; channel < bias.size(); ++channel) {
        const std::size_t at = weights.size() == 1 ? 0 : channel;
        const double scale = static_cast<double>(input) * static_cast<double>(weights[at]);
        const double value = std::nearbyint(static_cast<double>(bias[channel]) / scale);
        // Half the range is left to the accumulated products.
        if (!(std::fabs(value) < 0x1p30)) {
            result.reason = fmt::format("bias of channel {} is {} steps of the accumulator, "
                                        "too large for 32 bits",
                                        channel, shortNumber(value));
            return result;
        }
        if (!isUsableScale(result.scales[at])) {
            result.reason = fmt::format("input scale x weight scale of channel {} is {}, "
                                        "not a normal number",
                                        channel, shortNumber(result.scales[at]));
            return result;
        }
        result.values.push_back(static_cast<std::int32_t>(value));
    }
    return result;
}

} // namespace pt2e::xnn
