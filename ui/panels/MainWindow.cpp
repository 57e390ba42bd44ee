#include "ui/panels/MainWindow.h"

#include "ui/canvas/StageBoard.h"
#include "ui/panels/Breadcrumb.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/ComparisonPanel.h"
#include "ui/panels/ConvergencePage.h"
#include "ui/panels/DiagnosisPage.h"
#include "ui/panels/EvaluationDialog.h"
#include "ui/panels/FileHelp.h"
#include "ui/panels/FocusBar.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/JobNotice.h"
#include "ui/panels/LogPage.h"
#include "ui/panels/MarksPage.h"
#include "ui/panels/MarksPart.h"
#include "ui/panels/ModuleButton.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/OverlayBar.h"
#include "ui/panels/PartitionsPage.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/panels/RecipesPage.h"
#include "ui/panels/SensitivityPanel.h"
#include "ui/panels/StageStrip.h"
#include "ui/panels/StartPage.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"
#include "ui/panels/TopBar.h"
#include "ui/panels/ValuesPart.h"
#include "ui/session/Comparison.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

namespace pt2e::ui {

namespace {
constexpr int kGap = 8; ///< between cards
constexpr int kComparisonHeight = 350; ///< a confusion matrix of ten classes
constexpr int kEdge = 16; ///< between cards and the window's edge
} // namespace

MainWindow::MainWindow(Preferences& preferences, QWidget* parent)
    : QMainWindow(parent),
      m_preferences(preferences),
      m_session(new Session(this)),
      m_scenes(new SceneSource(*m_session, this)),
      m_comparison(new Comparison(*m_session, this)),
      m_overlays(new Overlays(*m_session, *m_comparison, this)),
      m_second(new SecondRecipe(*m_session, *m_comparison, this)),
      m_desk(new ProjectDesk(preferences, *m_session, *m_comparison, *m_overlays, this))
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    build();
    makeActions();
    connectPanels();
    connectDesk();
    retranslate();
    updateState();
    restoreLayout();
    m_start->setFocus(Qt::OtherFocusReason);
}

MainWindow::~MainWindow()
{
    delete m_desk; // undo steps that go are no edits
    // The session's work may still deliver into the panels: it ends first.
    delete m_session;
}

