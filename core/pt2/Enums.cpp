#include "core/pt2/Enums.h"

#include <iterator>

namespace pt2e::pt2 {

namespace {

template<typename Value>
struct Row
{
    std::int64_t number;
    Value value;
};

constexpr Row<DType> kDTypes[] = {{1, DType::UInt8},           {2, DType::Int8},
                                  {3, DType::Int16},           {4, DType::Int32},
                                  {5, DType::Int64},           {6, DType::Float16},
                                  {7, DType::Float32},         {8, DType::Float64},
                                  {9, DType::Complex32},       {10, DType::Complex64},
                                  {11, DType::Complex128},     {12, DType::Bool},
                                  {13, DType::BFloat16},       {28, DType::UInt16},
                                  {29, DType::Float8E4M3FN},   {30, DType::Float8E5M2},
                                  {31, DType::Float8E4M3FNUZ}, {32, DType::Float8E5M2FNUZ},
                                  {33, DType::Float8E8M0FNU},  {34, DType::UInt32},
                                  {35, DType::UInt64}};

constexpr Row<Layout> kLayouts[] = {
    {1, Layout::SparseCoo}, {2, Layout::SparseCsr}, {3, Layout::SparseCsc}, {4, Layout::SparseBsr},
    {5, Layout::SparseBsc}, {6, Layout::Mkldnn},    {7, Layout::Strided}};

constexpr Row<MemoryFormat> kFormats[] = {{1, MemoryFormat::Contiguous},
                                          {2, MemoryFormat::ChannelsLast},
                                          {3, MemoryFormat::ChannelsLast3d},
                                          {4, MemoryFormat::Preserve}};

struct StorageClass
{
    std::string_view name;
    DType dtype;
};
constexpr StorageClass kStorageClasses[] = {{"FloatStorage", DType::Float32},
                                            {"DoubleStorage", DType::Float64},
                                            {"HalfStorage", DType::Float16},
                                            {"BFloat16Storage", DType::BFloat16},
                                            {"LongStorage", DType::Int64},
                                            {"IntStorage", DType::Int32},
                                            {"ShortStorage", DType::Int16},
                                            {"CharStorage", DType::Int8},
                                            {"ByteStorage", DType::UInt8},
                                            {"BoolStorage", DType::Bool},
                                            {"ComplexFloatStorage", DType::Complex64},
                                            {"ComplexDoubleStorage", DType::Complex128}};

template<typename Value, std::size_t count>
std::optional<Value> fromNumber(const Row<Value> (&rows)[count], std::int64_t number)
{
    for (const Row<Value>& row : rows) {
        if (row.number == number)
            return row.value;
    }
    return std::nullopt;
}

template<typename Value, std::size_t count>
std::int64_t toNumber(const Row<Value> (&rows)[count], Value value)
{
    for (const Row<Value>& row : rows) {
        if (row.value == value)
            return row.number;
    }
    return 0;
}

} // namespace

std::optional<DType> dtypeFromNumber(std::int64_t number) { return fromNumber(kDTypes, number); }
std::int64_t dtypeNumber(DType dtype) { return toNumber(kDTypes, dtype); }
std::optional<Layout> layoutFromNumber(std::int64_t number) { return fromNumber(kLayouts, number); }
std::int64_t layoutNumber(Layout layout) { return toNumber(kLayouts, layout); }
std::optional<MemoryFormat> memoryFormatFromNumber(std::int64_t number)
{
    return fromNumber(kFormats, number);
}
std::int64_t memoryFormatNumber(MemoryFormat format) { return toNumber(kFormats, format); }

std::optional<DType> dtypeOfStorageClass(std::string_view className)
{
    if (className == "UntypedStorage")
        return DType::UInt8;
    for (const StorageClass& row : kStorageClasses) {
        if (row.name == className)
            return row.dtype;
    }
    return std::nullopt;
}

std::string_view storageClassOf(DType dtype)
{
    for (const StorageClass& row : kStorageClasses) {
        if (row.dtype == dtype)
            return row.name;
    }
    return {};
}

} // namespace pt2e::pt2
