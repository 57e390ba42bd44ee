#include "core/view/Correspondence.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

Counterpart::How howOf(OriginKind kind)
{
    switch (kind) {
    case OriginKind::Same: return Counterpart::How::Same;
    case OriginKind::Inserted: return Counterpart::How::Inserted;
    case OriginKind::Fused: return Counterpart::How::FusedInto;
    case OriginKind::Decomposed: return Counterpart::How::Decomposed;
    case OriginKind::Folded: return Counterpart::How::Folded;
    case OriginKind::Duplicated: return Counterpart::How::Duplicated;
    }
    return Counterpart::How::Same;
}

/// Every graph there ever was, in order: stages, and between them what each pass left behind. The snapshot must outlive
/// it.
class History
{
public:
    explicit History(const Snapshot& snapshot)
    {
        if (snapshot.model)
            add(snapshot.model->exported.get(), "");
        if (snapshot.annotated)
            addStage(snapshot.annotated->folded.passes, snapshot.annotated->folded.graph, "fold");
        if (snapshot.prepared)
            addStage(snapshot.prepared->passes, snapshot.prepared->graph, "prepare");
        if (snapshot.converted)
            addStage(snapshot.converted->passes, snapshot.converted->graph, "convert");
    }

    struct Entry
    {
        const Graph* graph = nullptr;
        std::string_view pass; ///< that led to it
    };
    std::vector<Entry> entries;

    /// What took a node over when a pass removed it.
    struct Takeover
    {
        NodeId into;
        std::string_view pass;
    };
    /// Null: no pass removed the node.
    const Takeover* takeoverOf(NodeId node)
    {
        if (m_removed.empty())
            for (const PassRecord* record : m_records)
                for (const auto& removed : record->removed)
                    m_removed[removed.node] = {removed.into, record->name};
        const auto it = m_removed.find(node);
        return it == m_removed.end() ? nullptr : &it->second;
    }

    std::size_t indexOf(const Graph* graph) const
    {
        for (std::size_t i = entries.size(); i-- > 0;)
            if (entries[i].graph == graph)
                return i;
        return 0;
    }

    const Node* find(NodeId id) const
    {
        for (auto it = entries.rbegin(); it != entries.rend(); ++it)
            if (const Node* node = it->graph->find(id))
                return node;
        return nullptr;
    }

private:
    void addStage(const PassRecords& passes, const GraphPtr& result, std::string_view name)
    {
        for (const auto& record : passes) {
            if (!record.body.empty())
                continue; // another graph (BodyView)
            if (record.after)
                add(record.after.get(), record.name);
            m_records.push_back(&record);
        }
        if (result)
            add(result.get(), name);
    }
    void add(const Graph* graph, std::string_view pass)
    {
        if (graph && (entries.empty() || entries.back().graph != graph))
            entries.push_back({graph, pass});
    }
    std::vector<const PassRecord*> m_records;
    std::unordered_map<NodeId, Takeover> m_removed; ///< made when first asked for
};

/// The way back from a node: visit(ancestor, how, pass) for each ancestor in turn, nearest first, with the step that led
/// away from it, until it returns false. Where nodes name each other an ancestor may come twice.
template<typename Visit>
void visitAncestors(const History& history, NodeId id, const Visit& visit)
{
    auto how = Counterpart::How::Same;
    NodeId mark = id; // moved on ever more seldom: whoever runs in a circle meets it
    std::size_t steps = 0;
    std::size_t next = 1;
    for (const Node* node = history.find(id); node && node->origin.node.isValid();) {
        const NodeId ancestor = node->origin.node;
        // What a copy was copied from tells more than that it is one.
        const auto step = howOf(node->origin.kind);
        how = how == Counterpart::How::Same || how == Counterpart::How::Duplicated ? step : how;
        if (ancestor == mark || !visit(ancestor, how, node->origin.pass))
            return;
        if (++steps == next) {
            mark = ancestor;
            next *= 2;
        }
        node = history.find(ancestor);
    }
}

std::string removedBy(const History& history, std::size_t from, std::size_t to, NodeId id)
{
    for (std::size_t i = from + 1; i <= to && i < history.entries.size(); ++i)
        if (!history.entries[i].graph->contains(id))
            return std::string(history.entries[i].pass);
    return {};
}

/// What stands for a removed node in `to`: the convolution for its batch norm, the q for an observer.
void addTakeover(History& history, const Graph& to, NodeId node, std::vector<Counterpart>& found)
{
    std::unordered_set<NodeId> seen;
    std::string pass;
    for (NodeId at = node; seen.insert(at).second;) {
        if (to.contains(at)) {
            const bool isKnown = std::any_of(found.begin(), found.end(),
                                             [&](const Counterpart& c) { return c.node == at; });
            if (!isKnown) // its own origin says it better
                found.insert(found.begin(), {at, Counterpart::How::FusedInto, pass});
            return;
        }
        const History::Takeover* next = history.takeoverOf(at);
        if (!next || !next->into.isValid())
            return;
        pass = pass.empty() ? next->pass : pass;
        at = next->into;
    }
}