void MainWindow::build()
{
    auto* center = new QWidget(this);
    auto* layout = new QVBoxLayout(center);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_topBar = new TopBar(*m_session, center);
    m_stack = new QStackedWidget(center);
    m_status = new StatusLine(*m_session, center);
    layout->addWidget(m_topBar);
    layout->addWidget(m_desk->notices());
    layout->addWidget(m_stack, 1);
    layout->addWidget(m_status);
    m_start = new StartPage(m_preferences, m_stack);
    m_stack->addWidget(m_start);

    auto* work = new QWidget(m_stack);
    auto* workLayout = new QVBoxLayout(work);
    workLayout->setContentsMargins(kEdge, 12, kEdge, 2);
    workLayout->setSpacing(12);
    m_strip = new StageStrip(*m_session, work);
    workLayout->addWidget(m_strip);
    m_columns = new QSplitter(Qt::Horizontal, work);
    m_columns->setHandleWidth(kGap);
    m_columns->setChildrenCollapsible(false);
    workLayout->addWidget(m_columns, 1);

    m_outline = new OutlinePanel(*m_session, m_columns);
    m_rows = new QSplitter(Qt::Vertical, m_columns);
    m_rows->setHandleWidth(kGap);
    m_rows->setChildrenCollapsible(false);
    auto* upper = new QWidget(m_rows);
    auto* upperLayout = new QVBoxLayout(upper);
    upperLayout->setContentsMargins(0, 0, 0, 0);
    upperLayout->setSpacing(kGap);
    m_board = new StageBoard(*m_session, *m_scenes, upper);
    m_focusBar = new FocusBar(*m_session, upper);
    m_focusBar->addTool(new ModuleButton(*m_session, *m_scenes, m_focusBar));
    upperLayout->addWidget(new Breadcrumb(*m_session, upper));
    upperLayout->addWidget(m_board, 1);
    upperLayout->addWidget(new OverlayBar(*m_overlays, *m_comparison, upper));
    upperLayout->addWidget(m_focusBar);
    m_tables = new TablesPanel(*m_session, m_rows);
    m_comparisonPanel = new ComparisonPanel(*m_session, *m_comparison, m_tables);
    auto* partitions = new PartitionsPage(*m_session, *m_comparison, m_tables);
    m_tables->addPage(QStringLiteral("partitions"), partitions, partitions);
    m_tables->addPage(QStringLiteral("comparison"), m_comparisonPanel, m_comparisonPanel);
    (new DiagnosisPage(*m_session, *m_comparison, m_tables))->addTo(*m_tables);
    (new MarksPage(*m_session, m_tables))->addTo(*m_tables);
    m_sensitivity = SensitivityPanel::addTo(*m_tables, *m_session, *m_comparison);
    RecipesPage::addTo(*m_tables, *m_session, *m_second);
    m_scenes->setSecond(*m_second);
    m_board->setSecond(*m_second);
    (new ConvergencePage(*m_session, *m_comparison, m_tables))->addTo(*m_tables);
    auto* log = new JobLog(m_session->jobs(), this);
    LogPage::addTo(*m_tables, *m_session, *log, *m_status);
    new JobNotice(*log, m_preferences, *this);
    m_rows->addWidget(upper);
    m_rows->addWidget(m_tables);
    m_rows->setStretchFactor(0, 3);
    m_rows->setStretchFactor(1, 1);
    m_inspector = new Inspector(*m_session, m_columns);
    m_inspector->setMinimumWidth(300);
    m_inspector->addPart(new ValuesPart(*new NodeValues(*m_session, *m_comparison, this)));
    m_inspector->addPart(new MarksPart(*m_session));
    m_outline->setMinimumWidth(220);
    m_columns->addWidget(m_outline);
    m_columns->addWidget(m_rows);
    m_columns->addWidget(m_inspector);
    m_columns->setStretchFactor(0, 0);
    m_columns->setStretchFactor(1, 1);
    m_columns->setStretchFactor(2, 0);
    m_stack->addWidget(work);
    setCentralWidget(center);
    m_palette = new CommandPalette(center);
}

