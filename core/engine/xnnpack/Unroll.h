// First convolutions with few channels: a multiply kernel of XNNPACK takes channels by eights, so with
// three of them five eighths of its work are zeros. Where the input of the graph is quantized just for
// such a convolution, it may be written down so that more of the window lies in the channels: the taps
// that one row of the window sees, or all of them. The convolution then has few taps left, or one.
// Where that is not faster, quantizing and the change to channels last are still one pass.
//
// The sums have the same products, in int32: the result is equal in every bit.
#pragma once

#include "core/engine/xnnpack/Plan.h"

namespace pt2e::xnn {

/// The kernel that makes the value: from the float input in the graph's order.
std::shared_ptr<const OwnKernel> makeUnrollKernel(const UnrolledInput& input,
                                                  const QuantType& type);

/// Turns quantize units that only such a convolution reads into kernels of ours.
std::unordered_map<NodeId, UnrolledInput> unrollInputs(std::vector<Unit>& units,
                                                       const ConvertedView& view);

} // namespace pt2e::xnn
