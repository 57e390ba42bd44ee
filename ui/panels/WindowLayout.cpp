// MainWindow: where everything stands, kept between runs.
#include "ui/canvas/StageBoard.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/TabOrder.h"
#include "ui/panels/TablesPanel.h"

#include <QSettings>
#include <QSplitter>

namespace pt2e::ui {

namespace {

const QString kGeometry = QStringLiteral("window/geometry");
const QString kOutline = QStringLiteral("window/outline");
const QString kInspector = QStringLiteral("window/inspector");
const QString kTables = QStringLiteral("window/tables");
const QString kTable = QStringLiteral("window/table");
const QString kColumns = QStringLiteral("window/columns");
const QString kRows = QStringLiteral("window/rows");
const QString kStacked = QStringLiteral("window/stacked");
const QString kPanes = QStringLiteral("window/panes");

/// Stages by their names; what is no name is left out.
std::vector<StageKind> stagesOf(const QStringList& names)
{
    std::vector<StageKind> stages;
    for (const QString& name : names) {
        for (int stage = 0; stage <= static_cast<int>(StageKind::Converted); ++stage) {
            if (stageName(static_cast<StageKind>(stage)) == name.toStdString())
                stages.push_back(static_cast<StageKind>(stage));
        }
    }
    return stages;
}

} // namespace

bool MainWindow::focusNextPrevChild(bool next) { return focusNextInOrder(*this, next); }

void MainWindow::restoreLayout()
{
    const QSettings settings;
    resetLayout();
    restoreGeometry(settings.value(kGeometry).toByteArray());
    m_outline->setVisible(settings.value(kOutline, false).toBool());
    m_inspector->setVisible(settings.value(kInspector, true).toBool());
    m_tables->setVisible(settings.value(kTables, true).toBool());
    m_tables->showTable(settings.value(kTable).toString());
    m_board->setStacked(settings.value(kStacked, false).toBool());
    m_session->view().setStages(stagesOf(settings.value(kPanes).toStringList()));
    if (settings.contains(kColumns))
        m_columns->restoreState(settings.value(kColumns).toByteArray());
    if (settings.contains(kRows))
        m_rows->restoreState(settings.value(kRows).toByteArray());
}

void MainWindow::keepLayout() const
{
    QSettings settings;
    settings.setValue(kGeometry, saveGeometry());
    settings.setValue(kOutline, !m_outline->isHidden());
    settings.setValue(kInspector, !m_inspector->isHidden());
    settings.setValue(kTables, !m_tables->isHidden());
    settings.setValue(kTable, m_tables->shownTable());
    settings.setValue(kColumns, m_columns->saveState());
    settings.setValue(kRows, m_rows->saveState());
    settings.setValue(kStacked, m_board->isStacked());
    if (m_session->isQuantizedFile())
        return; // shown in a single pane, whatever was chosen
    QStringList panes;
    for (const StageKind stage : m_session->view().stages())
        panes << QString::fromStdString(std::string(stageName(stage)));
    settings.setValue(kPanes, panes);
}

void MainWindow::resetLayout()
{
    if (!isMaximized() && !isFullScreen())
        resize(1480, 940);
    m_outline->hide();
    m_inspector->show();
    m_tables->show();
    m_columns->setSizes({280, 1050, 390});
    m_rows->setSizes({660, 215});
    m_board->setStacked(false);
}

} // namespace pt2e::ui
