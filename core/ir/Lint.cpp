#include "core/ir/Lint.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

class Linter
{
public:
    Result<void> check(const Graph& graph, const std::string& path)
    {
        m_path = path;
        std::unordered_set<std::string> names;
        std::unordered_set<NodeId> defined;
        for (const Node& node : graph) {
            if (!names.insert(node.name).second)
                return wrong(node, "name is used twice");
            if (!m_ids.insert(node.id).second)
                return wrong(node, "id is used twice");
            PT2E_TRY(checkInputs(graph, node, defined));
            PT2E_TRY(checkTarget(graph, node));
            defined.insert(node.id);
        }
        PT2E_TRY(checkUsers(graph));
        for (const auto& [name, body] : graph.subgraphs()) {
            if (!body)
                return fail(ErrorCode::Internal, "graph",
                            "sub-graph '" + path + name + "' is missing");
            PT2E_TRY(check(*body, path + name + "/"));
            m_path = path;
        }
        return {};
    }

private:
    tl::unexpected<Error> wrong(const Node& node, const std::string& what) const
    {
        return fail(ErrorCode::Internal, "graph: node '" + m_path + node.name + "'", what);
    }

    Result<void> checkInputs(const Graph& graph, const Node& node,
                             const std::unordered_set<NodeId>& defined) const
    {
        for (const NodeId input : node.inputs()) {
            const Node* producer = graph.find(input);
            if (!producer)
                return wrong(node, "refers to a node that is not in the graph");
            if (!defined.contains(input))
                return wrong(node, "uses '" + producer->name + "' before it is defined");
        }
        return {};
    }

    Result<void> checkTarget(const Graph& graph, const Node& node) const
    {
        if (node.is(OpKind::GetAttr) && !graph.attributes().contains(node.target)
            && !graph.subgraphs().contains(node.target))
            return wrong(node, "attribute '" + node.target + "' does not exist");
        if (node.is(OpKind::CallModule) && !graph.modules().contains(node.target))
            return wrong(node, "module '" + node.target + "' does not exist");
        if (node.is(OpKind::Output) && graph.nextOf(node.id).isValid())
            return wrong(node, "is not the last node");
        return {};
    }

    /// users of each node = exactly the nodes that take it as input.
    Result<void> checkUsers(const Graph& graph) const
    {
        std::unordered_map<NodeId, std::unordered_set<NodeId>> consumers;
        for (const Node& node : graph) {
            for (const NodeId input : node.inputs())
                consumers[input].insert(node.id);
        }
        for (const Node& node : graph) {
            const std::unordered_set<NodeId>& expected = consumers[node.id];
            const std::unordered_set<NodeId> found(node.users.begin(), node.users.end());
            if (found.size() != node.users.size() || found != expected)
                return wrong(node, "users do not match the arguments of other nodes");
        }
        return {};
    }

    std::unordered_set<NodeId> m_ids;
    std::string m_path;
};

} // namespace

Result<void> lint(const Graph& graph) { return Linter().check(graph, {}); }

} // namespace pt2e
