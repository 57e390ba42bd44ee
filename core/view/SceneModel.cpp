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
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        for (const StageKind stage : recipes[i].stages) {
            if (const auto graph = recipes[i].snapshot->graph(stage)) { // the snapshot owns it
                views.emplace_back(*graph, stage);
                views.back().recipe = i;
            }
        }
    }
    const ModelPtr& model = recipes[0].snapshot->model;
    if (folding.isFlat() || !model)
        return views;
    const ModuleTree tree(*model->exported);
    boxes = foldModules(tree, folding);
    for (StageView& view : views)
        view.fold(tree, boxes);
    return views;
}

std::vector<StageKind> SceneModel::stages() const
{
    std::vector<StageKind> all;
    for (const RecipeStages& recipe : recipes)
        all.insert(all.end(), recipe.stages.begin(), recipe.stages.end());
    return all;
}

std::shared_ptr<const SceneModel> makeSceneModel(SnapshotPtr snapshot,
                                                 std::vector<StageKind> stages,
                                                 const ModuleFolding& modules)
{
    const Snapshot* source = snapshot.get();
    return std::make_shared<SceneModel>(
        std::vector<RecipeStages>{{source, std::move(stages), std::move(snapshot)}}, modules);
}

std::shared_ptr<const SceneModel> makeSceneModel(RecipeStages first, RecipeStages second,
                                                 const ModuleFolding& modules)
{
    return std::make_shared<SceneModel>(
        std::vector<RecipeStages>{std::move(first), std::move(second)}, modules);
}

Result<std::vector<Scene>> buildScenes(const Snapshot& snapshot,
                                       const std::vector<StageKind>& stages,
                                       const ViewOptions& options, const TextMeasurer& measurer,
                                       const JobContext& context)
{
    return buildScenes(
        SceneModel(std::vector<RecipeStages>{{&snapshot, stages, nullptr}}, options.modules),
        options, measurer, context);
}

} // namespace pt2e
