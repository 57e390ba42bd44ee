// NumPy's .npy format: one array with a small header.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// What a .npy header says.
struct NpyHeader
{
    DType dtype = DType::Float32;
    bool isBigEndian = false;
    bool isFortranOrder = false;
    std::vector<std::int64_t> shape;
    std::size_t dataOffset = 0; ///< of the first element in the file
};

/// Versions 1 to 3. The header is read by its grammar, nothing is evaluated: no structured types, no objects.
Result<NpyHeader> parseNpyHeader(std::span<const std::byte> file);
/// The array, contiguous and little-endian in memory of its own. Exactly the bytes that the header promises.
Result<Tensor> readNpy(std::span<const std::byte> file);
/// The bytes of a .npy file that NumPy reads. Types that NumPy lacks (bfloat16, float8) are widened to float32, which is
/// exact. The tensor need not be contiguous.
Result<std::vector<std::byte>> writeNpy(const Tensor& tensor);

} // namespace pt2e
