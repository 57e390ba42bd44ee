// Which nodes are selected, and in which stage they were chosen.
#pragma once

#include "core/pipeline/Snapshot.h"
#include "core/view/Correspondence.h"

#include <QObject>

#include <map>
#include <vector>

namespace pt2e::ui {

/// The nodes chosen in one stage; what they are in the other stages follows from the snapshot.
class Selection : public QObject
{
    Q_OBJECT
public:
    explicit Selection(QObject* parent = nullptr);

    StageKind stage() const { return m_stage; }
    const std::vector<NodeId>& nodes() const { return m_nodes; }
    /// The node the inspector shows: the one chosen last; invalid if nothing is selected.
    NodeId current() const { return m_nodes.empty() ? NodeId{} : m_nodes.back(); }
    bool isEmpty() const { return m_nodes.empty(); }

    void select(StageKind stage, std::vector<NodeId> nodes);
    /// Adds the node to the selection, or takes it out; starts afresh when the stage is another one.
    void toggle(StageKind stage, NodeId node);
    void clear() { select(m_stage, {}); }

    /// The selected nodes as they stand in a stage: themselves in stage(), else their counterparts.
    const std::vector<NodeId>& nodesIn(StageKind stage) const;

    /// A new snapshot: keeps the nodes that still exist under the same name.
    void setSnapshot(const SnapshotPtr& snapshot);

Q_SIGNALS:
    void changed();

private:
    SnapshotPtr m_snapshot;
    StageKind m_stage = StageKind::Exported;
    std::vector<NodeId> m_nodes;
    mutable std::map<StageKind, std::vector<NodeId>> m_inStage; ///< computed when asked for
};

/// The graph a pane or table of a stage refers to, or null while the stage has not been reached.
GraphPtr graphOf(const SnapshotPtr& snapshot, StageKind stage);

} // namespace pt2e::ui
