// aten.avg_pool2d and aten.adaptive_avg_pool2d. In float xnn_define_average_pooling_2d; in int8, for
// which XNNPACK has no kernel, a depthwise convolution with ones and the scale 1 / divisor: an exact
// integer sum, padding counted. A single window is a mean, which has a
// kernel, of the part of the image that it covers.
#include "core/engine/xnnpack/ops/Window.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

struct Pooling
{
    Window window;
    std::int64_t divisor = 1;
    bool countsPadding = true;
    Reason reason;
};

Pooling refused(Reason reason)
{
    Pooling result;
    result.reason = std::move(reason);
    return result;
}

bool isAdaptive(const OpCall& call)
{
    return shortOpName(call.node->target) == "adaptive_avg_pool2d";
}

Pooling readAdaptive(const OpCall& call)
{
    const Shape& in = call.operand(0).shape;
    const Shape& out = call.outputShape;
    Pooling result;
    std::int64_t kernel[2];
    for (const std::size_t i : {0, 1}) {
        if (out[2 + i] < 1 || in[2 + i] % out[2 + i] != 0)
            return refused(fmt::format("it pools {} to {}, windows of unequal size", shapeText(in),
                                       shapeText(out)));
        kernel[i] = in[2 + i] / out[2 + i];
    }
    result.window.kernel = result.window.stride = {small(kernel[0]), small(kernel[1])};
    result.divisor = kernel[0] * kernel[1];
    return result;
}

Pooling readFixed(const OpCall& call)
{
    enum Argument : std::size_t { kKernel = 1, kStride, kPadding, kCeil, kCountsPadding, kDivisor };
    const Node& node = *call.node;
    const auto kernel = intsOf(node, kKernel, 2, 0);
    const auto padding = intsOf(node, kPadding, 2, 0);
    auto stride = intsOf(node, kStride, 2, 0);
    const auto countsPadding = boolOf(node, kCountsPadding, true);
    const auto divisor = intOf(node, kDivisor, 0);
    if (!kernel || !padding || !stride || !countsPadding || !divisor || *divisor < 0
        || hasKeywords(node))
        return refused("its arguments are not fixed numbers");
    if ((*stride)[0] == 0 && (*stride)[1] == 0)
        stride = kernel;
    Pooling result;
    for (const std::size_t i : {0, 1}) {
        const std::int64_t padded = call.operand(0).shape[2 + i] + 2 * (*padding)[i];
        if ((*kernel)[i] < 1 || (*stride)[i] < 1 || (*padding)[i] < 0
            || 2 * (*padding)[i] > (*kernel)[i] || padded < (*kernel)[i])
            return refused("its window is not valid");
        if (call.outputShape[2 + i] != (padded - (*kernel)[i]) / (*stride)[i] + 1)
            return refused("its last window reaches past the padded input");
    }
    Window& w = result.window;
    w.kernel = {small((*kernel)[0]), small((*kernel)[1])};
    w.stride = {small((*stride)[0]), small((*stride)[1])};
    w.top = w.bottom = small((*padding)[0]);
    w.left = w.right = small((*padding)[1]);
    result.divisor = *divisor > 0 ? *divisor : (*kernel)[0] * (*kernel)[1];
    result.countsPadding = *countsPadding || *divisor > 0;
    return result;
}

/// One window without padding, that divides by its pixels.
bool isMean(const OpCall& call)
{
    if (isAdaptive(call))
        return intsOf(*call.node, 1, 2, 0) == std::vector<std::int64_t>{1, 1};
    const Shape& in = call.operand(0).shape;
    if (in.size() != 4 || call.outputShape.size() != 4 || call.outputShape[2] != 1
        || call.outputShape[3] != 1)
        return false;
    const Pooling pooling = readFixed(call);
    const Window& w = pooling.window;
    return pooling.reason.empty() && w.top == 0 && w.left == 0
           && pooling.divisor == std::int64_t{w.kernel.height} * w.kernel.width;
}

