#include "core/view/ViewPlan.h"

#include <algorithm>
#include <map>
#include <set>

namespace pt2e {

namespace {

class Planner
{
public:
    Planner(const UnionGraph& graph, const Focus& focus, const ViewOptions& options)
        : m_graph(graph),
          m_focus(focus),
          m_options(options),
          m_chain(graph.stages.size())
    {
        m_plan.planOf.assign(graph.slots.size(), -1);
        m_plan.edges.resize(graph.stages.size());
        m_plan.chips.resize(graph.stages.size());
        m_seen.resize(graph.stages.size());
    }

    ViewPlan run()
    {
        findHubs();
        placeSlots();
        for (std::size_t s = 0; s < m_graph.stages.size(); ++s)
            for (int i = 0; i < static_cast<int>(m_graph.stages[s].nodes.size()); ++i)
                connect(s, i);
        routeLines(m_graph, m_plan);
        return std::move(m_plan);
    }

private:
    bool isVisible(int slot) const
    {
        return slot >= 0 && m_focus.visible[static_cast<std::size_t>(slot)];
    }
    ItemKind kindOf(int slot) const
    {
        const auto& at = m_graph.slot(slot).at;
        for (std::size_t s = 0; s < at.size(); ++s)
            if (at[s] >= 0)
                return m_graph.stages[s].at(at[s]).kind;
        return ItemKind::Op;
    }

    /// Hubs with many shown consumers: their lines are cut behind the last node that has several users.
    void findHubs()
    {
        m_isHub.assign(m_graph.slots.size(), false);
        for (std::size_t slot = 0; slot < m_graph.slots.size(); ++slot) {
            if (!m_graph.isHub(static_cast<int>(slot)) || !isVisible(static_cast<int>(slot)))
                continue;
            const auto users = m_graph.neighbours(static_cast<int>(slot), true);
            const auto shown =
                std::count_if(users.begin(), users.end(), [&](int u) { return isVisible(u); });
            if (shown < static_cast<std::ptrdiff_t>(UnionGraph::kHubFanOut))
                continue;
            m_isHub[slot] = true;
            for (std::size_t s = 0; s < m_graph.stages.size(); ++s)
                if (const int at = m_graph.slots[slot].at[s]; at >= 0)
                    cutHub(s, at);
        }
    }

    void cutHub(std::size_t stage, int hub)
    {
        const auto& view = m_graph.stages[stage];
        for (const auto& step : m_graph.steps(stage, hub, true)) {
            if (!isVisible(m_graph.slotOf(stage, step.end)))
                continue;
            std::size_t cut = 0; // how many decorations stay with the hub
            for (std::size_t i = 0; i < step.decorations.size(); ++i)
                if (view.at(step.decorations[i]).out.size() > 1)
                    cut = i + 1;
            Chip chip;
            chip.source = hub;
            chip.chain.assign(step.decorations.begin() + static_cast<std::ptrdiff_t>(cut),
                              step.decorations.end());
            chip.isInt8 = view.carriesInt8(cut == 0 ? hub : step.decorations[cut - 1]);
            for (const int d : chip.chain)
                m_chain[stage].insert(d);
            m_plan.chips[stage][step.end].push_back(std::move(chip));
        }
    }

    void placeSlots()
    {
        for (int slot = 0; slot < static_cast<int>(m_graph.slots.size()); ++slot) {
            if (!isVisible(slot) || isInChain(slot))
                continue;
            PlanNode node;
            node.slot = slot;
            node.at = m_graph.slot(slot).at;
            if (m_options.qdqOnEdges && m_graph.slot(slot).role == ViewRole::Decoration) {
                if (kindOf(slot) == ItemKind::Dequantize)
                    continue;
                node.isLabel = true;
            }
            m_plan.planOf[static_cast<std::size_t>(slot)] = static_cast<int>(m_plan.nodes.size());
            m_plan.nodes.push_back(std::move(node));
        }
    }

    bool isInChain(int slot) const
    {
        const auto& at = m_graph.slot(slot).at;
        for (std::size_t s = 0; s < at.size(); ++s)
            if (at[s] >= 0 && m_chain[s].contains(at[s]))
                return true;
        return false;
    }

    int planOf(std::size_t stage, int node) const
    {
        const int slot = m_graph.slotOf(stage, node);
        return slot < 0 ? -1 : m_plan.planOf[static_cast<std::size_t>(slot)];
    }

