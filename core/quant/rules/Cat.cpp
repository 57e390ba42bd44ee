#include "core/quant/SourcePartition.h"
#include "core/quant/rules/Rules.h"

#include <algorithm>

namespace pt2e::rules {

namespace {

constexpr std::string_view kTarget = "aten.cat.default";

const std::vector<SourceCallable> kSources = {{"torch.cat", false}};

std::vector<NodeId> inputsOf(const Node& cat)
{
    std::vector<NodeId> inputs;
    forEachNode(cat.arg(0), [&](NodeId id) { inputs.push_back(id); });
    return inputs;
}

/// One observer for all inputs and the output: that of `source`, which comes first.
void write(RuleScope& scope, const Node& cat, const std::vector<NodeId>& inputs, NodeId source)
{
    const SharedSpec shared{Point::edge(source, cat.id)};
    Annotation annotation;
    annotation.rule = kCat.name;
    annotation.isAnnotated = true;
    annotation.setInput(source, scope.specs().inputActivation);
    for (NodeId input : inputs) {
        if (input != source)
            annotation.setInput(input, shared);
    }
    annotation.output = shared;
    scope.annotations.at(cat.id) = std::move(annotation);
}

Result<void> annotateCat(RuleScope& scope)
{
    for (const SourcePartition& partition : sourcePartitions(scope.graph, kSources)) {
        if (partition.outputs.empty() || refuseFiltered(scope.view(), partition.nodes))
            continue;
        const Node& cat = scope.graph.node(partition.outputs.front());
        if (scope.annotations.isAnnotated(cat.id))
            continue;
        if (!cat.calls(kTarget))
            return fail(ErrorCode::Unsupported, "annotate: node '" + cat.name + "'",
                        "stands for a torch.cat but is " + cat.target
                            + " (the quantizer raises here)");
        const std::vector<NodeId> inputs = inputsOf(cat);
        if (inputs.empty())
            continue;
        write(scope, cat, inputs, inputs.front());
    }
    return {};
}

std::optional<Refusal> refuseCat(const RuleView& view, const Node& node)
{
    if (!node.calls(kTarget))
        return {};
    if (const auto partition = sourcePartitionOf(view.graph, kSources, node)) {
        if (auto filtered = refuseFiltered(view, partition->nodes))
            return filtered;
        return Refusal{ReasonKey::CatCallTaken, {}, {}};
    }
    const bool hasStack = node.fileMeta && !node.fileMeta->sourceFnStack.empty();
    if (hasStack)
        return Refusal{
            ReasonKey::CatOtherSource, {node.fileMeta->sourceFnStack.back().callable}, {}};
    return Refusal{ReasonKey::CatWithoutSource, {}, {}};
}

// ---- ExecuTorch's

/// Whether an observed value arrives here: from an annotated node, over ops that keep values.
bool isObserved(const RuleScope& scope, NodeId id)
{
    while (const Node* node = id ? scope.graph.find(id) : nullptr) {
        const Annotation* annotation = scope.annotations.find(id);
        if (annotation && annotation->isAnnotated && !isNone(annotation->output))
            return true;
        if (!isOneOf(*node, scope.run.shareList))
            return false;
        id = node->arg(0).node();
    }
    return false;
}

/// The first input that an observed value arrives at gives the parameters, else the first one.
Result<void> annotateCatByOp(RuleScope& scope)
{
    for (const Node& cat : scope.graph) {
        if (!cat.calls(kTarget) || scope.annotations.isAnnotated(cat.id))
            continue;
        const std::vector<NodeId> inputs = inputsOf(cat);
        if (inputs.empty())
            continue;
        const auto source = std::find_if(inputs.begin(), inputs.end(),
                                         [&](NodeId id) { return isObserved(scope, id); });
        write(scope, cat, inputs, source == inputs.end() ? inputs.front() : *source);
    }
    return {};
}

std::optional<Refusal> refuseCatByOp(const RuleView&, const Node&) { return {}; }

} // namespace

constinit const Rule kCatByOp = {"cat", annotateCatByOp, refuseCatByOp};
constinit const Rule kCat = {"cat", annotateCat, refuseCat};

} // namespace pt2e::rules
