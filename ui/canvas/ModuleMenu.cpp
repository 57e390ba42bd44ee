#include "ui/canvas/ModuleMenu.h"

#include <QCoreApplication>
#include <QMenu>

#include <algorithm>

namespace pt2e::ui {

namespace {

QString words(const char* text) { return QCoreApplication::translate("ModuleMenu", text); }

/// Modules around a node that are open, innermost first.
std::vector<std::string> openModules(Session& session, StageKind stage, NodeId node)
{
    const SnapshotPtr& snapshot = session.entered();
    if (!snapshot)
        return {};
    std::vector<std::string> paths = modulesAround(*snapshot, stage, node);
    const ModuleFolding& modules = session.view().options().modules;
    int depth = 0;
    // What is in a box hides the rest.
    const auto box = std::find_if(paths.begin(), paths.end(), [&](const std::string& path) {
        return modules.isBox(path, ++depth);
    });
    paths.erase(box, paths.end());
    std::reverse(paths.begin(), paths.end());
    return paths;
}

} // namespace

void addModuleActions(QMenu& menu, Session& session, StageKind stage, NodeId node,
                      const SceneItem* box)
{
    ViewState& view = session.view();
    if (box && box->module) {
        const std::vector<std::string> paths = box->module->paths;
        menu.addAction(words(QT_TRANSLATE_NOOP("ModuleMenu", "Expand %1"))
                           .arg(QString::fromStdString(paths.front())),
                       &view, [&view, paths] { view.expandModules({paths.front()}); });
        if (paths.size() > 1)
            menu.addAction(
                words(QT_TRANSLATE_NOOP("ModuleMenu", "Expand all %1")).arg(paths.size()), &view,
                [&view, paths] { view.expandModules(paths); });
    }
    for (const std::string& path : openModules(session, stage, node))
        menu.addAction(
            words(QT_TRANSLATE_NOOP("ModuleMenu", "Collapse %1")).arg(QString::fromStdString(path)),
            &view, [&view, path] { view.collapseModule(path); });
}

std::string moduleToCollapse(Session& session, StageKind stage, NodeId node)
{
    const auto open = openModules(session, stage, node);
    return open.empty() ? std::string() : open.front();
}

} // namespace pt2e::ui
