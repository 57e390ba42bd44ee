#include "core/quant/Rule.h"

#include <algorithm>

namespace pt2e {

bool isOneOf(const Node& node, std::span<const std::string_view> targets)
{
    return node.is(OpKind::CallFunction)
           && std::find(targets.begin(), targets.end(), node.target) != targets.end();
}

bool isRelu(const Node& node)
{
    return node.calls("aten.relu.default") || node.calls("aten.relu_.default");
}

const Node* nodeArgument(const Graph& graph, const Node& node, std::size_t i)
{
    const NodeId id = node.arg(i).node();
    return id ? graph.find(id) : nullptr;
}

const Node* firstAnnotated(const RuleView& view, std::span<const NodeId> nodes)
{
    for (NodeId id : nodes) {
        if (view.annotations.isAnnotated(id))
            return &view.graph.node(id);
    }
    return nullptr;
}

void markAnnotated(RuleScope& scope, std::span<const NodeId> nodes, std::string_view rule)
{
    for (NodeId id : nodes) {
        Annotation& annotation = scope.annotations.at(id);
        annotation.isAnnotated = true;
        if (annotation.rule.empty())
            annotation.rule = rule;
    }
}

Refusal alreadyTaken(const RuleView& view, const Node& taken)
{
    const Annotation* annotation = view.annotations.find(taken.id);
    return {ReasonKey::Taken, {taken.name, annotation ? annotation->rule : ""}, {}};
}

std::optional<Refusal> refuseFiltered(const RuleView& view, std::span<const NodeId> nodes)
{
    for (NodeId id : nodes) {
        const Node& node = view.graph.node(id);
        if (!view.run.filter.allows(node))
            return view.run.filter.reason(node);
    }
    return std::nullopt;
}

std::optional<Refusal> refuseUnlessFree(const RuleView& view, std::span<const NodeId> nodes)
{
    if (const Node* taken = firstAnnotated(view, nodes))
        return alreadyTaken(view, *taken);
    return refuseFiltered(view, nodes);
}

const Node* reluUser(const Graph& graph, const Node& node)
{
    for (NodeId id : node.users) {
        if (isRelu(graph.node(id)))
            return &graph.node(id);
    }
    return nullptr;
}

} // namespace pt2e