    void connect(std::size_t stage, int node)
    {
        const auto& view = m_graph.stages[stage];
        const int slot = m_graph.slotOf(stage, node);
        if (!isVisible(slot))
            return;
        if (view.at(node).role == ViewRole::Decoration) {
            if (!m_options.qdqOnEdges) // one that feeds nothing is on no step of its producer
                for (const int in : view.at(node).in)
                    if (planOf(stage, in) >= 0 && planOf(stage, node) >= 0)
                        addLine(stage, planOf(stage, in), planOf(stage, node),
                                view.carriesInt8(in));
            return;
        }
        for (const auto& step : m_graph.steps(stage, node, true))
            connectDown(stage, node, step);
        for (const auto& step : m_graph.steps(stage, node, false)) {
            const int end = m_graph.slotOf(stage, step.end);
            if (isVisible(end))
                continue;
            const std::vector<int> chain(step.decorations.rbegin(), step.decorations.rend());
            const auto& more = m_focus.more[0][static_cast<std::size_t>(slot)];
            const bool isMore = std::find(more.begin(), more.end(), end) != more.end();
            const int stub = isMore ? moreStub(stage, slot, false, step.end, more)
                                    : stubFor(stage, slot, false, step.end);
            emit(stage, stub, isMore ? visibleOf(stage, chain) : chain, planOf(stage, node), -1);
        }
    }

    void connectDown(std::size_t stage, int node, const CoreStep& step)
    {
        const int slot = m_graph.slotOf(stage, node);
        const int end = m_graph.slotOf(stage, step.end);
        if (isVisible(end)) {
            if (!m_isHub[static_cast<std::size_t>(slot)]) {
                emit(stage, planOf(stage, node), step.decorations, planOf(stage, step.end), node);
                return;
            }
            emit(stage, planOf(stage, node), placedOf(stage, step.decorations),
                 usesStub(stage, slot, node), node);
            return;
        }
        const auto& more = m_focus.more[1][static_cast<std::size_t>(slot)];
        if (std::find(more.begin(), more.end(), end) == more.end()) {
            emit(stage, planOf(stage, node), step.decorations, stubFor(stage, slot, true, step.end),
                 node);
            return;
        }
        emit(stage, planOf(stage, node), visibleOf(stage, step.decorations),
             moreStub(stage, slot, true, step.end, more), node);
    }

    std::vector<int> visibleOf(std::size_t stage, const std::vector<int>& chain) const
    {
        std::vector<int> shown;
        for (const int d : chain)
            if (isVisible(m_graph.slotOf(stage, d)))
                shown.push_back(d);
        return shown;
    }

    std::vector<int> placedOf(std::size_t stage, const std::vector<int>& chain) const
    {
        std::vector<int> placed;
        for (const int d : chain)
            if (planOf(stage, d) >= 0)
                placed.push_back(d);
        return placed;
    }

    /// The stub of a hidden neighbour: the same one for all its lines in that direction and, where a pass put another
    /// node in its place, in all stages.
    int stubFor(std::size_t stage, int anchorSlot, bool down, int hidden)
    {
        const int hiddenSlot = m_graph.slotOf(stage, hidden);
        const auto key = std::make_pair(hiddenSlot, down);
        if (const auto it = m_stubs.find(key); it != m_stubs.end()) {
            m_plan.nodes[static_cast<std::size_t>(it->second)].at[stage] = hidden;
            return it->second;
        }
        for (const int candidate : m_stubsOf[{anchorSlot, down}]) {
            auto& node = m_plan.nodes[static_cast<std::size_t>(candidate)];
            if (node.at[stage] >= 0 || !isAbsent(m_slotsOfStub[candidate], stage))
                continue;
            node.at[stage] = hidden;
            m_slotsOfStub[candidate].push_back(hiddenSlot);
            m_stubs[key] = candidate;
            return candidate;
        }
        const int stub = addStub(stage, hidden, down);
        m_stubs[key] = stub;
        m_stubsOf[{anchorSlot, down}].push_back(stub);
        m_slotsOfStub[stub].push_back(hiddenSlot);
        return stub;
    }

    bool isAbsent(const std::vector<int>& slots, std::size_t stage) const
    {
        return std::all_of(slots.begin(), slots.end(),
                           [&](int slot) { return m_graph.slot(slot).at[stage] < 0; });
    }

    int addStub(std::size_t stage, int hidden, bool down)
    {
        PlanNode node;
        node.at.assign(m_graph.stages.size(), -1);
        node.at[stage] = hidden;
        node.isDown = down;
        m_plan.nodes.push_back(std::move(node));
        return static_cast<int>(m_plan.nodes.size()) - 1;
    }

