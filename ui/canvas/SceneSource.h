// Makes what the panes show, on the interactive lane: snapshot + view → scenes → display lists.
// Another view replaces what is being made; another snapshot waits for it, so that a running calibration shows.
#pragma once

#include "core/analysis/RecipeComparison.h"
#include "ui/canvas/PaneContent.h"
#include "ui/session/Session.h"

#include <QObject>

#include <map>
#include <utility>

namespace pt2e::ui {

class SecondRecipe;

class SceneSource : public QObject
{
    Q_OBJECT
public:
    explicit SceneSource(Session& session, QObject* parent = nullptr);

    /// Also shows the stages of that recipe that it has panes for, in step. Once, before anything is shown.
    void setSecond(SecondRecipe& second);
    /// Null while the stage has not been reached or is covered. Of the second recipe: null while it has none.
    PaneContentPtr contentOf(StageKind stage, bool isSecond = false) const;
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
    /// By stage and whether it is the second recipe's.
    using Contents = std::map<std::pair<StageKind, bool>, PaneContentPtr>;
    void setContents(Contents contents);
    struct Shown; ///< what a job makes scenes of
    Shown whatToShow() const;
    void refresh();
    void onSnapshot();

    Session& m_session;
    SecondRecipe* m_second = nullptr;
    Contents m_contents;
    std::shared_ptr<const Overlay> m_overlay;
    std::shared_ptr<const RecipeComparison> m_shownDifferences;
    SnapshotPtr m_shownSecond; ///< of the second recipe, in what is shown or being made
    std::shared_ptr<ModelCache> m_cache;
    bool m_isOutdated = false; ///< a snapshot came while scenes were being made
};

/// Nodes of a stage that are new, read differently or are annotated differently than before; empty if there is no
/// before.
std::vector<NodeId> changedNodes(const SnapshotPtr& before, const SnapshotPtr& after,
                                 StageKind stage);

} // namespace pt2e::ui
