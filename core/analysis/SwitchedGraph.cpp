#include "core/analysis/SwitchedGraph.h"

#include "core/analysis/GraphVariants.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>

namespace pt2e {

namespace {

void collectObservers(const Graph& graph, std::unordered_map<NodeId, ObserverId>& instanceOf)
{
    for (const Node& node : graph) {
        const ModuleRef* module =
            node.is(OpKind::CallModule) ? graph.modules().find(node.target) : nullptr;
        if (module)
            instanceOf.emplace(node.id, module->instance);
    }
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            collectObservers(*body, instanceOf);
    }
}

} // namespace

Result<SwitchedGraph> SwitchedGraph::make(const Snapshot& snapshot, const JobContext& context)
{
    SwitchedGraph switched;
    PT2E_ASSIGN(switched.m_full, unfoldedGraph(snapshot, context));
    switched.m_instanceCount = snapshot.prepared->instances.size();
    collectObservers(*snapshot.prepared->graph, switched.m_instanceOf);
    switched.collectSites(*switched.m_full);
    return switched;
}

ObserverId SwitchedGraph::instanceAt(NodeId observer) const
{
    const auto found = m_instanceOf.find(observer);
    return found == m_instanceOf.end() ? ObserverId{} : found->second;
}

void SwitchedGraph::collectSites(const Graph& graph)
{
    const std::vector<QuantizationSite> here = sitesIn(graph);
    m_sites.insert(m_sites.end(), here.begin(), here.end());
    for (const auto& [name, body] : graph.subgraphs()) {
        if (body)
            collectSites(*body);
    }
}

std::vector<QuantizationSite> SwitchedGraph::sitesIn(const Graph& graph) const
{
    std::vector<QuantizationSite> sites;
    std::unordered_map<NodeId, std::size_t> siteOf; // by observer node
    std::unordered_map<NodeId, bool> known;
    const auto observerOf = [this](const Node& node) {
        return m_instanceOf.contains(node.origin.node) ? node.origin.node : NodeId{};
    };
    for (const Node& node : graph) {
        const NodeId observer = observerOf(node);
        if (!observer)
            continue;
        const auto [it, isNew] = siteOf.emplace(observer, sites.size());
        if (isNew)
            sites.push_back({m_instanceOf.at(observer), {}, {}, false});
        QuantizationSite& site = sites[it->second];
        for (const NodeId input : node.inputs()) {
            if (observerOf(graph.node(input)) != observer)
                site.value = input;
        }
        const bool isRead = std::any_of(node.users.begin(), node.users.end(), [&](NodeId user) {
            return observerOf(graph.node(user)) != observer;
        });
        if (isRead)
            site.results.push_back(node.id);
    }
    std::erase_if(sites, [](const QuantizationSite& site) { return !site.value; });
    for (QuantizationSite& site : sites)
        site.isConstant = isConstant(graph, site.value, known);
    return sites;
}

GraphPtr SwitchedGraph::strip(const GraphPtr& graph, const InstanceSet& on) const
{
    GraphEditor editor{Graph(*graph)};
    std::unordered_map<NodeId, NodeId> replaced;
    for (const QuantizationSite& site : sitesIn(*graph)) {
        if (on[site.instance.value])
            continue;
        // By now it may read the value of a site before it.
        NodeId value = site.value;
        if (const auto before = replaced.find(value); before != replaced.end())
            value = before->second;
        for (const NodeId result : site.results) {
            editor.replaceAllUses(result, value);
            replaced.emplace(result, value);
        }
    }
    bool isChanged = !replaced.empty();
    for (const auto& [name, body] : graph->subgraphs()) {
        GraphPtr inner = body ? strip(body, on) : nullptr;
        isChanged |= inner != body;
        if (inner != body)
            editor.setSubgraph(name, std::move(inner));
    }
    if (!isChanged)
        return graph;
    editor.eliminateDeadCode();
    return std::move(editor).publish();
}

GraphPtr SwitchedGraph::only(const InstanceSet& on) const { return strip(m_full, on); }

} // namespace pt2e
