#include "core/analysis/SensitivityGroups.h"

#include "core/pipeline/Edits.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_set>

namespace pt2e {

namespace {

class GroupMaker
{
public:
    GroupMaker(const Snapshot& snapshot, const SwitchedGraph& switched)
        : m_snapshot(snapshot),
          m_switched(switched),
          m_names(*snapshot.annotated->folded.graph),
          m_parent(switched.instanceCount()),
          m_isWeight(switched.instanceCount(), true),
          m_isUsed(switched.instanceCount(), false)
    {
        std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
        for (const QuantizationSite& site : switched.sites()) {
            m_isUsed[site.instance.value] = true;
            m_isWeight[site.instance.value] = m_isWeight[site.instance.value] && site.isConstant;
        }
    }

    std::vector<SensitivityGroup> make()
    {
        joinWeights(*m_snapshot.prepared->graph);
        collectNodes(*m_snapshot.prepared->graph);
        std::vector<SensitivityGroup> groups;
        std::map<std::size_t, std::size_t> groupOf; // root → place
        for (const auto& [root, nodes] : m_nodes) {
            groupOf.emplace(root, groups.size());
            groups.push_back({{}, nodes, {}, {}, {}});
        }
        addInstances(groups, groupOf);
        addPoints(groups, groupOf);
        sortAndName(groups);
        return groups;
    }

private:
    std::size_t root(std::size_t instance) const
    {
        while (m_parent[instance] != instance)
            instance = m_parent[instance];
        return instance;
    }
    bool isUsedWeight(ObserverId id) const
    {
        return id && m_isUsed[id.value] && m_isWeight[id.value];
    }
    ObserverId resultInstance(const Graph& graph, const Node& operation) const;
    void joinWeights(const Graph& graph);
    void collectNodes(const Graph& graph);
    void addInstances(std::vector<SensitivityGroup>& groups,
                      const std::map<std::size_t, std::size_t>& groupOf) const;
    void addPoints(std::vector<SensitivityGroup>& groups,
                   const std::map<std::size_t, std::size_t>& groupOf) const;
    void sortAndName(std::vector<SensitivityGroup>& groups) const;

