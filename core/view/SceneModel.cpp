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

FlatStages::FlatStages(std::vector<RecipeStages> wanted) : recipes(std::move(wanted))
{
    for (std::size_t i = 0; i < recipes.size(); ++i) {
        const Snapshot& snapshot = *recipes[i].snapshot;
        for (const StageKind stage : recipes[i].stages) {
            if (const auto graph = snapshot.graph(stage)) { // the snapshot owns it
                views.emplace_back(*graph, stage);
                views.back().recipe = i;
            }
        }
        auto& floats = unquantized.emplace_back();
        if (snapshot.annotated && snapshot.recipe.quantizer.flavor != QuantizerFlavor::None)
            for (const auto& why : snapshot.annotated->unannotated)
                floats.insert(why.node);
    }
}

ModuleBoxes FlatStages::boxes(const ModuleFolding& folding) const
{
    const ModelPtr& model = recipes[0].snapshot->model;
    if (folding.isFlat() || !model)
        return {};
    const std::lock_guard lock(m_mutex);
    if (!m_tree)
        m_tree.emplace(*model->exported);
    return foldModules(*m_tree, folding);
}

std::vector<StageView> FlatStages::folded(const ModuleBoxes& boxes) const
{
    std::vector<StageView> all;
    if (boxes.boxes.empty())
        return all;
    for (const StageView& view : views)
        all.push_back(view.folded(*m_tree, boxes));
    return all;
}

SceneModel::SceneModel(std::shared_ptr<const FlatStages> stages, ModuleFolding modules)
    : flat(std::move(stages)),
      folding(std::move(modules)),
      boxes(flat->boxes(folding)),
      folded(flat->folded(boxes)),
      graph(folded.empty() ? flat->views : folded,
            flat->recipes.size() > 1 ? snapshotOf(0).model->exported.get() : nullptr)
{}

std::vector<StageKind> SceneModel::stages() const
{
    std::vector<StageKind> all;
    for (const RecipeStages& recipe : flat->recipes)
        all.insert(all.end(), recipe.stages.begin(), recipe.stages.end());
    return all;
}

namespace {

std::shared_ptr<const SceneModel> sceneModelOf(std::vector<RecipeStages> recipes,
                                               const ModuleFolding& modules)
{
    return std::make_shared<SceneModel>(std::make_shared<FlatStages>(std::move(recipes)), modules);
}

} // namespace

std::shared_ptr<const SceneModel> makeSceneModel(SnapshotPtr snapshot,
                                                 std::vector<StageKind> stages,
                                                 const ModuleFolding& modules)
{
    const Snapshot* source = snapshot.get();
    return sceneModelOf({{source, std::move(stages), std::move(snapshot)}}, modules);
}

std::shared_ptr<const SceneModel> makeSceneModel(RecipeStages first, RecipeStages second,
                                                 const ModuleFolding& modules)
{
    return sceneModelOf({std::move(first), std::move(second)}, modules);
}

std::shared_ptr<const SceneModel> makeSceneModel(const SceneModel& other,
                                                 const ModuleFolding& modules)
{
    return std::make_shared<SceneModel>(other.flat, modules);
}

Result<std::vector<Scene>> buildScenes(const Snapshot& snapshot,
                                       const std::vector<StageKind>& stages,
                                       const ViewOptions& options, const TextMeasurer& measurer,
                                       const JobContext& context)
{
    return buildScenes(*sceneModelOf({{&snapshot, stages, nullptr}}, options.modules), options,
                       measurer, context);
}

} // namespace pt2e
