// Names of the nodes of a graph and all its sub-graphs: "conv2d", and "body/linear" inside one.
#pragma once

#include "core/ir/Graph.h"
#include "core/pipeline/Recipe.h"
#include "core/quant/Spec.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pt2e {

class NodeNames
{
public:
    /// The graph must outlive it.
    explicit NodeNames(const Graph& graph);

    struct Entry
    {
        const Graph* graph = nullptr; ///< the (sub-)graph it stands in
        const Node* node = nullptr;
        std::string prefix; ///< "", or "body/" for a node of the sub-graph "body"
        std::string name() const { return prefix + node->name; }
    };
    /// All nodes: of the graph in its order, then of each sub-graph in attribute order.
    const std::vector<Entry>& entries() const { return m_entries; }

    NodeId find(std::string_view name) const; ///< invalid if there is none
    const Entry* entry(NodeId node) const; ///< nullptr if there is none
    std::string nameOf(NodeId node) const; ///< "?" if there is none
    /// "conv2d" or "x->conv2d".
    std::string pointText(const Point& point) const;
    /// The point of a name; BadInput names the missing node, or says that there is no such edge.
    Result<Point> resolve(const NamedPoint& point) const;

private:
    void add(const Graph& graph, const std::string& prefix);
    std::vector<Entry> m_entries;
    std::unordered_map<std::string, std::size_t> m_byName;
    std::unordered_map<NodeId, std::size_t> m_byId;
};

} // namespace pt2e
