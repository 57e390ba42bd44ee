// Writes zip files as .pt2 wants them: stored records whose data begins at multiples of 64, no times, the
// same bytes for the same records. Sizes beyond 4 GiB become zip64.
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::pt2 {

class ZipWriter
{
public:
    using Sink = std::function<Result<void>(std::span<const std::byte>)>;
    explicit ZipWriter(Sink sink) : m_sink(std::move(sink)) {}

    Result<void> add(const std::string& name, std::span<const std::byte> data);
    Result<void> add(const std::string& name, std::string_view text)
    {
        return add(name, std::as_bytes(std::span(text)));
    }
    /// Writes the directory; nothing may be added after.
    Result<void> finish();

private:
    struct Entry
    {
        std::string name;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
        std::uint32_t crc = 0;
    };
    Result<void> put(std::span<const std::byte> bytes);
    Result<void> put(const std::string& bytes) { return put(std::as_bytes(std::span(bytes))); }

    Sink m_sink;
    std::uint64_t m_written = 0;
    std::vector<Entry> m_entries;
};

} // namespace pt2e::pt2
