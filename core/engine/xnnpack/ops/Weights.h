// What convolutions and linear have in common: an int8 weight with scales and an optional bias.
#pragma once

#include "core/engine/xnnpack/Emitter.h"

namespace pt2e::xnn {

/// Checks weight (symmetric, output channels along axis 0) and bias against input and output types.
/// products: how many products are added up for one output.
Reason checkWeights(const OpCall& call, const Operand& weight, const Operand& bias,
                    std::int64_t products);
/// "qcint8" per channel, "qint8" per tensor.
const char* weightTypeName(const QuantizedConstant& weight);
/// The weight as a constant of the given shape after permuting its axes; channels: the axis of the
/// result along which scales run.
Result<ValueId> emitWeight(Emitter& emitter, const QuantizedConstant& weight,
                           std::span<const std::size_t> permutation, std::size_t channels);
/// The int32 bias, or kNoValue if there is none.
Result<ValueId> emitBias(const OpCall& call, Emitter& emitter, const Operand& weight,
                         const Operand& bias);

} // namespace pt2e::xnn
