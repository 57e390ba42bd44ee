#include "core/quant/SourcePartition.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

namespace pt2e {

namespace {

/// (callable, call) that a node belongs to; an empty callable when it belongs to none of the wanted ones.
std::pair<std::string, std::string> sourceKey(const Node& node,
                                              const std::vector<SourceCallable>& wanted)
{
    if (!node.fileMeta)
        return {};
    const FileMeta& meta = *node.fileMeta;
    if (!meta.sourceFnStack.empty()) {
        const FileMeta::SourceFn& last = meta.sourceFnStack.back();
        for (const SourceCallable& callable : wanted) {
            if (callable.name == last.callable)
                return {last.callable, last.id};
        }
        return {};
    }
    if (!node.is(OpKind::CallFunction) || meta.moduleStack.empty())
        return {};
    const ModuleFrame& innermost = meta.moduleStack.back();
    for (const SourceCallable& callable : wanted) {
        if (callable.isClass && callable.name == innermost.className)
            return {innermost.className, innermost.path};
    }
    return {};
}

void completePartition(const Graph& graph, SourcePartition& partition)
{
    const std::unordered_set<NodeId> members(partition.nodes.begin(), partition.nodes.end());
    std::unordered_set<NodeId> inputs;
    for (NodeId id : partition.nodes) {
        const Node& node = graph.node(id);
        // Only direct arguments count, not those in lists.
        for (const Argument& argument : node.args) {
            const NodeId input = argument.node();
            if (input && !members.contains(input) && !graph.node(input).is(OpKind::GetAttr))
                inputs.insert(input);
        }
        if (std::any_of(node.users.begin(), node.users.end(),
                        [&](NodeId user) { return !members.contains(user); }))
            partition.outputs.push_back(id);
    }
    for (const Node& node : graph) {
        if (inputs.contains(node.id))
            partition.inputs.push_back(node.id);
    }
}

} // namespace

std::vector<SourcePartition> sourcePartitions(const Graph& graph,
                                              const std::vector<SourceCallable>& wanted)
{
    std::vector<std::pair<std::pair<std::string, std::string>, SourcePartition>> found;
    for (const Node& node : graph) {
        auto key = sourceKey(node, wanted);
        if (key.first.empty())
            continue;
        auto it = std::find_if(found.begin(), found.end(),
                               [&](const auto& entry) { return entry.first == key; });
        if (it == found.end())
            it = found.insert(found.end(), {std::move(key), {}});
        it->second.nodes.push_back(node.id);
    }
    // The original goes through the wanted callables in their order.
    std::stable_sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
        const auto rank = [&](const std::string& name) {
            return std::find_if(wanted.begin(), wanted.end(),
                                [&](const SourceCallable& c) { return c.name == name; })
                   - wanted.begin();
        };
        return rank(a.first.first) < rank(b.first.first);
    });
    std::vector<SourcePartition> partitions;
    for (auto& [key, partition] : found) {
        completePartition(graph, partition);
        partitions.push_back(std::move(partition));
    }
    return partitions;
}

std::optional<SourcePartition> sourcePartitionOf(const Graph& graph,
                                                 const std::vector<SourceCallable>& wanted,
                                                 const Node& node)
{
    if (sourceKey(node, wanted).first.empty())
        return std::nullopt;
    for (SourcePartition& partition : sourcePartitions(graph, wanted)) {
        if (std::find(partition.nodes.begin(), partition.nodes.end(), node.id)
            != partition.nodes.end())
            return std::move(partition);
    }
    return std::nullopt;
}

} // namespace pt2e
