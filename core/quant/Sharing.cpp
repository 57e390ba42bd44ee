#include "core/quant/Sharing.h"

#include <algorithm>

namespace pt2e {

namespace {

std::string pointText(const Graph& graph, const Point& point)
{
    const auto name = [&](NodeId id) {
        const Node* node = graph.find(id);
        return node ? node->name : "node " + std::to_string(id.value);
    };
    return point.isEdge() ? name(point.node) + "->" + name(point.user) : name(point.node);
}

/// The attributes that implicit sharing compares; absent ones must be absent on both sides. The class of the spec
/// and the observer are not among them.
struct Comparable
{
    std::optional<DType> dtype;
    std::optional<bool> isDynamic;
    // The outer optional: the spec class has such an attribute; the inner one: Python's None.
    std::optional<std::optional<std::int64_t>> quantMin, quantMax, chAxis;
    std::optional<std::optional<QScheme>> qscheme;
    std::optional<double> scale;
    std::optional<std::int64_t> zeroPoint;
    friend bool operator==(const Comparable&, const Comparable&) = default;
};

std::optional<Comparable> comparable(const Spec& spec)
{
    Comparable c;
    const auto common = [&c](const auto& s) {
        c.dtype = s.dtype;
        c.isDynamic = s.isDynamic;
        c.quantMin = s.quantMin;
        c.quantMax = s.quantMax;
        c.qscheme = s.qscheme;
    };
    if (const auto* observed = std::get_if<ObservedSpec>(&spec)) {
        common(*observed);
        c.chAxis = observed->chAxis;
    } else if (const auto* fixed = std::get_if<FixedSpec>(&spec)) {
        common(*fixed);
        c.scale = fixed->scale;
        c.zeroPoint = fixed->zeroPoint;
    } else if (const auto* derived = std::get_if<DerivedSpec>(&spec)) {
        common(*derived);
        c.chAxis = derived->chAxis;
    } else {
        return std::nullopt;
    }
    return c;
}

/// torchao's _get_edge_or_node_to_group_id, step by step.
class Grouping
{
public:
    Grouping(const Graph& graph, const AnnotationTable& annotations, SharingGroups& groups)
        : m_graph(graph),
          m_annotations(annotations),
          m_groups(groups),
          m_parent(groups.specs.size())
    {
        for (std::size_t i = 0; i < m_parent.size(); ++i)
            m_parent[i] = i;
    }

    Result<void> run()
    {
        for (std::size_t key = 0; key < m_groups.specs.size(); ++key) {
            if (m_groups.specs[key].first.isEdge())
                PT2E_TRY(joinEdge(key));
            else
                PT2E_TRY(joinIfShared(key));
        }
        number();
        return {};
    }

private:
    const Spec& spec(std::size_t key) const { return m_groups.specs[key].second; }
    Result<std::size_t> indexOf(const Point& target, std::size_t asker) const;
    std::size_t root(std::size_t key);
    /// The index whose spec is the root spec of a key's own spec (which may be that key).
    Result<std::size_t> rootSpec(std::size_t key);
    Result<void> joinIfShared(std::size_t key);
    Result<void> joinEdge(std::size_t key);
    Result<void> joinIfEqual(const Point& candidate, std::size_t key, const Comparable& wanted);
    void unite(std::size_t parent, std::size_t child);
    void number();

