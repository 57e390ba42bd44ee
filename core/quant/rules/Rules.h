// The rule families, one file each. Quantizers list them in their own order (torchao/, executorch/).
#pragma once

#include "core/quant/Rule.h"

namespace pt2e::rules {

extern const Rule kLinearRelu; ///< Linear.cpp
extern const Rule kLinear;
extern const Rule kConvRelu; ///< Convolution.cpp
extern const Rule kConv; ///< torchao's: conv1d and conv2d only
extern const Rule kAnyConv; ///< ExecuTorch's: any, unless a relu is its only user
extern const Rule kConvTranspose; ///< ExecuTorch's: one group, weight along axis 1
extern const Rule kConvTransposeRelu; ///< torchao's: weight along axis 0
extern const Rule kConvTransposeReluAxis1; ///< ExecuTorch's: one group, weight along axis 1
extern const Rule kAdaptiveAvgPool2d; ///< AdaptivePool.cpp
extern const Rule kGruIoOnly; ///< Gru.cpp
extern const Rule kAddRelu; ///< Binary.cpp
extern const Rule kAdd;
extern const Rule kMulRelu;
extern const Rule kMul;
extern const Rule kCat; ///< Cat.cpp, torchao's: by source partition
extern const Rule kCatByOp; ///< ExecuTorch's: by operator, whatever the filter says

/// propagate_annotation: ops that keep values take their input's spec, in one forward pass (Propagate.cpp).
void propagate(const Graph& graph, AnnotationTable& annotations,
               std::span<const std::string_view> shareList);

} // namespace pt2e::rules