Pooling readPooling(const OpCall& call)
{
    const Operand& input = call.operand(0);
    if (!call.isActivation(input) || input.shape.size() != 4 || call.outputShape.size() != 4)
        return refused("its input is not a 4-D activation");
    Pooling result = isAdaptive(call) ? readAdaptive(call) : readFixed(call);
    if (!result.reason.empty())
        return result;
    const Window& w = result.window;
    const bool isPadded = w.top > 0 || w.left > 0;
    const std::int64_t pixels = std::int64_t{w.kernel.height} * w.kernel.width;
    if (call.isFloat) {
        if (isPadded && result.countsPadding)
            return refused("its average counts padding");
        if (result.divisor != pixels)
            return refused("it divides by another number than the window's pixels");
        if (pixels == 1)
            return refused("a 1x1 window pools nothing");
        return result;
    }
    if (isPadded && !result.countsPadding)
        return refused("its average leaves padding out");
    if (pixels > (std::int64_t{1} << 20))
        return refused("too many values for a 32-bit sum");
    const float weight = 1.0f / static_cast<float>(result.divisor);
    result.reason =
        checkRequantization(input.type.scale, std::span(&weight, 1), call.output.type.scale);
    return result;
}

/// The mean of the window at the top left.
Result<void> emitMeanOf(const OpCall& call, const Window& window, Emitter& emitter)
{
    const Operand& operand = call.operand(0);
    const Shape& in = operand.shape;
    PT2E_ASSIGN(ValueId pixels, emitter.input(operand));
    const Shape covered{in[0], window.kernel.height, window.kernel.width, in[1]};
    if (covered[1] != in[2] || covered[2] != in[3]) {
        const std::size_t offsets[4] = {0, 0, 0, 0};
        const std::vector<std::size_t> sizes(covered.begin(), covered.end());
        PT2E_ASSIGN(const ValueId part, emitter.plainTemporary(covered, operand.type));
        PT2E_TRY(emitter.subgraph().slice(offsets, sizes, pixels, part));
        pixels = part;
    }
    const std::size_t axes[2] = {1, 2};
    return emitter.into(call.output.type, [&](ValueId result) {
        return emitter.subgraph().mean(axes, true, pixels, result);
    });
}

} // namespace

Decision decideAveragePool(const OpCall& call)
{
    if (isMean(call))
        return decideMean(call);
    if (const Pooling pooling = readPooling(call); !pooling.reason.empty())
        return Decision::no(pooling.reason);
    return Decision::yes(call.isFloat ? "average_pooling_2d f32"
                                      : "depthwise_convolution_2d of ones",
                         DataLayout::Nhwc);
}

Result<void> emitAveragePool(const OpCall& call, Emitter& emitter)
{
    const Pooling pooling = readPooling(call);
    const Window& w = pooling.window;
    if (isMean(call))
        return emitMeanOf(call, w, emitter);
    PT2E_ASSIGN(const ValueId input, emitter.input(call.operand(0)));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    if (call.isFloat)
        return emitter.subgraph().averagePooling2d(w, emitter.outputRange(), input, output);
    const std::int64_t channels = call.outputShape[1];
    const Shape shape{1, w.kernel.height, w.kernel.width, channels};
    const std::vector<std::int8_t> ones(static_cast<std::size_t>(elementCount(shape)), 1);
    ConstantSpec spec{shape,
                      DType::Int8,
                      std::as_bytes(std::span(ones)),
                      {1.0f / static_cast<float>(pooling.divisor)},
                      3,
                      0};
    spec.isPacked = true;
    PT2E_ASSIGN(const ValueId filter, emitter.subgraph().constant(spec));
    return emitter.subgraph().depthwiseConvolution2d(w, 1, static_cast<std::size_t>(channels),
                                                     emitter.outputRange(), input, filter, kNoValue,
                                                     output);
}

} // namespace pt2e::xnn
