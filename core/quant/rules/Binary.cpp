#include "core/quant/rules/Rules.h"
#include "core/quant/rules/Targets.h"

#include <cmath>

namespace pt2e::rules {

namespace {

/// Above this histc fails (torchao HISTC_UPPER_BOUND).
constexpr double kLargestScalar = 3.4028235e15;

struct BinaryMatch
{
    NodeId op, relu;
};

/// torchao's _is_input_large_scalar: a get_attr with one element of large absolute value.
bool isLargeScalar(const Graph& graph, const Node& node)
{
    if (!node.is(OpKind::GetAttr))
        return false;
    const Attribute* attribute = graph.attributes().find(node.target);
    if (!attribute || !attribute->value.isValid() || attribute->value.elementCount() != 1)
        return false;
    const auto values = attribute->value.toDoubles();
    return values && std::abs(values->front()) > kLargestScalar;
}

/// Left to right over the arguments; any hit leaves the whole op out.
std::optional<Refusal> guard(const Graph& graph, const Node& op)
{
    for (std::size_t i = 0; i < 2; ++i) {
        const Node* input = nodeArgument(graph, op, i);
        if (!input)
            continue;
        if (isLargeScalar(graph, *input))
            return Refusal{ReasonKey::LargeScalar, {input->name}, {}};
        const TensorMeta* meta = input->val.tensor();
        if (!meta)
            return Refusal{ReasonKey::NotATensor, {input->name}, {}};
        if (meta->dtype != DType::Float32)
            return Refusal{
                ReasonKey::NotFloat32, {input->name, std::string(dtypeName(meta->dtype))}, {}};
    }
    return {};
}

Checked<BinaryMatch> checkFused(const RuleView& view, const Node& relu,
                                std::span<const std::string_view> targets)
{
    const Node* op = isRelu(relu) ? nodeArgument(view.graph, relu, 0) : nullptr;
    if (!op || !isOneOf(*op, targets))
        return {};
    if (op->users.size() > 1)
        return {{}, Refusal{ReasonKey::MoreUsers, {op->name, relu.name}, {}}};
    const NodeId partition[] = {relu.id, op->id};
    if (auto refusal = refuseUnlessFree(view, partition))
        return {{}, refusal};
    if (auto refusal = guard(view.graph, *op))
        return {{}, refusal};
    return {BinaryMatch{op->id, relu.id}, {}};
}

Checked<BinaryMatch> checkPlain(const RuleView& view, const Node& node,
                                std::span<const std::string_view> targets)
{
    if (!isOneOf(node, targets))
        return {};
    if (auto refusal = refuseUnlessFree(view, std::span(&node.id, 1)))
        return {{}, refusal};
    if (auto refusal = guard(view.graph, node))
        return {{}, refusal};
    return {BinaryMatch{node.id, {}}, {}};
}

void write(RuleScope& scope, const BinaryMatch& match, std::string_view rule)
{
    const Node& op = scope.graph.node(match.op);
    Annotation annotation;
    annotation.rule = rule;
    annotation.isAnnotated = true;
    for (std::size_t i = 0; i < 2; ++i) {
        if (const NodeId input = op.arg(i).node())
            annotation.setInput(input, scope.specs().inputActivation);
    }
    if (match.relu)
        scope.annotations.at(match.relu) =
            Annotation{{}, scope.specs().outputActivation, true, true, std::string(rule)};
    else
        annotation.output = scope.specs().outputActivation;
    scope.annotations.at(match.op) = std::move(annotation);
}

using Check = Checked<BinaryMatch> (*)(const RuleView&, const Node&,
                                       std::span<const std::string_view>);

Result<void> annotateEach(RuleScope& scope, Check check, std::span<const std::string_view> targets,
                          std::string_view rule)
{
    for (const Node& node : scope.graph) {
        if (const auto match = check(scope.view(), node, targets).match)
            write(scope, *match, rule);
    }
    return {};
}

Result<void> annotateAddRelu(RuleScope& scope)
{
    return annotateEach(scope, checkFused, kAddTargets, kAddRelu.name);
}

Result<void> annotateAdd(RuleScope& scope)
{
    return annotateEach(scope, checkPlain, kAddTargets, kAdd.name);
}

Result<void> annotateMulRelu(RuleScope& scope)
{
    return annotateEach(scope, checkFused, kMulTargets, kMulRelu.name);
}

Result<void> annotateMul(RuleScope& scope)
{
    return annotateEach(scope, checkPlain, kMulTargets, kMul.name);
}

std::optional<Refusal> refuseAddRelu(const RuleView& view, const Node& node)
{
    return checkFused(view, node, kAddTargets).refusal;
}

std::optional<Refusal> refuseAdd(const RuleView& view, const Node& node)
{
    return checkPlain(view, node, kAddTargets).refusal;
}

std::optional<Refusal> refuseMulRelu(const RuleView& view, const Node& node)
{
    return checkFused(view, node, kMulTargets).refusal;
}

std::optional<Refusal> refuseMul(const RuleView& view, const Node& node)
{
    return checkPlain(view, node, kMulTargets).refusal;
}

} // namespace

constinit const Rule kAddRelu = {"add_relu", annotateAddRelu, refuseAddRelu};
constinit const Rule kAdd = {"add", annotateAdd, refuseAdd};
constinit const Rule kMulRelu = {"mul_relu", annotateMulRelu, refuseMulRelu};
constinit const Rule kMul = {"mul", annotateMul, refuseMul};

} // namespace pt2e::rules
