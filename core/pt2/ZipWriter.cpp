#include "core/pt2/ZipWriter.h"

#include <algorithm>
#include <zlib.h>

namespace pt2e::pt2 {

namespace {

constexpr std::uint64_t kMax32 = 0xffffffffu;
constexpr std::uint64_t kAlignment = 64;
constexpr unsigned kUtf8Names = 0x0800;
constexpr unsigned kFirstOfJanuary1980 = 0x0021;

/// Little-endian fields of a header.
class Fields
{
public:
    Fields& u16(std::uint64_t value) { return number(value, 2); }
    Fields& u32(std::uint64_t value) { return number(value, 4); }
    Fields& u64(std::uint64_t value) { return number(value, 8); }
    Fields& text(std::string_view text)
    {
        m_bytes += text;
        return *this;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    Fields& number(std::uint64_t value, int count)
    {
        for (int i = 0; i < count; ++i)
            m_bytes += static_cast<char>(value >> (8 * i) & 0xff);
        return *this;
    }
    std::string m_bytes;
};

/// The zip64 extra field with the values that do not fit; empty if all do.
std::string zip64Field(std::uint64_t size, std::uint64_t offset)
{
    Fields body;
    if (size >= kMax32)
        body.u64(size).u64(size);
    if (offset >= kMax32)
        body.u64(offset);
    if (body.bytes().empty())
        return {};
    return Fields().u16(1).u16(body.bytes().size()).text(body.bytes()).bytes();
}

std::uint64_t narrow(std::uint64_t value) { return std::min(value, kMax32); }

} // namespace

Result<void> ZipWriter::add(const std::string& name, std::span<const std::byte> data)
{
    Entry entry{name, data.size(), m_written, 0};
    entry.crc = static_cast<std::uint32_t>(
        crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
    std::string extra = zip64Field(entry.size, 0);
    // "FB" is the field PyTorch pads with.
    const std::uint64_t head = m_written + 30 + name.size() + extra.size() + 4;
    const std::uint64_t padding = (kAlignment - head % kAlignment) % kAlignment;
    extra += Fields().text("FB").u16(padding).text(std::string(padding, 'Z')).bytes();
    Fields header;
    header.u32(0x04034b50).u16(entry.size >= kMax32 ? 45 : 20).u16(kUtf8Names).u16(0);
    header.u16(0).u16(kFirstOfJanuary1980).u32(entry.crc);
    header.u32(narrow(entry.size)).u32(narrow(entry.size));
    header.u16(name.size()).u16(extra.size()).text(name).text(extra);
    PT2E_TRY(put(header.bytes()));
    PT2E_TRY(put(data));
    m_entries.push_back(std::move(entry));
    return {};
}

Result<void> ZipWriter::finish()
{
    const std::uint64_t start = m_written;
    for (const Entry& entry : m_entries) {
        const std::string extra = zip64Field(entry.size, entry.offset);
        Fields header;
        header.u32(0x02014b50).u16(45).u16(extra.empty() ? 20 : 45).u16(kUtf8Names).u16(0);
        header.u16(0).u16(kFirstOfJanuary1980).u32(entry.crc);
        header.u32(narrow(entry.size)).u32(narrow(entry.size));
        header.u16(entry.name.size()).u16(extra.size()).u16(0).u16(0).u16(0).u32(0);
        header.u32(narrow(entry.offset)).text(entry.name).text(extra);
        PT2E_TRY(put(header.bytes()));
    }
    const std::uint64_t size = m_written - start;
    const std::uint64_t count = m_entries.size();
    Fields end;
    if (start >= kMax32 || size >= kMax32 || count >= 0xffff) {
        const std::uint64_t at = m_written;
        end.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0);
        end.u64(count).u64(count).u64(size).u64(start);
        end.u32(0x07064b50).u32(0).u64(at).u32(1);
    }
    const std::uint64_t shown = std::min<std::uint64_t>(count, 0xffff);
    end.u32(0x06054b50).u16(0).u16(0).u16(shown).u16(shown);
    end.u32(narrow(size)).u32(narrow(start)).u16(0);
    return put(end.bytes());
}

Result<void> ZipWriter::put(std::span<const std::byte> bytes)
{
    m_written += bytes.size();
    return m_sink(bytes);
}

} // namespace pt2e::pt2
