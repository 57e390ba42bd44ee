#include "ui/models/TableCopy.h"

#include <QStringList>

namespace pt2e::ui {

namespace {

std::string textOf(const Table& table, CopyFormat format)
{
    switch (format) {
    case CopyFormat::Text: return tableAsText(table);
    case CopyFormat::Csv: return tableAsCsv(table);
    case CopyFormat::Json: return tableAsJson(table);
    }
    return {};
}

} // namespace

QString tablesAs(const std::vector<Table>& tables, CopyFormat format)
{
    QStringList parts;
    for (const Table& table : tables) {
        const bool isTitled = tables.size() > 1 && format == CopyFormat::Text;
        parts << QString::fromStdString((isTitled ? table.title + "\n" : std::string())
                                        + textOf(table, format));
    }
    const bool isList = format == CopyFormat::Json && parts.size() != 1;
    return isList ? QLatin1Char('[') + parts.join(QLatin1Char(',')) + QLatin1Char(']')
                  : parts.join(QLatin1Char('\n'));
}

} // namespace pt2e::ui
