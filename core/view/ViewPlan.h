// What gets a place: the shown slots and the stubs, and which lines each stage draws between them, each along the places
// that other stages have put between its ends. Internal to core/view.
#pragma once

#include "core/view/Focus.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e {

struct PlanNode
{
    int slot = -1; ///< or -1: a stub
    std::vector<int>
        at; ///< per stage: the node, for a stub the hidden node; -1 where there is none
    std::string text; ///< of a stub that stands for several: "+12 more", "40 uses"
    bool isDown = false; ///< stub: below what it belongs to
    std::vector<int> hidden; ///< stub: further hidden slots
    bool isLabel =
        false; ///< ViewOptions::qdqOnEdges: room for the text of an observer or q, no item
};

struct PlanEdge
{
    int from = 0; ///< plan nodes
    int to = 0;
    std::vector<int> via; ///< plan nodes it runs through
    std::vector<int> folded; ///< node indices of observers, q and dq folded onto it
    int label = -1; ///< plan node where its text stands, or -1
    bool isInt8 = false;
};

/// A hub beside one of its consumers instead of a line to it.
struct Chip
{
    int source = -1; ///< node index of the hub
    std::vector<int> chain; ///< decorations between it and the consumer
    bool isInt8 = false; ///< what leaves the hub's side
};

struct ViewPlan
{
    std::vector<PlanNode> nodes;
    std::vector<int> planOf; ///< per slot, -1: has no place
    std::vector<std::vector<PlanEdge>> edges; ///< per stage
    std::vector<std::unordered_map<int, std::vector<Chip>>>
        chips; ///< per stage, by consumer's node index
};

/// Fills PlanEdge::via: a line of one stage runs along the places other stages have put between its ends. Part of makePlan.
void routeLines(const UnionGraph& graph, ViewPlan& plan);

ViewPlan makePlan(const UnionGraph& graph, const Focus& focus, const ViewOptions& options);

} // namespace pt2e
