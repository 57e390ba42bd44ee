// One stage's graph as it is seen: ops, the observers, q and dq that hang on the lines between them, and the constants
// that stand beside their consumers. Internal to core/view.
#pragma once

#include "core/pipeline/Snapshot.h"
#include "core/view/Scene.h"

#include <unordered_map>
#include <vector>

namespace pt2e {

enum class ViewRole : std::uint8_t {
    Core, ///< an op, placeholder or output: uses up hops
    Decoration, ///< observer, q or dq on an activation
    Constant ///< get_attr, and observer, q or dq behind one: drawn beside each consumer
};

struct ViewNode
{
    const Node* node = nullptr;
    ViewRole role = ViewRole::Core;
    ItemKind kind = ItemKind::Op;
    std::vector<int> in; ///< inputs that are no constants; indices into StageView::nodes
    std::vector<int> out; ///< their users, in users order
    /// Constant inputs, in argument order: each a chain from the get_attr to the last observer or dq before this node.
    std::vector<std::vector<int>> constants;
};

class StageView
{
public:
    /// The graph must outlive the view.
    StageView(const Graph& graph, StageKind stage);

    StageKind stage;
    const Graph* graph = nullptr;
    std::vector<ViewNode> nodes; ///< graph order
    int indexOf(NodeId id) const;
    const ViewNode& at(int i) const { return nodes[static_cast<std::size_t>(i)]; }
    bool carriesInt8(int node) const; ///< its value is a quantized integer tensor

private:
    void addInputs(int index);
    std::unordered_map<NodeId, int> m_indexOf;
};

} // namespace pt2e
