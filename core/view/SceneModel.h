// What all scenes of a snapshot, or of those of two recipes, share; internal to core/view.
#pragma once

#include "core/view/ModuleTree.h"
#include "core/view/TwoRecipeScenes.h"
#include "core/view/UnionGraph.h"

#include <memory>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

namespace pt2e {

/// What folding does not change: the stages with nothing collapsed, and the modules there are.
class FlatStages
{
public:
    /// The snapshots must outlive it where nothing keeps them alive.
    explicit FlatStages(std::vector<RecipeStages> wanted);

    std::vector<RecipeStages> recipes;
    std::vector<StageView> views; ///< of the stages that were reached
    std::vector<std::unordered_set<NodeId>>
        unquantized; ///< per recipe: ops without a valid annotation

    ModuleBoxes boxes(const ModuleFolding& folding) const;
    std::vector<StageView> folded(const ModuleBoxes& boxes) const;

    FlatStages(const FlatStages&) = delete;
    FlatStages& operator=(const FlatStages&) = delete;

private:
    mutable std::mutex m_mutex;
    mutable std::optional<ModuleTree> m_tree; ///< made when a folding is first asked for
};

class SceneModel
{
public:
    SceneModel(std::shared_ptr<const FlatStages> stages, ModuleFolding modules);

    std::shared_ptr<const FlatStages> flat;
    ModuleFolding folding;
    ModuleBoxes boxes; ///< of the folding; the folded views refer to it
    std::vector<StageView> folded; ///< empty: nothing is collapsed
    UnionGraph graph; ///< of the folded views, or the flat ones

    const Snapshot& snapshotOf(std::size_t recipe) const { return *flat->recipes[recipe].snapshot; }
    std::vector<StageKind> stages()
        const; ///< of one after the other, as asked for, also those not reached

    SceneModel(const SceneModel&) = delete;
    SceneModel& operator=(const SceneModel&) = delete;
};

} // namespace pt2e
