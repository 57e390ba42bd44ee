// relu, hardtanh and clamp: fused behind an op where possible, else xnn_define_clamp.
#include "core/engine/xnnpack/Emitter.h"

#include <cmath>
#include <limits>

namespace pt2e::xnn {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::optional<double> endOf(const Node& node, std::size_t i, const char* keyword, double missing)
{
    const Argument* argument = &node.arg(i);
    if (argument->isNone()) {
        argument = node.kwarg(keyword);
        if (!argument || argument->isNone())
            return missing;
    }
    if (const double* value = argument->get<double>())
        return std::isnan(*value) ? std::nullopt : std::optional(*value);
    if (const std::int64_t* value = argument->get<std::int64_t>())
        return static_cast<double>(*value);
    return std::nullopt;
}

} // namespace

std::optional<ClipRange> activationOf(const Node& node)
{
    if (!node.is(OpKind::CallFunction))
        return std::nullopt;
    if (node.target == "aten.relu.default" || node.target == "aten.relu_.default")
        return ClipRange{0, kInfinity};
    const bool isHardtanh =
        node.target == "aten.hardtanh.default" || node.target == "aten.hardtanh_.default";
    const bool isClamp =
        node.target == "aten.clamp.default" || node.target == "aten.clamp_.default";
    if (!isHardtanh && !isClamp)
        return std::nullopt;
    const auto low = endOf(node, 1, isClamp ? "min" : "min_val", isClamp ? -kInfinity : -1);
    const auto high = endOf(node, 2, isClamp ? "max" : "max_val", isClamp ? kInfinity : 1);
    if (!low || !high || *low > *high)
        return std::nullopt;
    return ClipRange{*low, *high};
}

Decision decideClamp(const OpCall& call)
{
    if (!call.isActivation(call.operand(0)))
        return Decision::no("its input is not an activation");
    if (!activationOf(*call.node))
        return Decision::no("its ends are not fixed numbers");
    return Decision::yes(std::string("clamp ") + call.typeName(), DataLayout::Any);
}

Result<void> emitClamp(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.finish(input, call.operand(0).type); // clips: its ends are the call's bounds
}

} // namespace pt2e::xnn
