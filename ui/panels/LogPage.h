// What was run when, how long it and its stages took, and what was said: the tab "log".
#pragma once

#include "ui/jobs/JobLog.h"
#include "ui/panels/NodeTable.h"

#include <QTimer>
#include <QWidget>

namespace pt2e::ui {

class StatusLine;
class TablesPanel;

class LogPage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    LogPage(Session& session, JobLog& log, QWidget* parent = nullptr);
    /// As the last tab, with what the status line says.
    static void addTo(TablesPanel& tables, Session& session, JobLog& log, StatusLine& status);

    NodeTable& table() { return *m_table; }

    QString title() const override { return tr("Log"); }
    std::vector<Table> shownTables() const override { return {logTable()}; }
    void setWords(const QString& words) override { m_table->setWords(words); }
    void selectRows() override {}
    bool showTable(const QString&) override { return false; }

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    Table logTable() const;
    void refresh();

    JobLog& m_log;
    NodeTable* m_table;
    QTimer m_soon; ///< many entries come at once
};

} // namespace pt2e::ui
