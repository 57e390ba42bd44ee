#include "core/quant/SourcePartition.h"
#include "core/quant/rules/Rules.h"

namespace pt2e::rules {

namespace {

const std::vector<SourceCallable> kSources = {{"torch.nn.modules.rnn.GRU", true}};

/// Writes {input: A} on the input's first user, replacing what that user had: with one user for both inputs only
/// the second one stays, as in the original.
void annotateFirstUser(RuleScope& scope, NodeId input)
{
    const Node& node = scope.graph.node(input);
    if (node.users.empty())
        return;
    Annotation annotation;
    annotation.rule = kGruIoOnly.name;
    annotation.isAnnotated = true;
    annotation.setInput(input, scope.specs().inputActivation);
    scope.annotations.at(node.users.front()) = std::move(annotation);
}

Result<void> annotateGru(RuleScope& scope)
{
    for (const SourcePartition& partition : sourcePartitions(scope.graph, kSources)) {
        std::vector<NodeId> inputsAndOutputs = partition.inputs;
        inputsAndOutputs.insert(inputsAndOutputs.end(), partition.outputs.begin(),
                                partition.outputs.end());
        if (firstAnnotated(scope.view(), inputsAndOutputs)
            || refuseFiltered(scope.view(), partition.nodes))
            continue;
        const std::string where =
            "annotate: node '" + scope.graph.node(partition.nodes.front()).name + "'";
        if (partition.inputs.size() < 2)
            return fail(ErrorCode::Unsupported, where,
                        "a GRU called without an explicit hidden state cannot be annotated (the "
                        "quantizer raises IndexError here)");
        annotateFirstUser(scope, partition.inputs[0]);
        annotateFirstUser(scope, partition.inputs[1]);
        if (partition.outputs.size() != 2)
            return fail(ErrorCode::Unsupported, where,
                        "a GRU must have exactly two used results to be annotated (the quantizer "
                        "raises AssertionError here)");
        for (NodeId output : partition.outputs)
            scope.annotations.at(output) = Annotation{
                {}, scope.specs().outputActivation, true, true, std::string(kGruIoOnly.name)};
        markAnnotated(scope, partition.nodes, kGruIoOnly.name);
    }
    return {};
}

std::optional<Refusal> refuseGru(const RuleView& view, const Node& node)
{
    const auto partition = sourcePartitionOf(view.graph, kSources, node);
    if (!partition)
        return {};
    if (auto filtered = refuseFiltered(view, partition->nodes))
        return filtered;
    return Refusal{ReasonKey::InsideGru, {}, {}};
}

} // namespace

constinit const Rule kGruIoOnly = {"gru_io_only", annotateGru, refuseGru};

} // namespace pt2e::rules
