#include "core/tensor/Tensor.h"

#include <cmath>
#include <cstring>

namespace pt2e {

namespace {

/// Calls visit(element offset) for every element in row-major order, relative to the view's first element.
template<typename Visit>
void forEachElement(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides,
                    Visit visit)
{
    for (const std::int64_t size : shape) {
        if (size == 0)
            return;
    }
    std::vector<std::int64_t> index(shape.size(), 0);
    std::int64_t at = 0;
    while (true) {
        visit(at);
        std::size_t dim = shape.size();
        while (dim > 0) {
            --dim;
            at += strides[dim];
            if (++index[dim] < shape[dim])
                break;
            at -= strides[dim] * shape[dim];
            index[dim] = 0;
            if (dim == 0)
                return;
        }
        if (shape.empty())
            return;
    }
}

float floatFromHalf(std::uint16_t half)
{
    const std::uint32_t sign = (half & 0x8000u) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fu;
    const std::uint32_t mantissa = half & 0x3ffu;
    if (exponent == 0) {
        const float value = std::ldexp(static_cast<float>(mantissa), -24);
        return sign ? -value : value;
    }
    const std::uint32_t bits =
        sign | (exponent == 31 ? 0x7f800000u : (exponent + 112u) << 23) | (mantissa << 13);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

float floatFromBFloat16(std::uint16_t raw)
{
    const std::uint32_t bits = static_cast<std::uint32_t>(raw) << 16;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

template<typename T>
T load(const std::byte* at)
{
    T value;
    std::memcpy(&value, at, sizeof value);
    return value;
}

/// One element as double; NaN for types that are not real numbers.
double elementAsDouble(DType dtype, const std::byte* at)
{
    switch (dtype) {
    case DType::UInt8: return load<std::uint8_t>(at);
    case DType::Int8: return load<std::int8_t>(at);
    case DType::Int16: return load<std::int16_t>(at);
    case DType::Int32: return load<std::int32_t>(at);
    case DType::Int64: return static_cast<double>(load<std::int64_t>(at));
    case DType::UInt16: return load<std::uint16_t>(at);
    case DType::UInt32: return load<std::uint32_t>(at);
    case DType::UInt64: return static_cast<double>(load<std::uint64_t>(at));
    case DType::Float16: return floatFromHalf(load<std::uint16_t>(at));
    case DType::BFloat16: return floatFromBFloat16(load<std::uint16_t>(at));
    case DType::Float32: return load<float>(at);
    case DType::Float64: return load<double>(at);
    case DType::Bool: return load<std::uint8_t>(at) ? 1 : 0;
    default: return std::nan("");
    }
}

} // namespace

Tensor::Tensor(std::shared_ptr<const Storage> storage, DType dtype, std::vector<std::int64_t> shape,
               std::vector<std::int64_t> strides, std::int64_t offset)
    : m_storage(std::move(storage)),
      m_dtype(dtype),
      m_shape(std::move(shape)),
      m_strides(std::move(strides)),
      m_offset(offset)
{}

Tensor Tensor::fromBytes(DType dtype, std::vector<std::int64_t> shape,
                         std::span<const std::byte> bytes)
{
    Storage::Allocation allocation = Storage::allocate(bytes.size());
    if (!bytes.empty())
        std::memcpy(allocation.data.data(), bytes.data(), bytes.size());
    auto storage =
        std::make_shared<const Storage>(Storage::Bytes{allocation.memory, allocation.data});
    std::vector<std::int64_t> strides = contiguousStrides(shape);
    return Tensor(std::move(storage), dtype, std::move(shape), std::move(strides));
}

std::vector<std::int64_t> Tensor::contiguousStrides(std::span<const std::int64_t> shape)
{
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = shape.size(); i-- > 0;) {
        strides[i] = stride;
        stride *= std::max<std::int64_t>(shape[i], 1);
    }
    return strides;
}

bool Tensor::fits(std::size_t byteCount, DType dtype, std::span<const std::int64_t> shape,
                  std::span<const std::int64_t> strides, std::int64_t offset)
{
    if (shape.size() != strides.size() || offset < 0)
        return false;
    std::int64_t last = offset;
    std::int64_t first = offset;
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] < 0 || __builtin_mul_overflow(elements, shape[i], &elements))
            return false;
        if (shape[i] == 0)
            continue;
        std::int64_t reach = 0;
        if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach))
            return false;
        std::int64_t& end = reach < 0 ? first : last;
        if (__builtin_add_overflow(end, reach, &end))
            return false;
    }
    if (elements == 0)
        return true;
    std::int64_t needed = 0;
    if (first < 0 || __builtin_add_overflow(last, std::int64_t{1}, &needed)
        || __builtin_mul_overflow(needed, static_cast<std::int64_t>(elementSize(dtype)), &needed))
        return false;
    return static_cast<std::uint64_t>(needed) <= byteCount;
}

std::int64_t Tensor::elementCount() const
{
    std::int64_t count = 1;
    for (const std::int64_t size : m_shape)
        count *= size;
    return count;
}

bool Tensor::isContiguous() const
{
    std::int64_t expected = 1;
    for (std::size_t i = m_shape.size(); i-- > 0;) {
        if (m_shape[i] == 0)
            return true;
        if (m_shape[i] != 1 && m_strides[i] != expected)
            return false;
        expected *= m_shape[i];
    }
    return true;
}

TensorMeta Tensor::meta() const
{
    TensorMeta meta;
    meta.dtype = m_dtype;
    meta.shape.assign(m_shape.begin(), m_shape.end());
    meta.strides.assign(m_strides.begin(), m_strides.end());
    return meta;
}

Result<Tensor> Tensor::contiguous() const
{
    if (isContiguous())
        return *this;
    auto source = m_storage->bytes();
    if (!source)
        return passOn(source);
    const std::size_t size = elementSize(m_dtype);
    Storage::Allocation copy = Storage::allocate(byteCount());
    const std::byte* from = source->data() + static_cast<std::size_t>(m_offset) * size;
    std::byte* to = copy.data.data();
    forEachElement(m_shape, m_strides, [&](std::int64_t at) {
        std::memcpy(to, from + at * static_cast<std::int64_t>(size), size);
        to += size;
    });
    auto storage = std::make_shared<const Storage>(Storage::Bytes{copy.memory, copy.data});
    return Tensor(std::move(storage), m_dtype, m_shape, contiguousStrides(m_shape));
}

Result<std::span<const std::byte>> Tensor::bytes() const
{
    if (!m_storage)
        return fail(ErrorCode::Internal, {}, "no tensor");
    if (!isContiguous())
        return fail(ErrorCode::Internal, {}, "tensor is not contiguous");
    auto all = m_storage->bytes();
    if (!all)
        return all;
    const std::size_t count = byteCount();
    if (count == 0)
        return std::span<const std::byte>();
    return all->subspan(static_cast<std::size_t>(m_offset) * elementSize(m_dtype), count);
}

Result<std::vector<double>> Tensor::toDoubles() const
{
    if (!m_storage)
        return fail(ErrorCode::Internal, {}, "no tensor");
    auto all = m_storage->bytes();
    if (!all)
        return passOn(all);
    const auto size = static_cast<std::int64_t>(elementSize(m_dtype));
    std::vector<double> values;
    values.reserve(static_cast<std::size_t>(elementCount()));
    const std::byte* base = all->data();
    forEachElement(m_shape, m_strides, [&](std::int64_t at) {
        values.push_back(elementAsDouble(m_dtype, base + (m_offset + at) * size));
    });
    return values;
}

} // namespace pt2e
