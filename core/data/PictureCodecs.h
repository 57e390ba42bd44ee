// libpng and libjpeg behind one signature each. Their error handling is longjmp: each lives in a file of its own.
#pragma once

#include "core/data/Picture.h"

#include <cstdint>

namespace pt2e {

/// Widest and highest picture that is read, and most pixels: a small file can promise a huge picture.
inline constexpr std::uint32_t kMaxSide = 1 << 16;
inline constexpr std::uint64_t kMaxPixels = 1ull << 28;

Result<Picture> decodePng(std::span<const std::byte> file);
Result<Picture> decodeJpeg(std::span<const std::byte> file);

} // namespace pt2e
