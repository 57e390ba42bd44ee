// aten.max_pool2d and max_pool1d (one row): xnn_define_max_pooling_2d.
#include "core/engine/xnnpack/ops/Window.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kKernel, kStride, kPadding, kDilation, kCeilMode };

/// N, C, L as N, C, 1, L.
Shape withRow(const Shape& ncl) { return {ncl[0], ncl[1], 1, ncl[2]}; }

struct Pooling
{
    Window window;
    Reason reason;
};

Pooling refused(Reason reason) { return {{}, std::move(reason)}; }

/// How far the last window reaches past the padded input, which ceil_mode allows.
std::int64_t overhang(std::int64_t input, std::int64_t output, std::int64_t kernel,
                      std::int64_t stride, std::int64_t padding, std::int64_t dilation)
{
    const std::int64_t reach = (output - 1) * stride + (kernel - 1) * dilation + 1;
    return std::max<std::int64_t>(0, reach - (input + 2 * padding));
}

Pooling readPooling(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    if (!call.isActivation(input) || !isImage(input.shape))
        return refused("its input is not a 3-D or 4-D activation");
    const Node& node = *call.node;
    const std::size_t rank = input.shape.size();
    const auto kernel = pairOf(node, kKernel, rank, 0, 1);
    const auto padding = pairOf(node, kPadding, rank, 0, 0);
    const auto dilation = pairOf(node, kDilation, rank, 1, 1);
    const auto ceilMode = boolOf(node, kCeilMode, false);
    auto stride = pairOf(node, kStride, rank, 0, 1);
    if (!kernel || !padding || !dilation || !stride || !ceilMode || hasKeywords(node))
        return refused("its arguments are not fixed numbers");
    if (stride->back() == 0)
        stride = kernel; // PyTorch's default
    const Shape in = rank == 3 ? withRow(input.shape) : input.shape;
    const Shape out =
        in.size() == call.outputShape.size() ? call.outputShape : withRow(call.outputShape);
    std::int64_t over[2] = {0, 0};
    for (const std::size_t i : {0, 1}) {
        const std::int64_t size = (*kernel)[i];
        if (size < 1 || (*stride)[i] < 1 || (*dilation)[i] < 1 || (*padding)[i] < 0
            || 2 * (*padding)[i] > size)
            return refused("its window is not valid");
        if ((*stride)[i] > size)
            return refused(
                fmt::format("stride {} is larger than the kernel {}", (*stride)[i], size));
        over[i] =
            overhang(in[2 + i], out[2 + i], size, (*stride)[i], (*padding)[i], (*dilation)[i]);
        if (over[i] > 0 && (!*ceilMode || (*dilation)[0] > 1 || (*dilation)[1] > 1))
            return refused("its last window reaches past the padded input");
    }
    if ((*kernel)[0] == 1 && (*kernel)[1] == 1)
        return refused("a 1x1 window pools nothing");
    Pooling result;
    Window& w = result.window;
    w.kernel = {small((*kernel)[0]), small((*kernel)[1])};
    w.stride = {small((*stride)[0]), small((*stride)[1])};
    w.dilation = {small((*dilation)[0]), small((*dilation)[1])};
    // Padding is left out of the maximum, as in PyTorch.
    w.top = small((*padding)[0]);
    w.left = small((*padding)[1]);
    w.bottom = small((*padding)[0] + over[0]);
    w.right = small((*padding)[1] + over[1]);
    return result;
}

} // namespace

Decision decideMaxPool(const OpCall& call)
{
    if (const Pooling pooling = readPooling(call); !pooling.reason.empty())
        return Decision::no(pooling.reason);
    return Decision::yes(call.isFloat ? "max_pooling_2d f32" : "max_pooling_2d s8",
                         DataLayout::Nhwc);
}

Result<void> emitMaxPool(const OpCall& call, Emitter& emitter)
{
    const QuantType& type = call.operand(kInput).type;
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(kInput)));
    const auto pool = [&](ValueId from, ValueId to) {
        return emitter.subgraph().maxPooling2d(readPooling(call).window, from, to);
    };
    return emitter.into(type, [&](ValueId pooled) {
        return emitOverWindow(call, emitter, input, pooled, type, pool);
    });
}

} // namespace pt2e::xnn
