// Quantization parameters as XNNPACK needs them, and the ranges outside which it must not be called.
//
// XNNPACK checks some ranges only by assert: a release build computes garbage, a build with asserts
// aborts. So every range is checked here first, and the answer is a reason instead.
#pragma once

#include "core/ir/Graph.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pt2e::xnn {

/// Why something cannot be done; empty when it can.
using Reason = std::string;

/// Type of a per-tensor quantized activation. uint8 tensors are held shifted by -128, which changes
/// no real value: everything in here is int8.
struct QuantType
{
    float scale = 1; ///< rounded from double once, here and nowhere else
    std::int32_t zeroPoint = 0; ///< after the shift
    std::int32_t lowest = -128; ///< quant_min after the shift
    std::int32_t highest = 127; ///< quant_max after the shift
    bool isShifted = false; ///< uint8 in the graph

    /// XNNPACK's "same quantization": scale and zero point bit-equal.
    bool sameParameters(const QuantType& other) const
    {
        return scale == other.scale && zeroPoint == other.zeroPoint;
    }
    bool isFullRange() const { return lowest == -128 && highest == 127; }
    std::string text() const; ///< "scale 0.03299, zero point -5"
    friend bool operator==(const QuantType&, const QuantType&) = default;
};

/// Clipping in the quantized domain, both ends included.
struct Bounds
{
    std::int32_t low = -128;
    std::int32_t high = 127;
    bool isTrivial() const { return low <= -128 && high >= 127; }
};

/// Reads the arguments of quantize_per_tensor.default and dequantize_per_tensor.default, which are
/// (input, scale, zero point, quant_min, quant_max, dtype). The reason says what XNNPACK cannot take.
struct ParsedType
{
    std::optional<QuantType> type;
    Reason reason;
};
ParsedType parsePerTensor(const Node& node);
bool isPerTensorQuantize(const Node& node);
bool isPerTensorDequantize(const Node& node);
bool isPerChannelQuantize(const Node& node);
bool isPerChannelDequantize(const Node& node);
/// With scale and zero point as tensors, found while running.
bool isDynamicQuantize(const Node& node);
bool isDynamicDequantize(const Node& node);
/// Any op of the quantized_decomposed library.
bool isQuantizeOrDequantize(const Node& node);
/// Rows of a table: a constant where table and indices are (position embeddings).
bool isLookup(const Node& node);

/// A scale that XNNPACK accepts: finite, normal, above zero.
bool isUsableScale(float scale);
/// Quantizes as quantized_decomposed.quantize_per_tensor does: clamp(rint(x · (1/scale)) + zero point).
std::int32_t quantizeValue(double value, const QuantType& type);

/// s_in · s_weight / s_out of each channel in [2^-32, 256).
Reason checkRequantization(float input, std::span<const float> weights, float output);
/// from / to in [2^lowExponent, 2^highExponent).
Reason checkRatio(const char* what, float from, float to, int lowExponent, int highExponent);

/// A float bias as int32 of scale s_in · s_weight, rounded half to even. The reason is set when a
/// value does not fit.
struct QuantizedBias
{
    std::vector<std::int32_t> values;
    std::vector<float> scales; ///< one, or one per channel
    Reason reason;
};
QuantizedBias quantizeBias(std::span<const float> bias, float input,
                           std::span<const float> weights);

/// "0.03299": four significant digits, as tables show scales.
std::string shortNumber(double value);

} // namespace pt2e::xnn
