#include "core/pipeline/NodeNames.h"

#include <algorithm>

namespace pt2e {

NodeNames::NodeNames(const Graph& graph) { add(graph, ""); }

void NodeNames::add(const Graph& graph, const std::string& prefix)
{
    for (const Node& node : graph) {
        m_byName.emplace(prefix + node.name, m_entries.size());
        m_byId.emplace(node.id, m_entries.size());
        m_entries.push_back({&graph, &node, prefix});
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            add(*body, prefix + name + "/");
    }
}

NodeId NodeNames::find(std::string_view name) const
{
    const auto it = m_byName.find(std::string(name));
    return it == m_byName.end() ? NodeId{} : m_entries[it->second].node->id;
}

const NodeNames::Entry* NodeNames::entry(NodeId node) const
{
    const auto it = m_byId.find(node);
    return it == m_byId.end() ? nullptr : &m_entries[it->second];
}

std::string NodeNames::nameOf(NodeId node) const
{
    const Entry* found = entry(node);
    return found ? found->name() : "?";
}

std::string NodeNames::pointText(const Point& point) const
{
    return point.isEdge() ? nameOf(point.node) + "->" + nameOf(point.user) : nameOf(point.node);
}

Result<Point> NodeNames::resolve(const NamedPoint& point) const
{
    const std::string place = "point '" + point.text() + "'";
    Point found;
    found.node = find(point.node);
    if (!found.node)
        return badInput(place, "there is no node '" + point.node + "'");
    if (point.user.empty())
        return found;
    found.user = find(point.user);
    if (!found.user)
        return badInput(place, "there is no node '" + point.user + "'");
    const std::vector<NodeId> inputs = entry(found.user)->node->inputs();
    if (std::find(inputs.begin(), inputs.end(), found.node) == inputs.end())
        return badInput(place, "'" + point.user + "' does not read '" + point.node + "'");
    return found;
}

} // namespace pt2e
