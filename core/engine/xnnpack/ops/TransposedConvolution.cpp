// aten.conv_transpose2d and conv_transpose1d (one row): xnn_define_deconvolution_2d.
#include "core/engine/xnnpack/ops/Weights.h"
#include "core/engine/xnnpack/ops/Window.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t {
    kInput,
    kWeight,
    kBias,
    kStride,
    kPadding,
    kOutputPadding,
    kGroups,
    kDilation
};

struct Transposed
{
    Window window;
    Window::Pair adjustment{0, 0};
    std::int64_t groups = 1;
    std::int64_t groupInputs = 0;
    std::int64_t groupOutputs = 0;
    Reason reason;
};

Transposed refused(Reason reason)
{
    Transposed result;
    result.reason = std::move(reason);
    return result;
}

Transposed readTransposed(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const Operand& weight = call.operand(kWeight); // [I, O/groups, kh, kw]
    const std::size_t rank = input.shape.size();
    if (!call.isActivation(input) || !isImage(input.shape))
        return refused("its input is not a 3-D or 4-D activation");
    if (!call.isConstant(weight) || weight.shape.size() != rank)
        return refused("its weight is not a constant of as many dimensions");
    const auto stride = pairOf(*call.node, kStride, rank, 1, 1);
    const auto padding = pairOf(*call.node, kPadding, rank, 0, 0);
    const auto extra = pairOf(*call.node, kOutputPadding, rank, 0, 0);
    const auto dilation = pairOf(*call.node, kDilation, rank, 1, 1);
    const auto groups = intOf(*call.node, kGroups, 1);
    if (!stride || !padding || !extra || !dilation || !groups || *groups < 1
        || hasKeywords(*call.node))
        return refused("its arguments are not fixed numbers");
    for (const std::size_t i : {0, 1}) {
        if ((*stride)[i] < 1 || (*dilation)[i] < 1 || (*padding)[i] < 0 || (*extra)[i] < 0
            || (*extra)[i] >= std::max((*stride)[i], (*dilation)[i]))
            return refused("its window is not valid");
    }
    Transposed result;
    Window& w = result.window;
    w.kernel = {rank == 4 ? small(weight.shape[2]) : 1, small(weight.shape.back())};
    w.stride = {small((*stride)[0]), small((*stride)[1])};
    w.dilation = {small((*dilation)[0]), small((*dilation)[1])};
    w.top = w.bottom = small((*padding)[0]);
    w.left = w.right = small((*padding)[1]);
    result.adjustment = {small((*extra)[0]), small((*extra)[1])};
    result.groups = *groups;
    result.groupInputs = weight.shape[0] / *groups;
    result.groupOutputs = weight.shape[1];
    if (elementCount(weight.shape) == 0 || weight.shape[0] % *groups != 0
        || input.shape[1] != weight.shape[0])
        return refused(fmt::format("weight {} does not fit input {} in {} groups",
                                   shapeText(weight.shape), shapeText(input.shape), *groups));
    return result;
}

} // namespace

Decision decideTransposedConvolution(const OpCall& call)
{
    const Transposed op = readTransposed(call);
    if (!op.reason.empty())
        return Decision::no(op.reason);
    const Operand& weight = call.operand(kWeight);
    // Scales run along [O/groups]: they are one per output channel in one group only.
    const std::int64_t products = op.groupInputs * op.window.kernel.height * op.window.kernel.width;
    if (Reason reason = checkWeights(call, weight, call.operand(kBias), op.groupOutputs * op.groups,
                                     1, products);
        !reason.empty())
        return Decision::no(std::move(reason));
    return Decision::yes(fmt::format("deconvolution_2d {}", imageTypeName(call, weight)),
                         DataLayout::Nhwc);
}

Result<void> emitTransposedConvolution(const OpCall& call, Emitter& emitter)
{
    const Transposed op = readTransposed(call);
    const Operand& weight = call.operand(kWeight);
    const std::int64_t height = op.window.kernel.height;
    const std::int64_t width = op.window.kernel.width;
    const std::int64_t pixels = height * width;
    // [g·I, O, pixels] → [g, O, pixels, I]
    const WeightView view{
        {op.groups, op.groupOutputs, pixels, op.groupInputs},
        {op.groupInputs * op.groupOutputs * pixels, pixels, 1, op.groupOutputs * pixels},
        {op.groups * op.groupOutputs, height, width, op.groupInputs}};
    PT2E_ASSIGN(const ValueId input, emitImage(call, emitter));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    PT2E_ASSIGN(const ValueId filter, emitWeightView(call, emitter, weight, view, 0));
    PT2E_ASSIGN(const ValueId bias, emitBias(call, emitter, weight, call.operand(kBias)));
    const auto emit = [&](ValueId from, ValueId to) {
        return emitter.subgraph().deconvolution2d(op.window, op.adjustment, small(op.groups),
                                                  static_cast<std::size_t>(op.groupInputs),
                                                  static_cast<std::size_t>(op.groupOutputs),
                                                  emitter.outputRange(), from, filter, bias, to);
    };
    return emitOverWindow(call, emitter, input, output, call.output.type, emit);
}

} // namespace pt2e::xnn
