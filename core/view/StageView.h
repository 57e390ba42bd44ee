// One stage's graph as it is seen: ops, the observers, q and dq that hang on the lines between them, and the constants
// that stand beside their consumers. Internal to core/view.
#pragma once

#include "core/pipeline/Snapshot.h"
#include "core/view/Scene.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace pt2e {

enum class ViewRole : std::uint8_t {
    Core, ///< an op, placeholder or output: uses up hops
    Decoration, ///< observer, q or dq on an activation
    Constant, ///< get_attr, and observer, q or dq behind one: drawn beside each consumer
    Inside ///< in a collapsed module, another node stands for it
};

class ModuleTree;
struct ModuleBoxes;

struct ViewNode
{
    const Node* node = nullptr;
    ViewRole role = ViewRole::Core;
    ItemKind kind = ItemKind::Op;
    std::vector<int> in; ///< inputs that are no constants; indices into StageView::nodes
    std::vector<int> out; ///< their users, in users order
    int box = -1; ///< of a Module: index into StageView::boxes
    std::vector<int> members; ///< of a Module: all nodes in it, itself first
    bool givesInt8 = false; ///< of a Module: all that leaves it is int8
};

class StageView
{
public:
    /// The graph must outlive the view.
    StageView(const Graph& graph, StageKind stage);

    /// One node in place of all that is in a box: its ops, what lies between them, and the constants they read. Observers, q and dq on the lines into and out of it stay. This one is flat; the boxes must outlive the view.
    StageView folded(const ModuleTree& tree, const ModuleBoxes& boxes) const;

    StageKind stage;
    std::size_t recipe = 0; ///< of two side by side: whose stage it is
    const Graph* graph = nullptr;
    std::vector<ViewNode> nodes; ///< graph order
    int indexOf(NodeId id) const;
    const ViewNode& at(int i) const { return nodes[static_cast<std::size_t>(i)]; }
    /// Inputs that are constants, in argument order: each a chain from the get_attr to the last observer or dq before the
    /// node. A Module has none: what its ops read is in it.
    const std::vector<std::vector<int>>& constantsOf(int node) const;
    bool carriesInt8(int node) const; ///< its value is a quantized integer tensor
    std::vector<NodeId> scalesOf(
        int node) const; ///< of a q or dq: scale and zero point kept as constants

    const ModuleBoxes* boxes = nullptr;
    int nodeOfBox(int box) const; ///< or -1

private:
    /// What folding does not change.
    struct Flat
    {
        std::unordered_map<NodeId, int> indexOf;
        std::vector<std::vector<std::vector<int>>> constants; ///< per node
    };
    StageView(const StageView& flat, const ModuleBoxes& boxes);
    std::vector<int> findMembers(const ModuleTree& tree, const ModuleBoxes& boxes) const;
    void replaceMembers(const StageView& flat, const std::vector<int>& boxOf);
    void addConstants(std::vector<int>& members, std::vector<int>& seenIn) const;
    void addInputs(int index, Flat& flat);
    std::shared_ptr<const Flat> m_flat;
    std::vector<int> m_nodeOfBox;
    std::vector<int>
        m_standsFor; ///< per node what is shown in its place; empty: nothing is collapsed
};

} // namespace pt2e