/// Nodes of `to` that have the node among their ancestors.
void addDescendants(const History& history, const Graph& to, NodeId node,
                    std::vector<Counterpart>& found)
{
    const auto isKnown = [&found](NodeId id) {
        return std::any_of(found.begin(), found.end(),
                           [&](const Counterpart& c) { return c.node == id; });
    };
    for (const Node& candidate : to) {
        if (candidate.id == node || !candidate.origin.node.isValid())
            continue;
        visitAncestors(history, candidate.id,
                       [&](NodeId ancestor, Counterpart::How how, const std::string& pass) {
                           if (ancestor != node)
                               return true;
                           if (!isKnown(candidate.id))
                               found.push_back({candidate.id, how, pass});
                           return false;
                       });
    }
}

/// The nearest ancestor that is there.
void addAncestor(const History& history, const Graph& to, NodeId node,
                 std::vector<Counterpart>& found)
{
    visitAncestors(history, node,
                   [&](NodeId ancestor, Counterpart::How how, const std::string& pass) {
                       if (!to.contains(ancestor))
                           return true;
                       found.push_back({ancestor, how, pass});
                       return false;
                   });
}

} // namespace

std::string removalPass(const Snapshot& snapshot, StageKind from, NodeId node, StageKind to)
{
    const auto source = snapshot.graph(from);
    const auto target = snapshot.graph(to);
    if (!source || !target || target->contains(node))
        return {};
    const History history(snapshot);
    return removedBy(history, history.indexOf(source.get()), history.indexOf(target.get()), node);
}

Correspondence correspond(const Snapshot& snapshot, StageKind from, NodeId node, StageKind to)
{
    Correspondence result;
    const auto source = snapshot.graph(from);
    const auto target = snapshot.graph(to);
    if (!source || !target || !source->contains(node))
        return result;
    if (target->contains(node))
        result.nodes.push_back({node, Counterpart::How::Same, {}});
    if (source == target)
        return result;
    History history(snapshot);
    const auto at = history.indexOf(source.get());
    const auto end = history.indexOf(target.get());
    if (at < end) {
        addDescendants(history, *target, node, result.nodes);
        if (!target->contains(node))
            addTakeover(history, *target, node, result.nodes);
    } else if (result.nodes.empty()) {
        addAncestor(history, *target, node, result.nodes);
    }
    if (at < end && !target->contains(node))
        result.removedBy = removedBy(history, at, end, node);
    return result;
}

namespace {

/// For each of the nodes, in the order of `to`, what has it among its ancestors there.
std::unordered_map<NodeId, std::vector<NodeId>> descendantsOf(const History& history,
                                                              const Graph& to,
                                                              const std::vector<NodeId>& nodes)
{
    std::unordered_map<NodeId, std::vector<NodeId>> found;
    for (const NodeId node : nodes)
        found[node];
    for (const Node& candidate : to) {
        if (!candidate.origin.node.isValid())
            continue;
        visitAncestors(history, candidate.id, [&](NodeId ancestor, auto, const auto&) {
            const auto it = found.find(ancestor);
            if (it != found.end() && ancestor != candidate.id
                && (it->second.empty() || it->second.back() != candidate.id))
                it->second.push_back(candidate.id);
            return true;
        });
    }
    return found;
}

} // namespace

std::vector<NodeId> counterparts(const Snapshot& snapshot, StageKind from,
                                 const std::vector<NodeId>& nodes, StageKind to)
{
    std::vector<NodeId> all;
    const auto source = snapshot.graph(from);
    const auto target = snapshot.graph(to);
    if (!source || !target)
        return all;
    std::unordered_set<NodeId> seen;
    const auto add = [&](NodeId node) {
        if (seen.insert(node).second)
            all.push_back(node);
    };
    History history(snapshot);
    const bool isForward =
        source != target && history.indexOf(source.get()) < history.indexOf(target.get());
    std::unordered_map<NodeId, std::vector<NodeId>> descendants;
    if (isForward)
        descendants = descendantsOf(history, *target, nodes);
    for (const NodeId node : nodes) {
        if (!source->contains(node))
            continue;
        std::vector<Counterpart> found;
        if (target->contains(node))
            found.push_back({node, Counterpart::How::Same, {}});
        if (isForward) {
            for (const NodeId descendant : descendants[node])
                found.push_back({descendant, Counterpart::How::Same, {}});
            if (!target->contains(node))
                addTakeover(history, *target, node, found);
        } else if (source != target && found.empty()) {
            addAncestor(history, *target, node, found);
        }
        for (const Counterpart& counterpart : found)
            add(counterpart.node);
    }
    return all;
}

} // namespace pt2e
