// The mean over height and width: aten.mean.dim and aten.adaptive_avg_pool2d to 1x1, both
// xnn_define_static_mean.
#include "core/engine/xnnpack/Emitter.h"

#include <algorithm>

namespace pt2e::xnn {

namespace {

struct Mean
{
    bool keepDims = false;
    Reason reason;
};

Mean refused(Reason reason) { return {false, std::move(reason)}; }

bool areHeightAndWidth(const pt2e::Argument& dims)
{
    const ArgumentList* list = dims.get<ArgumentList>();
    if (!list || list->items.size() != 2)
        return false;
    std::vector<std::int64_t> axes;
    for (const pt2e::Argument& item : list->items) {
        const std::int64_t* axis = item.get<std::int64_t>();
        if (!axis)
            return false;
        axes.push_back(*axis < 0 ? *axis + 4 : *axis);
    }
    std::sort(axes.begin(), axes.end());
    return axes == std::vector<std::int64_t>{2, 3};
}

Mean readMean(const OpCall& call)
{
    const Node& node = *call.node;
    const Operand& input = call.operand(0);
    if (input.kind != Operand::Kind::Int8 || input.shape.size() != 4)
        return refused("its input is not a 4-D int8 activation");
    if (hasKeywords(node))
        return refused("it has keyword arguments");
    Mean mean;
    if (node.target == "aten.mean.dim") {
        const auto keepDims = boolOf(node, 2, false);
        if (!keepDims || !areHeightAndWidth(node.arg(1)))
            return refused("it is not the mean over height and width");
        mean.keepDims = *keepDims;
    } else {
        const auto size = intsOf(node, 1, 2, 0);
        if (!size || *size != std::vector<std::int64_t>{1, 1})
            return refused("it does not pool to 1x1");
        mean.keepDims = true;
    }
    // |q - zero point| ≤ 255, summed in 32 bits.
    if (input.shape[2] * input.shape[3] > (std::int64_t{1} << 31) / 256)
        return refused("too many values for a 32-bit sum");
    mean.reason =
        checkRatio("input scale / output scale", input.type.scale, call.output.type.scale, -8, 8);
    return mean;
}

} // namespace

Decision decideMean(const OpCall& call)
{
    if (const Mean mean = readMean(call); !mean.reason.empty())
        return Decision::no(mean.reason);
    return Decision::yes("static_mean qs8", DataLayout::Nhwc);
}

Result<void> emitMean(const OpCall& call, Emitter& emitter)
{
    constexpr std::size_t kHeightAndWidth[] = {1, 2};
    const QuantType& type = call.output.type;
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    const bool isPlain = emitter.isPlainOutput(type);
    PT2E_ASSIGN(const ValueId mean,
                isPlain ? emitter.output() : emitter.temporary(call.outputShape, type));
    PT2E_TRY(emitter.subgraph().mean(kHeightAndWidth, readMean(call).keepDims, input, mean));
    return isPlain ? Result<void>() : emitter.finish(mean, type);
}

} // namespace pt2e::xnn
