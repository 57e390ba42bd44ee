#include "core/view/TwoRecipeScenes.h"

#include "core/view/Correspondence.h"

#include <algorithm>
#include <unordered_set>

namespace pt2e {

namespace {

/// The node of the exported graph that a node comes from, itself if it is one; invalid where that is not known.
NodeId sourceOf(const Snapshot& snapshot, const Node& node)
{
    const Graph& exported = *snapshot.model->exported;
    std::unordered_set<NodeId> seen;
    for (const Node* at = &node; at && seen.insert(at->id).second;) {
        if (exported.contains(at->id))
            return at->id;
        const NodeId origin = at->origin.node;
        if (!origin || exported.contains(origin))
            return origin;
        at = nullptr;
        for (const StageKind stage :
             {StageKind::Converted, StageKind::Prepared, StageKind::Annotated}) {
            const GraphPtr graph = snapshot.graph(stage);
            at = !at && graph ? graph->find(origin) : at; // the snapshot owns it
        }
    }
    return {};
}

} // namespace

std::vector<NodeId> counterpartsBeside(const Snapshot& from, StageKind stage,
                                       const std::vector<NodeId>& nodes, const Snapshot& to,
                                       StageKind there)
{
    std::vector<NodeId> found;
    const GraphPtr source = from.graph(stage);
    const GraphPtr target = to.graph(there);
    if (!source || !target || !from.model || !to.model)
        return found;
    const auto add = [&](NodeId node) {
        if (std::find(found.begin(), found.end(), node) == found.end())
            found.push_back(node);
    };
    const Graph& exported = *to.model->exported;
    for (const NodeId id : nodes) {
        const Node* node = source->find(id);
        const NodeId origin = node ? sourceOf(from, *node) : NodeId();
        if (!origin)
            continue;
        const std::size_t before = found.size();
        // What a pass put behind the same node, for the same end.
        for (const Node& candidate : *target) {
            if (origin != id && !exported.contains(candidate.id) && candidate.kind == node->kind
                && (!node->is(OpKind::CallFunction) || candidate.target == node->target)
                && sourceOf(to, candidate) == origin)
                add(candidate.id);
        }
        if (found.size() > before)
            continue;
        if (target->contains(origin))
            add(origin);
        else
            for (const NodeId heir : counterparts(to, StageKind::Exported, {origin}, there))
                add(heir);
    }
    return found;
}

} // namespace pt2e
