#include "ui/canvas/StagePane.h"

#include "core/passes/Qdq.h"
#include "core/view/BodyView.h"
#include "ui/canvas/ModuleMenu.h"
#include "ui/models/CoreText.h"
#include "ui/models/ReasonText.h"
#include "ui/session/Appearance.h"
#include "ui/session/MakeRule.h"

#include <QClipboard>
#include <QCursor>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <unordered_set>

namespace pt2e::ui {

namespace {
constexpr std::array kChoices{StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                              StageKind::Converted};
}

StagePane::StagePane(Session& session, SceneSource& source, StageKind stage, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_source(source),
      m_stage(stage),
      m_title(new QToolButton(this)),
      m_caption(new QLabel(this)),
      m_view(new GraphView(this))
{
    setObjectName(QStringLiteral("card"));
    m_title->setProperty("title", true);
    m_title->setPopupMode(QToolButton::InstantPopup);
    m_caption->setProperty("muted", true);
    m_caption->setProperty("small", true);
    m_caption->setMinimumWidth(10);
    m_view->setObjectName(QStringLiteral("graph.%1").arg(static_cast<int>(stage)));
    m_view->setToolTipSource([this](const SceneItem& item) { return toolTipOf(item); });

    auto* header = new QHBoxLayout;
    header->setContentsMargins(8, 4, 14, 4);
    header->addWidget(m_title);
    header->addStretch(1);
    header->addWidget(m_caption);
    auto* rule = new QFrame(this);
    rule->setProperty("rule", true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 5);
    layout->setSpacing(0);
    layout->addLayout(header);
    layout->addWidget(rule);
    layout->addWidget(m_view, 1);

    ViewState& view = session.view();
    connect(m_view, &GraphView::nodeClicked, this, [this](NodeId node, bool extend) {
        if (extend)
            m_session.selection().toggle(m_stage, node);
        else
            m_session.selection().select(m_stage, {node});
    });
    connect(m_view, &GraphView::moduleClicked, this, &StagePane::selectModule);
    connect(m_view, &GraphView::expandWanted, &view, &ViewState::expandModules);
    connect(m_view, &GraphView::groundClicked, this, [this] { m_session.selection().clear(); });
    connect(m_view, &GraphView::stubClicked, &view, &ViewState::reveal);
    connect(m_view, &GraphView::nodeDoubleClicked, this, [this](NodeId node) {
        // What takes a sub-graph is entered; another node becomes the focus.
        if (const auto bodies = bodiesOfNode(node); bodies.size() == 1)
            m_session.view().enter(bodies.front());
        else if (!bodies.empty())
            showMenu(node, QCursor::pos());
        else if (const std::string name = nameOf(node); !name.empty())
            m_session.view().setFocus({name});
    });
    connect(m_view, &GraphView::contextMenuWanted, this, &StagePane::showMenu);
    m_view->minimap().setWanted(view.isMinimapWanted());
    connect(&view, &ViewState::minimapWantedChanged, &m_view->minimap(), &Minimap::setWanted);
    retranslate();
    m_view->setTheme(Appearance::instance().theme());
    m_view->setTypeScale(Appearance::instance().scale());
    connect(&Appearance::instance(), &Appearance::changed, this, [this] {
        m_view->setTheme(Appearance::instance().theme());
        m_view->setTypeScale(Appearance::instance().scale());
    });
    updateContent();
}

/// Its ops, so that what is done to the selection is done to them.
void StagePane::selectModule(const std::vector<NodeId>& nodes, bool extend)
{
    const GraphPtr graph = graphOf(m_session.entered(), m_stage);
    Selection& selection = m_session.selection();
    std::vector<NodeId> chosen;
    if (extend && selection.stage() == m_stage)
        chosen = selection.nodes();
    const std::unordered_set<NodeId> known(chosen.begin(), chosen.end());
    for (const NodeId id : nodes) {
        const Node* node = graph ? graph->find(id) : nullptr;
        const bool isOp =
            node && node->is(OpKind::CallFunction) && !isQuantize(*node) && !isDequantize(*node);
        if (isOp && !known.contains(id))
            chosen.push_back(id);
    }
    selection.select(m_stage, std::move(chosen));
}

const SceneItem* StagePane::boxOf(NodeId node) const
{
    const PaneContentPtr& content = m_view->content();
    if (!content || !node.isValid())
        return nullptr;
    for (const int item : content->itemsOfNodes({node})) {
        const SceneItem& found = content->scene.items[static_cast<std::size_t>(item)];
        if (found.kind == ItemKind::Module)
            return &found;
    }
    return nullptr;
}

std::string StagePane::nameOf(NodeId node) const
{
    const GraphPtr graph = graphOf(m_session.entered(), m_stage);
    const Node* found = graph ? graph->find(node) : nullptr;
    return found ? found->name : std::string();
}

const std::string& StagePane::noteOn(NodeId node) const
{
    static const std::string none;
    const GraphPtr exported = graphOf(m_session.entered(), StageKind::Exported);
    const Node* found = exported ? exported->find(node) : nullptr;
    const std::string& body = m_session.view().body();
    return found ? m_session.marks().noteOn(body.empty() ? found->name : body + "/" + found->name)
                 : none;
}

std::vector<std::string> StagePane::bodiesOfNode(NodeId node) const
{
    const GraphPtr graph = graphOf(m_session.entered(), m_stage);
    const Node* found = graph ? graph->find(node) : nullptr;
    std::vector<std::string> paths = found ? bodiesOf(*graph, *found) : std::vector<std::string>();
    const std::string& around = m_session.view().body();
    for (std::string& path : paths)
        path = around.empty() ? path : around + "/" + path;
    return paths;
}

void StagePane::updateContent()
{
    const PaneContentPtr content = m_source.contentOf(m_stage);
    m_view->setContent(content);
    QString caption = content ? coreText(content->scene.caption) : QString();
    if (m_session.isQuantizedFile())
        caption = formText(m_session.model()->form);
    if (content && !content->scene.notes.empty())
        caption = QString::fromStdString(content->scene.notes.front());
    m_title->setText(title());
    m_caption->setText(caption);
    m_caption->setToolTip(caption);
    updateCover();
    updateSelection();
    updateMarks();
    QString accessible = title();
    if (content)
        accessible += tr(", %n items", nullptr, static_cast<int>(content->scene.items.size()));
    m_view->setAccessibleName(accessible);
}

void StagePane::updateSelection()
{
    const Selection& selection = m_session.selection();
    m_view->setSelectedNodes(selection.nodesIn(m_stage), selection.stage() == m_stage);
}

/// Marks stand on nodes of the exported graph, which keep their ids in all stages.
void StagePane::updateMarks()
{
    const GraphPtr exported = graphOf(m_session.entered(), StageKind::Exported);
    if (!exported)
        return;
    const std::string& body = m_session.view().body();
    const std::string prefix = body.empty() ? body : body + "/";
    const NodeMarks& marks = m_session.marks();
    std::vector<NodeId> bookmarked, noted;
    for (const std::string& name : marks.nodes()) {
        const Node* node =
            name.starts_with(prefix) ? exported->findByName(name.substr(prefix.size())) : nullptr;
        if (!node)
            continue;
        if (marks.isBookmarked(name))
            bookmarked.push_back(node->id);
        if (!marks.noteOn(name).empty())
            noted.push_back(node->id);
    }
    m_view->setMarkedNodes(bookmarked, noted);
}

void StagePane::updateCover()
{
    if (m_session.isCovered(m_stage))
        m_view->setCover(tr("What will %1 look like?").arg(stageTitle(m_stage)),
                         tr("Predict first. F10 shows the next stage, F5 all of them."));
    else if (m_session.isQuantizedFile())
        m_view->setCover(tr("No such stage"),
                         tr("The file is quantized already: it is shown as it is."));
    else if (m_session.isRunning())
        m_view->setCover(tr("Working…"), {});
    else
        m_view->setCover(tr("Not run yet"), tr("F5 runs all stages, F10 the next one."));
}

QString StagePane::title() const
{
    if (!m_session.isQuantizedFile() || m_stage != StageKind::Exported)
        return stageTitle(m_stage);
    return m_session.model()->form.kind == ProgramKind::Converted ? tr("Converted program")
                                                                  : tr("QAT program");
}

void StagePane::retranslate()
{
    m_title->setToolTip(tr("Which stage this pane shows"));
    auto* menu = new QMenu(m_title);
    for (const StageKind stage : kChoices) {
        QAction* action = menu->addAction(stageTitle(stage));
        action->setCheckable(true);
        action->setChecked(stage == m_stage);
        connect(action, &QAction::triggered, this, [this, stage] { Q_EMIT stageWanted(stage); });
    }
    menu->addSeparator();
    QAction* another = menu->addAction(tr("Add a pane"), this, [this] {
        if (const auto stage = stageNotShown())
            Q_EMIT anotherWanted(*stage);
    });
    QAction* close = menu->addAction(tr("Close this pane"), this, &StagePane::closeWanted);
    connect(menu, &QMenu::aboutToShow, close, [this, another, close] {
        another->setEnabled(stageNotShown().has_value());
        close->setEnabled(m_session.view().stages().size() > 1);
    });
    delete m_title->menu();
    m_title->setMenu(menu);
    updateContent();
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

void StagePane::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
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
        if (recipeWithRule(m_session, m_stage, nodes))
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

QString StagePane::toolTipOf(const SceneItem& item) const
{
    QStringList lines;
    const GraphPtr graph = graphOf(m_session.entered(), m_stage);
    const Node* node = graph ? graph->find(item.node) : nullptr;
    if (item.kind == ItemKind::Module && item.module) {
        lines << QString::fromStdString(item.title + " " + item.name)
              << QString::fromStdString(item.detail);
        if (item.overlay >= 0)
            lines << QString::fromStdString(item.overlayText);
        lines << tr("Collapsed: a double click shows what is in it");
    } else if (item.kind == ItemKind::Ghost) {
        lines << QString::fromStdString(item.title) << QString::fromStdString(item.detail);
    } else if (node) {
        lines << QString::fromStdString(node->name);
        if (node->target != node->name)
            lines << QString::fromStdString(node->target);
        if (!item.detail.empty())
            lines << QString::fromStdString(item.detail);
        if (item.overlay >= 0)
            lines << QString::fromStdString(item.overlayText);
        if (!item.badge.empty())
            lines << QString::fromStdString(item.badge);
    }
    if (item.kind == ItemKind::Stub)
        lines << tr("Hidden neighbour: click to show it");
    if (const std::string& note = noteOn(item.node); !note.empty())
        lines << tr("note: %1").arg(QString::fromStdString(note));
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (item.isUnquantized && snapshot && snapshot->annotated) {
        for (const WhyNot& why : snapshot->annotated->unannotated) {
            if (why.node == item.node)
                lines << tr("not quantized: %1").arg(reasonText(why.reason));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace pt2e::ui
