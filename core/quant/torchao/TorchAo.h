#pragma once

#include "core/quant/Flavor.h"

namespace pt2e {

/// torchao.testing.pt2e._xnnpack_quantizer of torchao 0.18.
extern const Flavor kTorchAoFlavor;

} // namespace pt2e
