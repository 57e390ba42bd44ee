// A table of core/view (or any other) as an item model. Read only.
#pragma once

#include "core/view/Tables.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace pt2e::ui {

class TableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { SortRole = Qt::UserRole + 1, NodesRole };

    explicit TableModel(QObject* parent = nullptr);

    const Table& table() const { return m_table; }
    /// Replaces the rows in place where columns and row count stay, else resets.
    void setTable(Table table);
    /// Rows that name one of the nodes.
    QList<int> rowsOf(const std::vector<NodeId>& nodes) const;
    /// Column titles and reasons are translated when shown: the language has changed.
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Table m_table;
};

/// Sorts by number where there is one; filters by words that must all occur somewhere in a row.
class TableFilter : public QSortFilterProxyModel
{
    Q_OBJECT
public:
    explicit TableFilter(QObject* parent = nullptr);
    void setWords(const QString& text);

protected:
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace pt2e::ui
