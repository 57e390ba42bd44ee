#include "core/pt2/Zip.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <zlib.h>

namespace pt2e::pt2 {

namespace {

constexpr std::uint64_t kMaxEntries = 1'000'000;
constexpr std::uint64_t kMaxDirectory = 256u << 20;
constexpr std::uint64_t kMaxNameLength = 4096;
constexpr std::uint64_t kMaxStored = std::uint64_t{64} << 30;
constexpr std::uint64_t kMaxInflated = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxRatio = 1000;
constexpr std::uint64_t kEndSize = 22;
constexpr std::uint64_t kMaxComment = 65535;

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;

/// Little-endian numbers at checked places.
class Bytes
{
public:
    explicit Bytes(std::span<const std::byte> data) : m_data(data) {}
    std::uint64_t size() const { return m_data.size(); }
    bool holds(std::uint64_t offset, std::uint64_t count) const
    {
        return offset <= size() && count <= size() - offset;
    }
    std::uint64_t number(std::uint64_t offset, unsigned count) const
    {
        std::uint64_t value = 0;
        for (unsigned i = 0; i < count; ++i)
            value |= std::uint64_t{std::to_integer<std::uint8_t>(m_data[offset + i])} << (8 * i);
        return value;
    }
    std::uint16_t u16(std::uint64_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
    std::uint32_t u32(std::uint64_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
    std::uint64_t u64(std::uint64_t at) const { return number(at, 8); }
    std::string_view text(std::uint64_t at, std::uint64_t count) const
    {
        return {reinterpret_cast<const char*>(m_data.data() + at), count};
    }

private:
    std::span<const std::byte> m_data;
};

struct Directory
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
    std::uint64_t end = 0; ///< where the records that close the file begin
};

std::string quoted(std::string_view name) { return "record '" + std::string(name) + "'"; }

std::string nameProblem(std::string_view name)
{
    if (name.empty() || name.size() > kMaxNameLength)
        return "a record has an empty or overlong name";
    if (!isCleanUtf8(name))
        return "a record name is not valid utf-8";
    if (name.front() == '/' || name.find('\\') != std::string_view::npos
        || (name.size() > 1 && name[1] == ':'))
        return quoted(name) + " has an absolute or foreign path";
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t to = std::min(name.find('/', from), name.size());
        if (name.substr(from, to - from) == "..")
            return quoted(name) + " leads out of the file ('..')";
        from = to + 1;
    }
    return {};
}

class DirectoryParser
{
public:
    DirectoryParser(Bytes bytes, const std::string& label) : m_bytes(bytes), m_label(label) {}

    Result<std::vector<ZipEntry>> parse()
    {
        PT2E_ASSIGN(const Directory directory, locate());
        std::vector<ZipEntry> entries;
        entries.reserve(directory.count);
        std::uint64_t at = directory.offset;
        for (std::uint64_t i = 0; i < directory.count; ++i) {
            ZipEntry entry;
            PT2E_TRY(parseEntry(at, directory, entry));
            PT2E_TRY(checkLocalHeader(entry, directory));
            entries.push_back(std::move(entry));
        }
        if (at != directory.offset + directory.size)
            return wrong("the directory has more bytes than entries");
        PT2E_TRY(checkOverlaps(entries, directory));
        return entries;
    }

private:
    tl::unexpected<Error> wrong(const std::string& what) const
    {
        return badInput(m_label, "damaged zip file: " + what);
    }

    Result<Directory> locate() const
    {
        const std::uint64_t size = m_bytes.size();
        if (size < kEndSize)
            return wrong("too short");
        const std::uint64_t lowest =
            size - kEndSize > kMaxComment ? size - kEndSize - kMaxComment : 0;
        for (std::uint64_t at = size - kEndSize + 1; at-- > lowest;) {
            if (m_bytes.u32(at) == kEndSignature && at + kEndSize + m_bytes.u16(at + 20) == size)
                return readEnd(at);
        }
        return badInput(m_label, "truncated: the zip directory at the end of the file is missing "
                                 "(an interrupted download or copy?)");
    }

