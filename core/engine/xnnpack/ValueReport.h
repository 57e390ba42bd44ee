// Tells a run's listener of the values that a step made, as the graph knows them.
#pragma once

#include "core/engine/Engine.h"
#include "core/engine/xnnpack/RunSteps.h"

namespace pt2e::xnn {

/// int8 values: their quantize nodes (in the graph's type and order) and the dequantize nodes behind
/// them, computed as the graph does. float values: the op. Only nodes of `graph`.
Result<void> reportStep(const Plan& plan, std::size_t step, const Graph& graph,
                        const ValueMap& values, const RunOptions& options);

} // namespace pt2e::xnn
