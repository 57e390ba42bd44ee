// The one symbol that the shared library with LibTorch exports.
#pragma once

#include "core/kernels/Kernels.h"

namespace pt2e {

/// Counts changes of what crosses the border between program and library: Kernels.h, Value.h, Tensor.h, Result.h.
/// A program refuses a library with another number.
inline constexpr int kTorchEntryVersion = 2;
inline constexpr const char* kTorchEntryName = "pt2e_torch_kernels";
/// Returns the library's Kernels, which live as long as the process, or nullptr when the version differs.
using TorchEntry = const Kernels* (*)(int version);

} // namespace pt2e
