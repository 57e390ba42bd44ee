#include "core/view/BodyView.h"

#include <algorithm>

namespace pt2e {

GraphPtr bodyAt(const GraphPtr& graph, const std::string& path)
{
    GraphPtr at = graph;
    for (std::size_t begin = 0; at && begin < path.size();) {
        const std::size_t slash = std::min(path.find('/', begin), path.size());
        const auto* body = at->subgraphs().find(path.substr(begin, slash - begin));
        at = body ? *body : nullptr;
        begin = slash + 1;
    }
    return at;
}

std::string parentOf(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash);
}

std::optional<std::string> bodyOf(const Graph& graph, NodeId node)
{
    if (graph.contains(node))
        return std::string();
    for (const auto& [name, body] : graph.subgraphs()) {
        if (const auto inside = body ? bodyOf(*body, node) : std::nullopt)
            return inside->empty() ? name : name + "/" + *inside;
    }
    return std::nullopt;
}

std::vector<std::string> bodiesOf(const Graph& graph, const Node& node)
{
    std::vector<std::string> names;
    const auto add = [&](const Node* named) {
        if (named && named->is(OpKind::GetAttr) && graph.subgraphs().contains(named->target))
            names.push_back(named->target);
    };
    if (graph.subgraphs().empty())
        return names;
    add(&node);
    for (const NodeId input : node.inputs())
        add(graph.find(input));
    return names;
}

namespace {

/// What the passes did in this body; no longer said to be in one.
PassRecords passesIn(const PassRecords& passes, const std::string& path)
{
    PassRecords found;
    for (const PassRecord& record : passes) {
        if (record.body != path)
            continue;
        found.push_back(record);
        found.back().body.clear();
    }
    return found;
}

std::vector<Edit> editsIn(const std::vector<Edit>& edits, const std::string& path)
{
    const std::string prefix = path + "/";
    std::vector<Edit> found;
    for (Edit edit : edits) {
        if (!edit.at.node.starts_with(prefix))
            continue;
        for (std::string* name : {&edit.at.node, &edit.at.user}) {
            if (name->starts_with(prefix))
                name->erase(0, prefix.size());
        }
        found.push_back(std::move(edit));
    }
    return found;
}

/// A copy of a stage with another graph; null where there is none.
template<typename Stage>
std::shared_ptr<const Stage> stageOfBody(const std::shared_ptr<const Stage>& stage,
                                         const std::string& path)
{
    const GraphPtr body = stage ? bodyAt(stage->graph, path) : nullptr;
    if (!body)
        return nullptr;
    auto inside = std::make_shared<Stage>(*stage);
    inside->graph = body;
    inside->passes = passesIn(stage->passes, path);
    return inside;
}

} // namespace

SnapshotPtr snapshotOfBody(const SnapshotPtr& snapshot, const std::string& path)
{
    if (!snapshot || path.empty())
        return snapshot;
    const GraphPtr exported = bodyAt(snapshot->model->exported, path);
    if (!exported)
        return nullptr;
    auto inside = std::make_shared<Snapshot>(*snapshot);
    auto model = std::make_shared<Model>(*snapshot->model);
    model->exported = exported;
    inside->model = std::move(model);
    inside->recipe.edits = editsIn(snapshot->recipe.edits, path);
    if (snapshot->annotated) {
        auto annotated = std::make_shared<AnnotatedStage>(*snapshot->annotated);
        annotated->folded.graph = bodyAt(snapshot->annotated->folded.graph, path);
        annotated->folded.passes = passesIn(snapshot->annotated->folded.passes, path);
        inside->annotated = annotated->folded.graph ? std::move(annotated) : nullptr;
    }
    inside->prepared = stageOfBody(snapshot->prepared, path);
    inside->calibrated = inside->prepared ? snapshot->calibrated : nullptr;
    inside->converted = stageOfBody(snapshot->converted, path);
    return inside;
}

} // namespace pt2e
