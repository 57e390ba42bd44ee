// What all scenes of a snapshot, or of those of two recipes, share; internal to core/view.
#pragma once

#include "core/view/ModuleTree.h"
#include "core/view/TwoRecipeScenes.h"
#include "core/view/UnionGraph.h"

#include <unordered_set>
#include <vector>

namespace pt2e {

class SceneModel
{
public:
    /// The snapshots must outlive it where nothing keeps them alive.
    SceneModel(std::vector<RecipeStages> wanted, ModuleFolding modules)
        : recipes(std::move(wanted)),
          folding(std::move(modules)),
          graph(views(), recipes.size() > 1 ? recipes[0].snapshot->model->exported.get() : nullptr)
    {
        for (const RecipeStages& recipe : recipes) {
            auto& floats = unquantized.emplace_back();
            const Snapshot& snapshot = *recipe.snapshot;
            if (snapshot.annotated && snapshot.recipe.quantizer.flavor != QuantizerFlavor::None)
                for (const auto& why : snapshot.annotated->unannotated)
                    floats.insert(why.node);
        }
    }

    std::vector<RecipeStages> recipes;
    ModuleFolding folding;
    ModuleBoxes boxes; ///< of the folding; the views refer to it
    UnionGraph graph;
    std::vector<std::unordered_set<NodeId>>
        unquantized; ///< per recipe: ops without a valid annotation

    const Snapshot& snapshotOf(std::size_t recipe) const { return *recipes[recipe].snapshot; }
    std::vector<StageKind> stages()
        const; ///< of one after the other, as asked for, also those not reached

    SceneModel(const SceneModel&) = delete;
    SceneModel& operator=(const SceneModel&) = delete;

private:
    std::vector<StageView> views();
};

} // namespace pt2e
