#include "ui/canvas/StageBoard.h"

#include <QSplitter>
#include <QVBoxLayout>

namespace pt2e::ui {

StageBoard::StageBoard(Session& session, SceneSource& source, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_source(source),
      m_splitter(new QSplitter(Qt::Horizontal, this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_splitter);
    m_splitter->setHandleWidth(8);
    m_splitter->setChildrenCollapsible(false);
    rebuild();
    connect(&session.view(), &ViewState::changed, this, [this] {
        std::vector<StageKind> shown;
        for (const StagePane* pane : m_panes)
            shown.push_back(pane->stage());
        if (shown != m_session.view().stages())
            rebuild();
    });
    connect(&source, &SceneSource::changed, this, &StageBoard::updateContents);
    connect(&session, &Session::snapshotChanged, this, [this] {
        for (StagePane* pane : m_panes) {
            if (!graphOf(m_session.snapshot(), pane->stage()))
                pane->updateContent();
        }
    });
    connect(&session.selection(), &Selection::changed, this, &StageBoard::updateSelection);
    connect(&session, &Session::marksChanged, this, [this] {
        for (StagePane* pane : m_panes)
            pane->updateMarks();
    });
}

void StageBoard::rebuild()
{
    for (StagePane* pane : m_panes) {
        // Not at once: the wish for another stage comes out of a pane's own menu.
        pane->setParent(nullptr);
        pane->deleteLater();
    }
    m_panes.clear();
    const auto& stages = m_session.view().stages();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        auto* pane = new StagePane(m_session, m_source, stages[i], m_splitter);
        m_splitter->addWidget(pane);
        m_splitter->setStretchFactor(static_cast<int>(i), 1);
        GraphView* view = &pane->view();
        connect(view, &GraphView::lookChanged, this,
                [this, view](const GraphView::Look& look) { follow(view, look); });
        connect(pane, &StagePane::stageWanted, this, [this, i](StageKind stage) {
            auto wanted = m_session.view().stages();
            wanted[i] = stage;
            m_session.view().setStages(wanted);
        });
        connect(pane, &StagePane::anotherWanted, this, [this, i](StageKind stage) {
            auto wanted = m_session.view().stages();
            wanted.insert(wanted.begin() + static_cast<std::ptrdiff_t>(i) + 1, stage);
            m_session.view().setStages(wanted);
        });
        connect(pane, &StagePane::closeWanted, this, [this, i] {
            auto wanted = m_session.view().stages();
            wanted.erase(wanted.begin() + static_cast<std::ptrdiff_t>(i));
            m_session.view().setStages(wanted);
        });
        m_panes.push_back(pane);
    }
    const int share = (m_splitter->orientation() == Qt::Horizontal ? width() : height())
                      / static_cast<int>(std::max<std::size_t>(m_panes.size(), 1));
    m_splitter->setSizes(QList<int>(static_cast<qsizetype>(m_panes.size()), std::max(share, 120)));
}

StagePane* StageBoard::paneOf(StageKind stage) const
{
    for (StagePane* pane : m_panes) {
        if (pane->stage() == stage)
            return pane;
    }
    return nullptr;
}

StagePane* StageBoard::activePane() const
{
    for (StagePane* pane : m_panes) {
        if (pane->view().hasFocus())
            return pane;
    }
    return m_panes.front();
}

void StageBoard::fitAll()
{
    for (StagePane* pane : m_panes)
        pane->view().fit();
}

void StageBoard::zoomBy(double factor)
{
    GraphView& view = activePane()->view();
    view.zoomBy(factor, QRectF(view.rect()).center());
}

void StageBoard::setStacked(bool stacked)
{
    m_splitter->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
}

bool StageBoard::isStacked() const { return m_splitter->orientation() == Qt::Vertical; }

void StageBoard::follow(GraphView* leader, const GraphView::Look& look)
{
    if (m_isFollowing || !m_session.view().arePanesInStep())
        return;
    m_isFollowing = true;
    for (StagePane* pane : m_panes) {
        if (&pane->view() != leader)
            pane->view().setLook(look);
    }
    m_isFollowing = false;
}

void StageBoard::updateContents()
{
    for (StagePane* pane : m_panes)
        pane->updateContent();
    // A pane that gets its first content looks where the others already look.
    if (m_session.view().arePanesInStep())
        follow(nullptr, m_panes.front()->view().look());
    // What was found in a collapsed module stands somewhere else now.
    const ModuleFolding& modules = m_session.view().options().modules;
    if (modules != m_modules && m_session.selection().nodes().size() == 1)
        updateSelection();
    m_modules = modules;
    Q_EMIT shown();
}

void StageBoard::updateSelection()
{
    const Selection& selection = m_session.selection();
    for (StagePane* pane : m_panes)
        pane->updateSelection();
    if (m_session.view().arePanesInStep()) {
        // The others follow the pane in which the choice was made, or the first that has a counterpart.
        StagePane* leader = paneOf(selection.stage());
        for (StagePane* pane : m_panes) {
            if (!leader && !selection.nodesIn(pane->stage()).empty())
                leader = pane;
        }
        if (leader)
            leader->view().ensureVisible(selection.nodesIn(leader->stage()));
    } else {
        for (StagePane* pane : m_panes)
            pane->view().ensureVisible(selection.nodesIn(pane->stage()));
    }
}

} // namespace pt2e::ui
