#include "core/passes/PassRun.h"

#include "core/ir/Diff.h"
#include "core/ir/Lint.h"

namespace pt2e {

namespace {

void recordRemoved(const Graph& before, const Graph& after, const Successors& successors,
                   PassRecord& record)
{
    for (const Node& node : before) {
        if (after.contains(node.id))
            continue;
        const auto it = successors.find(node.id);
        record.removed.push_back({node.id, node.name, node.kind, node.target,
                                  it == successors.end() ? NodeId{} : it->second});
    }
    record.nodesRemoved = static_cast<int>(record.removed.size());
    for (const Node& node : after)
        record.nodesAdded += before.contains(node.id) ? 0 : 1;
}

/// Dead code is removed in bodies, too.
bool bodiesChanged(const Graph& before, const Graph& after)
{
    for (const auto& [name, body] : after.subgraphs()) {
        const auto* old = before.subgraphs().find(name);
        if (!old || *old != body)
            return true;
    }
    return before.subgraphs().size() != after.subgraphs().size();
}

/// What the file says about nodes; a diff of graphs does not look at it.
bool metadataChanged(const Graph& before, const Graph& after)
{
    for (const Node& node : after) {
        const Node* old = before.find(node.id);
        if (!old || old->fileMeta != node.fileMeta)
            return true;
    }
    return false;
}

bool attributesChanged(const Graph& before, const Graph& after)
{
    if (before.attributes().size() != after.attributes().size())
        return true;
    for (const auto& [name, attribute] : after.attributes()) {
        const Attribute* old = before.attributes().find(name);
        if (!old || old->value.storage() != attribute.value.storage())
            return true;
    }
    return false;
}

} // namespace

Result<GraphPtr> runPass(const GraphPtr& graph, std::string_view name,
                         const std::function<Result<void>(GraphEditor&)>& pass,
                         const Successors& successors, PassRecords& records)
{
    PassRecord record;
    record.name = name;
    const auto start = std::chrono::steady_clock::now();
    GraphEditor editor{Graph(*graph)};
    PT2E_TRY(pass(editor));
    GraphPtr after = std::move(editor).publish();
    if (auto clean = lint(*after); !clean)
        return fail(ErrorCode::Internal, "pass " + record.name, clean.error().message());
    recordRemoved(*graph, *after, successors, record);
    record.changed = !diffGraphs(*graph, *after).empty() || attributesChanged(*graph, *after)
                     || bodiesChanged(*graph, *after) || metadataChanged(*graph, *after);
    record.after = record.changed ? after : graph;
    record.time = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - start);
    records.push_back(record);
    return record.after;
}

} // namespace pt2e
