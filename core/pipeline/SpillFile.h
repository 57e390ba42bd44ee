// Bytes that did not fit in memory: one temporary file without a name, gone with the process.
#pragma once

#include "core/tensor/Tensor.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace pt2e {

class SpillFile
{
public:
    /// At most `limit` bytes, and never more than half of what is free where temporary files go
    /// (TMPDIR, else /var/tmp: /tmp is often memory).
    explicit SpillFile(std::uint64_t limit);
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    /// True if so many more bytes may be written. Makes the file at the first call.
    bool hasRoomFor(std::uint64_t bytes);
    /// Appends; the offset of the first byte. Io: the disk is full or broken.
    Result<std::uint64_t> append(std::span<const std::byte> bytes);
    /// A fresh copy in memory.
    Result<std::shared_ptr<const Storage>> read(std::uint64_t offset, std::size_t bytes) const;
    /// Forgets all that was written.
    void clear();

private:
    void open();
    int m_file = -1;
    bool m_isOpened = false;
    std::uint64_t m_limit = 0;
    std::uint64_t m_size = 0;
};

} // namespace pt2e
