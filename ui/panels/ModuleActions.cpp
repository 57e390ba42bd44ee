#include "ui/panels/ModuleActions.h"

#include "ui/canvas/ModuleMenu.h"
#include "ui/canvas/StageBoard.h"
#include "ui/panels/StatusLine.h"

#include <QAction>
#include <QMenu>

#include <algorithm>

namespace pt2e::ui {

namespace {
const QString kExpandAllKeys = QStringLiteral("Ctrl+Shift+Down");
}

ModuleActions::ModuleActions(Session& session, StageBoard& board, StatusLine& status,
                             QObject* parent)
    : QObject(parent),
      m_session(session),
      m_board(board),
      m_status(status)
{
    connect(&session, &Session::modelChanged, this, &ModuleActions::tellCollapsed);
}

void ModuleActions::addTo(QMenu* view, QMenu* modules, const Maker& make)
{
    ViewState& state = m_session.view();
    const auto collapseAt = [&state](int depth) {
        return [&state, depth] {
            state.setModules({depth, {}, {}, state.options().modules.repeats});
        };
    };
    make(modules, QT_TRANSLATE_NOOP("Menu", "&Expand the module"),
         QKeySequence(QStringLiteral("Ctrl+Down")), [this] { expandChosen(); });
    make(modules, QT_TRANSLATE_NOOP("Menu", "&Collapse the module"),
         QKeySequence(QStringLiteral("Ctrl+Up")), [this] { collapseAroundChosen(); });
    make(modules, QT_TRANSLATE_NOOP("Menu", "Expand &all modules"), QKeySequence(kExpandAllKeys),
         collapseAt(0));
    make(modules, QT_TRANSLATE_NOOP("Menu", "Collapse the &outermost modules"),
         QKeySequence(QStringLiteral("Ctrl+Shift+Up")), collapseAt(1));
    QAction* repeats =
        make(modules, QT_TRANSLATE_NOOP("Menu", "Modules a&like as one box"), {}, [&state] {
            ModuleFolding changed = state.options().modules;
            changed.repeats = !changed.repeats;
            state.setModules(changed);
        });
    repeats->setCheckable(true);
    const auto showRepeats = [repeats, &state] {
        repeats->setChecked(state.options().modules.repeats);
    };
    connect(&state, &ViewState::changed, repeats, showRepeats);
    showRepeats();
    QAction* map = make(view, QT_TRANSLATE_NOOP("Menu", "Over&view in the corner"),
                        QKeySequence(QStringLiteral("Ctrl+5")),
                        [&state] { state.setMinimapWanted(!state.isMinimapWanted()); });
    map->setCheckable(true);
    map->setChecked(state.isMinimapWanted());
    connect(&state, &ViewState::minimapWantedChanged, map, &QAction::setChecked);
}

/// The collapsed modules among what is chosen in the pane that the keyboard is in.
void ModuleActions::expandChosen()
{
    const GraphView& view = m_board.activePane()->view();
    if (!view.content())
        return;
    std::vector<int> items = view.selectedItems();
    items.insert(items.end(), view.relatedItems().begin(), view.relatedItems().end());
    std::vector<std::string> paths;
    for (const int index : items) {
        const SceneItem& item = view.content()->scene.items[static_cast<std::size_t>(index)];
        if (item.module)
            paths.push_back(item.module->paths.front());
    }
    if (paths.empty())
        m_status.showMessage(tr("Select a collapsed module to expand it."));
    else
        m_session.view().expandModules(paths);
}

void ModuleActions::collapseAroundChosen()
{
    const Selection& selection = m_session.selection();
    const std::string path = moduleToCollapse(m_session, selection.stage(), selection.current());
    if (path.empty())
        m_status.showMessage(tr("Select a node in a module to collapse the module."));
    else
        m_session.view().collapseModule(path);
}

/// A large graph opens collapsed: says so, and how to see all of it.
void ModuleActions::tellCollapsed()
{
    if (m_session.model() && !m_session.view().options().modules.isFlat())
        m_status.showMessage(
            tr("A large graph: its modules are shown as boxes. %1 expands all of them.")
                .arg(QKeySequence(kExpandAllKeys).toString(QKeySequence::NativeText)));
}

} // namespace pt2e::ui
