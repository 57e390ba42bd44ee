// Layers of the nodes, and the graph with dummies between them.
#include "core/view/LayeredLayoutSteps.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pt2e::layered {

namespace {

struct Adjacency
{
    std::vector<std::vector<int>> in; ///< edges
    std::vector<std::vector<int>> out;
};

int top(const LayoutEdge& e) { return e.isReversed ? e.to : e.from; }
int bottom(const LayoutEdge& e) { return e.isReversed ? e.from : e.to; }

Adjacency adjacency(const LayeredLayout& layout)
{
    Adjacency a;
    a.in.resize(layout.nodes.size());
    a.out.resize(layout.nodes.size());
    for (std::size_t e = 0; e < layout.edges.size(); ++e) {
        a.out[static_cast<std::size_t>(top(layout.edges[e]))].push_back(static_cast<int>(e));
        a.in[static_cast<std::size_t>(bottom(layout.edges[e]))].push_back(static_cast<int>(e));
    }
    return a;
}

/// Depth first; an edge back into the open path is turned round, so that what is left has no cycle.
void breakCycles(LayeredLayout& layout)
{
    for (auto& e : layout.edges)
        e.isReversed = false;
    const auto a = adjacency(layout);
    enum : std::uint8_t { New, Open, Done };
    std::vector<std::uint8_t> state(layout.nodes.size(), New);
    std::vector<std::pair<int, std::size_t>> stack;
    for (std::size_t root = 0; root < layout.nodes.size(); ++root) {
        if (state[root] != New)
            continue;
        stack.emplace_back(static_cast<int>(root), 0);
        state[root] = Open;
        while (!stack.empty()) {
            auto& [node, next] = stack.back();
            const auto& out = a.out[static_cast<std::size_t>(node)];
            if (next == out.size()) {
                state[static_cast<std::size_t>(node)] = Done;
                stack.pop_back();
                continue;
            }
            auto& edge = layout.edges[static_cast<std::size_t>(out[next++])];
            const auto to = static_cast<std::size_t>(edge.to);
            if (state[to] == Open) {
                edge.isReversed = true;
            } else if (state[to] == New) {
                state[to] = Open;
                stack.emplace_back(edge.to, 0);
            }
        }
    }
}

/// Kahn's order, lowest index first among equals of one wave.
std::vector<int> topologicalOrder(const LayeredLayout& layout, const Adjacency& a)
{
    std::vector<int> order;
    std::vector<std::size_t> missing(layout.nodes.size());
    order.reserve(layout.nodes.size());
    for (std::size_t n = 0; n < layout.nodes.size(); ++n) {
        missing[n] = a.in[n].size();
        if (missing[n] == 0)
            order.push_back(static_cast<int>(n));
    }
    for (std::size_t i = 0; i < order.size(); ++i)
        for (const int e : a.out[static_cast<std::size_t>(order[i])]) {
            const auto to =
                static_cast<std::size_t>(bottom(layout.edges[static_cast<std::size_t>(e)]));
            if (--missing[to] == 0)
                order.push_back(static_cast<int>(to));
        }
    return order;
}

/// Longest real chain from the sources to each node, and from it to the sinks.
struct Depths
{
    std::vector<int> above;
    std::vector<int> below;
    int longest = 0;
};

Depths depths(const LayeredLayout& layout, const Adjacency& a, const std::vector<int>& order)
{
    Depths d;
    d.above.assign(layout.nodes.size(), 1);
    d.below.assign(layout.nodes.size(), 1);
    const auto at = [](std::vector<int>& v, int i) -> int& {
        return v[static_cast<std::size_t>(i)];
    };
    for (const int n : order)
        for (const int e : a.out[static_cast<std::size_t>(n)]) {
            const int to = bottom(layout.edges[static_cast<std::size_t>(e)]);
            at(d.above, to) = std::max(at(d.above, to), at(d.above, n) + 1);
        }
    for (auto it = order.rbegin(); it != order.rend(); ++it)
        for (const int e : a.out[static_cast<std::size_t>(*it)]) {
            const int to = bottom(layout.edges[static_cast<std::size_t>(e)]);
            at(d.below, *it) = std::max(at(d.below, *it), at(d.below, to) + 1);
        }
    for (const int n : order)
        d.longest = std::max(d.longest, at(d.above, n) + at(d.below, n) - 1);
    return d;
}

/// Moves sources, and what is told to stay low, down to just above the first consumer.
void pullDown(LayeredLayout& layout, const Adjacency& a, const std::vector<int>& order)
{
    for (auto it = order.rbegin(); it != order.rend(); ++it) {
        const auto n = static_cast<std::size_t>(*it);
        auto& node = layout.nodes[n];
        if (a.out[n].empty() || !(node.staysLow || a.in[n].empty()))
            continue;
        int lowest = std::numeric_limits<int>::max();
        for (const int e : a.out[n]) {
            const int to = bottom(layout.edges[static_cast<std::size_t>(e)]);
            lowest = std::min(lowest, layout.nodes[static_cast<std::size_t>(to)].layer - 1);
        }
        node.layer = std::max(node.layer, lowest);
    }
}

} // namespace

int assignLayers(LayeredLayout& layout)
{
    breakCycles(layout);
    const auto a = adjacency(layout);
    const auto order = topologicalOrder(layout, a);
    for (auto& node : layout.nodes)
        node.layer = 0;
    int count = 0;
    for (const int n : order) {
        const int layer = layout.nodes[static_cast<std::size_t>(n)].layer;
        count = std::max(count, layer + 1);
        for (const int e : a.out[static_cast<std::size_t>(n)]) {
            auto& to = layout.nodes[static_cast<std::size_t>(
                bottom(layout.edges[static_cast<std::size_t>(e)]))];
            to.layer = std::max(to.layer, layer + 1);
        }
    }
    pullDown(layout, a, order);
    return count;
}

