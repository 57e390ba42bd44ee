#include "core/pt2/Zip.h"

#include "core/pt2/ZipDirectory.h"

#include <algorithm>
#include <new>
#include <zlib.h>

namespace pt2e::pt2 {

namespace {

/// Unpacks exactly `into.size()` bytes. False if the stream is damaged, shorter or longer.
bool inflateInto(std::span<const std::byte> packed, std::span<std::byte> into)
{
    z_stream stream = {};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return false;
    constexpr std::size_t kStep = std::size_t{1} << 30; // zlib counts in 32 bits
    std::size_t inAt = 0;
    std::size_t outAt = 0;
    std::byte beyond{};
    int state = Z_OK;
    while (state == Z_OK) {
        const std::size_t in = std::min(packed.size() - inAt, kStep);
        const std::size_t out = std::min(into.size() - outAt, kStep);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(packed.data() + inAt));
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(out > 0 ? into.data() + outAt : &beyond);
        stream.avail_out = static_cast<uInt>(out > 0 ? out : 1);
        state = inflate(&stream, Z_NO_FLUSH);
        inAt += in - stream.avail_in;
        if (out == 0 && stream.avail_out == 0)
            state = Z_DATA_ERROR; // one byte more than declared
        else if (out > 0)
            outAt += out - stream.avail_out;
    }
    inflateEnd(&stream);
    return state == Z_STREAM_END && outAt == into.size() && inAt == packed.size();
}

std::uint32_t checksum(std::span<const std::byte> data)
{
    return static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
}

Result<Storage::Bytes> load(const Storage::Bytes& file, const ZipEntry& entry,
                            const std::string& label, bool mustAlign)
try {
    const std::span<const std::byte> packed = file.data.subspan(entry.dataOffset, entry.packedSize);
    Storage::Bytes loaded{file.owner, packed};
    const bool isAligned =
        reinterpret_cast<std::uintptr_t>(packed.data()) % Storage::kAlignment == 0;
    if (entry.isDeflated || (mustAlign && !isAligned)) {
        Storage::Allocation copy = Storage::allocate(entry.size);
        if (!entry.isDeflated)
            std::copy(packed.begin(), packed.end(), copy.data.begin());
        else if (!inflateInto(packed, copy.data))
            return badInput(label + ": " + entry.name, "compressed data is damaged");
        loaded = {copy.memory, copy.data};
    }
    if (checksum(loaded.data) != entry.crc)
        return badInput(label + ": " + entry.name, "checksum is wrong: the data is damaged");
    return loaded;
} catch (const std::bad_alloc&) {
    // The size comes from the file; a file may ask for more than there is.
    return badInput(label + ": " + entry.name,
                    "not enough memory for its " + std::to_string(entry.size) + " bytes");
}

} // namespace

Result<ZipReader> ZipReader::open(Storage::Bytes bytes, std::string label)
{
    ZipReader zip;
    zip.m_label = std::move(label);
    PT2E_ASSIGN(zip.m_entries, parseZipDirectory(bytes.data, zip.m_label));
    zip.m_bytes = std::move(bytes);
    zip.m_byName.reserve(zip.m_entries.size());
    zip.m_names.reserve(zip.m_entries.size());
    for (std::size_t i = 0; i < zip.m_entries.size(); ++i) {
        zip.m_names.push_back(std::make_shared<const std::string>(zip.m_entries[i].name));
        if (!zip.m_byName.emplace(*zip.m_names.back(), i).second)
            return badInput(zip.m_label, "damaged zip file: " + quotedRecord(*zip.m_names.back())
                                             + " is there twice");
    }
    return zip;
}

const ZipEntry* ZipReader::find(std::string_view name) const
{
    const auto it = m_byName.find(name);
    return it == m_byName.end() ? nullptr : &m_entries[it->second];
}

Result<Storage::Bytes> ZipReader::read(const ZipEntry& entry, std::uint64_t limit) const
{
    if (entry.size > limit)
        return badInput(m_label + ": " + entry.name, "has " + std::to_string(entry.size)
                                                         + " bytes, more than the limit of "
                                                         + std::to_string(limit));
    return load(m_bytes, entry, m_label, false);
}

Result<std::string> ZipReader::readText(std::string_view name, std::uint64_t limit) const
{
    const ZipEntry* entry = find(name);
    if (!entry)
        return badInput(m_label, quotedRecord(name) + " is missing");
    PT2E_ASSIGN(const Storage::Bytes bytes, read(*entry, limit));
    return std::string(reinterpret_cast<const char*>(bytes.data.data()), bytes.data.size());
}

std::shared_ptr<const Storage> ZipReader::storage(const ZipEntry& entry) const
{
    return std::make_shared<const Storage>(
        entry.size, [bytes = m_bytes, entry, label = m_label]() -> Result<Storage::Bytes> {
            return load(bytes, entry, label, true);
        });
}

bool looksLikeZip(std::span<const std::byte> bytes)
{
    const std::string_view head(reinterpret_cast<const char*>(bytes.data()),
                                std::min<std::size_t>(bytes.size(), 4));
    return head == "PK\3\4" || head == "PK\5\6";
}

bool isCleanUtf8(std::string_view text)
{
    const auto* at = reinterpret_cast<const unsigned char*>(text.data());
    const auto* const end = at + text.size();
    while (at < end) {
        if (*at != 0 && *at < 0x80) {
            ++at;
            continue;
        }
        const int more = *at >= 0xf0 && *at < 0xf5 ? 3 : *at >= 0xe0 ? 2 : 1;
        if (*at < 0xc2 || *at > 0xf4 || end - at <= more)
            return false;
        const unsigned char low = *at == 0xe0 ? 0xa0 : *at == 0xf0 ? 0x90 : 0x80;
        const unsigned char high = *at == 0xed ? 0x9f : *at == 0xf4 ? 0x8f : 0xbf;
        if (at[1] < low || at[1] > high)
            return false;
        for (int i = 2; i <= more; ++i) {
            if ((at[i] & 0xc0) != 0x80)
                return false;
        }
        at += more + 1;
    }
    return true;
}

} // namespace pt2e::pt2