    const Snapshot& m_snapshot;
    const SwitchedGraph& m_switched;
    NodeNames m_names;
    std::vector<std::size_t> m_parent; ///< by instance
    std::vector<bool> m_isWeight;
    std::vector<bool> m_isUsed;
    std::map<std::size_t, std::vector<NodeId>> m_nodes; ///< by root
};

/// The instance that quantizes an operator's result, perhaps behind operators annotated with it.
ObserverId GroupMaker::resultInstance(const Graph& graph, const Node& operation) const
{
    const Node* node = &operation;
    while (node) {
        const Node* next = nullptr;
        for (const NodeId id : node->users) {
            const ObserverId instance = m_switched.instanceAt(id);
            if (instance && m_isUsed[instance.value] && !m_isWeight[instance.value])
                return instance;
            next = &graph.node(id);
        }
        const bool goesOn = node->users.size() == 1 && next->is(OpKind::CallFunction)
                            && m_snapshot.annotated->annotations.isAnnotated(next->id);
        node = goesOn ? next : nullptr;
    }
    return {};
}

void GroupMaker::joinWeights(const Graph& graph)
{
    for (const Node& node : graph) {
        std::vector<std::size_t> own;
        for (const NodeId input : node.inputs()) {
            if (const ObserverId id = m_switched.instanceAt(input); isUsedWeight(id))
                own.push_back(id.value);
        }
        if (own.empty() || m_switched.instanceAt(node.id))
            continue;
        if (const ObserverId result = resultInstance(graph, node))
            own.insert(own.begin(), result.value);
        for (const std::size_t instance : own)
            m_parent[root(instance)] = root(own.front());
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            joinWeights(*body);
    }
}

/// Operators whose result an instance quantizes, and those that read its weights.
void GroupMaker::collectNodes(const Graph& graph)
{
    const auto add = [this](std::size_t instance, NodeId node) {
        std::vector<NodeId>& nodes = m_nodes[root(instance)];
        if (std::find(nodes.begin(), nodes.end(), node) == nodes.end())
            nodes.push_back(node);
    };
    for (const Node& node : graph) {
        if (m_switched.instanceAt(node.id) || node.is(OpKind::GetAttr))
            continue;
        for (const NodeId input : node.inputs()) {
            if (const ObserverId id = m_switched.instanceAt(input); isUsedWeight(id))
                add(id.value, node.id);
        }
        for (const NodeId user : node.users) {
            const ObserverId id = m_switched.instanceAt(user);
            if (id && m_isUsed[id.value])
                add(id.value, node.id);
        }
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            collectNodes(*body);
    }
}

void GroupMaker::addInstances(std::vector<SensitivityGroup>& groups,
                              const std::map<std::size_t, std::size_t>& groupOf) const
{
    for (std::size_t i = 0; i < m_parent.size(); ++i) {
        const auto place = groupOf.find(root(i));
        if (!m_isUsed[i] || place == groupOf.end())
            continue;
        SensitivityGroup& group = groups[place->second];
        (m_isWeight[i] ? group.weights : group.activations)
            .push_back(ObserverId{static_cast<std::uint32_t>(i)});
    }
}

void GroupMaker::addPoints(std::vector<SensitivityGroup>& groups,
                           const std::map<std::size_t, std::size_t>& groupOf) const
{
    const PreparedGraph& prepared = *m_snapshot.prepared;
    for (const auto& [point, spec] : prepared.sharing.specs) {
        const auto instance = prepared.instanceOf.find(point);
        if (instance == prepared.instanceOf.end() || isNone(spec))
            continue;
        const auto place = groupOf.find(root(instance->second.value));
        if (place != groupOf.end())
            groups[place->second].points.push_back(namedPoint(point, m_names));
    }
}

/// "conv2d + relu"; the first three of more.
std::string nameOf(const std::vector<std::string>& nodes)
{
    constexpr std::size_t kMost = 3;
    std::string name;
    for (std::size_t i = 0; i < std::min(nodes.size(), kMost); ++i)
        name += (i ? " + " : "") + nodes[i];
    return nodes.size() > kMost ? name + " + " + std::to_string(nodes.size() - kMost) + " more"
                                : name;
}

void GroupMaker::sortAndName(std::vector<SensitivityGroup>& groups) const
{
    std::unordered_map<NodeId, std::size_t> order;
    for (const NodeNames::Entry& entry : m_names.entries())
        order.emplace(entry.node->id, order.size());
    const auto placeOf = [&](NodeId id) {
        const auto found = order.find(id);
        return found == order.end() ? order.size() : found->second;
    };
    const auto byPlace = [&](NodeId a, NodeId b) { return placeOf(a) < placeOf(b); };
    for (SensitivityGroup& group : groups)
        std::sort(group.nodes.begin(), group.nodes.end(), byPlace);
    std::stable_sort(groups.begin(), groups.end(),
                     [&](const SensitivityGroup& a, const SensitivityGroup& b) {
                         return byPlace(a.nodes.front(), b.nodes.front());
                     });
    std::unordered_map<std::string, int> taken;
    for (SensitivityGroup& group : groups) {
        std::vector<std::string> names;
        for (const NodeId id : group.nodes)
            names.push_back(m_names.nameOf(id));
        group.name = nameOf(names);
        if (const int before = taken[group.name]++; before > 0)
            group.name += " (" + std::to_string(before + 1) + ")";
    }
}

} // namespace

std::vector<SensitivityGroup> sensitivityGroups(const Snapshot& snapshot,
                                                const SwitchedGraph& switched)
{
    return GroupMaker(snapshot, switched).make();
}

InstanceSet instancesOf(const Snapshot& snapshot, const std::vector<SensitivityGroup>& groups,
                        const std::vector<bool>& isOn, GroupPart part)
{
    const std::vector<ObserverInstance>& instances = snapshot.prepared->instances;
    InstanceSet on(instances.size(), false);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (!isOn[i])
            continue;
        if (part != GroupPart::Activations) {
            for (const ObserverId id : groups[i].weights)
                on[id.value] = true;
        }
        if (part != GroupPart::Weights) {
            for (const ObserverId id : groups[i].activations)
                on[id.value] = true;
        }
    }
    // What a point is derived from has a lower number: prepare made it before.
    for (const ObserverInstance& instance : instances) {
        const auto isOff = [&](ObserverId from) { return !from || !on[from.value]; };
        const std::vector<ObserverId>& from = instance.config.derivedFrom;
        if (std::any_of(from.begin(), from.end(), isOff))
            on[instance.id.value] = false;
    }
    return on;
}

std::vector<Edit> floatEdits(const Snapshot& snapshot, const InstanceSet& on)
{
    const NodeNames names(*snapshot.annotated->folded.graph);
    const PreparedGraph& prepared = *snapshot.prepared;
    std::vector<Edit> edits;
    for (const auto& [point, spec] : prepared.sharing.specs) {
        const auto instance = prepared.instanceOf.find(point);
        if (instance == prepared.instanceOf.end() || isNone(spec) || on[instance->second.value])
            continue;
        Edit edit;
        edit.at = namedPoint(point, names);
        edits.push_back(std::move(edit));
    }
    return edits;
}

} // namespace pt2e
