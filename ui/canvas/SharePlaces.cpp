#include "ui/canvas/SharePlaces.h"

#include "core/pipeline/SharePoints.h"

#include <algorithm>
#include <unordered_set>

namespace pt2e::ui {

namespace {

bool isFloat(const Node& node)
{
    const TensorMeta* meta = node.val.tensor();
    return !meta || isFloatingPoint(meta->dtype);
}

QPointF lowerMiddle(const RectF& rect) { return {rect.x + rect.width / 2, rect.y + rect.height}; }

class Finder
{
public:
    Finder(const PaneContent& content, const Graph& folded) : m_content(content), m_folded(folded)
    {}

    void addBadges(const Graph& stage, const PreparedGraph& prepared)
    {
        const auto& items = m_content.scene.items;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind != ItemKind::Observer)
                continue;
            const RectF& rect = items[i].rect;
            SharePlace place{static_cast<int>(i),
                             true,
                             {rect.x + rect.width / 2, rect.y + rect.height / 2},
                             pointsOfObserver(prepared, stage, items[i].node)};
            m_taken.insert(place.points.begin(), place.points.end());
            if (!place.points.empty())
                m_places.push_back(std::move(place));
        }
    }

    void addSpots()
    {
        const Scene& scene = m_content.scene;
        for (const SceneEdge& edge : scene.edges) {
            const SceneItem& from = scene.items[static_cast<std::size_t>(edge.from)];
            const SceneItem& to = scene.items[static_cast<std::size_t>(edge.to)];
            const Node* source = m_folded.find(from.node);
            const Node* user = operatorOf(to);
            const bool isNode = from.kind == ItemKind::Op || from.kind == ItemKind::Placeholder
                                || from.kind == ItemKind::Weight;
            if (!isNode || !source || !user || !isFloat(*source))
                continue;
            const std::vector<NodeId> inputs = user->inputs();
            if (std::find(inputs.begin(), inputs.end(), source->id) != inputs.end())
                add(edge.to, {edge.points.back().x, edge.points.back().y},
                    Point::edge(source->id, user->id));
        }
        for (std::size_t i = 0; i < scene.items.size(); ++i) {
            const Node* node = operatorOf(scene.items[i]);
            if (node && isFloat(*node) && !m_content.edgesOut[i].empty())
                add(static_cast<int>(i), lowerMiddle(scene.items[i].rect), Point::output(node->id));
        }
    }

    std::vector<SharePlace> take() { return std::move(m_places); }

private:
    const Node* operatorOf(const SceneItem& item) const
    {
        const Node* node = item.kind == ItemKind::Op ? m_folded.find(item.node) : nullptr;
        return node && node->is(OpKind::CallFunction) ? node : nullptr;
    }

    void add(int item, const QPointF& at, const Point& point)
    {
        if (m_taken.insert(point).second)
            m_places.push_back({item, false, at, {point}});
    }

    const PaneContent& m_content;
    const Graph& m_folded;
    std::unordered_set<Point> m_taken;
    std::vector<SharePlace> m_places;
};

} // namespace

std::vector<SharePlace> sharePlaces(const PaneContent& content, const Graph& folded,
                                    const Graph& stage, const PreparedGraph* prepared)
{
    Finder finder(content, folded);
    if (prepared)
        finder.addBadges(stage, *prepared);
    finder.addSpots();
    return finder.take();
}

} // namespace pt2e::ui
