#include "core/quant/SourcePartition.h"
#include "core/quant/rules/Rules.h"

#include <algorithm>

namespace pt2e::rules {

namespace {

constexpr std::string_view kTarget = "aten.cat.default";

std::vector<SourcePartition> partitionsOf(const Graph& graph)
{
    return sourcePartitions(graph, {{"torch.cat", false}});
}

Result<void> annotateCat(RuleScope& scope)
{
    for (const SourcePartition& partition : partitionsOf(scope.graph)) {
        if (partition.outputs.empty())
            continue;
        const Node& cat = scope.graph.node(partition.outputs.front());
        if (scope.annotations.isAnnotated(cat.id))
            continue;
        if (!cat.calls(kTarget))
            return fail(ErrorCode::Unsupported, "annotate: node '" + cat.name + "'",
                        "stands for a torch.cat but is " + cat.target
                            + " (the quantizer raises here)");
        std::vector<NodeId> inputs;
        forEachNode(cat.arg(0), [&](NodeId id) { inputs.push_back(id); });
        if (inputs.empty())
            continue;
        const SharedSpec shared{Point::edge(inputs.front(), cat.id)};
        Annotation annotation;
        annotation.rule = kCat.name;
        annotation.isAnnotated = true;
        annotation.setInput(inputs.front(), scope.specs.inputActivation);
        for (NodeId input : inputs) {
            if (input != inputs.front())
                annotation.setInput(input, shared);
        }
        annotation.output = shared;
        scope.annotations.at(cat.id) = std::move(annotation);
    }
    return {};
}

std::optional<Refusal> refuseCat(const RuleView& view, const Node& node)
{
    if (!node.calls(kTarget))
        return {};
    for (const SourcePartition& partition : partitionsOf(view.graph)) {
        if (std::find(partition.nodes.begin(), partition.nodes.end(), node.id)
            != partition.nodes.end())
            return Refusal{WhyNot::Kind::ConditionFailed,
                           "another node of the same torch.cat call is annotated instead"};
    }
    const bool hasStack = node.fileMeta && !node.fileMeta->sourceFnStack.empty();
    if (hasStack)
        return Refusal{WhyNot::Kind::NotMatched,
                       "the quantizer looks for torch.cat in source_fn_stack, where this node has "
                           + node.fileMeta->sourceFnStack.back().callable};
    return Refusal{WhyNot::Kind::NotMatched,
                   "the quantizer looks for torch.cat in source_fn_stack, which this program does "
                   "not carry"};
}

} // namespace

constinit const Rule kCat = {"cat", annotateCat, refuseCat};

} // namespace pt2e::rules
