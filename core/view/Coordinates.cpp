// x coordinates. As in Brandes and Köpf's method, vertices are first aligned into vertical blocks by segments that do
// not cross each other; but there is one alignment, chosen by priority, so that the main chain is straight whatever
// else has to bend. Blocks are then packed from both sides, the mean taken, and moved towards their neighbours.
#include "core/view/LayeredLayoutSteps.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace pt2e::layered {

namespace {

constexpr double kItemGap = 26;
constexpr double kLineGap = 16;

class Coordinates
{
public:
    explicit Coordinates(ProperGraph& graph) : m_graph(graph), m_blockOf(graph.vertices.size(), -1)
    {}

    Result<void> run(const JobContext& context)
    {
        align();
        makeBlocks();
        linkBlocks();
        PT2E_TRY(context.checkpoint());
        pack();
        for (int sweep = 0; sweep < 12; ++sweep) {
            PT2E_TRY(context.checkpoint());
            balance(sweep % 2 == 0);
        }
        for (std::size_t v = 0; v < m_graph.vertices.size(); ++v)
            m_graph.vertices[v].x = m_x[static_cast<std::size_t>(m_blockOf[v])];
        return {};
    }

private:
    struct Neighbour
    {
        int block = 0;
        double distance = 0; ///< at least, between the axes
    };
    const ProperGraph::Vertex& vertex(int v) const
    {
        return m_graph.vertices[static_cast<std::size_t>(v)];
    }

    /// Takes segments by priority; one is taken if both ends are free and it crosses none taken before.
    void align()
    {
        m_above.assign(m_graph.vertices.size(), -1);
        m_below.assign(m_graph.vertices.size(), -1);
        std::vector<int> order(m_graph.segments.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int x, int y) {
            return m_graph.segments[static_cast<std::size_t>(x)].priority
                   > m_graph.segments[static_cast<std::size_t>(y)].priority;
        });
        std::vector<std::map<int, int>> taken(
            m_graph.layers.size()); // position above → position below
        for (const int s : order) {
            const auto& segment = m_graph.segments[static_cast<std::size_t>(s)];
            auto& below = m_below[static_cast<std::size_t>(segment.from)];
            auto& above = m_above[static_cast<std::size_t>(segment.to)];
            if (below >= 0 || above >= 0)
                continue;
            const auto& from = vertex(segment.from);
            const auto& to = vertex(segment.to);
            auto& lines = taken[static_cast<std::size_t>(from.layer)];
            const auto right = lines.upper_bound(from.position);
            if (right != lines.end() && right->second < to.position)
                continue;
            if (right != lines.begin() && std::prev(right)->second > to.position)
                continue;
            lines.emplace(from.position, to.position);
            below = segment.to;
            above = segment.from;
        }
    }

    void makeBlocks()
    {
        for (const auto& layer : m_graph.layers)
            for (const int v : layer) {
                const int above = m_above[static_cast<std::size_t>(v)];
                m_blockOf[static_cast<std::size_t>(v)] =
                    above >= 0 ? m_blockOf[static_cast<std::size_t>(above)] : m_blockCount++;
            }
    }

    void linkBlocks()
    {
        m_left.resize(static_cast<std::size_t>(m_blockCount));
        m_right.resize(static_cast<std::size_t>(m_blockCount));
        m_pulls.resize(static_cast<std::size_t>(m_blockCount));
        for (const auto& layer : m_graph.layers)
            for (std::size_t i = 1; i < layer.size(); ++i) {
                const auto& a = vertex(layer[i - 1]);
                const auto& b = vertex(layer[i]);
                const double gap = a.node < 0 || b.node < 0 ? kLineGap : kItemGap;
                const double distance = a.right + gap + b.left;
                const int left = blockOf(layer[i - 1]);
                const int right = blockOf(layer[i]);
                m_right[static_cast<std::size_t>(left)].push_back({right, distance});
                m_left[static_cast<std::size_t>(right)].push_back({left, distance});
            }
        for (const auto& segment : m_graph.segments) {
            const int a = blockOf(segment.from);
            const int b = blockOf(segment.to);
            if (a == b)
                continue;
            m_pulls[static_cast<std::size_t>(a)].push_back(b);
            m_pulls[static_cast<std::size_t>(b)].push_back(a);
        }
        sortBlocks();
    }

