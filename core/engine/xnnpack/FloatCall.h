// An op as it computes in float32, its int8 inputs dequantized before.
#pragma once

#include "core/engine/xnnpack/Ops.h"

#include <functional>

namespace pt2e::xnn {

/// Fills in the call, or says why the op cannot be one. mayFuse: whether an activation behind the op
/// is free to be taken into it.
Reason makeFloatCall(const ConvertedView& view, const Node& node, bool fusesActivation,
                     const std::function<bool(const Node&)>& mayFuse, OpCall& call);

} // namespace pt2e::xnn
