// Tensors, numbers and lists across the border to ATen.
#include "core/kernels/torch/TorchKernels.h"

#include <array>
#include <cstring>

namespace pt2e::torchside {

namespace {

struct TypePair
{
    DType ours;
    at::ScalarType theirs;
};

constexpr std::array kTypes
{
    TypePair{DType::UInt8, at::kByte}, TypePair{DType::Int8, at::kChar},
        TypePair{DType::Int16, at::kShort}, TypePair{DType::Int32, at::kInt},
        TypePair{DType::Int64, at::kLong}, TypePair{DType::UInt16, at::ScalarType::UInt16},
        TypePair{DType::UInt32, at::ScalarType::UInt32},
        TypePair{DType::UInt64, at::ScalarType::UInt64}, TypePair{DType::Float16, at::kHalf},
        TypePair{DType::BFloat16, at::kBFloat16}, TypePair{DType::Float32, at::kFloat},
        TypePair{DType::Float64, at::kDouble},
        TypePair{DType::Complex32, at::ScalarType::ComplexHalf},
        TypePair{DType::Complex64, at::kComplexFloat},
        TypePair{DType::Complex128, at::kComplexDouble}, TypePair{DType::Bool, at::kBool},
        TypePair{DType::Float8E4M3FN, at::ScalarType::Float8_e4m3fn},
        TypePair{DType::Float8E5M2, at::ScalarType::Float8_e5m2},
        TypePair{DType::Float8E4M3FNUZ, at::ScalarType::Float8_e4m3fnuz},
        TypePair{DType::Float8E5M2FNUZ, at::ScalarType::Float8_e5m2fnuz},
#if TORCH_VERSION_MAJOR > 2 || TORCH_VERSION_MINOR >= 7
        TypePair{DType::Float8E8M0FNU, at::ScalarType::Float8_e8m0fnu},
#endif
};

c10::Storage privateCopy(std::span<const std::byte> bytes)
{
    c10::Storage copy(c10::Storage::use_byte_size_t{}, bytes.size(), c10::GetCPUAllocator(), true);
    if (!bytes.empty())
        std::memcpy(copy.mutable_data(), bytes.data(), bytes.size());
    return copy;
}

/// ATen never writes through it: what may be written was given a private copy.
c10::Storage sharedStorage(std::span<const std::byte> bytes, std::shared_ptr<const void> owner)
{
    using Owner = std::shared_ptr<const void>;
    auto* keep = new Owner(std::move(owner));
    c10::DataPtr pointer(
        const_cast<std::byte*>(bytes.data()), keep,
        [](void* context) { delete static_cast<Owner*>(context); }, at::kCPU);
    return c10::Storage(c10::Storage::use_byte_size_t{}, bytes.size(), std::move(pointer));
}

} // namespace

std::optional<at::ScalarType> toScalarType(DType dtype)
{
    for (const TypePair& pair : kTypes) {
        if (pair.ours == dtype)
            return pair.theirs;
    }
    return std::nullopt;
}

std::optional<DType> fromScalarType(at::ScalarType type)
{
    for (const TypePair& pair : kTypes) {
        if (pair.theirs == type)
            return pair.ours;
    }
    return std::nullopt;
}

void Border::willWrite(const Tensor& tensor) { m_written.insert(tensor.storage().get()); }

Result<c10::Storage> Border::storageFor(const std::shared_ptr<const Storage>& storage)
{
    if (const auto known = m_in.find(storage.get()); known != m_in.end())
        return known->second;
    PT2E_ASSIGN(const std::span<const std::byte> bytes, storage->bytes());
    const bool isWritten = m_written.contains(storage.get());
    c10::Storage made = isWritten ? privateCopy(bytes) : sharedStorage(bytes, storage->owner());
    if (!isWritten)
        m_out.emplace(made.unsafeGetStorageImpl(), storage);
    m_in.emplace(storage.get(), made);
    return made;
}

Result<at::Tensor> Border::toAten(const Tensor& tensor)
{
    if (!tensor.isValid())
        return badInput("", "a tensor without a value");
    const auto type = toScalarType(tensor.dtype());
    if (!type)
        return fail(ErrorCode::Unsupported, "",
                    "dtype " + std::string(dtypeName(tensor.dtype()))
                        + " is unknown to LibTorch " TORCH_VERSION);
    PT2E_ASSIGN(c10::Storage storage, storageFor(tensor.storage()));
    at::Tensor made = at::detail::make_tensor<c10::TensorImpl>(
        std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU),
        c10::scalarTypeToTypeMeta(*type));
    made.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.shape(), tensor.strides(),
                                                      tensor.offset());
    if (tensor.requiresGrad() && made.is_floating_point())
        made.set_requires_grad(true);
    return made;
}

Result<Tensor> Border::fromAten(const at::Tensor& given)
{
    if (given.layout() != at::kStrided || !given.device().is_cpu() || !given.has_storage())
        return fail(ErrorCode::Unsupported, "",
                    "the result is not a plain CPU tensor (" + given.toString() + ")");
    at::Tensor tensor = given;
    if (tensor.is_conj() || tensor.is_neg())
        tensor = tensor.resolve_conj().resolve_neg();
    const auto dtype = fromScalarType(tensor.scalar_type());
    if (!dtype)
        return fail(ErrorCode::Unsupported, "",
                    std::string("the result has dtype ") + c10::toString(tensor.scalar_type()));

    const c10::Storage& storage = tensor.storage();
    std::shared_ptr<const Storage>& ours = m_out[storage.unsafeGetStorageImpl()];
    if (!ours) {
        const auto owner = std::make_shared<const c10::Storage>(storage);
        const auto* data = static_cast<const std::byte*>(owner->data());
        ours = std::make_shared<const Storage>(
            Storage::Bytes{owner, std::span(data, data ? owner->nbytes() : 0)});
    }
    // An op may hand its argument back as it is (dropout, contiguous).
    return Tensor(ours, *dtype, tensor.sizes().vec(), tensor.strides().vec(),
                  tensor.storage_offset())
        .withRequiresGrad(given.requires_grad());
}

} // namespace pt2e::torchside
