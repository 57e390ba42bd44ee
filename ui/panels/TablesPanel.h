// The tables below the panes. A row selects its nodes; a selected node selects its rows.
#pragma once

#include "ui/panels/NodeTable.h"
#include "ui/session/Session.h"

#include <QFrame>

#include <map>
#include <optional>

class QLineEdit;
class QTableView;
class QToolButton;

namespace pt2e::ui {

class FittingTabs;

class TablesPanel : public QFrame
{
    Q_OBJECT
public:
    explicit TablesPanel(Session& session, QWidget* parent = nullptr);

    /// Ids of the tables that have a tab of their own: "diff-ops", "observers", …
    QStringList ids() const;
    QStringList tabIds() const; ///< with those of pages
    QString titleOf(const QString& id) const;
    void showTable(const QString& id);
    QString shownTable() const;
    const TableModel& model(const QString& id) const;
    QTableView* viewOf(const QString& id) const;
    /// A tab with more than one table in it, behind the others; both are the same object.
    void addPage(const QString& id, QWidget* widget, TablePage* page);
    /// What has another name now gets it.
    void refreshTitles();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Page
    {
        QWidget* widget;
        TablePage* page;
    };
    std::optional<std::size_t> countOf(const QString& id) const;
    QString emptyTextOf(const QString& id) const;
    void addTable(const QString& id);
    void refresh();
    void retranslate();
    void showAll(std::map<QString, Table> tables);
    void selectRows();
    void copyAs(const QString& format);
    void filter();

    Session& m_session;
    FittingTabs* m_tabs;
    QLineEdit* m_filter;
    QToolButton* m_copy;
    std::map<QString, NodeTable*> m_byId;
    std::map<QString, Page> m_pages;
    SnapshotPtr m_filled;
    bool m_isOutdated = false; ///< a snapshot came while tables were being made
};

} // namespace pt2e::ui
