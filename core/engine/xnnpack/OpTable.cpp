// Which operators XNNPACK runs in int8: one row each.
#include "core/engine/xnnpack/Ops.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

// target, takes an activation in, decide, emit
constexpr OpRule kTable[] = {
    {"aten.conv2d.default", true, decideConvolution, emitConvolution},
    {"aten.conv2d.padding", true, decideConvolution, emitConvolution},
    {"aten.linear.default", true, decideLinear, emitLinear},
    {"aten.add.Tensor", true, decideAdd, emitAdd},
    {"aten.add_.Tensor", true, decideAdd, emitAdd},
    {"aten.relu.default", true, decideClamp, emitClamp},
    {"aten.relu_.default", true, decideClamp, emitClamp},
    {"aten.hardtanh.default", true, decideClamp, emitClamp},
    {"aten.hardtanh_.default", true, decideClamp, emitClamp},
    {"aten.clamp.default", true, decideClamp, emitClamp},
    {"aten.clamp_.default", true, decideClamp, emitClamp},
    {"aten.max_pool2d.default", true, decideMaxPool, emitMaxPool},
    {"aten.mean.dim", true, decideMean, emitMean},
    {"aten.adaptive_avg_pool2d.default", true, decideMean, emitMean},
    {"aten.view.default", true, decideReshape, emitReshape},
    {"aten.reshape.default", true, decideReshape, emitReshape},
    {"aten.flatten.using_ints", true, decideReshape, emitReshape},
    {"aten.squeeze.dim", true, decideReshape, emitReshape},
    {"aten.squeeze.dims", true, decideReshape, emitReshape},
    {"aten.unsqueeze.default", true, decideReshape, emitReshape},
    {"aten.dropout.default", true, decideDropout, emitDropout},
    {"aten.dropout_.default", true, decideDropout, emitDropout},
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
    if (values.empty())
        values.assign(count, missing);
    if (values.size() == 1)
        values.assign(count, values.front());
    if (values.size() != count)
        return std::nullopt;
    return values;
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
