// Nodes of a subgraph: one function each.
#include "core/engine/xnnpack/XnnState.h"

#include <limits>

// The named functions keep their meaning from version to version, which the newer ones that take an
// enumerator do not; some of them are marked as deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace pt2e::xnn {

Result<void> Subgraph::convolution2d(const Window& w, std::uint32_t groups, std::size_t groupInputs,
                                     std::size_t groupOutputs, OutputRange range, ValueId input,
                                     ValueId filter, ValueId bias, ValueId output)
{
    return m_state->add("convolution_2d",
                        xnn_define_convolution_2d(
                            m_state->handle, w.top, w.right, w.bottom, w.left, w.kernel.height,
                            w.kernel.width, w.stride.height, w.stride.width, w.dilation.height,
                            w.dilation.width, groups, groupInputs, groupOutputs, range.low,
                            range.high, input, filter, bias, output, 0));
}

Result<void> Subgraph::depthwiseConvolution2d(const Window& w, std::uint32_t multiplier,
                                              std::size_t channels, OutputRange range,
                                              ValueId input, ValueId filter, ValueId bias,
                                              ValueId output)
{
    return m_state->add("depthwise_convolution_2d",
                        xnn_define_depthwise_convolution_2d(
                            m_state->handle, w.top, w.right, w.bottom, w.left, w.kernel.height,
                            w.kernel.width, w.stride.height, w.stride.width, w.dilation.height,
                            w.dilation.width, multiplier, channels, range.low, range.high, input,
                            filter, bias, output, 0));
}

Result<void> Subgraph::fullyConnected(OutputRange range, ValueId input, ValueId filter,
                                      ValueId bias, ValueId output)
{
    return m_state->add("fully_connected",
                        xnn_define_fully_connected(m_state->handle, range.low, range.high, input,
                                                   filter, bias, output, 0));
}

Result<void> Subgraph::deconvolution2d(const Window& w, Window::Pair adjustment,
                                       std::uint32_t groups, std::size_t groupInputs,
                                       std::size_t groupOutputs, OutputRange range, ValueId input,
                                       ValueId filter, ValueId bias, ValueId output)
{
    return m_state->add("deconvolution_2d",
                        xnn_define_deconvolution_2d(
                            m_state->handle, w.top, w.right, w.bottom, w.left, adjustment.height,
                            adjustment.width, w.kernel.height, w.kernel.width, w.stride.height,
                            w.stride.width, w.dilation.height, w.dilation.width, groups,
                            groupInputs, groupOutputs, range.low, range.high, input, filter, bias,
                            output, 0));
}

Result<void> Subgraph::batchMatrixMultiply(ValueId a, ValueId b, ValueId output)
{
    return m_state->add("batch_matrix_multiply",
                        xnn_define_batch_matrix_multiply(m_state->handle, a, b, output, 0));
}

Result<void> Subgraph::binary(Binary kind, OutputRange range, ValueId a, ValueId b, ValueId output)
{
    const xnn_subgraph_t graph = m_state->handle;
    switch (kind) {
    case Binary::Add:
        return m_state->add("add2", xnn_define_add2(graph, range.low, range.high, a, b, output, 0));
    case Binary::Subtract:
        return m_state->add("subtract",
                            xnn_define_subtract(graph, range.low, range.high, a, b, output, 0));
    case Binary::Multiply:
        return m_state->add("multiply2",
                            xnn_define_multiply2(graph, range.low, range.high, a, b, output, 0));
    case Binary::Divide:
        return m_state->add("divide",
                            xnn_define_divide(graph, range.low, range.high, a, b, output, 0));
    case Binary::Maximum:
        return m_state->add("maximum2", xnn_define_maximum2(graph, a, b, output, 0));
    case Binary::Minimum:
        return m_state->add("minimum2", xnn_define_minimum2(graph, a, b, output, 0));
    }
    return {};
}

Result<void> Subgraph::unary(Unary kind, float parameter, ValueId x, ValueId y)
{
    const xnn_subgraph_t g = m_state->handle;
    switch (kind) {
    case Unary::Sigmoid: return m_state->add("sigmoid", xnn_define_sigmoid(g, x, y, 0));
    case Unary::Tanh: return m_state->add("tanh", xnn_define_tanh(g, x, y, 0));
    case Unary::Gelu: return m_state->add("gelu", xnn_define_gelu(g, x, y, 0));
    case Unary::HardSwish: return m_state->add("hardswish", xnn_define_hardswish(g, x, y, 0));
    case Unary::Elu: return m_state->add("elu", xnn_define_elu(g, parameter, x, y, 0));
    case Unary::LeakyRelu:
        return m_state->add("leaky_relu", xnn_define_leaky_relu(g, parameter, x, y, 0));
    case Unary::Abs: return m_state->add("abs", xnn_define_abs(g, x, y, 0));
    case Unary::Negate: return m_state->add("negate", xnn_define_negate(g, x, y, 0));
    case Unary::Exp: return m_state->add("exp", xnn_define_exp(g, x, y, 0));
    case Unary::Log: return m_state->add("log", xnn_define_log(g, x, y, 0));
    case Unary::Sqrt: return m_state->add("square_root", xnn_define_square_root(g, x, y, 0));
    case Unary::ReciprocalSqrt:
        return m_state->add("reciprocal_square_root",
                            xnn_define_reciprocal_square_root(g, x, y, 0));
    case Unary::Square: return m_state->add("square", xnn_define_square(g, x, y, 0));
    case Unary::Floor: return m_state->add("floor", xnn_define_floor(g, x, y, 0));
    case Unary::Ceil: return m_state->add("ceiling", xnn_define_ceiling(g, x, y, 0));
    case Unary::Round:
        return m_state->add("bankers_rounding", xnn_define_bankers_rounding(g, x, y, 0));
    }
    return {};
}

