#include "ui/session/Selection.h"

#include <algorithm>

namespace pt2e::ui {

GraphPtr graphOf(const SnapshotPtr& snapshot, StageKind stage)
{
    return snapshot ? snapshot->graph(stage) : nullptr;
}

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::select(StageKind stage, std::vector<NodeId> nodes)
{
    if (stage == StageKind::Calibrated)
        stage = StageKind::Prepared; // the same graph
    std::erase_if(nodes, [](NodeId node) { return !node.isValid(); });
    if (stage == m_stage && nodes == m_nodes)
        return;
    m_stage = stage;
    m_nodes = std::move(nodes);
    m_inStage.clear();
    Q_EMIT changed();
}

void Selection::toggle(StageKind stage, NodeId node)
{
    std::vector<NodeId> nodes = stage == m_stage ? m_nodes : std::vector<NodeId>{};
    const auto it = std::find(nodes.begin(), nodes.end(), node);
    if (it != nodes.end())
        nodes.erase(it);
    else
        nodes.push_back(node);
    select(stage, std::move(nodes));
}

const std::vector<NodeId>& Selection::nodesIn(StageKind stage) const
{
    if (stage == m_stage)
        return m_nodes;
    const auto known = m_inStage.find(stage);
    if (known != m_inStage.end())
        return known->second;
    std::vector<NodeId>& found = m_inStage[stage];
    if (m_snapshot)
        found = counterparts(*m_snapshot, m_stage, m_nodes, stage);
    return found;
}

void Selection::setSnapshot(const SnapshotPtr& snapshot)
{
    const SnapshotPtr before = std::exchange(m_snapshot, snapshot);
    m_inStage.clear();
    if (m_nodes.empty())
        return;
    const GraphPtr oldGraph = graphOf(before, m_stage);
    const GraphPtr newGraph = graphOf(snapshot, m_stage);
    if (oldGraph == newGraph)
        return;
    // Nodes that a stage inserted get new ids when the stage runs again; their names tell who they are.
    std::vector<NodeId> kept;
    for (const NodeId id : m_nodes) {
        const Node* old = oldGraph ? oldGraph->find(id) : nullptr;
        const Node* same = old && newGraph ? newGraph->findByName(old->name) : nullptr;
        if (same)
            kept.push_back(same->id);
    }
    m_nodes = std::move(kept);
    Q_EMIT changed();
}

} // namespace pt2e::ui
