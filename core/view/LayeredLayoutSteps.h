// The steps of LayeredLayout::run, each a class of its own; internal to core/view.
#pragma once

#include "core/view/LayeredLayout.h"

#include <vector>

namespace pt2e::layered {

/// The graph with one dummy node per layer that an edge passes: every segment joins neighbouring layers.
struct ProperGraph
{
    struct Vertex
    {
        int node = -1; ///< index into LayeredLayout::nodes, or -1 for a dummy
        int layer = 0;
        int position = 0; ///< in its layer
        double left = 0;
        double right = 0;
        double x = 0;
        std::vector<int> up; ///< segments
        std::vector<int> down;
    };
    struct Segment
    {
        int from = 0;
        int to = 0;
        int edge = 0;
        double priority = 0; ///< who stays straight when two cannot
    };
    std::vector<Vertex> vertices;
    std::vector<Segment> segments;
    std::vector<std::vector<int>> layers; ///< vertices, left to right
    std::vector<std::vector<int>> chains; ///< per edge its dummies, top to bottom

    bool isDummy(int vertex) const { return vertices[static_cast<std::size_t>(vertex)].node < 0; }
};

/// Assigns LayoutNode::layer and marks reversed edges. Returns the number of layers.
int assignLayers(LayeredLayout& layout);
/// The proper graph, each layer in a first order: depth first, the longest chain leftmost.
ProperGraph makeProper(const LayeredLayout& layout, int layerCount);
/// Reorders the layers; returns the crossings left.
Result<int> reduceCrossings(ProperGraph& graph, const JobContext& context);
/// Sets Vertex::x: straight blocks first, then packed and balanced.
Result<void> assignX(ProperGraph& graph, const JobContext& context);

} // namespace pt2e::layered