    int moreStub(std::size_t stage, int slot, bool down, int hidden, const std::vector<int>& more)
    {
        auto& stub = m_moreStubs.try_emplace({slot, down}, -1).first->second;
        if (stub < 0) {
            stub = addStub(stage, hidden, down);
            m_plan.nodes[static_cast<std::size_t>(stub)].text =
                "+" + std::to_string(more.size()) + " more";
            m_plan.nodes[static_cast<std::size_t>(stub)].hidden = more;
        }
        auto& at = m_plan.nodes[static_cast<std::size_t>(stub)].at[stage];
        at = at < 0 ? hidden : at;
        return stub;
    }

    int usesStub(std::size_t stage, int slot, int hub)
    {
        auto& stub = m_usesStubs.try_emplace(slot, -1).first->second;
        if (stub < 0) {
            stub = addStub(stage, hub, true);
            m_plan.nodes[static_cast<std::size_t>(stub)].text =
                std::to_string(m_graph.neighbours(slot, true).size()) + " uses";
        }
        m_plan.nodes[static_cast<std::size_t>(stub)].at[stage] = hub;
        return stub;
    }

    void addLine(std::size_t stage, int from, int to, bool isInt8)
    {
        if (from < 0 || to < 0 || !m_seen[stage].emplace(from, to).second)
            return;
        PlanEdge edge;
        edge.from = from;
        edge.to = to;
        edge.isInt8 = isInt8;
        m_plan.edges[stage].push_back(std::move(edge));
    }

    /// The lines of one step: through each decoration, or past them all when they are folded onto the edge.
    /// source: the node the value comes from, -1 if it is hidden.
    void emit(std::size_t stage, int from, const std::vector<int>& chain, int to, int source)
    {
        const auto& view = m_graph.stages[stage];
        if (!m_options.qdqOnEdges) {
            bool isInt8 = source >= 0 && view.carriesInt8(source);
            for (const int d : chain) {
                const int next = planOf(stage, d);
                if (next < 0)
                    continue;
                addLine(stage, from, next, isInt8);
                from = next;
                isInt8 = view.carriesInt8(d);
            }
            addLine(stage, from, to, isInt8);
            return;
        }
        if (from < 0 || to < 0)
            return;
        if (!m_seen[stage].emplace(from, to).second) {
            foldOnto(stage, from, to, chain);
            return;
        }
        PlanEdge edge;
        edge.from = from;
        edge.to = to;
        edge.folded = chain;
        for (const int d : chain) {
            edge.isInt8 = edge.isInt8 || view.at(d).kind == ItemKind::Quantize;
            if (const int label = planOf(stage, d); label >= 0) {
                edge.via.push_back(label);
                edge.label = m_labelled[stage].insert(label).second ? label : edge.label;
            }
        }
        m_plan.edges[stage].push_back(std::move(edge));
    }

    /// A second way between the same two, such as a dq of its own for each op in a box: one line holds both.
    void foldOnto(std::size_t stage, int from, int to, const std::vector<int>& chain)
    {
        const auto line =
            std::find_if(m_plan.edges[stage].rbegin(), m_plan.edges[stage].rend(),
                         [&](const PlanEdge& edge) { return edge.from == from && edge.to == to; });
        for (const int d : chain)
            if (std::find(line->folded.begin(), line->folded.end(), d) == line->folded.end())
                line->folded.push_back(d);
    }

    const UnionGraph& m_graph;
    const Focus& m_focus;
    const ViewOptions& m_options;
    ViewPlan m_plan;
    std::vector<bool> m_isHub; ///< per slot
    std::vector<std::set<int>> m_chain; ///< per stage: decorations that stand beside a consumer
    std::map<std::pair<int, bool>, int> m_stubs; ///< by hidden slot and direction
    std::map<std::pair<int, bool>, std::vector<int>> m_stubsOf; ///< by anchor slot and direction
    std::map<int, std::vector<int>> m_slotsOfStub;
    std::map<std::pair<int, bool>, int> m_moreStubs;
    std::map<int, int> m_usesStubs;
    std::vector<std::set<std::pair<int, int>>> m_seen; ///< per stage
    std::map<std::size_t, std::set<int>> m_labelled;
};

} // namespace

ViewPlan makePlan(const UnionGraph& graph, const Focus& focus, const ViewOptions& options)
{
    return Planner(graph, focus, options).run();
}

} // namespace pt2e
