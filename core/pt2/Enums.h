// The numbers that a program's JSON uses for dtypes, layouts and memory formats. Not c10's numbers.
#pragma once

#include "core/tensor/DType.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace pt2e::pt2 {

std::optional<DType> dtypeFromNumber(std::int64_t number);
std::int64_t dtypeNumber(DType dtype);
std::optional<Layout> layoutFromNumber(std::int64_t number);
std::int64_t layoutNumber(Layout layout);
std::optional<MemoryFormat> memoryFormatFromNumber(std::int64_t number);
std::int64_t memoryFormatNumber(MemoryFormat format);

/// "FloatStorage" → Float32; nothing for an unknown class. UntypedStorage gives UInt8.
std::optional<DType> dtypeOfStorageClass(std::string_view className);
/// The storage class PyTorch pickles a dtype with; empty where it uses UntypedStorage.
std::string_view storageClassOf(DType dtype);

} // namespace pt2e::pt2
