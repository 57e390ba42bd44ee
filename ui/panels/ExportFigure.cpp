// The part of the main window that writes what the panes show.
#include "ui/canvas/SceneSource.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/StatusLine.h"
#include "ui/render/Figure.h"

#include <QFileDialog>
#include <QFileInfo>

namespace pt2e::ui {

void MainWindow::chooseFigure()
{
    const QString base = QFileInfo(m_session->modelName()).completeBaseName();
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Export a figure"), base + QStringLiteral(".svg"),
                                     tr("SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;DOT (*.dot)"));
    if (path.isEmpty())
        return;
    exportFigure(path);
}

void MainWindow::exportFigure(const QString& path)
{
    std::vector<Scene> scenes = m_scenes->scenes();
    if (scenes.empty()) {
        m_status->showMessage(tr("There is nothing to export yet"));
        return;
    }
    const auto finish = [this](const QString& written, const QString& problem) -> Delivery {
        return [this, written, problem] {
            m_status->showMessage(problem.isEmpty() ? tr("Wrote %1").arg(written) : problem);
            Q_EMIT figureExported(written, problem);
        };
    };
    // Large graphs take a second, DOT asks another process: not here.
    m_session->jobs().start(
        Lane::Batch, QStringLiteral("export"), tr("Exporting a figure"),
        [finish, path, scenes = std::move(scenes), snapshot = m_session->snapshot(),
         options = m_session->view().options()](JobPort&) mutable -> Delivery {
            const Figure figure = makeFigure(*snapshot, std::move(scenes), options, {});
            const Result<void> written = writeFigure(figure, path);
            return finish(path,
                          written ? QString() : QString::fromStdString(written.error().message()));
        });
}

} // namespace pt2e::ui
