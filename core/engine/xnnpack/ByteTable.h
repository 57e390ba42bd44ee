// A function of one int8 value as a table of its 256 results, computed by the graph's own ops: exact.
#pragma once

#include "core/engine/xnnpack/ConvertedView.h"

#include <array>

namespace pt2e::xnn {

/// Part of the graph from one typed value to one result, through ops that work element by element.
struct QuantizedFunction
{
    NodeId source; ///< the typed quantize node whose value goes in
    std::vector<NodeId> nodes; ///< dequantize nodes of the source and ops, in execution order
    NodeId activation; ///< one more op behind them, or invalid
    NodeId quantize; ///< makes the int8 result; invalid: the last op's float value is the result
};

/// Entry i is for the int8 value i - 128.
struct ByteTable
{
    std::array<std::int8_t, 256> bytes{}; ///< where the result is int8 (uint8 shifted)
    std::array<float, 256> floats{}; ///< where it is float
};

/// Runs the function on all 256 values on LibTorch.
Result<ByteTable> evaluateTable(const ConvertedView& view, const QuantizedFunction& function);

} // namespace pt2e::xnn