void MainWindow::connectPanels()
{
    connect(m_start, &StartPage::openWanted, this, [this](const QString& what) { open(what); });
    connect(m_start, &StartPage::chooseFileWanted, this, &MainWindow::chooseFile);
    connect(m_topBar, &TopBar::runWanted, m_session, &Session::runAll);
    connect(m_topBar, &TopBar::compareWanted, m_comparison, &Comparison::run);
    connect(m_comparison, &Comparison::started, this,
            [this] { showResults(QStringLiteral("comparison")); });
    connect(&m_sensitivity->run(), &SensitivityRun::started, this,
            [this] { showResults(QStringLiteral("sensitivity")); });
    connect(&m_sensitivity->run(), &SensitivityRun::failed, m_status, &StatusLine::showMessage);
    connect(m_comparison, &Comparison::changed, this, &MainWindow::updateComparison);
    connect(m_comparison, &Comparison::failed, m_status, &StatusLine::showMessage);
    connect(m_comparison, &Comparison::told, m_status, &StatusLine::showMessage);
    connect(m_second, &SecondRecipe::failed, m_status, &StatusLine::showMessage);
    connect(m_comparisonPanel, &ComparisonPanel::titleChanged, m_tables,
            &TablesPanel::refreshTitles);
    connect(m_comparisonPanel, &ComparisonPanel::dataWanted, this, &MainWindow::chooseEvaluation);
    m_inspector->setEngineSource(
        [this](const std::vector<NodeId>& nodes) { return m_comparison->placeOf(nodes); });
    connect(m_overlays, &Overlays::changed, this,
            [this] { m_scenes->setOverlay(m_overlays->overlay()); });
    connect(m_topBar, &TopBar::searchWanted, this, &MainWindow::openPalette);
    connect(m_topBar, &TopBar::dataFileWanted, this, &MainWindow::chooseDataFile);
    connect(m_palette, &CommandPalette::chosen, this, &MainWindow::goTo);
    connect(m_session, &Session::modelChanged, this, &MainWindow::updateState);
    connect(m_session, &Session::snapshotChanged, this, &MainWindow::updateState);
    connect(&m_session->jobs(), &JobRunner::started, this, &MainWindow::updateState);
    connect(&m_session->jobs(), &JobRunner::finished, this, &MainWindow::updateState);
    connect(
        m_session, &Session::openFailed, this, [this](const QString& what, const QString& message) {
            const QString text = tr("Cannot open %1. %2").arg(QFileInfo(what).fileName(), message);
            m_status->showMessage(text);
            m_start->showProblem(text);
        });
    connect(m_session, &Session::runFailed, this, [this](const QString& message) {
        m_status->showMessage(message);
        m_tables->showTable(QStringLiteral("problems"));
    });
    connect(m_session, &Session::torchReady, this, [this](const QString& version) {
        m_status->setEngine(QStringLiteral("LibTorch ") + version);
    });
    connect(m_session, &Session::torchFailed, m_status, &StatusLine::showMessage);
    connect(m_scenes, &SceneSource::failed, m_status, &StatusLine::showMessage);
    connect(&m_preferences, &Preferences::recentFilesChanged, this, &MainWindow::fillRecentMenu);
}

void MainWindow::connectDesk()
{
    connect(m_desk, &ProjectDesk::told, m_status, &StatusLine::showMessage);
    connect(m_desk, &ProjectDesk::problemsWanted, this, [this] {
        m_tables->show();
        m_tables->showTable(QStringLiteral("problems"));
    });
    connect(m_desk, &ProjectDesk::titleChanged, this, &MainWindow::updateState);
    connect(m_desk, &ProjectDesk::settling, findChild<MarksPart*>(), &MarksPart::commit);
    connect(this, &MainWindow::firstFramePainted, &m_desk->autosave(), &Autosave::scan);
}

void MainWindow::updateState()
{
    const bool hasModel = m_session->model() != nullptr;
    const bool wasStart = isStartPageShown();
    m_stack->setCurrentIndex(hasModel ? 1 : 0);
    if (hasModel && wasStart) {
        m_start->showProblem({});
        m_board->activePane()->view().setFocus(Qt::OtherFocusReason);
    }
    if (hasModel && !m_session->model()->path.empty()) {
        const QString path = QString::fromStdString(m_session->model()->path);
        if (m_preferences.recentFiles().value(0) != QFileInfo(path).absoluteFilePath())
            m_preferences.addRecentFile(path);
    }
    setWindowTitle(m_desk->windowTitle());
    setWindowModified(m_desk->document().isModified());
    for (QAction* action : m_needModel)
        action->setEnabled(hasModel);
    m_cancel->setEnabled(m_session->isRunning() || m_session->jobs().isRunning(Session::kOpenTag)
                         || m_comparison->isRunning() || m_sensitivity->run().isRunning()
                         || m_second->isRunning() || m_second->isAtWork());
    updateSaveActions();
    for (QAction* action : m_needConverted)
        action->setEnabled(m_comparison->canRun());
    m_topBar->setCompareEnabled(m_comparison->canRun());
    m_hide->setEnabled(hasModel && m_session->shownUpTo() > StageKind::Exported);
    m_next->setEnabled(hasModel && !m_session->isQuantizedFile()
                       && (m_session->shownUpTo() < StageKind::Converted
                           || m_session->reached() < StageKind::Converted));
}

