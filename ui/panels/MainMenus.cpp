// Menus, commands and the palette of MainWindow.
#include "ui/canvas/StageBoard.h"
#include "ui/models/GalleryModel.h"
#include "ui/models/SearchModel.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/ContextHelp.h"
#include "ui/panels/FocusBar.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/KeySheet.h"
#include "ui/panels/MainWindow.h"
#include "ui/panels/ModuleActions.h"
#include "ui/panels/ObservedPart.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/ProjectDesk.h"
#include "ui/panels/RulesDialog.h"
#include "ui/panels/SensitivityPanel.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"
#include "ui/panels/TopBar.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileInfo>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>

namespace pt2e::ui {

namespace {

QString menuText(const char* text) { return QCoreApplication::translate("Menu", text); }

constexpr double kZoomStep = 1.2;

} // namespace

QAction* MainWindow::addAction(QMenu* menu, const char* text, const QKeySequence& keys,
                               const std::function<void()>& what)
{
    QAction* action = menu->addAction(menuText(text));
    action->setShortcut(keys);
    action->setObjectName(QString::fromUtf8(text));
    connect(action, &QAction::triggered, this, what);
    m_texts.push_back({action, text});
    m_commands.push_back(action);
    return action;
}

QMenu* MainWindow::addMenu(const char* title)
{
    QMenu* menu = menuBar()->addMenu(menuText(title));
    m_texts.push_back({menu->menuAction(), title});
    return menu;
}

void MainWindow::makeActions()
{
    makeFileMenu();
    makeEditMenu();
    makeRunMenu();
    makeViewMenu();
    makeHelpMenu();
}

void MainWindow::makeFileMenu()
{
    QMenu* menu = addMenu(QT_TRANSLATE_NOOP("Menu", "&File"));
    m_openMenu = new QMenu(this);
    QAction* openAction = addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Open…"), QKeySequence::Open,
                                    [this] { chooseFile(); });
    m_recentMenu = menu->addMenu(QString());
    m_texts.push_back({m_recentMenu->menuAction(), QT_TRANSLATE_NOOP("Menu", "Open &recent")});
    QMenu* builtIn = menu->addMenu(QString());
    m_texts.push_back({builtIn->menuAction(), QT_TRANSLATE_NOOP("Menu", "&Built-in models")});
    const GalleryModel gallery;
    for (int row = 0; row < gallery.rowCount(); ++row) {
        const QString name = gallery.index(row).data(GalleryModel::NameRole).toString();
        QAction* action = builtIn->addAction(name, this, [this, name] { open(name); });
        m_commands.push_back(action);
    }
    m_openMenu->addAction(openAction);
    m_openMenu->addMenu(m_recentMenu);
    m_openMenu->addMenu(builtIn);
    m_topBar->setOpenMenu(m_openMenu);
    menu->addSeparator();
    m_desk->makeActions(menu);
    menu->addSeparator();
    makeSaveActions(menu);
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Export figure…"),
                                    QKeySequence(QStringLiteral("Ctrl+E")),
                                    [this] { chooseFigure(); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Close"), QKeySequence::Close,
                                    [this] { m_desk->whenSafe([this] { m_session->close(); }); }));
    menu->addSeparator();
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Quit"), QKeySequence::Quit, [this] { close(); });
    fillRecentMenu();
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    const auto add = [this](const QStringList& paths) {
        for (const QString& path : paths) {
            QAction* action = m_recentMenu->addAction(QFileInfo(path).fileName(), this,
                                                      [this, path] { open(path); });
            action->setToolTip(path);
        }
    };
    add(m_preferences.recentProjects());
    if (!m_recentMenu->isEmpty() && !m_preferences.recentFiles().isEmpty())
        m_recentMenu->addSeparator();
    add(m_preferences.recentFiles());
    m_recentMenu->setEnabled(!m_recentMenu->isEmpty());
    if (!m_recentMenu->isEmpty()) {
        m_recentMenu->addSeparator();
        m_recentMenu->addAction(tr("Forget all"), &m_preferences, &Preferences::clearRecentFiles);
    }
}

void MainWindow::makeEditMenu()
{
    QMenu* menu = addMenu(QT_TRANSLATE_NOOP("Menu", "&Edit"));
    QUndoStack& stack = m_session->undoStack();
    m_undo = addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Undo"), QKeySequence::Undo,
                       [&stack] { stack.undo(); });
    m_redo = addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Redo"), QKeySequence::Redo,
                       [&stack] { stack.redo(); });
    connect(&stack, &QUndoStack::indexChanged, this, &MainWindow::updateUndo);
    menu->addSeparator();
    RulesDialog::enable(addAction(menu, QT_TRANSLATE_NOOP("Menu", "R&ules of the recipe…"),
                                  QKeySequence(QStringLiteral("Ctrl+R")),
                                  [this] { RulesDialog::showFor(*m_session, this); }),
                        *m_session);
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Find…"), QKeySequence(QStringLiteral("Ctrl+K")),
              [this] { openPalette(); });
    m_desk->makeMarkActions(menu);
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Select &nothing"), {},
                                    [this] { m_session->selection().clear(); }));
}

