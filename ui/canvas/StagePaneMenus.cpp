// StagePane: its menus, of the title and of a node.
#include "core/view/BodyView.h"
#include "ui/canvas/ModuleMenu.h"
#include "ui/canvas/StagePane.h"
#include "ui/models/CoreText.h"
#include "ui/session/MakeRule.h"
#include "ui/session/SecondRecipe.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>
#include <array>

namespace pt2e::ui {

namespace {
constexpr std::array kChoices{StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                              StageKind::Converted};
/// The exported stage is the same to both recipes.
constexpr std::array kSecondChoices{StageKind::Annotated, StageKind::Prepared,
                                    StageKind::Converted};
} // namespace

/// Made anew each time: what stands beside the recipe changes.
void StagePane::fillMenu(QMenu& menu)
{
    menu.clear();
    const auto add = [&](StageKind stage, bool isSecond, const QString& text) {
        QAction* action = menu.addAction(text);
        action->setCheckable(true);
        action->setChecked(stage == m_stage && isSecond == m_isSecond);
        connect(action, &QAction::triggered, this,
                [this, stage, isSecond] { Q_EMIT stageWanted(stage, isSecond); });
    };
    for (const StageKind stage : kChoices)
        add(stage, false, stageTitle(stage));
    if (m_second && m_second->beside() != Beside::Nothing) {
        menu.addSeparator();
        for (const StageKind stage : kSecondChoices)
            add(stage, true,
                tr("%1 · %2", "a stage, and whose it is")
                    .arg(stageTitle(stage), m_second->title()));
    }
    menu.addSeparator();
    QAction* another = menu.addAction(tr("Add a pane"), this, [this] {
        if (const auto stage = stageNotShown())
            Q_EMIT anotherWanted(*stage);
    });
    another->setEnabled(stageNotShown().has_value());
    QAction* close = menu.addAction(tr("Close this pane"), this, &StagePane::closeWanted);
    close->setEnabled(m_isSecond || m_session.view().stages().size() > 1);
}

std::optional<StageKind> StagePane::stageNotShown() const
{
    const std::vector<StageKind>& shown = m_session.view().stages();
    for (const StageKind stage : kChoices) {
        if (std::find(shown.begin(), shown.end(), stage) == shown.end())
            return stage;
    }
    return std::nullopt;
}

void StagePane::showMenu(NodeId node, const QPoint& at)
{
    QMenu menu(this);
    ViewState& view = m_session.view();
    const SceneItem* box = boxOf(node);
    addModuleActions(menu, m_session, m_stage, node, box);
    if (!menu.isEmpty())
        menu.addSeparator();
    const std::string name = box ? std::string() : nameOf(node);
    if (!name.empty()) {
        const QString text = QString::fromStdString(name);
        for (const std::string& body : bodiesOfNode(node))
            menu.addAction(tr("Look into %1").arg(QString::fromStdString(body)), &view,
                           [&view, body] { view.enter(body); });
        menu.addAction(tr("Focus on %1").arg(text), &view,
                       [&view, name] { view.setFocus({name}); });
        menu.addAction(tr("Add %1 to the focus").arg(text), &view,
                       [&view, text] { view.addFocus(text); });
        menu.addSeparator();
        std::vector<NodeId> nodes = m_session.selection().nodesIn(m_stage);
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            nodes = {node};
        if (!m_isSecond && recipeWithRule(m_session, m_stage, nodes))
            menu.addAction(tr("Make a rule of this"), this,
                           [this, nodes] { makeRule(m_session, m_stage, nodes); });
        menu.addAction(tr("Copy name"), this,
                       [text] { QGuiApplication::clipboard()->setText(text); });
        menu.addSeparator();
    }
    if (const auto path = m_session.selectedPath(); !path.empty())
        menu.addAction(tr("Path between the two"), &view, [&view, path] { view.showPath(path); });
    if (!view.body().empty())
        menu.addAction(tr("Leave the sub-graph"), &view,
                       [&view] { view.enter(parentOf(view.body())); });
    if (!view.options().focus.empty())
        menu.addAction(tr("Show the whole graph"), &view, [&view] { view.setFocus({}); });
    menu.addAction(tr("Fit"), m_view, &GraphView::fit);
    menu.exec(at);
}

} // namespace pt2e::ui