/// Where the result will stand, with room for it.
void MainWindow::showResults(const QString& table)
{
    m_tables->show();
    m_tables->showTable(table);
    const QList<int> sizes = m_rows->sizes();
    const int wanted = std::min(kComparisonHeight, (sizes[0] + sizes[1]) * 11 / 20);
    if (sizes[1] < wanted)
        m_rows->setSizes({sizes[0] + sizes[1] - wanted, wanted});
}

void MainWindow::updateComparison()
{
    const auto& report = m_comparison->report();
    const bool isCovered = m_session->isCovered(StageKind::Converted);
    QString text;
    if (report && !isCovered)
        text = m_comparison->isStale()
                   ? tr("stale")
                   : tr("%n partitions", nullptr, m_comparison->partitionCount());
    m_strip->setXnnpack(text);
    m_inspector->rebuild();
}

bool MainWindow::isStartPageShown() const { return m_stack->currentIndex() == 0; }

void MainWindow::open(const QString& what, const ModelRequest& defaults)
{
    if (looksLikeProject(what)) {
        m_desk->open(what);
        return;
    }
    const bool isFile = what.contains(QLatin1Char('/')) || QFileInfo::exists(what);
    if (isFile && QFileInfo::exists(what) && !looksLikePt2(what)) {
        showHelpFor(what);
        return;
    }
    ModelRequest request = defaults;
    request.what = what.toStdString();
    m_desk->whenSafe([this, request] { m_session->open(request); });
}

void MainWindow::showHelpFor(const QString& path)
{
    auto* help = new FileHelp(path, this);
    connect(help, &FileHelp::openAnyway, this, [this](const QString& chosen) {
        ModelRequest request;
        request.what = chosen.toStdString();
        m_desk->whenSafe([this, request] { m_session->open(request); });
    });
    help->open();
}

void MainWindow::chooseFile()
{
    const QString folder = m_preferences.recentFiles().isEmpty()
                               ? QString()
                               : QFileInfo(m_preferences.recentFiles().first()).path();
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a model or a project"), folder,
                                     tr("Programs and projects (*.pt2 *.pt2ew);;All files (*)"));
    if (!path.isEmpty())
        open(path);
}

void MainWindow::chooseDataFile()
{
    const QString path = QFileDialog::getOpenFileName(this, tr("Calibration data"), {},
                                                      tr("Arrays (*.npz *.npy);;All files (*)"));
    if (path.isEmpty())
        return;
    Recipe recipe = m_session->recipe();
    recipe.calibration.source = CalibrationChoice::Source::File;
    recipe.calibration.path = path.toStdString();
    recipe.calibration.batches.reset();
    m_session->changeRecipe(recipe, tr("Calibrate with %1").arg(QFileInfo(path).fileName()));
}

void MainWindow::chooseEvaluation()
{
    auto* dialog = new EvaluationDialog(*m_session, m_comparison->choice(), this);
    connect(dialog, &EvaluationDialog::chosen, m_comparison, &Comparison::setChoice);
    dialog->open();
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (!m_desk->mayClose()) {
        event->ignore();
        return;
    }
    keepLayout();
    m_session->jobs().cancelAll();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!event->mimeData()->hasUrls())
        return;
    event->acceptProposedAction();
    m_start->setDropActive(true);
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent*) { m_start->setDropActive(false); }

void MainWindow::dropEvent(QDropEvent* event)
{
    m_start->setDropActive(false);
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile())
            continue;
        event->acceptProposedAction();
        open(url.toLocalFile());
        return;
    }
}

bool MainWindow::event(QEvent* event)
{
    const bool handled = QMainWindow::event(event);
    if (event->type() == QEvent::Paint && !m_hasPainted) {
        m_hasPainted = true;
        // LibTorch is loaded behind the first frame, never before it.
        QTimer::singleShot(0, this, [this] {
            Q_EMIT firstFramePainted();
            m_session->warmUp();
        });
    }
    return handled;
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange && m_palette) {
        retranslate();
        updateComparison();
    }
    QMainWindow::changeEvent(event);
}

} // namespace pt2e::ui
