#include "core/tensor/Tensor.h"

#include <cstring>
#include <new>

namespace pt2e {

Storage::Storage(Bytes bytes) : m_size(bytes.data.size()), m_bytes(std::move(bytes))
{
    std::call_once(m_once, [] {});
}

Storage::Storage(std::size_t byteCount, Loader load) : m_size(byteCount), m_load(std::move(load)) {}

Result<std::span<const std::byte>> Storage::bytes() const
{
    std::call_once(m_once, [this] {
        m_bytes = m_load();
        m_load = {};
        if (m_bytes && m_bytes->data.size() != m_size)
            m_bytes = badInput({}, "tensor data has " + std::to_string(m_bytes->data.size())
                                       + " bytes instead of " + std::to_string(m_size));
    });
    if (!m_bytes)
        return passOn(m_bytes);
    return m_bytes->data;
}

std::shared_ptr<const void> Storage::owner() const
{
    if (!bytes())
        return nullptr;
    return m_bytes->owner;
}

Storage::Allocation Storage::allocate(std::size_t byteCount)
{
    const std::align_val_t alignment{kAlignment};
    auto* raw = static_cast<std::byte*>(::operator new(byteCount + kPadding, alignment));
    std::memset(raw, 0, byteCount + kPadding);
    std::shared_ptr<std::byte[]> memory(
        raw, [alignment](std::byte* p) { ::operator delete(p, alignment); });
    return {memory, std::span<std::byte>(raw, byteCount)};
}

} // namespace pt2e
