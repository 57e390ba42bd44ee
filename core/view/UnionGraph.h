// The graphs of the shown stages laid over each other: the same node, or an observer and the q made from it, has one
// slot and with it one place. Internal to core/view.
#pragma once

#include "core/view/StageView.h"

#include <span>
#include <vector>

namespace pt2e {

struct Slot
{
    ViewRole role = ViewRole::Core; ///< Core or Decoration
    std::vector<int> at; ///< per stage the node's index in StageView::nodes, or -1
};

/// From a core node through decorations to the next core node, in one stage.
struct CoreStep
{
    std::vector<int> decorations; ///< node indices, nearest first
    int end = -1; ///< node index of the core node
};

class UnionGraph
{
public:
    /// The views must outlive it. Of two recipes: `shared` has the nodes that are the same ones in both, as the ids of all others are each recipe's own.
    explicit UnionGraph(std::span<const StageView> views, const Graph* shared = nullptr);

    std::span<const StageView> stages;
    std::vector<Slot> slots;
    int slotOf(std::size_t stage, int node) const
    {
        return m_slotOf[stage][static_cast<std::size_t>(node)];
    }
    const Slot& slot(int i) const { return slots[static_cast<std::size_t>(i)]; }

    /// Steps down (or up) from a node; for a decoration those beyond it.
    std::vector<CoreStep> steps(std::size_t stage, int node, bool down) const;
    /// Core slots next to a slot in any stage, distinct, first stage first.
    std::vector<int> neighbours(int slot, bool down) const;

    static constexpr std::size_t kHubFanOut = 16;
    /// Feeds so many that neither the hop walk nor lines should run through it.
    bool isHub(int slot) const { return m_isHub[static_cast<std::size_t>(slot)]; }

private:
    int findSlot(std::size_t stage, int node) const;
    bool meansTheSame(std::size_t a, std::size_t b, NodeId id) const;
    int dequantizeBeside(std::size_t stage, int node) const;
    const Graph* m_shared;
    std::vector<std::vector<int>> m_slotOf;
    std::vector<bool> m_isHub;
};

} // namespace pt2e
