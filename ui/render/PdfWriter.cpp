#include "ui/render/PdfWriter.h"

#include "ui/render/Painter.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QUuid>

#include <cmath>

namespace pt2e {

namespace {

/// Overwrites what differs from run to run, keeping the length, since the file's table counts bytes.
void blank(QByteArray& pdf, const QByteArray& before, const QByteArray& after, char with)
{
    for (auto at = pdf.indexOf(before); at >= 0; at = pdf.indexOf(before, at + before.size())) {
        const auto first = at + before.size();
        const auto last = pdf.indexOf(after, first);
        if (last < 0 || last - first > 64)
            continue;
        for (auto i = first; i < last; ++i)
            if (std::isalnum(static_cast<unsigned char>(pdf[i])) != 0)
                pdf[i] = with;
    }
}

/// As above, with a legal date: 2000-01-01, 00:00:00, UTC, written as long as what stood there.
void setXmpDate(QByteArray& pdf, const QByteArray& before)
{
    for (auto at = pdf.indexOf(before); at >= 0; at = pdf.indexOf(before, at + before.size())) {
        const auto first = at + before.size();
        auto last = first;
        while (last < pdf.size() && QByteArrayView("0123456789-:.+TZ").contains(pdf[last]))
            ++last;
        QByteArray date = "2000-01-01T00:00:00";
        if (last - first == date.size() + 1)
            date += 'Z';
        else if (last - first == date.size() + 6)
            date += "+00:00";
        if (last - first == date.size())
            pdf.replace(first, date.size(), date);
    }
}

void removeDatesAndIds(QByteArray& pdf)
{
    for (const char* key : {"/CreationDate (D:", "/ModDate (D:"})
        for (auto at = pdf.indexOf(key); at >= 0; at = pdf.indexOf(key, at + 1)) {
            const auto first = at + static_cast<qsizetype>(qstrlen(key));
            const auto last = pdf.indexOf(')', first);
            // A legal date of the same length: 2000-01-01, 00:00:00, UTC.
            static const QByteArray kDate = "20000101000000Z00'00'";
            for (auto i = first; i < last; ++i)
                pdf[i] = i - first < kDate.size() ? kDate[i - first] : ' ';
        }
    // XMP, as attributes or as elements, depending on Qt's version.
    for (const char* tag : {"xmp:CreateDate", "xmp:ModifyDate", "xmp:MetadataDate"}) {
        setXmpDate(pdf, tag + QByteArray("=\""));
        setXmpDate(pdf, tag + QByteArray(">"));
    }
    for (const char* tag : {"xmpMM:DocumentID", "xmpMM:InstanceID"}) {
        blank(pdf, tag + QByteArray("=\"uuid:"), "\"", '0');
        blank(pdf, tag + QByteArray(">uuid:"), "<", '0');
    }
    blank(pdf, "/ID [ <", ">", '0');
    blank(pdf, "> <", "> ]", '0');
}

} // namespace

QByteArray writePdf(const DisplayList& list, const Theme& theme, const QString& title)
{
    QByteArray pdf;
    QBuffer buffer(&pdf);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(title);
        writer.setCreator(QStringLiteral("PT2E Workbench"));
#if QT_VERSION >= QT_VERSION_CHECK(6, 8, 0)
        writer.setDocumentId(QUuid::fromString(u"00000000-0000-0000-0000-000000000001"));
#endif
        writer.setResolution(72); // one unit is one point
        writer.setPageSize(
            QPageSize(QSizeF(std::ceil(list.bounds.width()), std::ceil(list.bounds.height())),
                      QPageSize::Point, QString(), QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        QPainter painter(&writer);
        painter.translate(-list.bounds.topLeft());
        painter.fillRect(list.bounds, theme.color(ColorRole::Canvas));
        paint(painter, list, theme);
    }
    removeDatesAndIds(pdf);
    return pdf;
}

} // namespace pt2e
