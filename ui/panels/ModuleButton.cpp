#include "ui/panels/ModuleButton.h"

#include "ui/canvas/SceneSource.h"

#include <QEvent>
#include <QLocale>
#include <QMenu>

namespace pt2e::ui {

ModuleButton::ModuleButton(Session& session, SceneSource& source, QWidget* parent)
    : QToolButton(parent),
      m_session(session),
      m_source(source)
{
    setObjectName(QStringLiteral("modules"));
    setProperty("flat", true);
    setProperty("hasMenu", true);
    setPopupMode(QToolButton::InstantPopup);
    setMenu(new QMenu(this));
    connect(menu(), &QMenu::aboutToShow, this, &ModuleButton::fillMenu);
    connect(&session, &Session::snapshotChanged, this, &ModuleButton::refreshModel);
    connect(&source, &SceneSource::changed, this, &ModuleButton::refresh);
    refreshModel();
    refresh();
}

void ModuleButton::refreshModel()
{
    const SnapshotPtr& snapshot = m_session.entered();
    const GraphPtr graph = snapshot ? snapshot->model->exported : nullptr;
    if (graph == m_graph)
        return;
    m_graph = graph;
    m_depth = graph ? moduleDepth(*graph) : 0;
    setVisible(m_depth > 0);
}

void ModuleButton::refresh()
{
    int boxes = 0;
    int ops = 0;
    for (const StageKind stage : m_session.view().stages()) {
        const PaneContentPtr content = m_source.contentOf(stage);
        if (!content)
            continue;
        for (const SceneItem& item : content->scene.items)
            if (item.kind == ItemKind::Module && item.module) {
                boxes += static_cast<int>(item.module->paths.size());
                ops += item.module->ops;
            }
        break; // the same in all panes
    }
    setText(boxes == 0 ? tr("Modules: all open") : tr("Modules: %n collapsed", nullptr, boxes));
    setToolTip(boxes == 0 ? tr("Show modules as one box each")
                          : tr("%1 ops are inside. “Expand all” shows the whole graph.")
                                .arg(QLocale().toString(ops)));
    setAccessibleName(text());
}

void ModuleButton::fillMenu()
{
    ViewState& view = m_session.view();
    const ModuleFolding modules = view.options().modules;
    const auto change = [&view](auto edit) {
        return [&view, edit] {
            ModuleFolding changed = view.options().modules;
            edit(changed);
            view.setModules(changed);
        };
    };
    menu()->clear();
    QAction* all = menu()->addAction(tr("Expand all"), this, change([](ModuleFolding& m) {
                                         m = {0, {}, {}, m.repeats};
                                     }));
    all->setObjectName(QStringLiteral("expandAll"));
    all->setEnabled(!modules.isFlat());
    menu()->addSeparator();
    for (int depth = 1; depth <= m_depth; ++depth) {
        const QString text = depth == 1 ? tr("Collapse the outermost modules")
                                        : tr("Collapse at depth %1").arg(depth);
        QAction* action = menu()->addAction(text, this, change([depth](ModuleFolding& m) {
                                                m = {depth, {}, {}, m.repeats};
                                            }));
        action->setObjectName(QStringLiteral("depth.%1").arg(depth));
        action->setCheckable(true);
        action->setChecked(modules.depth == depth && modules.collapsed.empty()
                           && modules.expanded.empty());
    }
    menu()->addSeparator();
    QAction* repeats = menu()->addAction(tr("Modules alike as one box"), this,
                                         change([](ModuleFolding& m) { m.repeats = !m.repeats; }));
    repeats->setObjectName(QStringLiteral("repeats"));
    repeats->setCheckable(true);
    repeats->setChecked(modules.repeats);
}

void ModuleButton::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        refresh();
    QToolButton::changeEvent(event);
}

} // namespace pt2e::ui
