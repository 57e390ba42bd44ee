// Which part of the converted graph ran where on XNNPACK, by which kernel, and why not in int8.
#pragma once

#include "ui/panels/NodeTable.h"
#include "ui/session/Comparison.h"

#include <QWidget>

class QLabel;

namespace pt2e::ui {

class PartitionsPage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    PartitionsPage(Session& session, Comparison& comparison, QWidget* parent = nullptr);

    NodeTable& table() { return *m_table; }

    QString title() const override;
    std::vector<Table> shownTables() const override;
    void setWords(const QString& words) override { m_table->setWords(words); }
    void selectRows() override;
    bool showTable(const QString&) override { return false; }

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fitOverview();

    Session& m_session;
    Comparison& m_comparison;
    std::shared_ptr<const CompareReport> m_filled;
    QLabel* m_summary; ///< before a comparison
    QWidget* m_parts = nullptr;
    NodeTable* m_overview;
    NodeTable* m_table;
};

} // namespace pt2e::ui
