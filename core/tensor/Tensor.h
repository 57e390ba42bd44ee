// Immutable tensors without LibTorch: bytes with an owner, and a strided view on them.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/TensorMeta.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// Bytes that never change. Either present (allocated, mapped, or owned by an ATen tensor) or read
/// on first use. Thread-safe. Two tensors with the same Storage share memory, as in PyTorch.
class Storage
{
public:
    /// What a loader produces: bytes and whatever keeps them alive.
    struct Bytes
    {
        std::shared_ptr<const void> owner;
        std::span<const std::byte> data;
    };
    using Loader = std::function<Result<Bytes>()>;

    explicit Storage(Bytes bytes);
    /// byteCount is promised by the caller; load() must yield exactly that many.
    Storage(std::size_t byteCount, Loader load);

    std::size_t size() const { return m_size; }
    /// The bytes; runs the loader the first time, its error is kept and given each time.
    /// Memory is aligned to the element size at least; allocated storages to 64 bytes, followed by
    /// kPadding readable bytes (XNNPACK's kernels read past the end).
    Result<std::span<const std::byte>> bytes() const;
    /// Keeps the memory behind bytes() alive (reads it first if need be); nullptr if it cannot be read.
    std::shared_ptr<const void> owner() const;

    static constexpr std::size_t kAlignment = 64;
    static constexpr std::size_t kPadding = 64;
    /// Fresh zeroed memory, aligned and padded: `data` may be filled by the caller before it is published.
    struct Allocation
    {
        std::shared_ptr<std::byte[]> memory;
        std::span<std::byte> data;
    };
    static Allocation allocate(std::size_t byteCount);

private:
    std::size_t m_size = 0;
    mutable std::once_flag m_once;
    mutable Loader m_load;
    mutable Result<Bytes> m_bytes;
};

/// A strided view on a Storage. A plain value, cheap to copy; never changed after construction.
class Tensor
{
public:
    Tensor() = default; ///< no tensor; isValid() is false
    /// strides in elements; offset in elements. The caller has checked that the view fits (see fits()).
    Tensor(std::shared_ptr<const Storage> storage, DType dtype, std::vector<std::int64_t> shape,
           std::vector<std::int64_t> strides, std::int64_t offset = 0);

    /// A contiguous tensor with a copy of the given bytes; their number must match shape and dtype.
    static Tensor fromBytes(DType dtype, std::vector<std::int64_t> shape,
                            std::span<const std::byte> bytes);
    template<typename T>
    static Tensor fromValues(DType dtype, std::vector<std::int64_t> shape,
                             std::span<const T> values)
    {
        return fromBytes(dtype, std::move(shape), std::as_bytes(values));
    }
    /// Strides of a contiguous tensor, PyTorch's rule (a size of 0 counts as 1).
    static std::vector<std::int64_t> contiguousStrides(std::span<const std::int64_t> shape);
    /// True if the view (sizes ≥ 0, any strides, offset ≥ 0) lies within byteCount bytes; never overflows.
    static bool fits(std::size_t byteCount, DType dtype, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> strides, std::int64_t offset);

    bool isValid() const { return m_storage != nullptr; }
    DType dtype() const { return m_dtype; }
    const std::vector<std::int64_t>& shape() const { return m_shape; }
    const std::vector<std::int64_t>& strides() const { return m_strides; }
    std::int64_t offset() const { return m_offset; }
    const std::shared_ptr<const Storage>& storage() const { return m_storage; }
    std::int64_t elementCount() const;
    std::size_t byteCount() const
    {
        return static_cast<std::size_t>(elementCount()) * elementSize(m_dtype);
    }
    bool isContiguous() const;
    TensorMeta meta() const;
    /// Whether PyTorch's tensor would require a gradient: a parameter does, what is computed from it without autograd
    /// does not. Some ATen operators choose another order of summation by it (matmul folds its batch).
    bool requiresGrad() const { return m_requiresGrad; }
    Tensor withRequiresGrad(bool requiresGrad) const
    {
        Tensor copy = *this;
        copy.m_requiresGrad = requiresGrad;
        return copy;
    }

    /// This tensor, contiguous: itself if it is, a copy otherwise. Fails if the storage cannot be read.
    Result<Tensor> contiguous() const;
    /// Elements of a contiguous tensor in order; an error if not contiguous or not readable.
    Result<std::span<const std::byte>> bytes() const;
    /// As bytes(), typed; T must have the element size.
    template<typename T>
    Result<std::span<const T>> values() const
    {
        auto raw = bytes();
        if (!raw)
            return passOn(raw);
        return std::span<const T>(reinterpret_cast<const T*>(raw->data()), raw->size() / sizeof(T));
    }
    /// All elements (row-major) as double; NaN for complex and float8 types. For display and tests, not for speed.
    Result<std::vector<double>> toDoubles() const;

private:
    std::shared_ptr<const Storage> m_storage;
    DType m_dtype = DType::Float32;
    std::vector<std::int64_t> m_shape;
    std::vector<std::int64_t> m_strides;
    std::int64_t m_offset = 0;
    bool m_requiresGrad = false;
};

/// SHA-256 (lower-case hex) of the contiguous little-endian bytes of a tensor, as in a stage dump.
Result<std::string> sha256(const Tensor& tensor);
std::string sha256(std::span<const std::byte> bytes);

} // namespace pt2e
