// MainWindow: what goes back to Python as a .pt2 file.
#include "core/pipeline/Save.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/StatusLine.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>

namespace pt2e::ui {

void MainWindow::makeSaveActions(QMenu* menu)
{
    m_saveConverted = addAction(menu, QT_TRANSLATE_NOOP("Menu", "Save &converted model…"),
                                QKeySequence(QStringLiteral("Ctrl+Alt+S")),
                                [this] { chooseSavePath(StageKind::Converted); });
    m_saveAnnotated = addAction(menu, QT_TRANSLATE_NOOP("Menu", "Save annotated &float model…"), {},
                                [this] { chooseSavePath(StageKind::Annotated); });
}

/// What is covered (Hide results) cannot be saved either.
void MainWindow::updateSaveActions()
{
    const SnapshotPtr& snapshot = m_session->snapshot();
    m_saveConverted->setEnabled(snapshot && snapshot->converted);
    m_saveAnnotated->setEnabled(snapshot && snapshot->annotated);
}

void MainWindow::chooseSavePath(StageKind stage)
{
    const bool isConverted = stage == StageKind::Converted;
    const QString base = QFileInfo(m_session->modelName()).completeBaseName();
    const QString path = QFileDialog::getSaveFileName(
        this, isConverted ? tr("Save the converted model") : tr("Save the annotated float model"),
        base + (isConverted ? QStringLiteral("-int8.pt2") : QStringLiteral("-annotated.pt2")),
        tr("Exported programs (*.pt2)"));
    if (!path.isEmpty())
        saveModel(path, stage);
}

void MainWindow::saveModel(const QString& path, StageKind stage)
{
    const SnapshotPtr snapshot = m_session->snapshot();
    const bool isConverted = stage == StageKind::Converted;
    if (!snapshot || (isConverted ? !snapshot->converted : !snapshot->annotated)) {
        m_status->showMessage(tr("There is nothing to save yet"));
        return;
    }
    // Written beside the path and renamed when complete: a failure leaves an older file as it was.
    m_session->jobs().start(
        Lane::Batch, QStringLiteral("save"), tr("Saving a model"),
        [this, path, isConverted, snapshot](JobPort&) -> Delivery {
            const std::string file = path.toStdString();
            const Result<void> saved =
                isConverted ? saveConverted(file, *snapshot) : saveAnnotated(file, *snapshot);
            const QString problem =
                saved ? QString() : QString::fromStdString(saved.error().message());
            return [this, path, problem] {
                m_status->showMessage(
                    problem.isEmpty()
                        ? tr("Wrote %1").arg(path)
                        : tr("Cannot save %1. %2").arg(QFileInfo(path).fileName(), problem));
                Q_EMIT modelSaved(path, problem);
            };
        });
}

} // namespace pt2e::ui
