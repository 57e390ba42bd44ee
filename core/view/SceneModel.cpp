#include "core/view/SceneModel.h"

#include <algorithm>

namespace pt2e {

int Scene::itemOf(NodeId node) const
{
    const auto all = itemsOf(node);
    return all.empty() ? -1 : all.front();
}

std::vector<int> Scene::itemsOf(NodeId node) const
{
    std::vector<int> own;
    std::vector<int> standIns;
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (items[i].node == node)
            own.push_back(static_cast<int>(i));
        else if (std::find(items[i].folded.begin(), items[i].folded.end(), node)
                 != items[i].folded.end())
            standIns.push_back(static_cast<int>(i));
    }
    own.insert(own.end(), standIns.begin(), standIns.end());
    return own;
}

std::shared_ptr<const SceneModel> makeSceneModel(SnapshotPtr snapshot,
                                                 std::vector<StageKind> stages)
{
    const Snapshot& source = *snapshot;
    return std::make_shared<SceneModel>(source, std::move(snapshot), std::move(stages));
}

Result<std::vector<Scene>> buildScenes(const Snapshot& snapshot,
                                       const std::vector<StageKind>& stages,
                                       const ViewOptions& options, const TextMeasurer& measurer,
                                       const JobContext& context)
{
    return buildScenes(SceneModel(snapshot, nullptr, stages), options, measurer, context);
}

} // namespace pt2e
