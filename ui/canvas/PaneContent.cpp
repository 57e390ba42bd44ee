#include "ui/canvas/PaneContent.h"

#include <algorithm>

namespace pt2e::ui {

std::vector<int> PaneContent::itemsOfNodes(const std::vector<NodeId>& nodes) const
{
    std::vector<int> items;
    std::vector<bool> isKnown(scene.items.size(), false); // many nodes may be in one box
    for (const NodeId node : nodes) {
        const auto it = itemsOf.find(node);
        if (it == itemsOf.end())
            continue;
        for (const int item : it->second) {
            if (!isKnown[static_cast<std::size_t>(item)])
                items.push_back(item);
            isKnown[static_cast<std::size_t>(item)] = true;
        }
    }
    return items;
}

PaneContentPtr makePaneContent(Scene scene, std::string body, const ModuleFolding& modules,
                               const std::vector<NodeId>& changedNodes)
{
    auto content = std::make_shared<PaneContent>();
    content->body = std::move(body);
    content->list = buildDisplayList(scene);
    content->modules = modules;
    for (std::size_t i = 0; i < scene.items.size(); ++i)
        content->itemsOf[scene.items[i].node].push_back(static_cast<int>(i));
    // What is in a collapsed module is where its box is, if it has no place of its own.
    for (std::size_t i = 0; i < scene.items.size(); ++i)
        if (scene.items[i].kind == ItemKind::Module)
            for (const NodeId node : scene.items[i].folded)
                content->itemsOf[node].push_back(static_cast<int>(i));
    content->edgesOut.resize(scene.items.size());
    content->edgesIn.resize(scene.items.size());
    for (std::size_t i = 0; i < scene.edges.size(); ++i) {
        const SceneEdge& edge = scene.edges[i];
        if (edge.from >= 0 && edge.to >= 0) {
            content->edgesOut[static_cast<std::size_t>(edge.from)].push_back(static_cast<int>(i));
            content->edgesIn[static_cast<std::size_t>(edge.to)].push_back(static_cast<int>(i));
        }
    }
    const auto centerX = [&scene](int item) {
        const RectF& rect = scene.items[static_cast<std::size_t>(item)].rect;
        return rect.x + rect.width / 2;
    };
    for (auto& edges : content->edgesOut)
        std::sort(edges.begin(), edges.end(), [&](int a, int b) {
            return centerX(scene.edges[static_cast<std::size_t>(a)].to)
                   < centerX(scene.edges[static_cast<std::size_t>(b)].to);
        });
    for (auto& edges : content->edgesIn)
        std::sort(edges.begin(), edges.end(), [&](int a, int b) {
            return centerX(scene.edges[static_cast<std::size_t>(a)].from)
                   < centerX(scene.edges[static_cast<std::size_t>(b)].from);
        });
    content->scene = std::move(scene);
    content->changed = content->itemsOfNodes(changedNodes);
    return content;
}

} // namespace pt2e::ui
