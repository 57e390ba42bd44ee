// Ops that only give the same elements another shape or order, or no change at all.
#include "core/engine/xnnpack/Emitter.h"

#include <fmt/format.h>
#include <numeric>

namespace pt2e::xnn {

namespace {

/// The new order of axes of permute, transpose and t.
std::optional<std::vector<std::size_t>> orderOf(const OpCall& call)
{
    const Node& node = *call.node;
    const std::size_t rank = call.operand(0).shape.size();
    std::vector<std::size_t> order(rank);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::string_view name = shortOpName(node.target);
    if (name == "t") {
        if (rank == 2)
            std::swap(order[0], order[1]);
        return order;
    }
    if (name == "transpose") {
        const auto first = intOf(node, 1, 0);
        const auto second = intOf(node, 2, 0);
        const auto a = first ? axisOf(*first, rank) : std::nullopt;
        const auto b = second ? axisOf(*second, rank) : std::nullopt;
        if (!a || !b)
            return std::nullopt;
        std::swap(order[*a], order[*b]);
        return order;
    }
    const auto axes = listOf(node.arg(1));
    if (!axes || axes->size() != rank)
        return std::nullopt;
    std::vector<bool> isUsed(rank, false);
    for (std::size_t i = 0; i < rank; ++i) {
        const auto axis = axisOf((*axes)[i], rank);
        if (!axis || isUsed[*axis])
            return std::nullopt;
        isUsed[*axis] = true;
        order[i] = *axis;
    }
    return order;
}

} // namespace

Decision decideReshape(const OpCall& call)
{
    const Operand& input = call.operand(0);
    if (!call.isActivation(input))
        return Decision::no("its input is not an activation");
    if (elementCount(input.shape) != elementCount(call.outputShape))
        return Decision::no(fmt::format("{} and {} differ in size", shapeText(input.shape),
                                        shapeText(call.outputShape)));
    return Decision::yes(fmt::format("static_reshape {}", call.typeName()), DataLayout::Natural);
}

Result<void> emitReshape(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.into(call.operand(0).type, [&](ValueId to) {
        return emitter.subgraph().reshape(call.outputShape, input, to);
    });
}

Decision decidePermute(const OpCall& call)
{
    if (!call.isActivation(call.operand(0)))
        return Decision::no("its input is not an activation");
    if (!orderOf(call))
        return Decision::no("its axes are not fixed numbers");
    return Decision::yes(fmt::format("static_transpose {}", call.typeName()), DataLayout::Natural);
}

Result<void> emitPermute(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.into(call.operand(0).type, [&](ValueId to) {
        return emitter.subgraph().transpose(*orderOf(call), input, to);
    });
}

Decision decideCopy(const OpCall& call)
{
    if (!call.isActivation(call.operand(0)))
        return Decision::no("its input is not an activation");
    if (shortOpName(call.node->target).starts_with("dropout")) {
        const auto isTraining = boolOf(*call.node, 2, true);
        if (!isTraining || *isTraining)
            return Decision::no("it drops values (training)");
    }
    return Decision::yes(fmt::format("copy {}", call.typeName()), DataLayout::Any);
}

Result<void> emitCopy(const OpCall& call, Emitter& emitter)
{
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.finish(input, call.operand(0).type);
}

} // namespace pt2e::xnn
