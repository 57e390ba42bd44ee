// A table whose rows stand for nodes: a chosen row selects its nodes, a selected node its rows.
#pragma once

#include "ui/models/TableModel.h"
#include "ui/session/Session.h"

#include <QTableView>

namespace pt2e::ui {

class NodeTable : public QTableView
{
    Q_OBJECT
public:
    /// `id` is the table's, and with "table." before it the object's name.
    NodeTable(Session& session, const QString& id, QWidget* parent);

    const TableModel& tableModel() const { return *m_model; }
    const Table& table() const { return m_model->table(); }
    /// Replaces the rows; columns get their widths when there were none before.
    void setTable(Table table);
    void setWords(const QString& words); ///< shows only rows that have them all
    /// What stands in the place of rows where there are none: one sentence.
    void setEmptyText(const QString& text);
    /// Selects the rows of the session's selection.
    void selectRows();
    /// Column widths from the contents; what does not fit is taken from the widest.
    void sizeColumns();
    void retranslate() { m_model->retranslate(); }

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void selectNodes();
    void fitColumns();
    void describe();

    Session& m_session;
    TableModel* m_model;
    TableFilter* m_filter;
    bool m_isSelecting = false;
    bool m_isSized = false; ///< the columns have widths for what they hold
    std::vector<int> m_wanted; ///< those widths, wherever there is room
    bool m_isFitting = false;
    QString m_emptyText;
};

/// What stands in a tab of the tables instead of one table.
class TablePage
{
public:
    virtual ~TablePage() = default;
    virtual QString title() const = 0;
    /// What is copied: the tables that are seen.
    virtual std::vector<Table> shownTables() const = 0;
    virtual void setWords(const QString& words) = 0;
    virtual void selectRows() = 0;
    /// Brings the table to the front; false if it is none of the page's.
    virtual bool showTable(const QString& id) = 0;
};

} // namespace pt2e::ui
