// What one pane shows: a scene, its display list, and what the last edit changed in it. Immutable once published.
#pragma once

#include "core/view/Scene.h"
#include "ui/render/DisplayList.h"

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e::ui {

struct PaneContent
{
    Scene scene;
    std::string body; ///< the sub-graph it shows ("loop/inner"); empty: the graph itself
    ModuleFolding modules; ///< which modules are collapsed in it
    DisplayList list;
    std::vector<int> changed; ///< scene items
    std::unordered_map<NodeId, std::vector<int>>
        itemsOf; ///< scene items of a node, ghosts and stubs included
    std::vector<std::vector<int>> edgesOut; ///< per item: scene edges, from left to right
    std::vector<std::vector<int>> edgesIn;

    std::vector<int> itemsOfNodes(const std::vector<NodeId>& nodes) const;
};
using PaneContentPtr = std::shared_ptr<const PaneContent>;

/// Builds everything that hangs on a scene; runs on a lane.
PaneContentPtr makePaneContent(Scene scene, std::string body, const ModuleFolding& modules,
                               const std::vector<NodeId>& changedNodes);

} // namespace pt2e::ui
