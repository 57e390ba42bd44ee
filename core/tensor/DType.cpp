#include "core/tensor/DType.h"

#include <array>
#include <utility>

namespace pt2e {

namespace {

struct DTypeRow
{
    std::string_view name;
    std::size_t size;
};

// Indexed by DType; names as PyTorch prints them.
constexpr std::array<DTypeRow, 21> kRows{{
    {"uint8", 1},          {"int8", 1},        {"int16", 2},           {"int32", 4},
    {"int64", 8},          {"uint16", 2},      {"uint32", 4},          {"uint64", 8},
    {"float16", 2},        {"bfloat16", 2},    {"float32", 4},         {"float64", 8},
    {"complex32", 4},      {"complex64", 8},   {"complex128", 16},     {"bool", 1},
    {"float8_e4m3fn", 1},  {"float8_e5m2", 1}, {"float8_e4m3fnuz", 1}, {"float8_e5m2fnuz", 1},
    {"float8_e8m0fnu", 1},
}};
static_assert(static_cast<std::size_t>(DType::Float8E8M0FNU) + 1 == kRows.size());

} // namespace

std::size_t elementSize(DType dtype) { return kRows[static_cast<std::size_t>(dtype)].size; }

std::string_view dtypeName(DType dtype) { return kRows[static_cast<std::size_t>(dtype)].name; }

std::optional<DType> dtypeFromName(std::string_view name)
{
    for (std::size_t i = 0; i < kRows.size(); ++i) {
        if (kRows[i].name == name)
            return static_cast<DType>(i);
    }
    return std::nullopt;
}

bool isFloatingPoint(DType dtype)
{
    switch (dtype) {
    case DType::Float16:
    case DType::BFloat16:
    case DType::Float32:
    case DType::Float64:
    case DType::Float8E4M3FN:
    case DType::Float8E5M2:
    case DType::Float8E4M3FNUZ:
    case DType::Float8E5M2FNUZ:
    case DType::Float8E8M0FNU: return true;
    default: return false;
    }
}

bool isInteger(DType dtype) { return dtype <= DType::UInt64; }

std::string_view layoutName(Layout layout)
{
    constexpr std::array<std::string_view, 7> kNames{
        "strided", "sparse_coo", "sparse_csr", "sparse_csc", "sparse_bsr", "sparse_bsc", "_mkldnn"};
    return kNames[static_cast<std::size_t>(layout)];
}

std::string_view memoryFormatName(MemoryFormat format)
{
    constexpr std::array<std::string_view, 4> kNames{"contiguous_format", "channels_last",
                                                     "channels_last_3d", "preserve_format"};
    return kNames[static_cast<std::size_t>(format)];
}

} // namespace pt2e