    Result<Directory> readEnd(std::uint64_t at) const
    {
        if (m_bytes.u16(at + 4) != 0 || m_bytes.u16(at + 6) != 0
            || m_bytes.u16(at + 8) != m_bytes.u16(at + 10))
            return wrong("it is one part of several");
        Directory found{m_bytes.u32(at + 16), m_bytes.u32(at + 12), m_bytes.u16(at + 10), at};
        const bool needs64 =
            found.offset == 0xffffffffu || found.size == 0xffffffffu || found.count == 0xffffu;
        if (at >= 20 && m_bytes.u32(at - 20) == kLocator64Signature) {
            PT2E_ASSIGN(found, readEnd64(at - 20));
        } else if (needs64) {
            return wrong("the zip64 directory is missing");
        }
        if (found.count > kMaxEntries || found.size > kMaxDirectory)
            return wrong("the directory is unreasonably large");
        if (found.offset > found.end || found.size != found.end - found.offset)
            return wrong("the directory is not where it should be");
        if (found.count * 46 > found.size)
            return wrong("the directory is too short for its entries");
        return found;
    }

    Result<Directory> readEnd64(std::uint64_t locator) const
    {
        const std::uint64_t at = m_bytes.u64(locator + 8);
        if (at > locator || locator - at < 56 || m_bytes.u32(at) != kEnd64Signature)
            return wrong("the zip64 directory is not where it should be");
        if (m_bytes.u64(at + 4) != locator - at - 12 || m_bytes.u32(locator + 16) > 1
            || m_bytes.u32(at + 16) != 0 || m_bytes.u32(at + 20) != 0
            || m_bytes.u64(at + 24) != m_bytes.u64(at + 32))
            return wrong("the zip64 directory does not add up");
        return Directory{m_bytes.u64(at + 48), m_bytes.u64(at + 40), m_bytes.u64(at + 32), at};
    }

    Result<void> parseEntry(std::uint64_t& at, const Directory& directory, ZipEntry& entry) const
    {
        const std::uint64_t end = directory.offset + directory.size;
        if (end - at < 46 || m_bytes.u32(at) != kCentralSignature)
            return wrong("a directory entry is missing");
        const std::uint64_t nameLength = m_bytes.u16(at + 28);
        const std::uint64_t extraLength = m_bytes.u16(at + 30);
        const std::uint64_t length = 46 + nameLength + extraLength + m_bytes.u16(at + 32);
        if (end - at < length)
            return wrong("a directory entry is cut off");
        const std::string_view name = m_bytes.text(at + 46, nameLength);
        if (const std::string problem = nameProblem(name); !problem.empty())
            return wrong(problem);
        entry.name = name;
        entry.crc = m_bytes.u32(at + 16);
        entry.packedSize = m_bytes.u32(at + 20);
        entry.size = m_bytes.u32(at + 24);
        entry.headerOffset = m_bytes.u32(at + 42);
        PT2E_TRY(readZip64(at + 46 + nameLength, extraLength, entry));
        const unsigned flags = m_bytes.u16(at + 8);
        if ((flags & 0x2041u) != 0)
            return wrong(quoted(name) + " is encrypted");
        const unsigned method = m_bytes.u16(at + 10);
        if (method != 0 && method != 8)
            return wrong(quoted(name) + " is compressed with the unsupported method "
                         + std::to_string(method));
        if (m_bytes.u16(at + 34) != 0)
            return wrong(quoted(name) + " lies in another part");
        entry.isDeflated = method == 8;
        at += length;
        return checkSizes(entry);
    }

