// The IDX format of the MNIST family: one array with a small header.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstddef>
#include <span>

namespace pt2e {

/// Two zero bytes, a known type and at least one axis.
bool looksLikeIdx(std::span<const std::byte> file);
/// The array, contiguous and little-endian: uint8, int8, int16, int32, float32 or float64. Exactly the bytes that the
/// header promises. bytes.owner keeps the file alive where its memory can be used as it is.
Result<Tensor> readIdx(const Storage::Bytes& file);

} // namespace pt2e
