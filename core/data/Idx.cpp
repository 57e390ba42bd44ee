#include "core/data/Idx.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace pt2e {

namespace {

std::optional<DType> typeOf(std::byte code)
{
    switch (std::to_integer<int>(code)) {
    case 0x08: return DType::UInt8;
    case 0x09: return DType::Int8;
    case 0x0b: return DType::Int16;
    case 0x0c: return DType::Int32;
    case 0x0d: return DType::Float32;
    case 0x0e: return DType::Float64;
    default: return std::nullopt;
    }
}

std::uint32_t bigEndian(std::span<const std::byte> four)
{
    std::uint32_t value = 0;
    for (const std::byte byte : four.first(4))
        value = value << 8 | std::to_integer<std::uint32_t>(byte);
    return value;
}

Tensor swapped(DType dtype, const std::vector<std::int64_t>& shape, std::span<const std::byte> data)
{
    std::vector<std::byte> bytes(data.begin(), data.end());
    const std::size_t size = elementSize(dtype);
    for (std::size_t i = 0; i < bytes.size(); i += size)
        std::reverse(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(i + size));
    return Tensor::fromBytes(dtype, shape, bytes);
}

} // namespace

bool looksLikeIdx(std::span<const std::byte> file)
{
    return file.size() >= 4 && file[0] == std::byte(0) && file[1] == std::byte(0) && typeOf(file[2])
           && file[3] != std::byte(0);
}

Result<Tensor> readIdx(const Storage::Bytes& file)
{
    constexpr std::uint64_t kMaxBytes = 1ull << 48;
    if (!looksLikeIdx(file.data))
        return badInput("", "not an IDX file");
    const DType dtype = *typeOf(file.data[2]);
    const auto rank = std::to_integer<std::size_t>(file.data[3]);
    const std::size_t start = 4 + 4 * rank;
    if (file.data.size() < start)
        return badInput("", fmt::format("is cut off in its header ({} axes)", rank));
    std::vector<std::int64_t> shape;
    std::uint64_t wanted = elementSize(dtype);
    for (std::size_t i = 0; i < rank; ++i) {
        const std::uint32_t size = bigEndian(file.data.subspan(4 + 4 * i));
        shape.push_back(size);
        wanted = size == 0 || wanted <= kMaxBytes / size ? wanted * size : kMaxBytes + 1;
        if (wanted > kMaxBytes)
            return badInput("", "its header promises more elements than a file can hold");
    }
    const std::span<const std::byte> data = file.data.subspan(start);
    if (data.size() != wanted)
        return badInput("", fmt::format("has {} bytes of elements where its header promises {}{}",
                                        data.size(), wanted,
                                        data.size() < wanted ? ": it is cut off" : ""));
    if (elementSize(dtype) > 1)
        return swapped(dtype, shape, data);
    auto strides = Tensor::contiguousStrides(shape);
    return Tensor(std::make_shared<const Storage>(Storage::Bytes{file.owner, data}), dtype,
                  std::move(shape), std::move(strides));
}

} // namespace pt2e
