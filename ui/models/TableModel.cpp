#include "ui/models/TableModel.h"

#include "ui/models/CoreText.h"
#include "ui/models/Glossary.h"
#include "ui/models/ReasonText.h"
#include "ui/models/SentenceText.h"

#include <algorithm>
#include <unordered_set>

namespace pt2e::ui {

namespace {

/// Columns in which core writes sentences; others hold names and numbers.
bool hasSentences(const std::string& column)
{
    return column == "message" || column == "reason" || column == "value";
}

QString textOf(const Cell& cell, const std::string& column)
{
    if (cell.reason)
        return reasonText(*cell.reason);
    if (cell.pattern)
        return QString::fromStdString(
            fillTemplate(coreText(cell.pattern).toStdString(), {cell.argument}));
    return hasSentences(column) ? sentenceText(cell.text) : QString::fromStdString(cell.text);
}

} // namespace

TableModel::TableModel(QObject* parent) : QAbstractTableModel(parent) {}

void TableModel::setTable(Table table)
{
    const bool isSameShape =
        table.columns == m_table.columns && table.rows.size() == m_table.rows.size();
    if (isSameShape && !table.rows.empty()) {
        m_table = std::move(table);
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

QList<int> TableModel::rowsOf(const std::vector<NodeId>& nodes) const
{
    const std::unordered_set<NodeId> wanted(nodes.begin(), nodes.end());
    QList<int> rows;
    for (std::size_t row = 0; row < m_table.rows.size(); ++row) {
        const auto& own = m_table.rows[row].nodes;
        if (std::any_of(own.begin(), own.end(),
                        [&wanted](NodeId id) { return wanted.contains(id); }))
            rows.append(static_cast<int>(row));
    }
    return rows;
}

void TableModel::retranslate()
{
    if (columnCount() > 0)
        Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (columnCount() > 0 && rowCount() > 0)
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

int TableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.rows.size());
}

int TableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_table.columns.size());
}

QVariant TableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const TableRow& row = m_table.rows[static_cast<std::size_t>(index.row())];
    if (role == NodesRole)
        return QVariant::fromValue(row.nodes);
    if (static_cast<std::size_t>(index.column()) >= row.cells.size())
        return {};
    const Cell& cell = row.cells[static_cast<std::size_t>(index.column())];
    const std::string& title = m_table.columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole: return textOf(cell, title);
    case SortRole: return cell.number ? QVariant(*cell.number) : QVariant(textOf(cell, title));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (cell.rightAligned ? Qt::AlignRight : Qt::AlignLeft)));
    default: return {};
    }
}

QVariant TableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const auto column = static_cast<std::size_t>(section);
    if (role == Qt::DisplayRole)
        return coreText(m_table.columns[column]);
    if (role == Qt::ToolTipRole)
        return meaningOfColumn(m_table.id, m_table.columns[column]);
    if (role == Qt::TextAlignmentRole) {
        const bool isRight = !m_table.rows.empty() && column < m_table.rows.front().cells.size()
                             && m_table.rows.front().cells[column].rightAligned;
        return QVariant::fromValue(
            Qt::Alignment(Qt::AlignVCenter | (isRight ? Qt::AlignRight : Qt::AlignLeft)));
    }
    return {};
}

TableFilter::TableFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(TableModel::SortRole);
}

void TableFilter::setWords(const QString& text)
{
    m_words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
}

bool TableFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const
{
    const QVariant a = left.data(TableModel::SortRole);
    const QVariant b = right.data(TableModel::SortRole);
    const bool isNumberA = a.typeId() == QMetaType::Double;
    const bool isNumberB = b.typeId() == QMetaType::Double;
    if (isNumberA != isNumberB)
        return isNumberA;
    if (isNumberA)
        return a.toDouble() < b.toDouble();
    return QString::compare(a.toString(), b.toString(), Qt::CaseInsensitive) < 0;
}

bool TableFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    const int columns = sourceModel()->columnCount(parent);
    return std::all_of(m_words.begin(), m_words.end(), [&](const QString& word) {
        for (int column = 0; column < columns; ++column) {
            const QString text = sourceModel()->index(row, column, parent).data().toString();
            if (text.contains(word, Qt::CaseInsensitive))
                return true;
        }
        return false;
    });
}

} // namespace pt2e::ui
