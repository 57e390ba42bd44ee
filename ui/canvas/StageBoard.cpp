#include "ui/canvas/StageBoard.h"

#include "ui/session/SecondRecipe.h"

#include <QSplitter>
#include <QVBoxLayout>

#include <algorithm>

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
    connect(&session.view(), &ViewState::changed, this, &StageBoard::rebuildIfOthers);
    connect(&source, &SceneSource::changed, this, &StageBoard::updateContents);
    connect(&session, &Session::snapshotChanged, this, [this] {
        for (StagePane* pane : m_panes) {
            if (pane->isSecond() || !graphOf(m_session.snapshot(), pane->stage()))
                pane->updateContent();
        }
    });
    connect(&session.selection(), &Selection::changed, this, &StageBoard::updateSelection);
    connect(&session, &Session::marksChanged, this, [this] {
        for (StagePane* pane : m_panes)
            pane->updateMarks();
    });
}

void StageBoard::setSecond(SecondRecipe& second)
{
    m_second = &second;
    connect(&second, &SecondRecipe::panesChanged, this, &StageBoard::rebuildIfOthers);
    rebuild(); // panes offer its stages
}

std::vector<std::pair<StageKind, bool>> StageBoard::wantedPanes() const
{
    std::vector<std::pair<StageKind, bool>> wanted;
    for (const StageKind stage : m_session.view().stages())
        wanted.emplace_back(stage, false);
    for (std::size_t i = 0; m_second && i < m_second->panes().size(); ++i)
        wanted.emplace_back(m_second->panes()[i], true);
    return wanted;
}

void StageBoard::rebuildIfOthers()
{
    std::vector<std::pair<StageKind, bool>> shown;
    for (const StagePane* pane : m_panes)
        shown.emplace_back(pane->stage(), pane->isSecond());
    if (shown != wantedPanes())
        rebuild();
}

/// Panes of the present recipe come first: one that changes sides moves. The last of them stays.
void StageBoard::show(std::size_t pane, StageKind stage, bool isSecond)
{
    std::vector<StageKind> stages = m_session.view().stages();
    std::vector<StageKind> others = m_second ? m_second->panes() : std::vector<StageKind>();
    const auto place = [&](std::size_t at) { return static_cast<std::ptrdiff_t>(at); };
    const bool wasSecond = pane >= stages.size();
    const std::size_t at = wasSecond ? pane - stages.size() : pane;
    if (wasSecond == isSecond) {
        (isSecond ? others : stages)[at] = stage;
    } else if (isSecond) {
        if (stages.size() > 1)
            stages.erase(stages.begin() + place(at));
        others.push_back(stage);
    } else {
        others.erase(others.begin() + place(at));
        stages.push_back(stage);
    }
    if (m_second)
        m_second->setPanes(std::move(others));
    m_session.view().setStages(std::move(stages));
}

void StageBoard::close(std::size_t pane)
{
    std::vector<StageKind> stages = m_session.view().stages();
    if (pane < stages.size()) {
        stages.erase(stages.begin() + static_cast<std::ptrdiff_t>(pane));
        m_session.view().setStages(std::move(stages));
        return;
    }
    std::vector<StageKind> others = m_second->panes();
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(pane - stages.size()));
    m_second->setPanes(std::move(others));
}

void StageBoard::rebuild()
{
    for (StagePane* pane : m_panes) {
        // Not at once: the wish for another stage comes out of a pane's own menu.
        pane->setParent(nullptr);
        pane->deleteLater();
    }
    m_panes.clear();
    const auto wanted = wantedPanes();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto& [kind, isSecond] = wanted[i];
        auto* pane = new StagePane(m_session, m_source, kind, m_second, isSecond, m_splitter);
        m_splitter->addWidget(pane);
        m_splitter->setStretchFactor(static_cast<int>(i), 1);
        GraphView* view = &pane->view();
        connect(view, &GraphView::lookChanged, this,
                [this, view](const GraphView::Look& look) { follow(view, look); });
        connect(pane, &StagePane::stageWanted, this,
                [this, i](StageKind stage, bool ofSecond) { show(i, stage, ofSecond); });
        connect(pane, &StagePane::anotherWanted, this, [this, i](StageKind stage) {
            auto stages = m_session.view().stages();
            const std::size_t at = std::min(i + 1, stages.size());
            stages.insert(stages.begin() + static_cast<std::ptrdiff_t>(at), stage);
            m_session.view().setStages(stages);
        });
        connect(pane, &StagePane::closeWanted, this, [this, i] { close(i); });
        m_panes.push_back(pane);
    }
    const int share = (m_splitter->orientation() == Qt::Horizontal ? width() : height())
                      / static_cast<int>(std::max<std::size_t>(m_panes.size(), 1));
    m_splitter->setSizes(QList<int>(static_cast<qsizetype>(m_panes.size()), std::max(share, 120)));
}

StagePane* StageBoard::paneOf(StageKind stage, bool isSecond) const
{
    for (StagePane* pane : m_panes) {
        if (pane->stage() == stage && pane->isSecond() == isSecond)
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
            if (!leader && !pane->isSecond() && !selection.nodesIn(pane->stage()).empty())
                leader = pane;
        }
        if (leader)
            leader->view().ensureVisible(selection.nodesIn(leader->stage()));
    } else {
        for (StagePane* pane : m_panes)
            pane->ensureSelectionVisible();
    }
}

} // namespace pt2e::ui