void MainWindow::updateUndo()
{
    const QUndoStack& stack = m_session->undoStack();
    m_undo->setEnabled(stack.canUndo());
    m_redo->setEnabled(stack.canRedo());
    const auto named = [](const char* text, const QString& what) {
        return what.isEmpty() ? menuText(text) : menuText(text) + QStringLiteral(": ") + what;
    };
    m_undo->setText(named("&Undo", stack.undoText()));
    m_redo->setText(named("&Redo", stack.redoText()));
}

void MainWindow::makeRunMenu()
{
    QMenu* menu = addMenu(QT_TRANSLATE_NOOP("Menu", "&Run"));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&All stages"), Qt::Key_F5,
                                    [this] { m_session->runAll(); }));
    m_next = addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Next stage"), Qt::Key_F10,
                       [this] { m_session->runNext(); });
    m_hide = addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Hide results"), Qt::Key_F9,
                       [this] { m_session->hideResults(); });
    m_needConverted.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Co&mpare"), Qt::Key_F6,
                                        [this] { m_comparison->run(); }));
    m_needConverted.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Compare on other &data…"),
                                        {}, [this] { chooseEvaluation(); }));
    m_needConverted.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Sensitivity"), Qt::Key_F7,
                                        [this] { m_sensitivity->run().run(); }));
    makeRangeMenu(menu);
    menu->addSeparator();
    m_cancel =
        addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Cancel"),
                  QKeySequence(QStringLiteral("Ctrl+.")), [this] { m_session->cancelRun(); });
}

/// Ranges by another method, of all that a histogram is kept of.
void MainWindow::makeRangeMenu(QMenu* run)
{
    QMenu* menu = run->addMenu(QString());
    m_texts.push_back(
        {menu->menuAction(), QT_TRANSLATE_NOOP("Menu", "&Ranges of all activations")});
    const std::pair<const char*, RangeMethod> kMethods[] = {
        {QT_TRANSLATE_NOOP("Menu", "Ranges: min-max"), RangeMethod::MinMax},
        {QT_TRANSLATE_NOOP("Menu", "Ranges: percentile 99.9"), RangeMethod::Percentile999},
        {QT_TRANSLATE_NOOP("Menu", "Ranges: percentile 99.99"), RangeMethod::Percentile9999},
        {QT_TRANSLATE_NOOP("Menu", "Ranges: least squared error"), RangeMethod::SquaredError},
        {QT_TRANSLATE_NOOP("Menu", "Ranges: least KL divergence"), RangeMethod::Divergence},
    };
    for (const auto& [text, method] : kMethods)
        m_needConverted.push_back(addAction(menu, text, {}, [this, method = method] {
            ObservedPart::chooseForAll(*m_session, method);
        }));
}

