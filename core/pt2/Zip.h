// Zip files, read by their central directory. Stored and deflated records only; everything that
// could mislead a reader (overlaps, odd names, sizes that do not add up) is refused.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pt2e::pt2 {

struct ZipEntry
{
    std::string name;
    std::uint64_t size = 0; ///< unpacked
    std::uint64_t packedSize = 0;
    std::uint64_t headerOffset = 0;
    std::uint64_t dataOffset = 0;
    std::uint32_t crc = 0;
    bool isDeflated = false;
};

/// An opened zip file. A plain value; copies share the bytes. Thread-safe to read.
class ZipReader
{
public:
    /// label is how errors call the file. Checks the whole directory.
    static Result<ZipReader> open(Storage::Bytes bytes, std::string label);

    const std::string& label() const { return m_label; }
    const std::vector<ZipEntry>& entries() const { return m_entries; } ///< directory order
    /// The record of that name, or nullptr.
    const ZipEntry* find(std::string_view name) const;
    bool contains(std::string_view name) const { return find(name) != nullptr; }
    /// The unpacked bytes with the checksum verified; an error if there are more than limit.
    /// Stored records are views on the file, at any alignment.
    Result<Storage::Bytes> read(const ZipEntry& entry, std::uint64_t limit) const;
    /// The record as text; an error if it is missing or longer than limit.
    Result<std::string> readText(std::string_view name, std::uint64_t limit) const;
    /// The record as tensor memory, read (and verified) when first used, 64-byte aligned.
    std::shared_ptr<const Storage> storage(const ZipEntry& entry) const;

private:
    std::string m_label;
    Storage::Bytes m_bytes;
    std::vector<ZipEntry> m_entries;
    std::unordered_map<std::string_view, std::size_t> m_byName; ///< views on m_names
    std::vector<std::shared_ptr<const std::string>> m_names;
};

/// True if the bytes start like a zip file.
bool looksLikeZip(std::span<const std::byte> bytes);
/// True for well-formed UTF-8 without NUL.
bool isCleanUtf8(std::string_view text);

} // namespace pt2e::pt2
