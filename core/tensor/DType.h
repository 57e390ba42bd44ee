// Element types and the other small enumerations PyTorch attaches to tensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pt2e {

enum class DType : std::uint8_t {
    UInt8,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    BFloat16,
    Float32,
    Float64,
    Complex32,
    Complex64,
    Complex128,
    Bool,
    Float8E4M3FN,
    Float8E5M2,
    Float8E4M3FNUZ,
    Float8E5M2FNUZ,
    Float8E8M0FNU
};

/// Size of one element in bytes.
std::size_t elementSize(DType dtype);
/// PyTorch's name without "torch.": "float32", "int8", "float8_e4m3fn", …
std::string_view dtypeName(DType dtype);
std::optional<DType> dtypeFromName(std::string_view name);
bool isFloatingPoint(DType dtype);
bool isInteger(DType dtype); ///< integers without bool

/// torch.device; index -1 means none given.
struct Device
{
    std::string type = "cpu";
    int index = -1;
    friend bool operator==(const Device&, const Device&) = default;
};

enum class Layout : std::uint8_t {
    Strided,
    SparseCoo,
    SparseCsr,
    SparseCsc,
    SparseBsr,
    SparseBsc,
    Mkldnn
};
enum class MemoryFormat : std::uint8_t { Contiguous, ChannelsLast, ChannelsLast3d, Preserve };

std::string_view layoutName(Layout layout); ///< "strided", "sparse_coo", …
std::string_view memoryFormatName(MemoryFormat format); ///< "contiguous_format", …

} // namespace pt2e
