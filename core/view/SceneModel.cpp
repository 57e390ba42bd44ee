#include "core/view/SceneModel.h"

#include <algorithm>

namespace pt2e {

RectF Scene::expanderOf(const SceneItem& item)
{
    return {item.rect.x + kModulePadding - 4, item.rect.y + 6, kModuleExpander, kModuleExpander};
}

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

std::vector<StageView> SceneModel::views()
{
    std::vector<StageView> views;
    for (const StageKind stage : stages)
        if (const auto graph = snapshot.graph(stage)) // the snapshot owns it
            views.emplace_back(*graph, stage);
    if (folding.isFlat() || !snapshot.model)
        return views;
    const ModuleTree tree(*snapshot.model->exported);
    boxes = foldModules(tree, folding);
    for (StageView& view : views)
        view.fold(tree, boxes);
    return views;
}

std::shared_ptr<const SceneModel> makeSceneModel(SnapshotPtr snapshot,
                                                 std::vector<StageKind> stages,
                                                 const ModuleFolding& modules)
{
    const Snapshot& source = *snapshot;
    return std::make_shared<SceneModel>(source, std::move(snapshot), std::move(stages), modules);
}

Result<std::vector<Scene>> buildScenes(const Snapshot& snapshot,
                                       const std::vector<StageKind>& stages,
                                       const ViewOptions& options, const TextMeasurer& measurer,
                                       const JobContext& context)
{
    return buildScenes(SceneModel(snapshot, nullptr, stages, options.modules), options, measurer,
                       context);
}

} // namespace pt2e
