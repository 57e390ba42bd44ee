// The mean over some axes: aten.mean.dim, and average pools to 1x1; xnn_define_static_mean.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

struct Mean
{
    std::vector<std::size_t> axes; ///< in the graph's order, ascending
    bool keepDims = false;
    Reason reason;
};

Mean refused(Reason reason)
{
    Mean result;
    result.reason = std::move(reason);
    return result;
}

Mean readMean(const OpCall& call)
{
    const Node& node = *call.node;
    const Operand& input = call.operand(0);
    if (!call.isActivation(input))
        return refused("its input is not an activation");
    if (hasKeywords(node))
        return refused("it has keyword arguments");
    Mean mean;
    if (node.target == "aten.mean.dim") {
        const auto keepDims = boolOf(node, 2, false);
        const auto axes = listOf(node.arg(1));
        if (!keepDims || !axes || axes->empty())
            return refused("its axes are not fixed numbers");
        for (const std::int64_t axis : *axes) {
            const auto at = axisOf(axis, input.shape.size());
            if (!at)
                return refused("its axes are not those of its input");
            mean.axes.push_back(*at);
        }
        std::sort(mean.axes.begin(), mean.axes.end());
        mean.keepDims = *keepDims;
    } else {
        if (input.shape.size() != 4)
            return refused("its input is not 4-D");
        mean.axes = {2, 3};
        mean.keepDims = true;
    }
    if (call.isFloat)
        return mean;
    std::int64_t count = 1;
    for (const std::size_t axis : mean.axes)
        count *= input.shape[axis];
    // |q - zero point| ≤ 255, summed in 32 bits.
    if (count > (std::int64_t{1} << 31) / 256)
        return refused("too many values for a 32-bit sum");
    mean.reason =
        checkRatio("input scale / output scale", input.type.scale, call.output.type.scale, -8, 8);
    return mean;
}

/// Height and width of an image: as NHWC needs it, and without them N, C is left in either order.
bool isOverPixels(const Mean& mean, const Shape& input)
{
    return (input.size() == 4 && mean.axes == std::vector<std::size_t>{2, 3})
           || (input.size() == 3 && mean.axes == std::vector<std::size_t>{2});
}

} // namespace

Decision decideMean(const OpCall& call)
{
    const Mean mean = readMean(call);
    if (!mean.reason.empty())
        return Decision::no(mean.reason);
    const bool isPixels = isOverPixels(mean, call.operand(0).shape);
    return Decision::yes(std::string("static_mean ") + call.typeName(),
                         isPixels && call.operand(0).shape.size() == 4 ? DataLayout::Nhwc
                                                                       : DataLayout::Natural);
}

Result<void> emitMean(const OpCall& call, Emitter& emitter)
{
    const Mean mean = readMean(call);
    std::vector<std::size_t> axes;
    for (const std::size_t axis : mean.axes)
        axes.push_back(emitter.axis(axis, call.operand(0).shape.size()));
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    return emitter.into(call.output.type, [&](ValueId result) {
        return emitter.subgraph().mean(axes, mean.keepDims, input, result);
    });
}

} // namespace pt2e::xnn
