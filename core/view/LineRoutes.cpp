// Lines of one stage along the places that the other stages have put between their ends.
#include "core/view/ViewPlan.h"

#include <algorithm>

namespace pt2e {

namespace {

class LineRouter
{
public:
    LineRouter(const UnionGraph& graph, ViewPlan& plan) : m_graph(graph), m_plan(plan) {}

    void run()
    {
        for (std::size_t s = 0; s < m_plan.edges.size(); ++s)
            for (auto& edge : m_plan.edges[s]) {
                const auto gone = absorbed(s, edge.from);
                if (std::find(gone.begin(), gone.end(), edge.to) == gone.end())
                    edge.via.insert(edge.via.begin(), gone.begin(), gone.end());
            }
        m_out.resize(m_plan.nodes.size());
        for (const auto& edges : m_plan.edges)
            for (const auto& edge : edges) {
                int from = edge.from;
                for (const int via : edge.via)
                    from = link(from, via);
                link(from, edge.to);
            }
        for (std::size_t s = 0; s < m_plan.edges.size(); ++s)
            for (auto& edge : m_plan.edges[s]) {
                std::vector<int> path;
                int from = edge.from;
                auto ends = edge.via;
                ends.push_back(edge.to);
                for (const int to : ends) {
                    const auto between = longestDetour(s, from, to);
                    path.insert(path.end(), between.begin(), between.end());
                    path.push_back(to);
                    from = to;
                }
                path.pop_back();
                edge.via = std::move(path);
            }
    }

private:
    /// Places directly behind a node of what the node has taken over in this stage: a convolution's batch norm. What
    /// now hangs on the node, its observer for one, hangs behind that place, not beside it.
    std::vector<int> absorbed(std::size_t stage, int from) const
    {
        std::vector<int> places;
        const int slot = m_plan.nodes[static_cast<std::size_t>(from)].slot;
        if (slot < 0 || m_graph.slot(slot).role != ViewRole::Core)
            return places;
        for (std::size_t s = 0; s < m_graph.stages.size() && places.empty(); ++s) {
            const auto& view = m_graph.stages[s];
            for (int at = m_graph.slot(slot).at[s];
                 s != stage && at >= 0 && view.at(at).out.size() == 1;) {
                at = view.at(at).out.front();
                const int place = planOf(s, at);
                if (place < 0 || view.at(at).role != ViewRole::Core || view.at(at).in.size() != 1
                    || m_plan.nodes[static_cast<std::size_t>(place)].at[stage] >= 0)
                    break;
                places.push_back(place);
            }
        }
        return places;
    }

    int link(int from, int to)
    {
        auto& out = m_out[static_cast<std::size_t>(from)];
        if (std::find(out.begin(), out.end(), to) == out.end())
            out.push_back(to);
        return to;
    }

    /// The longest way from one node to another through nodes that this stage does not have: where a line of this
    /// stage runs in the others.
    std::vector<int> longestDetour(std::size_t stage, int from, int to)
    {
        m_best.clear();
        m_budget = 256;
        search(stage, from, to);
        std::vector<int> path;
        for (int at = from;
             m_best.contains(at) && m_best[at].second != to && m_best[at].second >= 0;) {
            at = m_best[at].second;
            path.push_back(at);
        }
        return path;
    }

    /// Steps to `to`, -1 if there is no way; remembers the next node of the longest.
    int search(std::size_t stage, int at, int to)
    {
        if (at == to)
            return 0;
        if (const auto known = m_best.find(at); known != m_best.end())
            return known->second.first;
        m_best[at] = {-1, -1}; // also ends a cycle
        if (--m_budget < 0)
            return -1;
        std::pair<int, int> best{-1, -1};
        for (const int next : m_out[static_cast<std::size_t>(at)]) {
            const bool isBetween =
                next == to || m_plan.nodes[static_cast<std::size_t>(next)].at[stage] < 0;
            if (!isBetween)
                continue;
            const int steps = search(stage, next, to);
            if (steps >= 0 && steps + 1 > best.first)
                best = {steps + 1, next};
        }
        m_best[at] = best;
        return best.first;
    }

    int planOf(std::size_t stage, int node) const
    {
        const int slot = m_graph.slotOf(stage, node);
        return slot < 0 ? -1 : m_plan.planOf[static_cast<std::size_t>(slot)];
    }

    const UnionGraph& m_graph;
    ViewPlan& m_plan;
    std::vector<std::vector<int>> m_out; ///< per plan node, over all stages
    std::unordered_map<int, std::pair<int, int>> m_best; ///< of one search: steps and next node
    int m_budget = 0;
};

} // namespace

void routeLines(const UnionGraph& graph, ViewPlan& plan) { LineRouter(graph, plan).run(); }

} // namespace pt2e
