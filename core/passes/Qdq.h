// The quantize and dequantize operators that convert writes.
#pragma once

#include "core/ir/Node.h"

namespace pt2e {

/// quantize_per_tensor, quantize_per_channel, …: "quantized_decomposed.quantize_…".
bool isQuantize(const Node& node);
/// "quantized_decomposed.dequantize_…".
bool isDequantize(const Node& node);

} // namespace pt2e
