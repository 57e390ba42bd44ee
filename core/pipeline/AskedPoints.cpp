#include "core/pipeline/AskedPoints.h"

#include <unordered_set>

namespace pt2e {

AskedPoints::AskedPoints(const AnnotatedStage& stage)
    : m_annotations(stage.annotations),
      m_names(*stage.folded.graph)
{
    const auto add = [&](Point at, NodeId owner, const Spec& spec) {
        if (isNone(spec))
            return;
        m_indexOf.emplace(at, m_points.size());
        m_points.push_back({at, owner, &spec});
    };
    for (const NodeNames::Entry& entry : m_names.entries()) {
        const Annotation* annotation = m_annotations.find(entry.node->id);
        if (!annotation)
            continue;
        for (const auto& [input, spec] : annotation->inputs)
            add(Point::edge(input, entry.node->id), entry.node->id, spec);
        add(Point::output(entry.node->id), entry.node->id, annotation->output);
    }
    m_parent.resize(m_points.size());
    for (std::size_t i = 0; i < m_parent.size(); ++i)
        m_parent[i] = i;
    std::unordered_map<NodeId, std::size_t> firstOf; // of a value
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const auto [first, isNew] = firstOf.emplace(m_points[i].at.node, i);
        if (!isNew)
            unite(i, m_points[first->second].at);
        if (const auto* shared = std::get_if<SharedSpec>(m_points[i].spec))
            unite(i, shared->with);
        if (const auto* derived = std::get_if<DerivedSpec>(m_points[i].spec)) {
            for (const Point& from : derived->from)
                unite(i, from);
        }
    }
    for (std::size_t i = 0; i < m_points.size(); ++i)
        m_classes[classOf(i)].push_back(i);
}

std::size_t AskedPoints::classOf(std::size_t index) const
{
    while (m_parent[index] != index)
        index = m_parent[index] = m_parent[m_parent[index]];
    return index;
}

void AskedPoints::unite(std::size_t a, const Point& other)
{
    if (const auto it = m_indexOf.find(other); it != m_indexOf.end())
        m_parent[classOf(a)] = classOf(it->second);
}

const Spec* AskedPoints::specAt(const Point& point) const
{
    const auto it = m_indexOf.find(point);
    return it == m_indexOf.end() ? nullptr : m_points[it->second].spec;
}

Point AskedPoints::root(Point point) const
{
    std::unordered_set<Point> seen;
    while (seen.insert(point).second) {
        const Spec* spec = specAt(point);
        if (!spec)
            return {};
        const auto* shared = std::get_if<SharedSpec>(spec);
        if (!shared)
            return point;
        point = shared->with;
    }
    return {};
}

bool AskedPoints::isConstant(const Point& point) const
{
    const NodeNames::Entry* entry = m_names.entry(point.node);
    return entry && entry->node->is(OpKind::GetAttr);
}

const std::vector<std::size_t>& AskedPoints::together(std::size_t index) const
{
    return m_classes.at(classOf(index));
}

std::optional<std::size_t> AskedPoints::indexOf(const Point& point) const
{
    const auto it = m_indexOf.find(point);
    return it == m_indexOf.end() ? std::nullopt : std::optional(it->second);
}

} // namespace pt2e
