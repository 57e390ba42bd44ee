// A whole file as bytes: small ones are read, large ones mapped.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <string>

namespace pt2e::pt2 {

/// Files up to this size are copied into memory, so that replacing them does no harm.
inline constexpr std::uint64_t kCopyBelow = 16u << 20;

/// The bytes of a regular file, 64-byte aligned. Errors name the path and what is wrong with it.
Result<Storage::Bytes> readWholeFile(const std::string& path);

} // namespace pt2e::pt2
