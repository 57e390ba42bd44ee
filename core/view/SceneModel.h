// What all scenes of a snapshot share; internal to core/view.
#pragma once

#include "core/view/UnionGraph.h"

#include <unordered_set>
#include <vector>

namespace pt2e {

class SceneModel
{
public:
    SceneModel(const Snapshot& source, SnapshotPtr keptAlive, std::vector<StageKind> wanted)
        : snapshot(source),
          stages(std::move(wanted)),
          graph(views(source, stages)),
          m_keptAlive(std::move(keptAlive))
    {
        if (source.annotated && source.recipe.quantizer.flavor != QuantizerFlavor::None)
            for (const auto& why : source.annotated->unannotated)
                unquantized.insert(why.node);
    }

    const Snapshot& snapshot;
    std::vector<StageKind> stages; ///< as asked for, also those not reached
    UnionGraph graph;
    std::unordered_set<NodeId> unquantized;

private:
    static std::vector<StageView> views(const Snapshot& snapshot,
                                        const std::vector<StageKind>& stages)
    {
        std::vector<StageView> views;
        for (const StageKind stage : stages)
            if (const auto graph = snapshot.graph(stage)) // the snapshot owns it
                views.emplace_back(*graph, stage);
        return views;
    }
    SnapshotPtr m_keptAlive;
};

} // namespace pt2e