    /// Left before right. Segments that do not cross keep this free of cycles.
    void sortBlocks()
    {
        std::vector<std::size_t> missing(static_cast<std::size_t>(m_blockCount));
        for (int b = 0; b < m_blockCount; ++b) {
            missing[static_cast<std::size_t>(b)] = m_left[static_cast<std::size_t>(b)].size();
            if (missing[static_cast<std::size_t>(b)] == 0)
                m_order.push_back(b);
        }
        for (std::size_t i = 0; i < m_order.size(); ++i)
            for (const auto& n : m_right[static_cast<std::size_t>(m_order[i])])
                if (--missing[static_cast<std::size_t>(n.block)] == 0)
                    m_order.push_back(n.block);
    }

    void pack()
    {
        std::vector<double> left(static_cast<std::size_t>(m_blockCount), 0);
        for (const int b : m_order)
            for (const auto& n : m_left[static_cast<std::size_t>(b)])
                left[static_cast<std::size_t>(b)] =
                    std::max(left[static_cast<std::size_t>(b)],
                             left[static_cast<std::size_t>(n.block)] + n.distance);
        const double width = left.empty() ? 0 : *std::max_element(left.begin(), left.end());
        std::vector<double> right(static_cast<std::size_t>(m_blockCount), width);
        for (auto it = m_order.rbegin(); it != m_order.rend(); ++it)
            for (const auto& n : m_right[static_cast<std::size_t>(*it)])
                right[static_cast<std::size_t>(*it)] =
                    std::min(right[static_cast<std::size_t>(*it)],
                             right[static_cast<std::size_t>(n.block)] - n.distance);
        m_x.resize(left.size());
        for (std::size_t b = 0; b < left.size(); ++b) // a mean of two legal packings is legal
            m_x[b] = (left[b] + right[b]) / 2;
    }

    /// Each block to the median of what it is joined to, as far as its neighbours let it.
    void balance(bool leftToRight)
    {
        std::vector<double> targets;
        const auto count = m_order.size();
        for (std::size_t i = 0; i < count; ++i) {
            const auto b = static_cast<std::size_t>(m_order[leftToRight ? i : count - 1 - i]);
            if (m_pulls[b].empty())
                continue;
            targets.clear();
            for (const int other : m_pulls[b])
                targets.push_back(m_x[static_cast<std::size_t>(other)]);
            std::sort(targets.begin(), targets.end());
            const auto middle = targets.size() / 2;
            double want = targets.size() % 2 == 1 ? targets[middle]
                                                  : (targets[middle - 1] + targets[middle]) / 2;
            for (const auto& n : m_right[b])
                want = std::min(want, m_x[static_cast<std::size_t>(n.block)] - n.distance);
            for (const auto& n : m_left[b])
                want = std::max(want, m_x[static_cast<std::size_t>(n.block)] + n.distance);
            m_x[b] = want;
        }
    }

    int blockOf(int v) const { return m_blockOf[static_cast<std::size_t>(v)]; }

    ProperGraph& m_graph;
    std::vector<int> m_above;
    std::vector<int> m_below;
    std::vector<int> m_blockOf;
    int m_blockCount = 0;
    std::vector<std::vector<Neighbour>> m_left;
    std::vector<std::vector<Neighbour>> m_right;
    std::vector<std::vector<int>> m_pulls;
    std::vector<int> m_order;
    std::vector<double> m_x;
};

} // namespace

Result<void> assignX(ProperGraph& graph, const JobContext& context)
{
    return Coordinates(graph).run(context);
}

} // namespace pt2e::layered
