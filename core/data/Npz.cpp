#include "core/data/Npz.h"

#include "core/base/OutputFile.h"
#include "core/data/Npy.h"
#include "core/pt2/File.h"
#include "core/pt2/Zip.h"

#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <zlib.h>

namespace pt2e {

namespace {

constexpr std::uint64_t kMaxArray = 8ull << 30;
constexpr std::string_view kSuffix = ".npy";

tl::unexpected<Error> placed(const Error& error, const std::string& where)
{
    return fail(error.code, error.where.empty() ? where : where + ": " + error.where, error.what);
}

/// The little-endian records of a zip file. Field order: the APPNOTE of PKWARE.
class Record
{
public:
    Record& u16(std::uint64_t value) { return put(value, 2); }
    Record& u32(std::uint64_t value) { return put(value, 4); }
    Record& u64(std::uint64_t value) { return put(value, 8); }
    Record& text(std::string_view value)
    {
        m_bytes += value;
        return *this;
    }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(m_bytes)); }
    std::size_t size() const { return m_bytes.size(); }

private:
    Record& put(std::uint64_t value, int count)
    {
        for (int i = 0; i < count; ++i)
            m_bytes += static_cast<char>((value >> (8 * i)) & 0xff);
        return *this;
    }
    std::string m_bytes;
};

struct Written
{
    std::string name;
    std::uint32_t crc = 0;
    std::uint64_t size = 0;
    std::uint64_t offset = 0;
};

constexpr std::uint64_t kDosDate =
    (0 << 9) | (1 << 5) | 1; // 1980-01-01: equal arrays give equal files
constexpr std::uint64_t kMax32 = 0xffffffff;

/// Sizes stand in the zip64 field, as NumPy writes them too; so one array may pass 4 GiB.
Record localHeader(const Written& entry)
{
    Record record;
    record.u32(0x04034b50)
        .u16(45)
        .u16(0)
        .u16(0)
        .u16(0)
        .u16(kDosDate)
        .u32(entry.crc)
        .u32(kMax32)
        .u32(kMax32);
    record.u16(entry.name.size()).u16(20).text(entry.name);
    record.u16(1).u16(16).u64(entry.size).u64(entry.size);
    return record;
}

Record directoryHeader(const Written& entry)
{
    Record record;
    record.u32(0x02014b50)
        .u16(45)
        .u16(45)
        .u16(0)
        .u16(0)
        .u16(0)
        .u16(kDosDate)
        .u32(entry.crc)
        .u32(kMax32)
        .u32(kMax32);
    record.u16(entry.name.size()).u16(28).u16(0).u16(0).u16(0).u32(0).u32(kMax32).text(entry.name);
    record.u16(1).u16(24).u64(entry.size).u64(entry.size).u64(entry.offset);
    return record;
}

Record ending(std::uint64_t count, std::uint64_t start, std::uint64_t size)
{
    Record record;
    // A file that begins with the zip64 ending would not be known for a zip file.
    if (count > 0) {
        record.u32(0x06064b50).u64(44).u16(45).u16(45).u32(0).u32(0);
        record.u64(count).u64(count).u64(size).u64(start);
        record.u32(0x07064b50).u32(0).u64(start + size).u32(1);
    }
    record.u32(0x06054b50).u16(0).u16(0);
    record.u16(std::min<std::uint64_t>(count, 0xffff)).u16(std::min<std::uint64_t>(count, 0xffff));
    record.u32(std::min(size, kMax32)).u32(std::min(start, kMax32)).u16(0);
    return record;
}

} // namespace

Result<ArrayReader> ArrayReader::open(const std::string& path)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return badInput(path, "is a folder; a .npz or .npy file is needed");
    ArrayReader reader;
    reader.m_path = path;
    PT2E_ASSIGN(const Storage::Bytes bytes, pt2::readWholeFile(path));
    if (!pt2::looksLikeZip(bytes.data)) {
        reader.m_npy = bytes;
        reader.m_names = {std::string()};
        return reader;
    }
    PT2E_ASSIGN(pt2::ZipReader zip, pt2::ZipReader::open(bytes, path));
    for (const pt2::ZipEntry& entry : zip.entries()) {
        if (!entry.name.ends_with(kSuffix))
            return badInput(path + ": " + entry.name, "is not a .npy array; is this a .npz file?");
        reader.m_names.push_back(entry.name.substr(0, entry.name.size() - kSuffix.size()));
    }
    reader.m_zip = std::make_shared<const pt2::ZipReader>(std::move(zip));
    return reader;
}

Result<Tensor> ArrayReader::read(std::size_t i) const
{
    if (!m_zip) {
        auto tensor = readNpy(m_npy.data);
        if (!tensor && tensor.error().what == "not a .npy array")
            return badInput(m_path, "is neither a .npz nor a .npy file");
        if (!tensor)
            return placed(tensor.error(), m_path);
        return tensor;
    }
    const pt2::ZipEntry& entry = m_zip->entries()[i];
    // Its errors name file and record.
    PT2E_ASSIGN(const Storage::Bytes data, m_zip->read(entry, kMaxArray));
    auto tensor = readNpy(data.data);
    if (!tensor)
        return placed(tensor.error(), m_path + ": " + entry.name);
    return tensor;
}

Result<NamedTensors> readArrays(const std::string& path)
{
    PT2E_ASSIGN(const ArrayReader reader, ArrayReader::open(path));
    NamedTensors arrays;
    for (std::size_t i = 0; i < reader.names().size(); ++i) {
        PT2E_ASSIGN(Tensor array, reader.read(i));
        arrays.emplace_back(reader.names()[i], std::move(array));
    }
    return arrays;
}

Result<void> writeNpz(const std::string& path, const NamedTensors& arrays)
{
    PT2E_ASSIGN(OutputFile file, OutputFile::create(path));
    std::vector<Written> entries;
    std::uint64_t at = 0;
    const auto put = [&](std::span<const std::byte> bytes) {
        at += bytes.size();
        return file.write(bytes);
    };
    for (const auto& [name, tensor] : arrays) {
        auto data = writeNpy(tensor);
        if (!data)
            return placed(data.error(), path + ": " + name);
        Written entry{name + std::string(kSuffix), 0, data->size(), at};
        entry.crc = static_cast<std::uint32_t>(
            crc32_z(0, reinterpret_cast<const Bytef*>(data->data()), data->size()));
        PT2E_TRY(put(localHeader(entry).bytes()));
        PT2E_TRY(put(*data));
        entries.push_back(std::move(entry));
    }
    const std::uint64_t start = at;
    for (const Written& entry : entries)
        PT2E_TRY(put(directoryHeader(entry).bytes()));
    PT2E_TRY(put(ending(entries.size(), start, at - start).bytes()));
    return file.commit();
}

} // namespace pt2e
