// aten.conv2d and conv1d: xnn_define_convolution_2d, or xnn_define_depthwise_convolution_2d where each
// input channel has filters of its own. A 1-D one is 2-D over one row.
#include "core/engine/xnnpack/ops/Weights.h"
#include "core/engine/xnnpack/ops/Window.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kWeight, kBias, kStride, kPadding, kDilation, kGroups };

struct Convolution
{
    Window window;
    std::int64_t groups = 1;
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    Reason reason;
    bool isDepthwise() const { return groups > 1 && groups == inputs; }
};

/// conv2d.padding: "valid", or "same", whose odd element goes to the right and to the bottom.
bool readNamedPadding(const std::string& name, Window& w)
{
    if (name == "valid")
        return true;
    if (name != "same" || w.stride.height != 1 || w.stride.width != 1)
        return false;
    const std::uint32_t high = w.dilation.height * (w.kernel.height - 1);
    const std::uint32_t wide = w.dilation.width * (w.kernel.width - 1);
    w.top = high / 2;
    w.bottom = high - high / 2;
    w.left = wide / 2;
    w.right = wide - wide / 2;
    return true;
}

bool readPadding(const Node& node, std::size_t rank, Window& window)
{
    if (const std::string* name = node.arg(kPadding).get<std::string>())
        return readNamedPadding(*name, window);
    const auto padding = pairOf(node, kPadding, rank, 0, 0);
    if (!padding || (*padding)[0] < 0 || (*padding)[1] < 0)
        return false;
    window.top = window.bottom = small((*padding)[0]);
    window.left = window.right = small((*padding)[1]);
    return true;
}

Convolution refused(Reason reason)
{
    Convolution result;
    result.reason = std::move(reason);
    return result;
}

Convolution readConvolution(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const Operand& weight = call.operand(kWeight);
    const std::size_t rank = input.shape.size();
    if (!call.isActivation(input) || !isImage(input.shape))
        return refused("its input is not a 3-D or 4-D activation");
    if (!call.isConstant(weight) || weight.shape.size() != rank)
        return refused("its weight is not a constant of as many dimensions");
    const auto stride = pairOf(*call.node, kStride, rank, 1, 1);
    const auto dilation = pairOf(*call.node, kDilation, rank, 1, 1);
    const auto groups = intOf(*call.node, kGroups, 1);
    constexpr auto isPositive = [](std::int64_t value) { return value > 0; };
    if (!stride || !dilation || !groups || *groups < 1
        || !std::all_of(stride->begin(), stride->end(), isPositive)
        || !std::all_of(dilation->begin(), dilation->end(), isPositive) || hasKeywords(*call.node))
        return refused("its arguments are not fixed numbers");
    Convolution result;
    result.window.kernel = {rank == 4 ? small(weight.shape[2]) : 1, small(weight.shape.back())};
    result.window.stride = {small((*stride)[0]), small((*stride)[1])};
    result.window.dilation = {small((*dilation)[0]), small((*dilation)[1])};
    if (!readPadding(*call.node, rank, result.window))
        return refused("its padding is not fixed");
    result.window.top += call.border.top;
    result.window.bottom += call.border.bottom;
    result.window.left += call.border.left;
    result.window.right += call.border.right;
    result.groups = *groups;
    result.inputs = input.shape[1];
    result.outputs = weight.shape[0];
    if (elementCount(weight.shape) == 0 || result.inputs != weight.shape[1] * *groups
        || result.outputs % *groups != 0)
        return refused(fmt::format("weight {} does not fit input {} in {} groups",
                                   shapeText(weight.shape), shapeText(input.shape), *groups));
    return result;
}

/// [O, I/g, kh, kw] as [O, kh, kw, I/g], or depthwise as [1, kh, kw, O].
WeightView filterView(const Convolution& convolution, const Shape& sizes)
{
    const Window::Pair kernel = convolution.window.kernel;
    const std::int64_t pixels = std::int64_t{kernel.height} * kernel.width;
    const std::int64_t inputs = sizes[1];
    if (convolution.isDepthwise())
        return {{pixels, convolution.outputs},
                {1, pixels},
                {1, kernel.height, kernel.width, convolution.outputs}};
    return {{convolution.outputs, pixels, inputs},
            {inputs * pixels, 1, pixels},
            {convolution.outputs, kernel.height, kernel.width, inputs}};
}

/// How much of the window the channels of an unrolled input hold: one pixel as ever, the taps that
/// one row of the window sees, or all of them.
enum class Unrolling { Pixel, Row, Window };

