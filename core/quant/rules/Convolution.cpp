#include "core/quant/rules/Rules.h"
#include "core/quant/rules/Targets.h"

#include <algorithm>

namespace pt2e::rules {

namespace {

/// What tells the convolution rules of the two quantizers apart; everything else they do is the same.
struct ConvKind
{
    std::string_view rule;
    std::span<const std::string_view> targets;
    bool isFused; ///< starts at a relu behind the convolution
    /// What else must hold of the convolution.
    std::optional<Refusal> (*condition)(const RuleView& view, const Node& conv) = nullptr;
    std::int64_t weightAxis = 0;
    /// No other rule takes such a convolution without a relu.
    bool needsRelu = false;
};

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
            refusal.key = ReasonKey::WeightTaken;
        return {{}, refusal};
    }
    if (auto refusal = refuseFiltered(view, match.partition()))
        return {{}, refusal};
    return {match, {}};
}

/// Asked about the relu if the kind is fused, else about the convolution.
Checked<ConvMatch> check(const RuleView& view, const Node& node, const ConvKind& kind)
{
    const Node* conv = &node;
    if (kind.isFused)
        conv = isRelu(node) ? nodeArgument(view.graph, node, 0) : nullptr;
    if (!conv || !isOneOf(*conv, kind.targets))
        return {};
    if (kind.isFused && conv->users.size() > 1)
        return {{}, Refusal{ReasonKey::MoreUsers, {conv->name, node.name}, {}}};
    if (kind.condition) {
        if (auto refusal = kind.condition(view, *conv))
            return {{}, refusal};
    }
    ConvMatch match = operandsOf(*conv);
    if (kind.isFused)
        match.relu = node.id;
    return ifFree(view, match);
}

void write(RuleScope& scope, const ConvMatch& match, const ConvKind& kind)
{
    Annotation conv;
    conv.rule = kind.rule;
    conv.isAnnotated = true;
    conv.setInput(match.activation, scope.specs().inputActivation);
    Spec weight = scope.specs().weight;
    if (auto* observed = std::get_if<ObservedSpec>(&weight); observed && kind.weightAxis != 0)
        observed->chAxis = kind.weightAxis;
    conv.setInput(match.weight, std::move(weight));
    if (match.bias)
        conv.setInput(match.bias, scope.specs().bias);
    if (match.relu)
        scope.annotations.at(match.relu) =
            Annotation{{}, scope.specs().outputActivation, true, true, std::string(kind.rule)};
    else
        conv.output = scope.specs().outputActivation;
    scope.annotations.at(match.conv) = std::move(conv);
    markAnnotated(scope, match.partition(), kind.rule);
}

template<const ConvKind& kKind>
Result<void> annotateAs(RuleScope& scope)
{
    for (const Node& node : scope.graph) {
        if (const auto match = check(scope.view(), node, kKind).match)
            write(scope, *match, kKind);
    }
    return {};
}

/// A fused rule is asked about the relu, or about the convolution in front of one.
template<const ConvKind& kKind>
std::optional<Refusal> refuseAs(const RuleView& view, const Node& node)
{
    const Node* start = &node;
    if (kKind.isFused && isOneOf(node, kKind.targets))
        start = reluUser(view.graph, node);
    if (start) {
        if (auto refusal = check(view, *start, kKind).refusal)
            return refusal;
    }
    if (kKind.needsRelu && isOneOf(node, kKind.targets))
        return Refusal{ReasonKey::TransposeNeedsRelu, {}, {}};
    return {};
}

// ---- torchao's

/// Without a relu behind it neither a 3-d convolution is taken nor one with its padding given as text.
std::optional<Refusal> onlyPlain(const RuleView&, const Node& conv)
{
    constexpr std::string_view kPlainTargets[] = {"aten.conv1d.default", "aten.conv2d.default"};
    if (isOneOf(conv, kPlainTargets))
        return {};
    if (conv.target.ends_with(".padding"))
        return Refusal{ReasonKey::TextPadding, {}, {}};
    return Refusal{ReasonKey::ConvNeedsRelu, {std::string(shortOpName(conv.target))}, {}};
}

// ---- ExecuTorch's

