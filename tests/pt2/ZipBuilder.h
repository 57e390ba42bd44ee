// Zip files with any mistake in them.
#pragma once

#include <QByteArray>
#include <QList>
#include <optional>

struct ZipPart
{
    QByteArray name = {};
    QByteArray data = {};
    bool deflate = false;
    // What the headers say instead of the truth:
    std::optional<quint32> crc = {};
    std::optional<quint32> size = {};
    std::optional<quint32> packedSize = {};
    std::optional<quint32> headerOffset = {};
    std::optional<quint16> method = {};
    std::optional<quint16> flags = {};
    std::optional<quint16> disk = {};
    QByteArray localName = {}; ///< empty: the same
    quint32 localSignature = 0x04034b50;
};

struct ZipEnd
{
    std::optional<quint32> directoryOffset = {};
    std::optional<quint32> directorySize = {};
    std::optional<quint16> count = {};
    quint16 disk = 0;
    QByteArray before = {}; ///< between directory and end record
};

QByteArray buildZip(const QList<ZipPart>& parts, const ZipEnd& end = {});
/// Raw deflate.
QByteArray deflated(const QByteArray& data);
/// The records of a sound zip file, in directory order.
QList<ZipPart> zipParts(const QByteArray& zip);
