// A layered (Sugiyama) layout, top to bottom: layers, few crossings, straight main chain.
//
// Knows sizes and edges only, nothing of graphs of operators. Deterministic; about O((V + E) log V), where E counts
// one segment per layer an edge passes.
#pragma once

#include "core/base/JobContext.h"
#include "core/view/Scene.h"

#include <vector>

namespace pt2e {

struct LayoutNode
{
    double left = 0; ///< extent left of the axis that edges run along
    double right = 0;
    double height = 0;
    bool isSmall = false; ///< an observer, q or dq: little room above and below
    bool staysLow = false; ///< as close as possible to what it feeds (a dq)
    bool belongsBelow = false; ///< stands clear of what feeds it (the observer of an input alone)
    int layer = -1; ///< result
    PointF center; ///< result; x is the axis
};

struct LayoutEdge
{
    int from = 0;
    int to = 0;
    /// Result: the corridor through each layer in between, from the top of the layer to its bottom.
    std::vector<double> corridors;
    bool isReversed = false; ///< result: closed a cycle and was laid out upside down
};

struct LayoutLayer
{
    double top = 0;
    double bottom = 0;
};

struct LayeredLayout
{
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
    std::vector<LayoutLayer> layers; ///< result
    RectF bounds; ///< result, without margin
    int crossings = 0; ///< result

    /// Fails only when cancelled.
    Result<void> run(const JobContext& context);
};

} // namespace pt2e