/// Only the first group's output channels would be observed along axis 1, so groups are left out.
std::optional<Refusal> onlyOneGroup(const RuleView&, const Node& conv)
{
    const auto* groups = conv.arg(6).get<std::int64_t>();
    if (!groups || *groups == 1)
        return {};
    return Refusal{ReasonKey::TransposeGroups, {std::to_string(*groups)}, {}};
}

// The fused kinds stand here because the plain ones ask them; conv_relu is the same in both quantizers.
constexpr ConvKind kConvReluKind = {"conv_relu", kConvTargets, true};
constexpr ConvKind kTransposeReluByAxis1 = {"conv_transpose_relu", kConvTransposeTargets, true,
                                            onlyOneGroup, 1};

/// A convolution whose only user is a relu is left to the fused rule, even where that one refuses later.
std::optional<Refusal> leftToRelu(const RuleView& view, const Node& conv, const ConvKind& fused)
{
    const Node* user = conv.users.size() == 1 ? view.graph.find(conv.users.front()) : nullptr;
    if (!user || !isRelu(*user))
        return {};
    if (view.run.isDynamic)
        return Refusal{ReasonKey::LeftToReluDynamic, {user->name}, {}};
    Refusal left{ReasonKey::LeftToRelu, {user->name, std::string(fused.rule)}, {}};
    if (auto refusal = check(view, *user, fused).refusal) {
        left.key = ReasonKey::LeftToReluRefused;
        left.because.push_back(std::move(*refusal));
    }
    return left;
}

/// With a dynamic configuration: two dimensions only, and no depthwise ones.
std::optional<Refusal> dynamicShape(const RuleView& view, const Node& conv, bool isTransposed)
{
    const Node* weight = view.run.isDynamic ? nodeArgument(view.graph, conv, 1) : nullptr;
    const TensorMeta* meta = weight ? weight->val.tensor() : nullptr;
    if (!meta)
        return {};
    if (meta->shape.size() != 4)
        return Refusal{ReasonKey::DynamicDimensions, {}, {}};
    if (!isTransposed && meta->shape[1] == SymInt(1))
        return Refusal{ReasonKey::DynamicDepthwise, {}, {}};
    return {};
}

std::optional<Refusal> executorchConv(const RuleView& view, const Node& conv)
{
    if (auto refusal = leftToRelu(view, conv, kConvReluKind))
        return refusal;
    return dynamicShape(view, conv, false);
}

std::optional<Refusal> executorchTranspose(const RuleView& view, const Node& conv)
{
    if (auto refusal = leftToRelu(view, conv, kTransposeReluByAxis1))
        return refusal;
    if (auto refusal = onlyOneGroup(view, conv))
        return refusal;
    return dynamicShape(view, conv, true);
}

// ---- the kinds

constexpr ConvKind kConvKind = {"conv", kConvTargets, false, onlyPlain};
constexpr ConvKind kTransposeReluKind = {
    "conv_transpose_relu", kConvTransposeTargets, true, nullptr, 0, true};
constexpr ConvKind kAnyConvKind = {"conv", kConvTargets, false, executorchConv};
constexpr ConvKind kTransposeKind = {"conv_transpose", kConvTransposeTargets, false,
                                     executorchTranspose, 1};

} // namespace

constinit const Rule kConvRelu = {"conv_relu", annotateAs<kConvReluKind>, refuseAs<kConvReluKind>};
constinit const Rule kConv = {"conv", annotateAs<kConvKind>, refuseAs<kConvKind>};
constinit const Rule kConvTransposeRelu = {"conv_transpose_relu", annotateAs<kTransposeReluKind>,
                                           refuseAs<kTransposeReluKind>};
constinit const Rule kAnyConv = {"conv", annotateAs<kAnyConvKind>, refuseAs<kAnyConvKind>};
constinit const Rule kConvTranspose = {"conv_transpose", annotateAs<kTransposeKind>,
                                       refuseAs<kTransposeKind>};
constinit const Rule kConvTransposeReluAxis1 = {
    "conv_transpose_relu", annotateAs<kTransposeReluByAxis1>, refuseAs<kTransposeReluByAxis1>};

} // namespace pt2e::rules
