// The tables below the panes. A row selects its nodes; a selected node selects its rows.
#pragma once

#include "ui/models/TableModel.h"
#include "ui/session/BothQuantizers.h"
#include "ui/session/Session.h"

#include <QFrame>

#include <map>

class QLineEdit;
class QTabWidget;
class QTableView;
class QToolButton;

namespace pt2e::ui {

class TablesPanel : public QFrame
{
    Q_OBJECT
public:
    explicit TablesPanel(Session& session, QWidget* parent = nullptr);

    /// Ids of the tables there are, in tab order: "diff-ops", "observers", …
    QStringList ids() const;
    QString titleOf(const QString& id) const;
    void showTable(const QString& id);
    QString shownTable() const;
    const TableModel& model(const QString& id) const;
    QTableView* viewOf(const QString& id) const;
    /// Tables that a comparison makes; they are taken away when `tables` is empty. `isStale`: the recipe changed since.
    void setComparison(std::vector<Table> tables, bool isStale);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Tab
    {
        TableModel* model = nullptr;
        TableFilter* filter = nullptr;
        QTableView* view = nullptr;
        QWidget* page = nullptr;
    };
    Tab& tab(const QString& id, bool isComparison);
    void fill(const QString& id, Table table, bool isComparison = false);
    void sizeColumns(const Tab& tab);
    void refresh();
    void showAll(std::map<QString, Table> tables);
    void refreshTitles();
    int unquantizedCount() const;
    void selectNodes(const QString& id);
    void selectRows();
    void copyAs(const QString& format);
    void filter();

    Session& m_session;
    std::shared_ptr<BothQuantizers> m_quantizers; ///< a job that outlives the panel may still ask
    QTabWidget* m_tabs;
    QLineEdit* m_filter;
    QToolButton* m_copy;
    std::map<QString, Tab> m_byId;
    QStringList m_comparisonIds;
    bool m_isStale = false;
    bool m_isSelecting = false;
    SnapshotPtr m_filled;
    bool m_isOutdated = false; ///< a snapshot came while tables were being made
};

} // namespace pt2e::ui
