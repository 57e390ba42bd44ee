#include "ui/canvas/StagePane.h"

#include "core/passes/Qdq.h"
#include "core/view/BodyView.h"
#include "core/view/TwoRecipeScenes.h"
#include "ui/canvas/ModuleMenu.h"
#include "ui/models/CoreText.h"
#include "ui/models/ReasonText.h"
#include "ui/session/Appearance.h"
#include "ui/session/SecondRecipe.h"

#include <QCursor>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <unordered_set>

namespace pt2e::ui {

StagePane::StagePane(Session& session, SceneSource& source, StageKind stage, SecondRecipe* second,
                     bool isSecond, QWidget* parent)
    : QFrame(parent),
      m_session(session),
      m_source(source),
      m_stage(stage),
      m_second(second),
      m_isSecond(isSecond),
      m_title(new QToolButton(this)),
      m_caption(new QLabel(this)),
      m_view(new GraphView(this)),
      // The points of another recipe's graph are not this one's.
      m_sharing(isSecond ? nullptr : new ShareDrag(session, *m_view, stage, this))
{
    setObjectName(QStringLiteral("card"));
    m_title->setProperty("title", true);
    m_title->setPopupMode(QToolButton::InstantPopup);
    m_caption->setProperty("muted", true);
    m_caption->setProperty("small", true);
    m_caption->setMinimumWidth(10);
    m_view->setObjectName(
        QStringLiteral("%1.%2").arg(isSecond ? "second" : "graph").arg(static_cast<int>(stage)));
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
    connect(m_view, &GraphView::nodeClicked, this,
            [this](NodeId node, bool extend) { select({node}, extend); });
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
    if (m_isSecond)
        connect(m_second, &SecondRecipe::changed, this, &StagePane::updateContent);
    auto* menu = new QMenu(m_title);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(*menu); });
    m_title->setMenu(menu);
    retranslate();
    m_view->setTheme(Appearance::instance().theme());
    m_view->setTypeScale(Appearance::instance().scale());
    connect(&Appearance::instance(), &Appearance::changed, this, [this] {
        m_view->setTheme(Appearance::instance().theme());
        m_view->setTypeScale(Appearance::instance().scale());
    });
    updateContent();
}

SnapshotPtr StagePane::snapshot() const
{
    return m_isSecond ? m_second->entered() : m_session.entered();
}

/// What is selected is the present recipe's: of a node of the second one what stands for it there.
void StagePane::select(const std::vector<NodeId>& nodes, bool extend)
{
    Selection& selection = m_session.selection();
    const SnapshotPtr& present = m_session.entered();
    if (m_isSecond && present && snapshot()) {
        const auto chosen = counterpartsBeside(*snapshot(), m_stage, nodes, *present, m_stage);
        if (!chosen.empty())
            selection.select(m_stage, chosen);
    } else if (!m_isSecond && extend && nodes.size() == 1) {
        selection.toggle(m_stage, nodes.front());
    } else if (!m_isSecond) {
        selection.select(m_stage, nodes);
    }
}

std::vector<NodeId> StagePane::selectedHere() const
{
    const Selection& selection = m_session.selection();
    if (!m_isSecond)
        return selection.nodesIn(m_stage);
    const SnapshotPtr& present = m_session.entered();
    const SnapshotPtr second = snapshot();
    return present && second ? counterpartsBeside(*present, selection.stage(), selection.nodes(),
                                                  *second, m_stage)
                             : std::vector<NodeId>();
}

/// Its ops, so that what is done to the selection is done to them.
void StagePane::selectModule(const std::vector<NodeId>& nodes, bool extend)
{
    const GraphPtr graph = graphOf(snapshot(), m_stage);
    Selection& selection = m_session.selection();
    std::vector<NodeId> chosen;
    if (extend && !m_isSecond && selection.stage() == m_stage)
        chosen = selection.nodes();
    const std::unordered_set<NodeId> known(chosen.begin(), chosen.end());
    for (const NodeId id : nodes) {
        const Node* node = graph ? graph->find(id) : nullptr;
        const bool isOp =
            node && node->is(OpKind::CallFunction) && !isQuantize(*node) && !isDequantize(*node);
        if (isOp && !known.contains(id))
            chosen.push_back(id);
    }
    select(chosen, false);
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
    const GraphPtr graph = graphOf(snapshot(), m_stage);
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
    const GraphPtr graph = graphOf(snapshot(), m_stage);
    const Node* found = graph ? graph->find(node) : nullptr;
    std::vector<std::string> paths = found ? bodiesOf(*graph, *found) : std::vector<std::string>();
    const std::string& around = m_session.view().body();
    for (std::string& path : paths)
        path = around.empty() ? path : around + "/" + path;
    return paths;
}

void StagePane::updateContent()
{
    const PaneContentPtr content = m_source.contentOf(m_stage, m_isSecond);
    m_view->setContent(content);
    // Titles of the second recipe's panes need the room.
    QString caption = content && !m_isSecond ? coreText(content->scene.caption) : QString();
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
    const bool isOwn = !m_isSecond && m_session.selection().stage() == m_stage;
    m_view->setSelectedNodes(selectedHere(), isOwn);
}

void StagePane::ensureSelectionVisible() { m_view->ensureVisible(selectedHere()); }

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
    if (m_session.isCovered(m_isSecond ? StageKind::Converted : m_stage))
        m_view->setCover(tr("What will %1 look like?").arg(stageTitle(m_stage)),
                         tr("Predict first. F10 shows the next stage, F5 all of them."));
    else if (m_session.isQuantizedFile())
        m_view->setCover(tr("No such stage"),
                         tr("The file is quantized already: it is shown as it is."));
    else if (m_session.isRunning() || (m_isSecond && m_second->isAtWork()))
        m_view->setCover(tr("Working…"), {});
    else if (m_isSecond)
        m_view->setCover(tr("No such stage"), m_second->problem());
    else
        m_view->setCover(tr("Not run yet"), tr("F5 runs all stages, F10 the next one."));
}

QString StagePane::title() const
{
    if (m_isSecond)
        return tr("%1 · %2", "a stage, and whose it is")
            .arg(stageTitle(m_stage), m_second->title());
    if (!m_session.isQuantizedFile() || m_stage != StageKind::Exported)
        return stageTitle(m_stage);
    return m_session.model()->form.kind == ProgramKind::Converted ? tr("Converted program")
                                                                  : tr("QAT program");
}

void StagePane::retranslate()
{
    m_title->setToolTip(tr("Which stage this pane shows"));
    fillMenu(*m_title->menu());
    updateContent();
}

void StagePane::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange)
        retranslate();
    QFrame::changeEvent(event);
}

QString StagePane::toolTipOf(const SceneItem& item) const
{
    QStringList lines;
    const GraphPtr graph = graphOf(snapshot(), m_stage);
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
    if (item.kind == ItemKind::Observer && m_stage == StageKind::Prepared)
        lines << tr("Drag it onto another observer to share that one");
    if (item.kind == ItemKind::Stub)
        lines << tr("Hidden neighbour: click to show it");
    if (const std::string& note = noteOn(item.node); !note.empty())
        lines << tr("note: %1").arg(QString::fromStdString(note));
    const SnapshotPtr& whole = m_isSecond ? m_second->snapshot() : m_session.snapshot();
    if (item.isUnquantized && whole && whole->annotated) {
        for (const WhyNot& why : whole->annotated->unannotated) {
            if (why.node == item.node)
                lines << tr("not quantized: %1").arg(reasonText(why.reason));
        }
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace pt2e::ui
