#include "core/view/LayeredLayout.h"

#include "core/view/LayeredLayoutSteps.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

using layered::ProperGraph;

/// Room below each layer: little around observers, q and dq on a straight line, more where lines travel sideways.
std::vector<double> gaps(const LayeredLayout& layout, const ProperGraph& graph)
{
    constexpr double kSmall = 9;
    constexpr double kNormal = 22;
    constexpr double kClear = 58; // more than a small layer with its gaps: nearer to what is below
    std::vector<double> gap(graph.layers.size(), 0);
    const auto allSmall = [&](const std::vector<int>& layer) {
        return std::all_of(layer.begin(), layer.end(), [&](int v) {
            const int node = graph.vertices[static_cast<std::size_t>(v)].node;
            return node < 0 || layout.nodes[static_cast<std::size_t>(node)].isSmall;
        });
    };
    const auto belongsBelow = [&](const std::vector<int>& layer) {
        return std::any_of(layer.begin(), layer.end(), [&](int v) {
            const int node = graph.vertices[static_cast<std::size_t>(v)].node;
            return node >= 0 && layout.nodes[static_cast<std::size_t>(node)].belongsBelow;
        });
    };
    for (std::size_t i = 0; i + 1 < graph.layers.size(); ++i) {
        double travel = 0;
        for (const int v : graph.layers[i])
            for (const int s : graph.vertices[static_cast<std::size_t>(v)].down) {
                const auto& segment = graph.segments[static_cast<std::size_t>(s)];
                travel = std::max(
                    travel, std::abs(graph.vertices[static_cast<std::size_t>(segment.to)].x
                                     - graph.vertices[static_cast<std::size_t>(segment.from)].x));
            }
        gap[i] = allSmall(graph.layers[i]) || allSmall(graph.layers[i + 1]) ? kSmall : kNormal;
        if (belongsBelow(graph.layers[i + 1]))
            gap[i] = kClear;
        if (travel > 1)
            gap[i] = std::max(gap[i], std::min(18 + travel * 0.1, 56.0));
    }
    return gap;
}

} // namespace

Result<void> LayeredLayout::run(const JobContext& context)
{
    layers.clear();
    bounds = {};
    crossings = 0;
    if (nodes.empty())
        return {};
    const int count = layered::assignLayers(*this);
    PT2E_TRY(context.checkpoint());
    auto graph = layered::makeProper(*this, count);
    PT2E_ASSIGN(crossings, layered::reduceCrossings(graph, context));
    PT2E_TRY(layered::assignX(graph, context));

    const auto gap = gaps(*this, graph);
    double y = 0;
    for (std::size_t i = 0; i < graph.layers.size(); ++i) {
        double height = 0;
        for (const int v : graph.layers[i])
            if (const int node = graph.vertices[static_cast<std::size_t>(v)].node; node >= 0)
                height = std::max(height, nodes[static_cast<std::size_t>(node)].height);
        layers.push_back({y, y + height});
        y += height + gap[i];
    }
    double left = std::numeric_limits<double>::max();
    double right = std::numeric_limits<double>::lowest();
    for (auto& v : graph.vertices) {
        v.x = std::round(v.x);
        left = std::min(left, v.x - v.left);
        right = std::max(right, v.x + v.right);
        if (v.node >= 0) {
            const auto& layer = layers[static_cast<std::size_t>(v.layer)];
            nodes[static_cast<std::size_t>(v.node)].center = {v.x, (layer.top + layer.bottom) / 2};
        }
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        edges[e].corridors.clear();
        for (const int dummy : graph.chains[e])
            edges[e].corridors.push_back(graph.vertices[static_cast<std::size_t>(dummy)].x);
    }
    bounds = {left, 0, right - left, layers.back().bottom};
    return {};
}

} // namespace pt2e
