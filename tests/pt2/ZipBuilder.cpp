#include "tests/pt2/ZipBuilder.h"

#include "core/pt2/Zip.h"

#include <zlib.h>

namespace {

class Fields
{
public:
    Fields& u16(quint32 value) { return number(value, 2); }
    Fields& u32(quint32 value) { return number(value, 4); }
    Fields& text(const QByteArray& text)
    {
        m_bytes += text;
        return *this;
    }
    QByteArray bytes() const { return m_bytes; }

private:
    Fields& number(quint32 value, int count)
    {
        for (int i = 0; i < count; ++i)
            m_bytes += char(value >> (8 * i) & 0xff);
        return *this;
    }
    QByteArray m_bytes;
};

} // namespace

QByteArray deflated(const QByteArray& data)
{
    z_stream stream = {};
    deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    QByteArray out(qsizetype(deflateBound(&stream, uLong(data.size()))), Qt::Uninitialized);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = uInt(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = uInt(out.size());
    deflate(&stream, Z_FINISH);
    out.truncate(qsizetype(stream.total_out));
    deflateEnd(&stream);
    return out;
}

QByteArray buildZip(const QList<ZipPart>& parts, const ZipEnd& end)
{
    QByteArray file;
    QByteArray directory;
    for (const ZipPart& part : parts) {
        const QByteArray packed = part.deflate ? deflated(part.data) : part.data;
        const quint32 offset = quint32(file.size());
        const quint32 crc = part.crc.value_or(quint32(crc32(
            0, reinterpret_cast<const Bytef*>(part.data.constData()), uInt(part.data.size()))));
        const quint32 packedSize = part.packedSize.value_or(quint32(packed.size()));
        const quint32 size = part.size.value_or(quint32(part.data.size()));
        const quint32 method = part.method.value_or(part.deflate ? 8 : 0);
        const QByteArray localName = part.localName.isEmpty() ? part.name : part.localName;
        file += Fields()
                    .u32(part.localSignature)
                    .u16(20)
                    .u16(part.flags.value_or(0))
                    .u16(method)
                    .u32(0)
                    .u32(crc)
                    .u32(packedSize)
                    .u32(size)
                    .u16(quint32(localName.size()))
                    .u16(0)
                    .text(localName)
                    .text(packed)
                    .bytes();
        directory += Fields()
                         .u32(0x02014b50)
                         .u16(20)
                         .u16(20)
                         .u16(part.flags.value_or(0))
                         .u16(method)
                         .u32(0)
                         .u32(crc)
                         .u32(packedSize)
                         .u32(size)
                         .u16(quint32(part.name.size()))
                         .u16(0)
                         .u16(0)
                         .u16(part.disk.value_or(0))
                         .u16(0)
                         .u32(0)
                         .u32(part.headerOffset.value_or(offset))
                         .text(part.name)
                         .bytes();
    }
    const quint32 start = quint32(file.size());
    const quint32 count = end.count.value_or(quint16(parts.size()));
    return file + directory + end.before
           + Fields()
                 .u32(0x06054b50)
                 .u16(end.disk)
                 .u16(end.disk)
                 .u16(count)
                 .u16(count)
                 .u32(end.directorySize.value_or(quint32(directory.size())))
                 .u32(end.directoryOffset.value_or(start))
                 .u16(0)
                 .bytes();
}

QList<ZipPart> zipParts(const QByteArray& zip)
{
    QList<ZipPart> parts;
    const auto bytes = std::as_bytes(std::span(zip.constData(), std::size_t(zip.size())));
    const auto reader = pt2e::pt2::ZipReader::open({nullptr, bytes}, "sample");
    if (!reader)
        return parts;
    for (const pt2e::pt2::ZipEntry& entry : reader->entries()) {
        const auto data = reader->read(entry, std::uint64_t(1) << 30);
        ZipPart part;
        part.name = QByteArray::fromStdString(entry.name);
        if (data)
            part.data = QByteArray(reinterpret_cast<const char*>(data->data.data()),
                                   qsizetype(data->data.size()));
        parts.append(part);
    }
    return parts;
}
