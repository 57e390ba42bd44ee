#pragma once

#include "core/quant/Flavor.h"

namespace pt2e {

/// executorch.backends.xnnpack.quantizer.xnnpack_quantizer of ExecuTorch 1.5.
extern const Flavor kExecuTorchFlavor;

} // namespace pt2e