    /// The zip64 extra field holds just the values whose 32-bit place is all ones, in this order.
    Result<void> readZip64(std::uint64_t at, std::uint64_t length, ZipEntry& entry) const
    {
        const bool size = entry.size == 0xffffffffu;
        const bool packed = entry.packedSize == 0xffffffffu;
        const bool offset = entry.headerOffset == 0xffffffffu;
        if (!size && !packed && !offset)
            return {};
        while (length >= 4) {
            const std::uint64_t body = m_bytes.u16(at + 2);
            if (body > length - 4)
                return wrong(quoted(entry.name) + " has a damaged extra field");
            if (m_bytes.u16(at) == 1) {
                const std::uint64_t needed =
                    8u * (unsigned(size) + unsigned(packed) + unsigned(offset));
                if (body < needed)
                    return wrong(quoted(entry.name) + " has a short zip64 field");
                std::uint64_t from = at + 4;
                for (auto [wanted, value] :
                     {std::pair{size, &entry.size}, std::pair{packed, &entry.packedSize},
                      std::pair{offset, &entry.headerOffset}}) {
                    if (wanted) {
                        *value = m_bytes.u64(from);
                        from += 8;
                    }
                }
                return {};
            }
            at += 4 + body;
            length -= 4 + body;
        }
        return wrong(quoted(entry.name) + " lacks its zip64 field");
    }

    Result<void> checkSizes(const ZipEntry& entry) const
    {
        if (!entry.isDeflated && entry.size != entry.packedSize)
            return wrong(quoted(entry.name) + " is stored but has two sizes");
        if (entry.size > (entry.isDeflated ? kMaxInflated : kMaxStored))
            return wrong(quoted(entry.name) + " is unreasonably large");
        if (entry.isDeflated && entry.size / kMaxRatio > entry.packedSize)
            return wrong(quoted(entry.name) + " claims to unpack to " + std::to_string(entry.size)
                         + " bytes from " + std::to_string(entry.packedSize));
        return {};
    }

    Result<void> checkLocalHeader(ZipEntry& entry, const Directory& directory) const
    {
        const std::uint64_t at = entry.headerOffset;
        if (at > directory.offset || directory.offset - at < 30
            || m_bytes.u32(at) != kLocalSignature)
            return wrong(quoted(entry.name) + " is not where the directory says");
        const std::uint64_t nameLength = m_bytes.u16(at + 26);
        const std::uint64_t head = 30 + nameLength + m_bytes.u16(at + 28);
        if (directory.offset - at < head)
            return wrong(quoted(entry.name) + " runs into the directory");
        if (m_bytes.text(at + 30, nameLength) != entry.name)
            return wrong(quoted(entry.name) + " has another name in its own header");
        if ((m_bytes.u16(at + 6) & 0x2041u) != 0
            || m_bytes.u16(at + 8) != (entry.isDeflated ? 8 : 0))
            return wrong(quoted(entry.name) + " has another method in its own header");
        entry.dataOffset = at + head;
        if (directory.offset - entry.dataOffset < entry.packedSize)
            return wrong(quoted(entry.name) + " runs past the end of the data");
        return {};
    }

    Result<void> checkOverlaps(const std::vector<ZipEntry>& entries,
                               const Directory& directory) const
    {
        std::vector<std::uint32_t> order(entries.size());
        std::iota(order.begin(), order.end(), 0u);
        std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return entries[a].headerOffset < entries[b].headerOffset;
        });
        std::uint64_t end = 0;
        for (const std::uint32_t index : order) {
            const ZipEntry& entry = entries[index];
            if (entry.headerOffset < end)
                return wrong(quoted(entry.name) + " overlaps another record");
            end = entry.dataOffset + entry.packedSize;
        }
        if (end > directory.offset)
            return wrong("a record overlaps the directory");
        return {};
    }

    Bytes m_bytes;
    const std::string& m_label;
};

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
    PT2E_ASSIGN(zip.m_entries, DirectoryParser(Bytes(bytes.data), zip.m_label).parse());
    zip.m_bytes = std::move(bytes);
    zip.m_byName.reserve(zip.m_entries.size());
    zip.m_names.reserve(zip.m_entries.size());
    for (std::size_t i = 0; i < zip.m_entries.size(); ++i) {
        zip.m_names.push_back(std::make_shared<const std::string>(zip.m_entries[i].name));
        if (!zip.m_byName.emplace(*zip.m_names.back(), i).second)
            return badInput(zip.m_label,
                            "damaged zip file: " + quoted(*zip.m_names.back()) + " is there twice");
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
        return badInput(m_label, quoted(name) + " is missing");
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
    return bytes.size() >= 4
           && (Bytes(bytes).u32(0) == kLocalSignature || Bytes(bytes).u32(0) == kEndSignature);
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
