// Makes what the panes show, on the interactive lane: snapshot + view → scenes → display lists.
// Another view replaces what is being made; another snapshot waits for it, so that a running calibration shows.
#pragma once

#include "ui/canvas/PaneContent.h"
#include "ui/session/Session.h"

#include <QObject>

#include <map>

namespace pt2e::ui {

class SceneSource : public QObject
{
    Q_OBJECT
public:
    explicit SceneSource(Session& session, QObject* parent = nullptr);

    /// Null while the stage has not been reached or is covered.
    PaneContentPtr contentOf(StageKind stage) const;
    /// Scenes as they stand, in the panes' order: what a figure shows.
    std::vector<Scene> scenes() const;
    /// Laid over the operators from now on; null: nothing.
    void setOverlay(std::shared_ptr<const Overlay> overlay);
    /// True while something newer is on its way.
    bool isPending() const;

    static const QString kTag;

Q_SIGNALS:
    void changed();
    void failed(const QString& message);

private:
    struct ModelCache;
    void refresh();
    void onSnapshot();

    Session& m_session;
    std::map<StageKind, PaneContentPtr> m_contents;
    std::shared_ptr<const Overlay> m_overlay;
    std::shared_ptr<ModelCache> m_cache;
    bool m_isOutdated = false; ///< a snapshot came while scenes were being made
};

/// Nodes of a stage that are new, read differently or are annotated differently than before; empty if there is no
/// before.
std::vector<NodeId> changedNodes(const SnapshotPtr& before, const SnapshotPtr& after,
                                 StageKind stage);

} // namespace pt2e::ui
