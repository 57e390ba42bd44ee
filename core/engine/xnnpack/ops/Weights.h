// What convolutions and linear have in common: a constant weight, in int8 with scales or in float,
// and an optional bias.
#pragma once

#include "core/engine/xnnpack/Emitter.h"

namespace pt2e::xnn {

/// Checks weight and bias. int8: symmetric, output channels along `axis`, ranges of input and
/// output. outputs: how many output channels; products: how many products are added up for one
/// output.
Reason checkWeights(const OpCall& call, const Operand& weight, const Operand& bias,
                    std::int64_t outputs, std::int64_t axis, std::int64_t products);
/// "qcint8" per channel, "qint8" per tensor, "f32".
const char* weightTypeName(const Operand& weight);
/// The weight as a constant after permuting its axes; channels: the axis of the result along which
/// scales run.
Result<ValueId> emitWeight(const OpCall& call, Emitter& emitter, const Operand& weight,
                           std::span<const std::size_t> permutation, std::size_t channels);
/// The same for any view of the weight (sizes, strides in elements), reshaped to `shape`.
struct WeightView
{
    Shape sizes;
    Shape strides;
    Shape shape;
};
Result<ValueId> emitWeightView(const OpCall& call, Emitter& emitter, const Operand& weight,
                               const WeightView& view, std::size_t channels);
/// The first operand, an image; quantized there with a scale for each image where the graph does so
/// while running, with one scale for all of them.
Result<ValueId> emitImage(const OpCall& call, Emitter& emitter);
/// "qcint8", or of a dynamic one "qdint8 qcint8 (a scale per image)".
std::string imageTypeName(const OpCall& call, const Operand& weight);
/// The bias: int32, or float in a float op; kNoValue if there is none.
Result<ValueId> emitBias(const OpCall& call, Emitter& emitter, const Operand& weight,
                         const Operand& bias);

} // namespace pt2e::xnn
