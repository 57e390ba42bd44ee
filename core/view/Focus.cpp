#include "core/view/Focus.h"

#include <algorithm>
#include <deque>

namespace pt2e {

namespace {

/// Up to so many hidden neighbours get a stub each; of more, one less and a "+12 more".
constexpr std::size_t kNamedStubs = 3;

class FocusWalk
{
public:
    FocusWalk(const UnionGraph& graph, const ViewOptions& options)
        : m_graph(graph),
          m_options(options),
          m_distance(graph.slots.size(), -1)
    {
        m_focus.visible.assign(graph.slots.size(), false);
        m_focus.missing.resize(graph.stages.size());
        m_focus.more[0].resize(graph.slots.size());
        m_focus.more[1].resize(graph.slots.size());
    }

    Result<Focus> run()
    {
        if (m_options.focus.empty()) {
            m_focus.visible.assign(m_graph.slots.size(), true);
            return std::move(m_focus);
        }
        m_focus.isEverything = false;
        PT2E_TRY(start());
        walk();
        for (const NodeId id : m_options.revealed)
            reveal(id);
        for (std::size_t slot = 0; slot < m_graph.slots.size(); ++slot)
            if (m_distance[slot] >= 0)
                m_focus.visible[slot] = true;
        const auto cores = m_focus.visible;
        for (std::size_t slot = 0; slot < cores.size(); ++slot)
            if (cores[slot] && m_graph.slots[slot].role == ViewRole::Core)
                showDecorations(static_cast<int>(slot), cores);
        return std::move(m_focus);
    }

private:
    Result<void> start()
    {
        for (const auto& name : m_options.focus) {
            bool isFound = false;
            for (std::size_t s = 0; s < m_graph.stages.size(); ++s) {
                const auto& view = m_graph.stages[s];
                const Node* node = view.graph->findByName(name);
                const int index = node ? view.indexOf(node->id) : -1;
                if (index < 0) {
                    m_focus.missing[s].push_back(name);
                    continue;
                }
                isFound = true;
                m_focus.nodes.insert(node);
                startAt(s, index);
            }
            if (!isFound)
                return badInput("focus node '" + name + "'",
                                "no shown stage has a node of this name");
        }
        return {};
    }

    /// What hangs on an edge or stands beside an op stands for its ends.
    void startAt(std::size_t stage, int index)
    {
        const auto& view = m_graph.stages[stage];
        const auto& v = view.at(index);
        if (v.role == ViewRole::Core) {
            reach(m_graph.slotOf(stage, index), 0);
        } else if (v.role == ViewRole::Decoration) {
            for (const bool down : {false, true})
                for (const auto& step : m_graph.steps(stage, index, down))
                    reach(m_graph.slotOf(stage, step.end), 0);
        } else {
            std::vector<int> open{index};
            for (std::size_t i = 0; i < open.size(); ++i)
                for (const NodeId user : view.at(open[i]).node->users) {
                    const int u = view.indexOf(user);
                    if (u >= 0 && view.at(u).role == ViewRole::Core)
                        reach(m_graph.slotOf(stage, u), 0);
                    else if (u >= 0)
                        open.push_back(u);
                }
        }
    }

    void reach(int slot, int distance)
    {
        auto& known = m_distance[static_cast<std::size_t>(slot)];
        if (known >= 0)
            return;
        known = distance;
        m_queue.push_back(slot);
    }

    /// Breadth first. A hub is shown but not walked through; a focus node is, whatever its fan-out.
    void walk()
    {
        while (!m_queue.empty()) {
            const int slot = m_queue.front();
            m_queue.pop_front();
            const int distance = m_distance[static_cast<std::size_t>(slot)];
            if (distance >= m_options.hops || (distance > 0 && m_graph.isHub(slot)))
                continue;
            if (m_options.direction != Direction::Down)
                for (const int next : m_graph.neighbours(slot, false))
                    reach(next, distance + 1);
            if (m_options.direction != Direction::Up)
                for (const int next : m_graph.neighbours(slot, true))
                    reach(next, distance + 1);
        }
    }

    void reveal(NodeId id)
    {
        for (std::size_t s = 0; s < m_graph.stages.size(); ++s) {
            const int index = m_graph.stages[s].indexOf(id);
            if (index >= 0)
                startAt(s, index);
        }
        m_queue.clear();
    }

    /// Observers, q and dq next to a shown op, on the lines to what is shown and to the named stubs.
    void showDecorations(int slot, const std::vector<bool>& cores)
    {
        for (const bool down : {false, true}) {
            std::vector<int> hidden;
            for (const int n : m_graph.neighbours(slot, down))
                if (!cores[static_cast<std::size_t>(n)])
                    hidden.push_back(n);
            std::vector<int> rest;
            if (hidden.size() > kNamedStubs)
                rest.assign(hidden.begin() + (kNamedStubs - 1), hidden.end());
            for (std::size_t s = 0; s < m_graph.stages.size(); ++s)
                if (const int at = m_graph.slot(slot).at[s]; at >= 0)
                    for (const auto& step : m_graph.steps(s, at, down)) {
                        const int end = m_graph.slotOf(s, step.end);
                        if (std::find(rest.begin(), rest.end(), end) != rest.end())
                            continue;
                        for (const int d : step.decorations)
                            m_focus.visible[static_cast<std::size_t>(m_graph.slotOf(s, d))] = true;
                    }
            m_focus.more[down ? 1 : 0][static_cast<std::size_t>(slot)] = std::move(rest);
        }
    }

    const UnionGraph& m_graph;
    const ViewOptions& m_options;
    Focus m_focus;
    std::vector<int> m_distance; ///< per slot, -1: not reached
    std::deque<int> m_queue;
};

} // namespace

Result<Focus> findFocus(const UnionGraph& graph, const ViewOptions& options)
{
    return FocusWalk(graph, options).run();
}

} // namespace pt2e
