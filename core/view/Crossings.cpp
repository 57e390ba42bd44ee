// Few crossings: barycentre sweeps down and up, the best order kept.
#include "core/view/LayeredLayoutSteps.h"

#include <algorithm>

namespace pt2e::layered {

namespace {

using Order = std::vector<std::vector<int>>;

void setPositions(ProperGraph& graph, const std::vector<int>& layer)
{
    for (std::size_t i = 0; i < layer.size(); ++i)
        graph.vertices[static_cast<std::size_t>(layer[i])].position = static_cast<int>(i);
}

/// Crossings between a layer and the next one: inversions, counted with a Fenwick tree (Barth, Jünger, Mutzel).
long long crossingsBelow(const ProperGraph& graph, std::size_t layer)
{
    if (layer + 1 >= graph.layers.size())
        return 0;
    std::vector<int> targets;
    for (const int v : graph.layers[layer]) {
        const auto first = targets.size();
        for (const int s : graph.vertices[static_cast<std::size_t>(v)].down) {
            const auto to =
                static_cast<std::size_t>(graph.segments[static_cast<std::size_t>(s)].to);
            targets.push_back(graph.vertices[to].position);
        }
        std::sort(targets.begin() + static_cast<std::ptrdiff_t>(first), targets.end());
    }
    const auto width = graph.layers[layer + 1].size();
    std::vector<int> tree(width + 1, 0);
    long long crossings = 0;
    long long seen = 0;
    for (const int target : targets) {
        long long notRight = 0;
        for (int i = target + 1; i > 0; i -= i & -i)
            notRight += tree[static_cast<std::size_t>(i)];
        crossings += seen - notRight;
        for (int i = target + 1; i <= static_cast<int>(width); i += i & -i)
            ++tree[static_cast<std::size_t>(i)];
        ++seen;
    }
    return crossings;
}

long long crossings(const ProperGraph& graph)
{
    long long sum = 0;
    for (std::size_t layer = 0; layer + 1 < graph.layers.size(); ++layer)
        sum += crossingsBelow(graph, layer);
    return sum;
}

/// Sorts a layer by the mean position of its neighbours in the layer above or below; what has none stays put.
void sortByBarycenter(ProperGraph& graph, std::vector<int>& layer, bool fromAbove)
{
    std::vector<std::pair<double, int>> keyed;
    keyed.reserve(layer.size());
    for (const int v : layer) {
        const auto& vertex = graph.vertices[static_cast<std::size_t>(v)];
        const auto& segments = fromAbove ? vertex.up : vertex.down;
        double sum = 0;
        for (const int s : segments) {
            const auto& segment = graph.segments[static_cast<std::size_t>(s)];
            sum += graph.vertices[static_cast<std::size_t>(fromAbove ? segment.from : segment.to)]
                       .position;
        }
        keyed.emplace_back(
            segments.empty() ? vertex.position : sum / static_cast<double>(segments.size()), v);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& x, const auto& y) { return x.first < y.first; });
    for (std::size_t i = 0; i < layer.size(); ++i)
        layer[i] = keyed[i].second;
    setPositions(graph, layer);
}

} // namespace

Result<int> reduceCrossings(ProperGraph& graph, const JobContext& context)
{
    auto best = graph.layers;
    auto fewest = crossings(graph);
    // Enough sweeps for small graphs to settle; large ones are mostly chains and settle at once.
    const auto size = graph.vertices.size() + graph.segments.size();
    const int sweeps =
        static_cast<int>(std::clamp<std::size_t>(400000 / std::max<std::size_t>(size, 1), 4, 24));
    int withoutGain = 0;
    for (int sweep = 0; sweep < sweeps && fewest > 0 && withoutGain < 4; ++sweep) {
        PT2E_TRY(context.checkpoint());
        const bool down = sweep % 2 == 0;
        const auto count = graph.layers.size();
        for (std::size_t i = 1; i < count; ++i)
            sortByBarycenter(graph, graph.layers[down ? i : count - 1 - i], down);
        const auto now = crossings(graph);
        ++withoutGain;
        if (now < fewest) {
            fewest = now;
            best = graph.layers;
            withoutGain = 0;
        }
    }
    graph.layers = std::move(best);
    for (const auto& layer : graph.layers)
        setPositions(graph, layer);
    return static_cast<int>(std::min<long long>(fewest, 1000000000));
}

} // namespace pt2e::layered
