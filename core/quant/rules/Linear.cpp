#include "core/quant/rules/Rules.h"

namespace pt2e::rules {

namespace {

constexpr std::string_view kTarget = "aten.linear.default";

struct LinearMatch
{
    NodeId linear, relu;
    NodeId activation, weight, bias;
    std::vector<NodeId> partition() const
    {
        std::vector<NodeId> nodes = {relu, linear, weight};
        if (bias)
            nodes.push_back(bias);
        return nodes;
    }
};

LinearMatch operandsOf(const Node& linear)
{
    return {linear.id, {}, linear.arg(0).node(), linear.arg(1).node(), linear.arg(2).node()};
}

void writeInputs(const RuleScope& scope, Annotation& annotation, const LinearMatch& match)
{
    annotation.setInput(match.activation, scope.specs().inputActivation);
    annotation.setInput(match.weight, scope.specs().weight);
    if (match.bias)
        annotation.setInput(match.bias, scope.specs().bias);
}

Checked<LinearMatch> checkLinearRelu(const RuleView& view, const Node& relu)
{
    const Node* linear = isRelu(relu) ? nodeArgument(view.graph, relu, 0) : nullptr;
    if (!linear || !linear->calls(kTarget))
        return {};
    if (linear->users.size() > 1)
        return {{}, Refusal{ReasonKey::MoreUsers, {linear->name, relu.name}, {}}};
    LinearMatch match = operandsOf(*linear);
    match.relu = relu.id;
    if (auto refusal = refuseUnlessFree(view, match.partition()))
        return {{}, refusal};
    return {match, {}};
}

Result<void> annotateLinearRelu(RuleScope& scope)
{
    for (const Node& node : scope.graph) {
        const auto match = checkLinearRelu(scope.view(), node).match;
        if (!match)
            continue;
        Annotation linear;
        linear.rule = kLinearRelu.name;
        linear.isAnnotated = true;
        writeInputs(scope, linear, *match);
        scope.annotations.at(match->linear) = std::move(linear);
        scope.annotations.at(match->relu) = Annotation{
            {}, scope.specs().outputActivation, true, true, std::string(kLinearRelu.name)};
        markAnnotated(scope, match->partition(), kLinearRelu.name);
    }
    return {};
}

std::optional<Refusal> refuseLinearRelu(const RuleView& view, const Node& node)
{
    return checkLinearRelu(view, node).refusal;
}

Checked<LinearMatch> checkLinear(const RuleView& view, const Node& node)
{
    if (!node.calls(kTarget))
        return {};
    // Only the linear itself is asked for: that is why settings by name and type work for it.
    if (auto refusal = refuseUnlessFree(view, std::span(&node.id, 1)))
        return {{}, refusal};
    return {operandsOf(node), {}};
}

Result<void> annotateLinear(RuleScope& scope)
{
    for (const Node& node : scope.graph) {
        const auto match = checkLinear(scope.view(), node).match;
        if (!match)
            continue;
        // Unlike the other rules this one adds to an annotation that is already there.
        Annotation& annotation = scope.annotations.at(node.id);
        annotation.rule = kLinear.name;
        writeInputs(scope, annotation, *match);
        annotation.output = scope.specs().outputActivation;
        std::vector<NodeId> nodes = {match->linear, match->weight};
        if (match->bias)
            nodes.push_back(match->bias);
        markAnnotated(scope, nodes, kLinear.name);
    }
    return {};
}

std::optional<Refusal> refuseLinear(const RuleView& view, const Node& node)
{
    return checkLinear(view, node).refusal;
}

} // namespace

constinit const Rule kLinearRelu = {"linear_relu", annotateLinearRelu, refuseLinearRelu};
constinit const Rule kLinear = {"linear", annotateLinear, refuseLinear};

} // namespace pt2e::rules
