#include "core/view/UnionGraph.h"

#include <algorithm>

namespace pt2e {

namespace {

bool isObserverOrQuantize(ItemKind kind)
{
    return kind == ItemKind::Observer || kind == ItemKind::Quantize;
}

} // namespace

UnionGraph::UnionGraph(std::span<const StageView> views, const Graph* shared)
    : stages(views),
      m_shared(shared)
{
    for (std::size_t s = 0; s < stages.size(); ++s) {
        m_slotOf.emplace_back(stages[s].nodes.size(), -1);
        for (int i = 0; i < static_cast<int>(stages[s].nodes.size()); ++i) {
            const auto role = stages[s].at(i).role;
            if (role == ViewRole::Constant || role == ViewRole::Inside)
                continue;
            int slot = findSlot(s, i);
            if (slot < 0) {
                slot = static_cast<int>(slots.size());
                slots.push_back({role, std::vector<int>(stages.size(), -1)});
            }
            slots[static_cast<std::size_t>(slot)].at[s] = i;
            m_slotOf[s][static_cast<std::size_t>(i)] = slot;
        }
    }
    m_isHub.resize(slots.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot)
        m_isHub[slot] = slots[slot].role == ViewRole::Core
                        && neighbours(static_cast<int>(slot), true).size() >= kHubFanOut;
}

/// Whether an id names one node in both stages.
bool UnionGraph::meansTheSame(std::size_t a, std::size_t b, NodeId id) const
{
    return stages[a].recipe == stages[b].recipe || (m_shared && m_shared->contains(id));
}

/// The slot that a dq of the other recipe has on the way to the same consumer; -1: there is none.
int UnionGraph::dequantizeBeside(std::size_t stage, int node) const
{
    const auto& v = stages[stage].at(node);
    const int producerSlot = v.in.empty() ? -1 : slotOf(stage, v.in.front());
    for (std::size_t s = stage; producerSlot >= 0 && s-- > 0;) {
        const int producer = slot(producerSlot).at[s];
        if (producer < 0 || stages[s].recipe == stages[stage].recipe)
            continue;
        for (const int other : stages[s].at(producer).out) {
            const auto& candidate = stages[s].at(other);
            if (candidate.kind != ItemKind::Dequantize || candidate.role != ViewRole::Decoration
                || slot(slotOf(s, other)).at[stage] >= 0)
                continue;
            for (const int user : v.out) {
                const NodeId id = stages[stage].at(user).node->id;
                const int same = meansTheSame(s, stage, id) ? stages[s].indexOf(id) : -1;
                if (same >= 0
                    && std::find(candidate.out.begin(), candidate.out.end(), same)
                           != candidate.out.end())
                    return slotOf(s, other);
            }
        }
    }
    return -1;
}

/// The slot an earlier stage gave this node; for a q, that of the observer it was made from.
int UnionGraph::findSlot(std::size_t stage, int node) const
{
    const auto& v = stages[stage].at(node);
    const auto isFree = [&](int slot) { return slot >= 0 && this->slot(slot).at[stage] < 0; };
    for (std::size_t s = stage; s-- > 0;) {
        const int same = v.box >= 0                           ? stages[s].nodeOfBox(v.box)
                         : meansTheSame(s, stage, v.node->id) ? stages[s].indexOf(v.node->id)
                                                              : -1;
        if (same >= 0 && stages[s].at(same).box == v.box && isFree(slotOf(s, same)))
            return slotOf(s, same);
    }
    if (v.role == ViewRole::Decoration && v.kind == ItemKind::Dequantize)
        return dequantizeBeside(stage, node);
    if (v.role != ViewRole::Decoration || !isObserverOrQuantize(v.kind) || v.in.empty())
        return -1;
    const int producerSlot = slotOf(stage, v.in.front());
    for (std::size_t s = stage; s-- > 0;) {
        const int origin = meansTheSame(s, stage, v.node->origin.node)
                               ? stages[s].indexOf(v.node->origin.node)
                               : -1;
        if (origin >= 0 && stages[s].at(origin).role == ViewRole::Decoration
            && isFree(slotOf(s, origin)))
            return slotOf(s, origin);
        // Without a recorded origin: the observer that hangs on the same producer.
        const int producer = slot(producerSlot).at[s];
        if (producer < 0)
            continue;
        for (const int user : stages[s].at(producer).out)
            if (isObserverOrQuantize(stages[s].at(user).kind) && isFree(slotOf(s, user)))
                return slotOf(s, user);
    }
    return -1;
}

std::vector<CoreStep> UnionGraph::steps(std::size_t stage, int node, bool down) const
{
    const auto& view = stages[stage];
    std::vector<CoreStep> found;
    std::vector<CoreStep> open(1);
    open.back().end = node;
    while (!open.empty()) {
        const CoreStep step = std::move(open.back());
        open.pop_back();
        const auto& next = down ? view.at(step.end).out : view.at(step.end).in;
        const bool isStart = step.end == node;
        if (!isStart && view.at(step.end).role == ViewRole::Core) {
            found.push_back(step);
            continue;
        }
        for (auto it = next.rbegin(); it != next.rend(); ++it) {
            CoreStep longer = step;
            if (!isStart)
                longer.decorations.push_back(step.end);
            longer.end = *it;
            open.push_back(std::move(longer));
        }
    }
    return found;
}

std::vector<int> UnionGraph::neighbours(int slot, bool down) const
{
    std::vector<int> result;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        if (this->slot(slot).at[s] < 0)
            continue;
        for (const auto& step : steps(s, this->slot(slot).at[s], down)) {
            const int end = slotOf(s, step.end);
            if (std::find(result.begin(), result.end(), end) == result.end())
                result.push_back(end);
        }
    }
    return result;
}

} // namespace pt2e