Result<void> Subgraph::clamp(OutputRange range, ValueId input, ValueId output)
{
    return m_state->add("clamp",
                        xnn_define_clamp(m_state->handle, range.low, range.high, input, output, 0));
}

Result<void> Subgraph::convert(ValueId input, ValueId output)
{
    return m_state->add("convert", xnn_define_convert(m_state->handle, input, output, 0));
}

Result<void> Subgraph::maxPooling2d(const Window& w, ValueId input, ValueId output)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return m_state->add("max_pooling_2d",
                        xnn_define_max_pooling_2d(
                            m_state->handle, w.top, w.right, w.bottom, w.left, w.kernel.height,
                            w.kernel.width, w.stride.height, w.stride.width, w.dilation.height,
                            w.dilation.width, -kInfinity, kInfinity, input, output, 0));
}

Result<void> Subgraph::averagePooling2d(const Window& w, OutputRange range, ValueId input,
                                        ValueId output)
{
    return m_state->add("average_pooling_2d",
                        xnn_define_average_pooling_2d(m_state->handle, w.top, w.right, w.bottom,
                                                      w.left, w.kernel.height, w.kernel.width,
                                                      w.stride.height, w.stride.width, range.low,
                                                      range.high, input, output, 0));
}

Result<void> Subgraph::mean(std::span<const std::size_t> axes, bool keepDims, ValueId input,
                            ValueId output)
{
    return m_state->add("static_mean",
                        xnn_define_static_mean(m_state->handle, axes.size(), axes.data(), input,
                                               output, keepDims ? XNN_FLAG_KEEP_DIMS : 0));
}

Result<void> Subgraph::reshape(const Shape& shape, ValueId input, ValueId output)
{
    const auto dims = dimensions(shape);
    return m_state->add("static_reshape", xnn_define_static_reshape(m_state->handle, dims.size(),
                                                                    dims.data(), input, output, 0));
}

Result<void> Subgraph::transpose(std::span<const std::size_t> permutation, ValueId input,
                                 ValueId output)
{
    return m_state->add("static_transpose",
                        xnn_define_static_transpose(m_state->handle, permutation.size(),
                                                    permutation.data(), input, output, 0));
}

Result<void> Subgraph::copy(ValueId input, ValueId output)
{
    return m_state->add("copy", xnn_define_copy(m_state->handle, input, output, 0));
}

Result<void> Subgraph::softmax(ValueId input, ValueId output)
{
    return m_state->add("softmax", xnn_define_softmax(m_state->handle, input, output, 0));
}

Result<void> Subgraph::resizeBilinear2d(std::size_t height, std::size_t width, bool alignCorners,
                                        ValueId input, ValueId output)
{
    return m_state->add(
        "static_resize_bilinear_2d",
        xnn_define_static_resize_bilinear_2d(m_state->handle, height, width, input, output,
                                             alignCorners ? XNN_FLAG_ALIGN_CORNERS : 0));
}

Result<void> Subgraph::concatenate(std::size_t axis, std::span<const ValueId> in, ValueId output)
{
    const xnn_subgraph_t graph = m_state->handle;
    const auto at = static_cast<std::int32_t>(axis);
    switch (in.size()) {
    case 2:
        return m_state->add("concatenate2",
                            xnn_define_concatenate2(graph, at, in[0], in[1], output, 0));
    case 3:
        return m_state->add("concatenate3",
                            xnn_define_concatenate3(graph, at, in[0], in[1], in[2], output, 0));
    case 4:
        return m_state->add("concatenate4", xnn_define_concatenate4(graph, at, in[0], in[1], in[2],
                                                                    in[3], output, 0));
    case 5:
        return m_state->add("concatenate5", xnn_define_concatenate5(graph, at, in[0], in[1], in[2],
                                                                    in[3], in[4], output, 0));
    default: return check("concatenate", xnn_status_unsupported_parameter);
    }
}

Result<void> Subgraph::constantPad(std::span<const std::size_t> before,
                                   std::span<const std::size_t> after, float value, ValueId input,
                                   ValueId output)
{
    return m_state->add("static_constant_pad",
                        xnn_define_static_constant_pad(m_state->handle, before.data(), after.data(),
                                                       value, input, output, 0));
}

Result<void> Subgraph::slice(std::span<const std::size_t> offsets,
                             std::span<const std::size_t> sizes, ValueId input, ValueId output)
{
    return m_state->add("static_slice",
                        xnn_define_static_slice(m_state->handle, offsets.size(), offsets.data(),
                                                sizes.data(), input, output, 0));
}

} // namespace pt2e::xnn
