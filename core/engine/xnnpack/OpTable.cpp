// Which operators XNNPACK runs, in int8, in float or in both: one row each. Its int8 kernel for
// upsampling rounds its weights to 11 bits: one step off in 5 % of the values, so it stays in float.
#include "core/engine/xnnpack/Ops.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

// target, takes an activation in, decide, emit, forms
constexpr OpRule kTable[] = {
    {"aten.conv2d.default", true, decideConvolution, emitConvolution, Forms::Both},
    {"aten.conv2d.padding", true, decideConvolution, emitConvolution, Forms::Both},
    {"aten.conv1d.default", true, decideConvolution, emitConvolution, Forms::Both},
    {"aten.conv1d.padding", true, decideConvolution, emitConvolution, Forms::Both},
    {"aten.conv_transpose2d.input", true, decideTransposedConvolution, emitTransposedConvolution,
     Forms::Both},
    {"aten.conv_transpose1d.default", true, decideTransposedConvolution, emitTransposedConvolution,
     Forms::Both},
    {"aten.linear.default", true, decideLinear, emitLinear, Forms::Both},
    {"aten.matmul.default", false, decideMatMul, emitMatMul, Forms::Float},
    {"aten.bmm.default", false, decideMatMul, emitMatMul, Forms::Float},
    {"aten.add.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.add_.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.sub.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.sub_.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.mul.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.mul_.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.div.Tensor", true, decideBinary, emitBinary, Forms::Both},
    {"aten.maximum.default", true, decideBinary, emitBinary, Forms::Both},
    {"aten.minimum.default", true, decideBinary, emitBinary, Forms::Both},
    {"aten.relu.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.relu_.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.hardtanh.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.hardtanh_.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.clamp.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.clamp_.default", true, decideClamp, emitClamp, Forms::Both},
    {"aten.sigmoid.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.tanh.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.gelu.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.hardswish.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.hardswish_.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.elu.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.leaky_relu.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.leaky_relu_.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.abs.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.neg.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.exp.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.log.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.sqrt.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.rsqrt.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.floor.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.ceil.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.round.default", false, decideUnary, emitUnary, Forms::Both},
    {"aten.max_pool2d.default", true, decideMaxPool, emitMaxPool, Forms::Both},
    {"aten.max_pool1d.default", true, decideMaxPool, emitMaxPool, Forms::Both},
    {"aten.avg_pool2d.default", true, decideAveragePool, emitAveragePool, Forms::Both},
    {"aten.adaptive_avg_pool2d.default", true, decideAveragePool, emitAveragePool, Forms::Both},
    {"aten.mean.dim", true, decideMean, emitMean, Forms::Both},
    {"aten.softmax.int", false, decideSoftmax, emitSoftmax, Forms::Float},
    {"aten.layer_norm.default", false, decideLayerNorm, nullptr, Forms::Float, false,
     makeLayerNorm},
    {"aten.upsample_bilinear2d.vec", true, decideResizeBilinear, emitResizeBilinear, Forms::Float},
    {"aten.cat.default", true, decideConcatenate, emitConcatenate, Forms::Both, true},
    {"aten.pad.default", true, decidePad, emitPad, Forms::Both, true},
    {"aten.constant_pad_nd.default", true, decidePad, emitPad, Forms::Both, true},
    {"aten.slice.Tensor", true, decideSlice, emitSlice, Forms::Both, true},
    {"aten.view.default", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.reshape.default", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.flatten.using_ints", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.squeeze.dim", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.squeeze.dims", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.unsqueeze.default", true, decideReshape, emitReshape, Forms::Both, true},
    {"aten.permute.default", true, decidePermute, emitPermute, Forms::Both, true},
    {"aten.transpose.int", true, decidePermute, emitPermute, Forms::Both, true},
    {"aten.t.default", true, decidePermute, emitPermute, Forms::Both, true},
    {"aten.dropout.default", true, decideCopy, emitCopy, Forms::Both, true},
    {"aten.dropout_.default", true, decideCopy, emitCopy, Forms::Both, true},
    {"aten.contiguous.default", true, decideCopy, emitCopy, Forms::Both, true},
    {"aten.clone.default", true, decideCopy, emitCopy, Forms::Both, true},
};

} // namespace

