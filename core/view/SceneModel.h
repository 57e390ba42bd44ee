// What all scenes of a snapshot share; internal to core/view.
#pragma once

#include "core/view/ModuleTree.h"
#include "core/view/UnionGraph.h"

#include <unordered_set>
#include <vector>

namespace pt2e {

class SceneModel
{
public:
    SceneModel(const Snapshot& source, SnapshotPtr keptAlive, std::vector<StageKind> wanted,
               ModuleFolding modules)
        : snapshot(source),
          stages(std::move(wanted)),
          folding(std::move(modules)),
          graph(views()),
          m_keptAlive(std::move(keptAlive))
    {
        if (source.annotated && source.recipe.quantizer.flavor != QuantizerFlavor::None)
            for (const auto& why : source.annotated->unannotated)
                unquantized.insert(why.node);
    }

    const Snapshot& snapshot;
    std::vector<StageKind> stages; ///< as asked for, also those not reached
    ModuleFolding folding;
    ModuleBoxes boxes; ///< of the folding; the views refer to it
    UnionGraph graph;
    std::unordered_set<NodeId> unquantized;

    SceneModel(const SceneModel&) = delete;
    SceneModel& operator=(const SceneModel&) = delete;

private:
    std::vector<StageView> views();
    SnapshotPtr m_keptAlive;
};

} // namespace pt2e
