// A whole file as bytes: small ones are read, large ones mapped.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <string>

namespace pt2e::pt2 {

/// Files up to this size are copied into memory, so that replacing them does no harm.
inline constexpr std::uint64_t kCopyBelow = 16u << 20;

/// The bytes of a regular file, 64-byte aligned. Errors name the path and what is wrong with it.
Result<Storage::Bytes> readWholeFile(const std::string& path);

/// Writes to a temporary name in the same folder, syncs, renames. On failure nothing stays behind
/// and what stood at the path before is untouched.
class AtomicFile
{
public:
    static Result<AtomicFile> create(const std::string& path);
    AtomicFile(AtomicFile&& other) noexcept;
    AtomicFile& operator=(AtomicFile&&) = delete;
    ~AtomicFile(); ///< removes the temporary file unless commit() succeeded
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> commit();

private:
    AtomicFile() = default;
    tl::unexpected<Error> systemError(const std::string& what) const;
    std::string m_path;
    std::string m_temporary; ///< empty when there is nothing to remove
    int m_file = -1;
};

} // namespace pt2e::pt2