void MainWindow::makeViewMenu()
{
    QMenu* menu = addMenu(QT_TRANSLATE_NOOP("Menu", "&View"));
    ViewState& view = m_session->view();
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Fit"),
                                    QKeySequence(QStringLiteral("Ctrl+0")),
                                    [this] { m_board->fitAll(); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Zoom &in"),
                                    QKeySequence::ZoomIn, [this] { m_board->zoomBy(kZoomStep); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Zoom &out"),
                                    QKeySequence::ZoomOut,
                                    [this] { m_board->zoomBy(1 / kZoomStep); }));
    menu->addSeparator();
    m_needModel.push_back(
        addAction(menu, QT_TRANSLATE_NOOP("Menu", "F&ocus on the selection"),
                  QKeySequence(QStringLiteral("Ctrl+F")), [this, &view] {
                      std::vector<std::string> names;
                      const Selection& selection = m_session->selection();
                      const GraphPtr graph = graphOf(m_session->entered(), selection.stage());
                      for (const NodeId id : selection.nodes()) {
                          if (const Node* node = graph ? graph->find(id) : nullptr)
                              names.push_back(node->name);
                      }
                      if (names.empty())
                          m_focusBar->startTyping();
                      else
                          view.setFocus(names);
                  }));
    m_needModel.push_back(
        addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Path between two selected nodes"),
                  QKeySequence(QStringLiteral("Ctrl+Shift+P")), [this, &view] {
                      if (const auto path = m_session->selectedPath(); !path.empty())
                          view.showPath(path);
                      else
                          m_status->showMessage(
                              tr("Select two nodes of which one is reached from the other."));
                  }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Show the &whole graph"),
                                    QKeySequence(QStringLiteral("Ctrl+Shift+F")),
                                    [&view] { view.setFocus({}); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&More hops"),
                                    QKeySequence(QStringLiteral("Ctrl+]")),
                                    [&view] { view.setHops(view.options().hops + 1); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "F&ewer hops"),
                                    QKeySequence(QStringLiteral("Ctrl+[")),
                                    [&view] { view.setHops(view.options().hops - 1); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Back"),
                                    QKeySequence(QStringLiteral("Alt+Left")),
                                    [&view] { view.goBack(); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "For&ward"),
                                    QKeySequence(QStringLiteral("Alt+Right")),
                                    [&view] { view.goForward(); }));
    menu->addSeparator();
    const auto toggle = [this, menu](const char* text, const QKeySequence& keys, QWidget* panel) {
        QAction* action =
            addAction(menu, text, keys, [panel] { panel->setVisible(panel->isHidden()); });
        m_needModel.push_back(action);
    };
    toggle(QT_TRANSLATE_NOOP("Menu", "Show or hide the mo&dules"),
           QKeySequence(QStringLiteral("Ctrl+1")), m_outline);
    toggle(QT_TRANSLATE_NOOP("Menu", "Show or hide the &tables"),
           QKeySequence(QStringLiteral("Ctrl+2")), m_tables);
    toggle(QT_TRANSLATE_NOOP("Menu", "Show or hide the in&spector"),
           QKeySequence(QStringLiteral("Ctrl+3")), m_inspector);
    m_needModel.push_back(addAction(menu,
                                    QT_TRANSLATE_NOOP("Menu", "Panes side by side or stac&ked"),
                                    QKeySequence(QStringLiteral("Ctrl+4")),
                                    [this] { m_board->setStacked(!m_board->isStacked()); }));
    m_needModel.push_back(addAction(menu, QT_TRANSLATE_NOOP("Menu", "Restore the default la&yout"),
                                    {}, [this] { resetLayout(); }));
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "F&ull screen"), QKeySequence(QStringLiteral("F11")),
              [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    menu->addSeparator();
    QMenu* modules = menu->addMenu(QString());
    m_texts.push_back({modules->menuAction(), QT_TRANSLATE_NOOP("Menu", "Mod&ules")});
    (new ModuleActions(*m_session, *m_board, *m_status, this))
        ->addTo(menu, modules,
                [this](QMenu* to, const char* text, const auto& keys, const auto& what) {
                    m_needModel.push_back(addAction(to, text, keys, what));
                    return m_needModel.back();
                });
    makeOverlayMenu(menu);
    makePreferenceMenus(menu);
}

void MainWindow::makeHelpMenu()
{
    QMenu* menu = addMenu(QT_TRANSLATE_NOOP("Menu", "&Help"));
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "&Keys"), Qt::Key_F1, [this] { showKeys(); });
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "&What is this?"),
              QKeySequence(QStringLiteral("Shift+F1")),
              [this] { (new ContextHelp(focusWidget(), this))->open(); });
    addAction(menu, QT_TRANSLATE_NOOP("Menu", "&About"), {}, [this] { showAbout(); });
}

void MainWindow::retranslate()
{
    for (const auto& [action, text] : m_texts)
        action->setText(menuText(text));
    updateUndo();
    fillRecentMenu();
    updateState();
}

void MainWindow::openPalette()
{
    std::vector<SearchEntry> entries;
    for (std::size_t i = 0; i < m_commands.size(); ++i) {
        if (!m_commands[i]->isEnabled())
            continue;
        SearchEntry entry;
        entry.kind = SearchEntry::Kind::Command;
        entry.text = QString(m_commands[i]->text()).remove(QLatin1Char('&'));
        entry.shortcut = m_commands[i]->shortcut().toString(QKeySequence::NativeText);
        entry.command = static_cast<int>(i);
        entries.push_back(std::move(entry));
    }
    if (m_session->snapshot()) {
        const QStringList tables = m_tables->tabIds();
        for (qsizetype i = 0; i < tables.size(); ++i) {
            SearchEntry entry;
            entry.kind = SearchEntry::Kind::Table;
            entry.text = m_tables->titleOf(tables[i]);
            entry.command = static_cast<int>(i);
            entries.push_back(std::move(entry));
        }
    }
    m_palette->open(std::move(entries));
    const SnapshotPtr snapshot = m_session->snapshot();
    if (!snapshot)
        return;
    // Large graphs have tens of thousands of names: they come a moment later.
    m_session->jobs().start(Lane::Interactive, QStringLiteral("search"), {},
                            [this, snapshot](JobPort&) -> Delivery {
                                return [this, nodes = SearchModel::entriesOf(*snapshot)] {
                                    if (m_palette->isVisible())
                                        m_palette->add(nodes);
                                };
                            });
}

void MainWindow::goTo(const SearchEntry& entry)
{
    switch (entry.kind) {
    case SearchEntry::Kind::Command:
        m_commands[static_cast<std::size_t>(entry.command)]->trigger();
        return;
    case SearchEntry::Kind::Table:
        m_tables->show();
        m_tables->showTable(m_tables->tabIds().at(entry.command));
        return;
    case SearchEntry::Kind::Op:
    case SearchEntry::Kind::Node: m_session->find(entry.stage, entry.nodes); return;
    }
}

void MainWindow::showKeys()
{
    QList<QAction*> actions;
    for (QAction* action : m_commands)
        actions << action;
    (new KeySheet(actions, this))->open();
}

void MainWindow::showAbout()
{
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About PT2E Workbench"));
    box->setText(tr("PT2E Workbench %1").arg(QCoreApplication::applicationVersion()));
    box->setInformativeText(
        tr("Shows how PyTorch's PT2E quantization turns a model into int8, stage by stage."));
    box->open();
}

} // namespace pt2e::ui
