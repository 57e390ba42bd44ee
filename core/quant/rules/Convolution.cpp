#include "core/quant/rules/Rules.h"

namespace pt2e::rules {

namespace {

constexpr std::string_view kConvTargets[] = {
    "aten.conv1d.default", "aten.conv1d.padding", "aten.conv2d.default",
    "aten.conv2d.padding", "aten.conv3d.default", "aten.conv3d.padding",
};
// Without a relu behind it only these are taken: neither 3-d nor a padding given as text.
constexpr std::string_view kPlainConvTargets[] = {"aten.conv1d.default", "aten.conv2d.default"};
constexpr std::string_view kConvTransposeTargets[] = {
    "aten.conv_transpose1d.default", "aten.conv_transpose2d.input", "aten.conv_transpose3d.input"};

struct ConvMatch
{
    NodeId conv, relu;
    NodeId activation, weight, bias;
    std::vector<NodeId> partition() const
    {
        std::vector<NodeId> nodes;
        if (relu)
            nodes.push_back(relu);
        nodes.insert(nodes.end(), {conv, weight});
        if (bias)
            nodes.push_back(bias);
        return nodes;
    }
};

ConvMatch operandsOf(const Node& conv)
{
    return {conv.id, {}, conv.arg(0).node(), conv.arg(1).node(), conv.arg(2).node()};
}

/// The weight is part of what must be free, so a second convolution on one weight is refused.
Checked<ConvMatch> ifFree(const RuleView& view, ConvMatch match)
{
    if (const Node* taken = firstAnnotated(view, match.partition())) {
        Refusal refusal = alreadyTaken(view, *taken);
        if (taken->id == match.weight)
            refusal.reason = "its weight " + refusal.reason
                             + ": a weight that two convolutions read is taken only once";
        return {{}, refusal};
    }
    return {match, {}};
}

Checked<ConvMatch> checkFused(const RuleView& view, const Node& relu,
                              std::span<const std::string_view> targets)
{
    const Node* conv = isRelu(relu) ? nodeArgument(view.graph, relu, 0) : nullptr;
    if (!conv || !isOneOf(*conv, targets))
        return {};
    if (conv->users.size() > 1)
        return {{},
                Refusal{WhyNot::Kind::ConditionFailed, conv->name + " has more users than "
                                                           + relu.name
                                                           + ", so the two are not fused"}};
    ConvMatch match = operandsOf(*conv);
    match.relu = relu.id;
    return ifFree(view, match);
}

void write(RuleScope& scope, const ConvMatch& match, std::string_view rule)
{
    Annotation conv;
    conv.rule = rule;
    conv.isAnnotated = true;
    conv.setInput(match.activation, scope.specs.inputActivation);
    conv.setInput(match.weight, scope.specs.weight);
    if (match.bias)
        conv.setInput(match.bias, scope.specs.bias);
    if (match.relu)
        scope.annotations.at(match.relu) =
            Annotation{{}, scope.specs.outputActivation, true, true, std::string(rule)};
    else
        conv.output = scope.specs.outputActivation;
    scope.annotations.at(match.conv) = std::move(conv);
    markAnnotated(scope, match.partition(), rule);
}

Result<void> annotateFused(RuleScope& scope, std::span<const std::string_view> targets,
                           std::string_view rule)
{
    for (const Node& node : scope.graph) {
        if (const auto match = checkFused(scope.view(), node, targets).match)
            write(scope, *match, rule);
    }
    return {};
}

/// Asked about the relu, or about the convolution in front of one.
std::optional<Refusal> refuseFused(const RuleView& view, const Node& node,
                                   std::span<const std::string_view> targets)
{
    if (isRelu(node))
        return checkFused(view, node, targets).refusal;
    if (!isOneOf(node, targets))
        return {};
    const Node* relu = reluUser(view.graph, node);
    return relu ? checkFused(view, *relu, targets).refusal : std::nullopt;
}

Result<void> annotateConvRelu(RuleScope& scope)
{
    return annotateFused(scope, kConvTargets, kConvRelu.name);
}

std::optional<Refusal> refuseConvRelu(const RuleView& view, const Node& node)
{
    return refuseFused(view, node, kConvTargets);
}

Checked<ConvMatch> checkConv(const RuleView& view, const Node& node)
{
    if (!isOneOf(node, kConvTargets))
        return {};
    if (!isOneOf(node, kPlainConvTargets)) {
        const std::string what = node.target.ends_with(".padding")
                                     ? "a convolution whose padding is given as text"
                                     : std::string("a ") + std::string(shortOpName(node.target));
        return {{},
                Refusal{WhyNot::Kind::ConditionFailed,
                        what + " is annotated only together with a relu that is its only user"}};
    }
    return ifFree(view, operandsOf(node));
}

Result<void> annotateConv(RuleScope& scope)
{
    for (const Node& node : scope.graph) {
        if (const auto match = checkConv(scope.view(), node).match)
            write(scope, *match, kConv.name);
    }
    return {};
}

std::optional<Refusal> refuseConv(const RuleView& view, const Node& node)
{
    return checkConv(view, node).refusal;
}

Result<void> annotateConvTransposeRelu(RuleScope& scope)
{
    return annotateFused(scope, kConvTransposeTargets, kConvTransposeRelu.name);
}

std::optional<Refusal> refuseConvTransposeRelu(const RuleView& view, const Node& node)
{
    if (auto refusal = refuseFused(view, node, kConvTransposeTargets))
        return refusal;
    if (!isOneOf(node, kConvTransposeTargets))
        return {};
    return Refusal{WhyNot::Kind::ConditionFailed,
                   "a transposed convolution is annotated only together with a relu that is its "
                   "only user"};
}

} // namespace

constinit const Rule kConvRelu = {"conv_relu", annotateConvRelu, refuseConvRelu};
constinit const Rule kConv = {"conv", annotateConv, refuseConv};
constinit const Rule kConvTransposeRelu = {"conv_transpose_relu", annotateConvTransposeRelu,
                                           refuseConvTransposeRelu};

} // namespace pt2e::rules
