// Building an XNNPACK subgraph. Our own types go in, Result comes out. Owns what XNNPACK keeps
// pointers to: weights, biases, scale arrays. Everything here trusts its caller to have checked the
// ranges (Quantization.h, ops/).
#pragma once

#include "core/base/Ids.h"
#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pt2e::xnn {

using ValueId = std::uint32_t;
inline constexpr ValueId kNoValue = UINT32_MAX;
/// XNNPACK's limit on the number of dimensions.
inline constexpr std::size_t kMaxRank = 6;

using Shape = std::vector<std::int64_t>;

/// A tensor that is computed: float32, or int8 with one scale and zero point.
struct TensorSpec
{
    Shape shape;
    bool isFloat = false;
    float scale = 1;
    std::int32_t zeroPoint = 0;
};

/// A constant; its bytes and scales are copied and kept as long as the runtime lives.
struct ConstantSpec
{
    Shape shape;
    DType dtype = DType::Int8; ///< Int8, Int32, or Float32 (no scales)
    std::span<const std::byte> bytes;
    std::vector<float> scales; ///< one: per tensor; several: one per index of channelAxis
    std::size_t channelAxis = 0;
    std::int32_t zeroPoint = 0; ///< 0 for more than one scale
    bool isPerChannel = false; ///< even with one scale
    bool isPacked = false; ///< a filter or bias, which the runtime packs into memory of its own
};

/// Clipping of an output in real values; infinite ends clip nothing.
struct OutputRange
{
    float low;
    float high;
};

/// A 2-D window in pixels.
struct Window
{
    struct Pair
    {
        std::uint32_t height = 1;
        std::uint32_t width = 1;
    };
    std::uint32_t top = 0, right = 0, bottom = 0, left = 0; ///< padding
    Pair kernel;
    Pair stride;
    Pair dilation;
};

enum class Binary { Add, Subtract, Multiply, Divide, Maximum, Minimum };
/// Parameter of Elu: alpha; of LeakyRelu: the slope below 0. Round: half to even.
// clang-format off
enum class Unary {
    Sigmoid, Tanh, Gelu, HardSwish, Elu, LeakyRelu, Abs, Negate, Exp, Log, Sqrt, ReciprocalSqrt,
    Square, Floor, Ceil, Round
};
// clang-format on

/// A graph under construction. Ids 0 … externals - 1 are for inputs and outputs.
class Subgraph
{
public:
    static Result<std::unique_ptr<Subgraph>> create(std::uint32_t externals);
    /// All that is defined from now on is part of this node of the graph.
    void setOwner(NodeId node);
    ~Subgraph();
    Subgraph(const Subgraph&) = delete;
    Subgraph& operator=(const Subgraph&) = delete;

    Result<ValueId> externalInput(ValueId id, const TensorSpec& spec);
    Result<ValueId> externalOutput(ValueId id, const TensorSpec& spec);
    Result<ValueId> internal(const TensorSpec& spec);
    /// Int8 quantized while running, with a scale and zero point for each part of so many last axes: 1 for
    /// rows, 3 for images.
    Result<ValueId> dynamic(const Shape& shape, std::size_t partAxes);
    Result<ValueId> constant(const ConstantSpec& spec);

    /// xnn_define_convolution_2d; NHWC, filter [O, kh, kw, I/groups]; bias may be kNoValue.
    Result<void> convolution2d(const Window& window, std::uint32_t groups, std::size_t groupInputs,
                               std::size_t groupOutputs, OutputRange range, ValueId input,
                               ValueId filter, ValueId bias, ValueId output);
    /// xnn_define_depthwise_convolution_2d; filter [1, kh, kw, C · multiplier].
    Result<void> depthwiseConvolution2d(const Window& window, std::uint32_t multiplier,
                                        std::size_t channels, OutputRange range, ValueId input,
                                        ValueId filter, ValueId bias, ValueId output);
    /// xnn_define_deconvolution_2d; filter [O, kh, kw, I/groups]; adjustment: PyTorch's output_padding.
    Result<void> deconvolution2d(const Window& window, Window::Pair adjustment,
                                 std::uint32_t groups, std::size_t groupInputs,
                                 std::size_t groupOutputs, OutputRange range, ValueId input,
                                 ValueId filter, ValueId bias, ValueId output);
    /// xnn_define_fully_connected; filter [O, I].
    Result<void> fullyConnected(OutputRange range, ValueId input, ValueId filter, ValueId bias,
                                ValueId output);
    /// float32; three dimensions or more, all but the last two equal.
    Result<void> batchMatrixMultiply(ValueId a, ValueId b, ValueId output);
    /// Broadcasts as NumPy does. Divide, Maximum and Minimum take no range.
    Result<void> binary(Binary kind, OutputRange range, ValueId a, ValueId b, ValueId output);
    Result<void> unary(Unary kind, float parameter, ValueId input, ValueId output);
    Result<void> clamp(OutputRange range, ValueId input, ValueId output);
    /// float32 → int8 or int8 → float32; float32 → dynamic.
    Result<void> convert(ValueId input, ValueId output);
    /// Equal quantization; NHWC.
    Result<void> maxPooling2d(const Window& window, ValueId input, ValueId output);
    /// float32, NHWC; padding does not count.
    Result<void> averagePooling2d(const Window& window, OutputRange range, ValueId input,
                                  ValueId output);
    Result<void> mean(std::span<const std::size_t> axes, bool keepDims, ValueId input,
                      ValueId output);
    /// float32, over the last axis.
    Result<void> softmax(ValueId input, ValueId output);
    /// Equal quantization; NHWC.
    Result<void> resizeBilinear2d(std::size_t height, std::size_t width, bool alignCorners,
                                  ValueId input, ValueId output);

    /// 2 to 5 inputs; equal quantization, as in all that follow.
    Result<void> concatenate(std::size_t axis, std::span<const ValueId> inputs, ValueId output);
    Result<void> constantPad(std::span<const std::size_t> before,
                             std::span<const std::size_t> after, float value, ValueId input,
                             ValueId output);
    Result<void> slice(std::span<const std::size_t> offsets, std::span<const std::size_t> sizes,
                       ValueId input, ValueId output);
    Result<void> reshape(const Shape& shape, ValueId input, ValueId output);
    Result<void> transpose(std::span<const std::size_t> permutation, ValueId input, ValueId output);
    Result<void> copy(ValueId input, ValueId output);

    struct State; ///< XNNPACK's handle and what it points to

private:
    friend class Runtime;
    explicit Subgraph(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace pt2e::xnn