UnrolledInput unroll(const Convolution& c, const Shape& image, const Shape& result,
                     Unrolling unrolling)
{
    UnrolledInput u;
    u.image = image;
    u.shape = toNhwc(image);
    u.window = c.window;
    if (unrolling == Unrolling::Pixel)
        return u;
    u.columnTaps = c.window.kernel.width;
    u.columnStride = c.window.stride.width;
    u.left = c.window.left;
    u.shape[2] = result[3];
    u.shape[3] *= u.columnTaps;
    u.window.left = u.window.right = 0;
    u.window.kernel.width = u.window.stride.width = 1;
    if (unrolling == Unrolling::Row)
        return u;
    u.rowTaps = c.window.kernel.height;
    u.rowStride = c.window.stride.height;
    u.rowDilation = c.window.dilation.height;
    u.top = c.window.top;
    u.shape[1] = result[2];
    u.shape[3] *= u.rowTaps;
    u.window = Window();
    return u;
}

/// About how long quantizing and convolution take, in products: kernels take channels by eights, and a
/// byte that is written down costs as much as some ten products.
double costOf(const Window::Pair& kernel, const Shape& input, const Shape& result)
{
    constexpr std::int64_t kLanes = 8;
    constexpr double kByte = 10;
    const std::int64_t channels = (input[3] + kLanes - 1) / kLanes * kLanes;
    const std::int64_t taps = std::int64_t{kernel.height} * kernel.width;
    return static_cast<double>(taps * channels * elementCount(result))
           + kByte * static_cast<double>(elementCount(input));
}

} // namespace

std::optional<UnrolledInput> unrolledConvolution(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const Convolution c = readConvolution(call);
    if (call.isFloat || !c.reason.empty() || input.shape.size() != 4 || c.groups != 1)
        return std::nullopt;
    // With more channels XNNPACK's own change to channels last is as good.
    constexpr std::int64_t kFew = 4;
    constexpr double kWorthIt = 0.9;
    std::optional<UnrolledInput> result;
    double best = 0;
    for (const auto unrolling : {Unrolling::Pixel, Unrolling::Row, Unrolling::Window}) {
        if (unrolling != Unrolling::Pixel && c.window.dilation.width != 1)
            continue;
        UnrolledInput u = unroll(c, input.shape, call.outputShape, unrolling);
        const double cost = costOf(u.window.kernel, u.shape, call.outputShape);
        if (unrolling == Unrolling::Pixel)
            best = kWorthIt * cost;
        if (unrolling == Unrolling::Pixel ? c.inputs > kFew : cost >= best)
            continue;
        best = std::min(best, cost);
        result = std::move(u);
    }
    return result;
}

Decision decideConvolution(const OpCall& call)
{
    const Convolution convolution = readConvolution(call);
    if (!convolution.reason.empty())
        return Decision::no(convolution.reason);
    const Operand& weight = call.operand(kWeight);
    const std::int64_t products = elementCount(weight.shape) / weight.shape[0];
    if (Reason reason =
            checkWeights(call, weight, call.operand(kBias), convolution.outputs, 0, products);
        !reason.empty())
        return Decision::no(std::move(reason));
    return Decision::yes(fmt::format("{}convolution_2d {}",
                                     convolution.isDepthwise() ? "depthwise_" : "",
                                     imageTypeName(call, weight)),
                         DataLayout::Nhwc);
}

Result<void> emitConvolution(const OpCall& call, Emitter& emitter)
{
    Convolution convolution = readConvolution(call);
    const Operand& weight = call.operand(kWeight);
    PT2E_ASSIGN(const ValueId input, emitImage(call, emitter));
    PT2E_ASSIGN(const ValueId output, emitter.output());
    WeightView view = filterView(convolution, weight.shape);
    if (const UnrolledInput* unrolled = emitter.unrolled(call.operand(kInput))) {
        // The filter's bytes are in the order of the unrolled channels already.
        convolution.window = unrolled->window;
        convolution.inputs = unrolled->shape[3];
        const Window::Pair kernel = unrolled->window.kernel;
        view.shape = {convolution.outputs, kernel.height, kernel.width, convolution.inputs};
    }
    PT2E_ASSIGN(const ValueId filter,
                emitWeightView(call, emitter, weight, view, convolution.isDepthwise() ? 3 : 0));
    PT2E_ASSIGN(const ValueId bias, emitBias(call, emitter, weight, call.operand(kBias)));
    const auto emit = [&](ValueId from, ValueId to) {
        if (convolution.isDepthwise())
            return emitter.subgraph().depthwiseConvolution2d(
                convolution.window, small(convolution.outputs / convolution.inputs),
                static_cast<std::size_t>(convolution.inputs), emitter.outputRange(), from, filter,
                bias, to);
        return emitter.subgraph().convolution2d(
            convolution.window, small(convolution.groups),
            static_cast<std::size_t>(convolution.inputs / convolution.groups),
            static_cast<std::size_t>(convolution.outputs / convolution.groups),
            emitter.outputRange(), from, filter, bias, to);
    };
    return emitOverWindow(call, emitter, input, output, call.output.type, emit);
}

} // namespace pt2e::xnn