    const Graph& m_graph;
    const AnnotationTable& m_annotations;
    SharingGroups& m_groups;
    std::vector<std::size_t> m_parent;
};

Result<std::size_t> Grouping::indexOf(const Point& target, std::size_t asker) const
{
    const auto it = m_groups.indexOf.find(target);
    if (it == m_groups.indexOf.end())
        return badInput("sharing: '" + pointText(m_graph, m_groups.specs[asker].first) + "'",
                        "is to share with '" + pointText(m_graph, target)
                            + "', which has no annotation (torchao raises KeyError)");
    return it->second;
}

std::size_t Grouping::root(std::size_t key)
{
    std::size_t top = key;
    while (m_parent[top] != top)
        top = m_parent[top];
    while (m_parent[key] != top)
        key = std::exchange(m_parent[key], top);
    return top;
}

Result<std::size_t> Grouping::rootSpec(std::size_t key)
{
    // A chain longer than the number of keys goes in a circle; the original recurses until Python stops it.
    for (std::size_t steps = 0; steps <= m_groups.specs.size(); ++steps) {
        const auto* shared = std::get_if<SharedSpec>(&spec(key));
        if (!shared)
            return key;
        PT2E_ASSIGN(const std::size_t target, indexOf(shared->with, key));
        key = root(target);
    }
    return badInput("sharing: '" + pointText(m_graph, m_groups.specs[key].first) + "'",
                    "shared specs name each other in a circle");
}

/// torchao's _union with its exception: a parent that is itself to share with the child goes below it.
void Grouping::unite(std::size_t parent, std::size_t child)
{
    const std::size_t p = root(parent);
    const std::size_t c = root(child);
    const auto* shared = std::get_if<SharedSpec>(&spec(p));
    if (shared && shared->with == m_groups.specs[c].first)
        m_parent[p] = c;
    else
        m_parent[c] = p;
}

Result<void> Grouping::joinIfShared(std::size_t key)
{
    if (const auto* shared = std::get_if<SharedSpec>(&spec(key))) {
        PT2E_ASSIGN(const std::size_t target, indexOf(shared->with, key));
        unite(target, key);
    }
    return {};
}

Result<void> Grouping::joinIfEqual(const Point& candidate, std::size_t key,
                                   const Comparable& wanted)
{
    const auto it = m_groups.indexOf.find(candidate);
    if (it == m_groups.indexOf.end())
        return {};
    PT2E_ASSIGN(const std::size_t theirs, rootSpec(it->second));
    if (comparable(spec(theirs)) == wanted)
        unite(it->second, key);
    return {};
}

Result<void> Grouping::joinEdge(std::size_t key)
{
    const Point edge = m_groups.specs[key].first;
    PT2E_ASSIGN(const std::size_t own, rootSpec(key));
    const std::optional<Comparable> wanted = comparable(spec(own));
    const Annotation* annotation = m_annotations.find(edge.user);
    if (wanted && annotation && annotation->allowImplicitSharing) {
        for (NodeId user : m_graph.node(edge.node).users) {
            if (user != edge.user)
                PT2E_TRY(joinIfEqual(Point::edge(edge.node, user), key, *wanted));
        }
        PT2E_TRY(joinIfEqual(Point::output(edge.node), key, *wanted));
    }
    return joinIfShared(key);
}

void Grouping::number()
{
    std::unordered_map<std::size_t, std::size_t> numberOf;
    for (std::size_t key = 0; key < m_groups.specs.size(); ++key) {
        const auto [it, isNew] = numberOf.emplace(root(key), m_groups.groupCount);
        m_groups.groupCount += isNew ? 1 : 0;
        m_groups.groupOf[m_groups.specs[key].first] = it->second;
    }
}

} // namespace

const Spec* SharingGroups::specAt(const Point& point) const
{
    const auto it = indexOf.find(point);
    return it == indexOf.end() ? nullptr : &specs[it->second].second;
}

std::vector<std::vector<Point>> SharingGroups::groups() const
{
    std::vector<std::vector<Point>> members(groupCount);
    for (const auto& [point, spec] : specs)
        members[groupOf.at(point)].push_back(point);
    return members;
}

void SharingGroups::add(SharingGroups other)
{
    for (const auto& [point, spec] : other.specs) {
        indexOf.emplace(point, specs.size());
        groupOf.emplace(point, groupCount + other.groupOf.at(point));
        specs.emplace_back(point, spec);
    }
    groupCount += other.groupCount;
}

Result<SharingGroups> shareGroups(const Graph& graph, const AnnotationTable& annotations)
{
    SharingGroups groups;
    const auto add = [&](const Point& point, const Spec& spec) {
        const auto [it, isNew] = groups.indexOf.emplace(point, groups.specs.size());
        if (isNew)
            groups.specs.emplace_back(point, spec);
        else
            groups.specs[it->second].second = spec;
    };
    for (const Node& node : graph) {
        const Annotation* annotation = annotations.find(node.id);
        if (!annotation)
            continue;
        for (const auto& [input, spec] : annotation->inputs) {
            if (!graph.contains(input))
                return badInput("sharing: node '" + node.name + "'",
                                "its annotation names an input that is not in the graph");
            add(Point::edge(input, node.id), spec);
        }
        if (!isNone(annotation->output))
            add(Point::output(node.id), annotation->output);
    }
    PT2E_TRY(Grouping(graph, annotations, groups).run());
    return groups;
}

} // namespace pt2e
