// A tab of the tables that is one table with something around it.
#pragma once

#include "ui/panels/NodeTable.h"

#include <QWidget>

class QVBoxLayout;

namespace pt2e::ui {

class TablesPanel;

class SingleTablePage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    /// The table is in the layout, above what the page adds to it.
    SingleTablePage(Session& session, const QString& id, QWidget* parent);
    /// As the tab of the table's id.
    void addTo(TablesPanel& tables);

    NodeTable& table() { return *m_table; }

    std::vector<Table> shownTables() const override { return {m_table->table()}; }
    void setWords(const QString& words) override { m_table->setWords(words); }
    void selectRows() override { m_table->selectRows(); }
    bool showTable(const QString&) override { return false; }

Q_SIGNALS:
    void titleChanged();

protected:
    /// Sets all texts of the page; the table's own are set by then, and its title follows.
    virtual void retranslate() = 0;
    void changeEvent(QEvent* event) override;

    Session& m_session;
    NodeTable* m_table;
    QVBoxLayout* m_layout; ///< of the page, without margins

private:
    QString m_id;
};

} // namespace pt2e::ui