namespace {

/// Adds a vertex at the right end of its layer.
int addVertex(ProperGraph& graph, int node, int layer, double left, double right)
{
    auto& row = graph.layers[static_cast<std::size_t>(layer)];
    ProperGraph::Vertex v;
    v.node = node;
    v.layer = layer;
    v.position = static_cast<int>(row.size());
    v.left = left;
    v.right = right;
    graph.vertices.push_back(std::move(v));
    const int id = static_cast<int>(graph.vertices.size()) - 1;
    row.push_back(id);
    return id;
}

void addSegment(ProperGraph& graph, int from, int to, int edge, double priority)
{
    const int id = static_cast<int>(graph.segments.size());
    graph.segments.push_back({from, to, edge, priority});
    graph.vertices[static_cast<std::size_t>(from)].down.push_back(id);
    graph.vertices[static_cast<std::size_t>(to)].up.push_back(id);
}

class ProperBuilder
{
public:
    ProperBuilder(const LayeredLayout& layout, int layerCount)
        : m_layout(layout),
          m_adjacency(adjacency(layout)),
          m_order(topologicalOrder(layout, m_adjacency)),
          m_depths(depths(layout, m_adjacency, m_order)),
          m_vertexOf(layout.nodes.size(), -1)
    {
        m_graph.layers.resize(static_cast<std::size_t>(layerCount));
        m_graph.chains.resize(layout.edges.size());
    }

    ProperGraph build()
    {
        // Sources by the length of the chain they start, so that the main chain comes first and stands leftmost.
        std::vector<int> roots;
        for (const int n : m_order)
            if (m_adjacency.in[static_cast<std::size_t>(n)].empty())
                roots.push_back(n);
        std::stable_sort(roots.begin(), roots.end(), [&](int x, int y) {
            return m_depths.below[static_cast<std::size_t>(x)]
                   > m_depths.below[static_cast<std::size_t>(y)];
        });
        for (const int root : roots)
            visit(root);
        for (std::size_t e = 0; e < m_layout.edges.size(); ++e)
            connect(static_cast<int>(e));
        return std::move(m_graph);
    }

private:
    void visit(int root)
    {
        std::vector<int>
            stack; // edges to follow; the dummies of an edge are added when its turn comes
        enter(root, stack);
        while (!stack.empty()) {
            const int e = stack.back();
            stack.pop_back();
            addDummies(e);
            const int to = bottom(m_layout.edges[static_cast<std::size_t>(e)]);
            if (m_vertexOf[static_cast<std::size_t>(to)] < 0)
                enter(to, stack);
        }
    }

    void enter(int n, std::vector<int>& stack)
    {
        const auto& node = m_layout.nodes[static_cast<std::size_t>(n)];
        m_vertexOf[static_cast<std::size_t>(n)] =
            addVertex(m_graph, n, node.layer, node.left, node.right);
        auto out = m_adjacency.out[static_cast<std::size_t>(n)];
        std::stable_sort(out.begin(), out.end(), [&](int x, int y) { return below(x) > below(y); });
        stack.insert(stack.end(), out.rbegin(), out.rend());
    }

    int below(int edge) const
    {
        return m_depths.below[static_cast<std::size_t>(
            bottom(m_layout.edges[static_cast<std::size_t>(edge)]))];
    }

    void addDummies(int e)
    {
        const auto& edge = m_layout.edges[static_cast<std::size_t>(e)];
        const int first = m_layout.nodes[static_cast<std::size_t>(top(edge))].layer + 1;
        const int last = m_layout.nodes[static_cast<std::size_t>(bottom(edge))].layer;
        for (int layer = first; layer < last; ++layer)
            m_graph.chains[static_cast<std::size_t>(e)].push_back(
                addVertex(m_graph, -1, layer, 0, 0));
    }

    /// Straight first: the longest chain of the whole graph, then long edges, then the rest by chain length.
    void connect(int e)
    {
        const auto& edge = m_layout.edges[static_cast<std::size_t>(e)];
        const auto& chain = m_graph.chains[static_cast<std::size_t>(e)];
        const auto length = m_depths.above[static_cast<std::size_t>(top(edge))]
                            + m_depths.below[static_cast<std::size_t>(bottom(edge))];
        const bool isMain = chain.empty() && length == m_depths.longest;
        const double real = isMain ? 1e9 : length;
        int from = m_vertexOf[static_cast<std::size_t>(top(edge))];
        for (const int dummy : chain) {
            addSegment(m_graph, from, dummy, e, m_graph.isDummy(from) ? 1e8 : real - 0.5);
            from = dummy;
        }
        addSegment(m_graph, from, m_vertexOf[static_cast<std::size_t>(bottom(edge))], e,
                   chain.empty() ? real : real - 0.25);
    }

    const LayeredLayout& m_layout;
    Adjacency m_adjacency;
    std::vector<int> m_order;
    Depths m_depths;
    std::vector<int> m_vertexOf;
    ProperGraph m_graph;
};

} // namespace

ProperGraph makeProper(const LayeredLayout& layout, int layerCount)
{
    return ProperBuilder(layout, layerCount).build();
}

} // namespace pt2e::layered