std::span<const OpRule> opTable() { return kTable; }

const OpRule* findRule(std::span<const OpRule> table, std::string_view target)
{
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&](const OpRule& rule) { return rule.target == target; });
    return it == table.end() ? nullptr : &*it;
}

const Operand& OpCall::operand(std::size_t i) const
{
    static const Operand none;
    return i < operands.size() ? operands[i] : none;
}

std::optional<std::vector<std::int64_t>> intsOf(const Node& node, std::size_t i, std::size_t count,
                                                std::int64_t missing)
{
    const Argument& argument = node.arg(i);
    if (argument.isNone())
        return std::vector<std::int64_t>(count, missing);
    if (const std::int64_t* value = argument.get<std::int64_t>())
        return std::vector<std::int64_t>(count, *value);
    auto values = listOf(argument);
    if (values && values->empty())
        values->assign(count, missing);
    if (values && values->size() == 1)
        values->assign(count, values->front());
    if (values && values->size() != count)
        return std::nullopt;
    return values;
}

std::optional<std::vector<std::int64_t>> listOf(const Argument& argument)
{
    const ArgumentList* list = argument.get<ArgumentList>();
    if (!list)
        return std::nullopt;
    std::vector<std::int64_t> values;
    for (const Argument& item : list->items) {
        const std::int64_t* value = item.get<std::int64_t>();
        if (!value)
            return std::nullopt;
        values.push_back(*value);
    }
    return values;
}

std::optional<double> numberOf(const Argument& argument)
{
    if (const double* value = argument.get<double>())
        return *value;
    if (const std::int64_t* value = argument.get<std::int64_t>())
        return static_cast<double>(*value);
    return std::nullopt;
}

std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank)
{
    const auto count = static_cast<std::int64_t>(rank);
    const std::int64_t at = axis < 0 ? axis + count : axis;
    return at >= 0 && at < count ? std::optional(static_cast<std::size_t>(at)) : std::nullopt;
}

bool isFreshResult(const Node& node)
{
    constexpr std::string_view kFresh[] = {"add",
                                           "adaptive_avg_pool2d",
                                           "avg_pool2d",
                                           "batch_norm",
                                           "bmm",
                                           "cat",
                                           "conv1d",
                                           "conv2d",
                                           "conv3d",
                                           "conv_transpose2d",
                                           "dequantize_per_channel",
                                           "dequantize_per_tensor",
                                           "div",
                                           "layer_norm",
                                           "linear",
                                           "matmul",
                                           "max_pool2d",
                                           "mean",
                                           "mul",
                                           "relu",
                                           "sigmoid",
                                           "silu",
                                           "softmax",
                                           "sub",
                                           "tanh"};
    return node.is(OpKind::CallFunction)
           && std::find(std::begin(kFresh), std::end(kFresh), shortOpName(node.target))
                  != std::end(kFresh);
}

std::optional<std::int64_t> intOf(const Node& node, std::size_t i, std::int64_t missing)
{
    const Argument& argument = node.arg(i);
    if (argument.isNone())
        return missing;
    if (const std::int64_t* value = argument.get<std::int64_t>())
        return *value;
    return std::nullopt;
}

std::optional<bool> boolOf(const Node& node, std::size_t i, bool missing)
{
    const Argument& argument = node.arg(i);
    if (argument.isNone())
        return missing;
    if (const bool* value = argument.get<bool>())
        return *value;
    return std::nullopt;
}

bool hasKeywords(const Node& node)
{
    return std::any_of(node.kwargs.begin(), node.kwargs.end(),
                       [](const auto& entry) { return !entry.second.isNone(); });
}

} // namespace pt2e::xnn
