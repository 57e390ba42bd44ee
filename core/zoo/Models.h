// The built-in models, one function each. The Python classes they stand for are in tests/data/zoo/make_zoo.py.
#pragma once

#include "core/zoo/Zoo.h"

namespace pt2e::zoo {

/// conv-bn-relu-conv-bn, plus the input, relu; input 4×channels×16×16.
Result<ZooModel> residual(const Kernels& torch, const ZooOptions& options);
/// Two conv-relu branches, cat, max_pool2d, conv, plus its own mean; input 4×3×16×16.
Result<ZooModel> catPool(const Kernels& torch, const ZooOptions& options);
/// conv-bn-relu; input 4×3×16×16.
Result<ZooModel> stem(const Kernels& torch, const ZooOptions& options);
/// A transformer decoder written out in ATen operators: 41 nodes a layer; input 1×16×64.
Result<ZooModel> decoder(const Kernels& torch, const ZooOptions& options);
/// Four layers of a transformer encoder, written out likewise, then a classifier; input 1×128×256.
Result<ZooModel> encoder(const Kernels& torch, const ZooOptions& options);
/// The keyword spotter of MLPerf Tiny: depthwise separable convolutions, 12 classes; input 1×1×49×10.
Result<ZooModel> dsCnn(const Kernels& torch, const ZooOptions& options);

// Torchvision's, without pretrained weights: 1000 classes, input 1×3×224×224.
Result<ZooModel> mobileNetV2(const Kernels& torch, const ZooOptions& options);
Result<ZooModel> resNet18(const Kernels& torch, const ZooOptions& options);
Result<ZooModel> resNet50(const Kernels& torch, const ZooOptions& options);
Result<ZooModel> squeezeNet11(const Kernels& torch, const ZooOptions& options);

} // namespace pt2e::zoo
