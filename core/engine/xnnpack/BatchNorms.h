// Float graphs: batch norms of inference folded into the convolution or linear before them.
//
// XNNPACK has no batch norm. With gain = weight / sqrt(var + eps), computed in double, conv(x, w, b) and its norm are
// conv(x, w · gain, (b − mean) · gain + bias), as in torch.nn.utils.fusion.fuse_conv_bn_weights.
#pragma once

#include "core/ir/Graph.h"

namespace pt2e::xnn {

/// The norm's node becomes the convolution, with its id and value; the convolution's own is gone. Folded is a norm
/// whose numbers are float32 attributes that nothing writes, behind a conv1d, conv2d, conv3d or two-dimensional linear
/// that only it reads. Null where there is none to fold.
GraphPtr foldBatchNorms(const GraphPtr& graph);

} // namespace pt2e::xnn
