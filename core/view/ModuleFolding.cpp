#include "core/view/ModuleFolding.h"

#include "core/view/ModuleTree.h"
#include "core/view/StageView.h"

#include <algorithm>

namespace pt2e {

namespace {

constexpr std::size_t kFlatLimit = 500;
constexpr std::size_t kStartLimit = 100;

bool contains(const std::vector<std::string>& paths, const std::string& path)
{
    return std::find(paths.begin(), paths.end(), path) != paths.end();
}

/// Boxes, and ops in none.
std::size_t shownCount(const ModuleTree& tree, const ModuleFolding& folding)
{
    const ModuleBoxes boxes = foldModules(tree, folding);
    return boxes.boxes.size() + tree.ops().size() - boxes.boxOf.size();
}

} // namespace

bool ModuleFolding::isBox(const std::string& path, int moduleDepth) const
{
    if (contains(collapsed, path))
        return true;
    return depth > 0 && moduleDepth >= depth && !contains(expanded, path);
}

void ModuleFolding::collapse(const std::string& path)
{
    std::erase(expanded, path);
    if (!contains(collapsed, path))
        collapsed.push_back(path);
}

void ModuleFolding::expand(const std::string& path)
{
    std::erase(collapsed, path);
    if (depth > 0 && !contains(expanded, path))
        expanded.push_back(path);
}

ModuleFolding startFolding(const Graph& exported)
{
    ModuleFolding folding;
    const StageView view(exported, StageKind::Exported);
    const auto shown = std::count_if(view.nodes.begin(), view.nodes.end(), [](const ViewNode& v) {
        return v.role != ViewRole::Constant;
    });
    if (static_cast<std::size_t>(shown) <= kFlatLimit)
        return folding;
    const ModuleTree tree(exported);
    for (int depth = tree.deepest(); depth > 0; --depth) {
        folding.depth = depth;
        if (shownCount(tree, folding) <= kStartLimit)
            break;
    }
    return folding;
}

int moduleDepth(const Graph& exported) { return ModuleTree(exported).deepest(); }

namespace {

/// Which modules a node of a stage is in.
class Surroundings
{
public:
    Surroundings(const ModuleTree& tree, const Graph& graph) : m_tree(tree), m_graph(graph) {}

    /// Calls, outermost first. An observer, q or dq is in those that both its ends are in, a constant in those of its
    /// first reader.
    std::vector<int> of(const Node& node) const
    {
        if (const NodeId op = tracedOp(node); op.isValid())
            return callsOf(op);
        const NodeId above = nearestOp(node, true);
        const NodeId below = nearestOp(node, false);
        std::vector<int> calls = callsOf(above.isValid() ? above : below);
        if (above.isValid()) {
            const std::vector<int> others = callsOf(below);
            const auto ends =
                std::mismatch(calls.begin(), calls.end(), others.begin(), others.end());
            calls.erase(ends.first, calls.end());
        }
        return calls;
    }

    /// The nearest op above or below a node; itself if it is one.
    NodeId nearestOp(const Node& node, bool up) const
    {
        std::vector<const Node*> open{&node};
        for (std::size_t i = 0; i < open.size(); ++i) {
            if (const NodeId op = tracedOp(*open[i]); op.isValid())
                return op;
            for (const NodeId id : up ? open[i]->inputs() : open[i]->users) {
                const Node* next = m_graph.find(id);
                if (next && std::find(open.begin(), open.end(), next) == open.end())
                    open.push_back(next);
            }
        }
        return {};
    }

    std::vector<int> callsOf(NodeId op) const
    {
        std::vector<int> calls;
        for (int call = m_tree.callOf(op); call >= 0; call = m_tree.call(call).parent)
            calls.push_back(call);
        std::reverse(calls.begin(), calls.end());
        return calls;
    }

private:
    NodeId tracedOp(const Node& node) const
    {
        if (m_tree.isTraced(node.id))
            return node.id;
        const bool isMade = node.origin.kind == OriginKind::Decomposed;
        return isMade && m_tree.isTraced(node.origin.node) ? node.origin.node : NodeId{};
    }

    const ModuleTree& m_tree;
    const Graph& m_graph;
};

} // namespace

ModuleFolding revealed(ModuleFolding folding, const Snapshot& snapshot, StageKind stage,
                       const std::vector<NodeId>& nodes)
{
    const GraphPtr graph = snapshot.graph(stage);
    if (!graph || folding.isFlat())
        return folding;
    const ModuleTree tree(*snapshot.model->exported);
    const Surroundings surroundings(tree, *graph);
    const auto open = [&](const std::vector<int>& calls) {
        for (const int call : calls)
            if (folding.isBox(tree.call(call).path, tree.call(call).depth))
                folding.expand(tree.call(call).path);
    };
    for (const NodeId id : nodes)
        if (const Node* node = graph->find(id))
            open(surroundings.of(*node));
    // What lies between two modules of a run is seen once the upper one is open.
    for (const NodeId id : nodes) {
        const Node* node = graph->find(id);
        if (!node || tree.isTraced(id) || node->inputs().empty())
            continue;
        const ModuleBoxes boxes = foldModules(tree, folding);
        const NodeId above = surroundings.nearestOp(*node, true);
        const auto upper = boxes.boxOf.find(above);
        const auto lower = boxes.boxOf.find(surroundings.nearestOp(*node, false));
        if (upper != boxes.boxOf.end() && lower != boxes.boxOf.end()
            && upper->second == lower->second)
            open(surroundings.callsOf(above));
    }
    return folding;
}

std::vector<std::string> modulesAround(const Snapshot& snapshot, StageKind stage, NodeId node)
{
    const GraphPtr graph = snapshot.graph(stage);
    const Node* found = graph ? graph->find(node) : nullptr;
    std::vector<std::string> paths;
    if (!found)
        return paths;
    const ModuleTree tree(*snapshot.model->exported);
    for (const int call : Surroundings(tree, *graph).of(*found))
        if (tree.call(call).size() > 1)
            paths.push_back(tree.call(call).path);
    return paths;
}

} // namespace pt2e
