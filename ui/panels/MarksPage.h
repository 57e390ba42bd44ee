// Bookmarks and notes among the tables; a row selects its node.
#pragma once

#include "ui/panels/NodeTable.h"

#include <QWidget>

class QLabel;

namespace pt2e::ui {

class MarksPage
    : public QWidget
    , public TablePage
{
    Q_OBJECT
public:
    explicit MarksPage(Session& session, QWidget* parent = nullptr);

    NodeTable& table() { return *m_table; }

    QString title() const override;
    std::vector<Table> shownTables() const override { return {m_table->table()}; }
    void setWords(const QString& words) override { m_table->setWords(words); }
    void selectRows() override { m_table->selectRows(); }
    bool showTable(const QString&) override { return false; }

Q_SIGNALS:
    void titleChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void refresh();

    Session& m_session;
    NodeTable* m_table;
    QLabel* m_none;
};

} // namespace pt2e::ui
