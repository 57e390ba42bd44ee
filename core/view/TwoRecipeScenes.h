// Scenes of two recipes of one model, in step: what is the same node stands at the same place in both.
#pragma once

#include "core/view/Scene.h"

#include <memory>
#include <vector>

namespace pt2e {

/// Stages of one recipe that are shown.
struct RecipeStages
{
    const Snapshot* snapshot = nullptr;
    std::vector<StageKind> stages;
    SnapshotPtr keptAlive = nullptr; ///< the snapshot again, or null
};

/// As makeSceneModel of one snapshot. All stages of the second one must have been reached. An overlay is about the first;
/// scenes come in the order of the stages, those of the first recipe before those of the second.
std::shared_ptr<const SceneModel> makeSceneModel(RecipeStages first, RecipeStages second,
                                                 const ModuleFolding& modules = {});

/// What stands for nodes of a stage of one snapshot in a stage of the other: where they came from, found again there.
std::vector<NodeId> counterpartsBeside(const Snapshot& from, StageKind stage,
                                       const std::vector<NodeId>& nodes, const Snapshot& to,
                                       StageKind there);

} // namespace pt2e
