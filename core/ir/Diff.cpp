#include "core/ir/Diff.h"

#include "core/ir/Text.h"

#include <unordered_map>

namespace pt2e {

namespace {

std::string usersText(const Graph& graph, const Node& node)
{
    std::string text;
    for (const NodeId user : node.users)
        text += (text.empty() ? "" : ", ") + graph.node(user).name;
    return text;
}

std::string argumentsText(const Graph& graph, const Node& node)
{
    std::string text = printArgument(graph, Argument::tuple(node.args));
    for (const auto& [key, value] : node.kwargs)
        text += " " + key + "=" + printArgument(graph, value);
    return text;
}

class Differ
{
public:
    Differ(const Graph& before, const Graph& after) : m_before(before), m_after(after) {}

    std::vector<GraphDifference> run()
    {
        for (const Node& node : m_before)
            m_old.emplace(node.name, &node);
        for (const Node& node : m_after)
            m_new.emplace(node.name, &node);
        for (const Node& node : m_before) {
            if (!m_new.contains(node.name))
                m_found.push_back({GraphDifference::Kind::Removed, node.name, {}});
        }
        for (const Node& node : m_after) {
            const auto old = m_old.find(node.name);
            if (old == m_old.end())
                m_found.push_back({GraphDifference::Kind::Added, node.name, {}});
            else
                compare(*old->second, node);
        }
        compareOrder();
        return std::move(m_found);
    }

private:
    void changed(const Node& node, const std::string& field, const std::string& from,
                 const std::string& to)
    {
        if (from != to)
            m_found.push_back(
                {GraphDifference::Kind::Changed, node.name, field + ": " + from + " → " + to});
    }

    void compare(const Node& old, const Node& now)
    {
        changed(now, "kind", std::string(opKindName(old.kind)), std::string(opKindName(now.kind)));
        changed(now, "target", old.target, now.target);
        changed(now, "args", argumentsText(m_before, old), argumentsText(m_after, now));
        changed(now, "users", usersText(m_before, old), usersText(m_after, now));
    }

    /// Reports nodes common to both whose predecessor among the common ones differs.
    void compareOrder()
    {
        std::unordered_map<std::string_view, std::string_view> predecessor;
        std::string_view last;
        for (const Node& node : m_before) {
            if (m_new.contains(node.name)) {
                predecessor[node.name] = last;
                last = node.name;
            }
        }
        last = {};
        for (const Node& node : m_after) {
            const auto old = predecessor.find(node.name);
            if (old == predecessor.end())
                continue;
            if (old->second != last)
                m_found.push_back(
                    {GraphDifference::Kind::Moved, node.name,
                     "behind " + std::string(old->second) + " → behind " + std::string(last)});
            last = node.name;
        }
    }

    const Graph& m_before;
    const Graph& m_after;
    std::unordered_map<std::string_view, const Node*> m_old, m_new;
    std::vector<GraphDifference> m_found;
};

} // namespace

std::vector<GraphDifference> diffGraphs(const Graph& before, const Graph& after)
{
    return Differ(before, after).run();
}

} // namespace pt2e
