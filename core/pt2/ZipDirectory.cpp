#include "core/pt2/ZipDirectory.h"

#include <algorithm>
#include <numeric>

namespace pt2e::pt2 {

std::string quotedRecord(std::string_view name) { return "record '" + std::string(name) + "'"; }

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

std::string nameProblem(std::string_view name)
{
    if (name.empty() || name.size() > kMaxNameLength)
        return "a record has an empty or overlong name";
    if (!isCleanUtf8(name))
        return "a record name is not valid utf-8";
    if (name.front() == '/' || name.find('\\') != std::string_view::npos
        || (name.size() > 1 && name[1] == ':'))
        return quotedRecord(name) + " has an absolute or foreign path";
    for (std::size_t from = 0; from <= name.size();) {
        const std::size_t to = std::min(name.find('/', from), name.size());
        if (name.substr(from, to - from) == "..")
            return quotedRecord(name) + " leads out of the file ('..')";
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
            return wrong(quotedRecord(name) + " is encrypted");
        const unsigned method = m_bytes.u16(at + 10);
        if (method != 0 && method != 8)
            return wrong(quotedRecord(name) + " is compressed with the unsupported method "
                         + std::to_string(method));
        if (m_bytes.u16(at + 34) != 0)
            return wrong(quotedRecord(name) + " lies in another part");
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
                return wrong(quotedRecord(entry.name) + " has a damaged extra field");
            if (m_bytes.u16(at) == 1) {
                const std::uint64_t needed =
                    8u * (unsigned(size) + unsigned(packed) + unsigned(offset));
                if (body < needed)
                    return wrong(quotedRecord(entry.name) + " has a short zip64 field");
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
        return wrong(quotedRecord(entry.name) + " lacks its zip64 field");
    }

    Result<void> checkSizes(const ZipEntry& entry) const
    {
        if (!entry.isDeflated && entry.size != entry.packedSize)
            return wrong(quotedRecord(entry.name) + " is stored but has two sizes");
        if (entry.size > (entry.isDeflated ? kMaxInflated : kMaxStored))
            return wrong(quotedRecord(entry.name) + " is unreasonably large");
        if (entry.isDeflated && entry.size / kMaxRatio > entry.packedSize)
            return wrong(quotedRecord(entry.name) + " claims to unpack to "
                         + std::to_string(entry.size) + " bytes from "
                         + std::to_string(entry.packedSize));
        return {};
    }

    Result<void> checkLocalHeader(ZipEntry& entry, const Directory& directory) const
    {
        const std::uint64_t at = entry.headerOffset;
        if (at > directory.offset || directory.offset - at < 30
            || m_bytes.u32(at) != kLocalSignature)
            return wrong(quotedRecord(entry.name) + " is not where the directory says");
        const std::uint64_t nameLength = m_bytes.u16(at + 26);
        const std::uint64_t head = 30 + nameLength + m_bytes.u16(at + 28);
        if (directory.offset - at < head)
            return wrong(quotedRecord(entry.name) + " runs into the directory");
        if (m_bytes.text(at + 30, nameLength) != entry.name)
            return wrong(quotedRecord(entry.name) + " has another name in its own header");
        if ((m_bytes.u16(at + 6) & 0x2041u) != 0
            || m_bytes.u16(at + 8) != (entry.isDeflated ? 8 : 0))
            return wrong(quotedRecord(entry.name) + " has another method in its own header");
        entry.dataOffset = at + head;
        if (directory.offset - entry.dataOffset < entry.packedSize)
            return wrong(quotedRecord(entry.name) + " runs past the end of the data");
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
                return wrong(quotedRecord(entry.name) + " overlaps another record");
            end = entry.dataOffset + entry.packedSize;
        }
        if (end > directory.offset)
            return wrong("a record overlaps the directory");
        return {};
    }

    Bytes m_bytes;
    const std::string& m_label;
};

} // namespace

Result<std::vector<ZipEntry>> parseZipDirectory(std::span<const std::byte> file,
                                                const std::string& label)
{
    return DirectoryParser(Bytes(file), label).parse();
}

} // namespace pt2e::pt2
