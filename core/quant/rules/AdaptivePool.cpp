#include "core/quant/SourcePartition.h"
#include "core/quant/rules/Rules.h"

namespace pt2e::rules {

namespace {

constexpr std::string_view kTarget = "aten.adaptive_avg_pool2d.default";

std::vector<SourcePartition> partitionsOf(const Graph& graph)
{
    return sourcePartitions(graph, {{"torch.nn.modules.pooling.AdaptiveAvgPool2d", true},
                                    {"torch.nn.functional.adaptive_avg_pool2d", false}});
}

Result<void> annotateAdaptivePool(RuleScope& scope)
{
    for (const SourcePartition& partition : partitionsOf(scope.graph)) {
        if (partition.outputs.empty() || refuseFiltered(scope.view(), partition.nodes))
            continue;
        const Node& pool = scope.graph.node(partition.outputs.front());
        if (!pool.calls(kTarget))
            return fail(ErrorCode::Unsupported, "annotate: node '" + pool.name + "'",
                        "stands for an adaptive average pooling but is " + pool.target
                            + " (the quantizer raises here)");
        if (scope.annotations.isAnnotated(pool.id))
            continue;
        const NodeId input = pool.arg(0).node();
        if (!input)
            continue;
        const Annotation* producer = scope.annotations.find(input);
        const bool isShared = producer && producer->isAnnotated && !isNone(producer->output);
        Annotation annotation;
        annotation.rule = kAdaptiveAvgPool2d.name;
        annotation.isAnnotated = true;
        annotation.setInput(input, isShared ? Spec(SharedSpec{Point::output(input)})
                                            : scope.specs().inputActivation);
        annotation.output = SharedSpec{Point::edge(input, pool.id)};
        scope.annotations.at(pool.id) = std::move(annotation);
    }
    return {};
}

/// A pooling called as a function is left to propagation, so there is nothing to refuse.
std::optional<Refusal> refuseAdaptivePool(const RuleView& view, const Node& node)
{
    if (!node.calls(kTarget))
        return {};
    for (const SourcePartition& partition : partitionsOf(view.graph)) {
        for (std::size_t i = 1; i < partition.outputs.size(); ++i) {
            if (auto filtered = refuseFiltered(view, partition.nodes))
                return filtered;
            if (partition.outputs[i] == node.id)
                return Refusal{ReasonKey::PoolCalledTwice,
                               {view.graph.node(partition.outputs.front()).name},
                               {}};
        }
    }
    return {};
}

} // namespace

constinit const Rule kAdaptiveAvgPool2d = {"adaptive_avg_pool2d", annotateAdaptivePool,
                                           refuseAdaptivePool};

} // namespace pt2e::rules
