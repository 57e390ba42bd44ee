// The only door to XNNPACK: no other file calls an xnn_ function or includes its header.
//
// Our own types go in, Result comes out. Owns what XNNPACK keeps pointers to: weights, biases, scale
// arrays. Everything here trusts its caller to have checked the ranges (Quantization.h, ops/).
#pragma once

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
    DType dtype = DType::Int8; ///< Int8 or Int32
    std::span<const std::byte> bytes;
    std::vector<float> scales; ///< one: per tensor; several: one per index of channelAxis
    std::size_t channelAxis = 0;
    std::int32_t zeroPoint = 0; ///< 0 for more than one scale
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

/// Worker threads for all runtimes of an engine. The calling thread works as well.
class ThreadPool
{
public:
    /// threads ≤ 1: no worker at all.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    void* handle() const { return m_handle; }

private:
    void* m_handle = nullptr;
};

class Runtime;

/// A graph under construction. Ids 0 … externals - 1 are for inputs and outputs.
class Subgraph
{
public:
    static Result<std::unique_ptr<Subgraph>> create(std::uint32_t externals);
    ~Subgraph();
    Subgraph(const Subgraph&) = delete;
    Subgraph& operator=(const Subgraph&) = delete;

    Result<ValueId> externalInput(ValueId id, const TensorSpec& spec);
    Result<ValueId> externalOutput(ValueId id, const TensorSpec& spec);
    Result<ValueId> internal(const TensorSpec& spec);
    Result<ValueId> constant(const ConstantSpec& spec);

    /// xnn_define_convolution_2d; NHWC, filter [O, kh, kw, I/groups]; bias may be kNoValue.
    Result<void> convolution2d(const Window& window, std::uint32_t groups, std::size_t groupInputs,
                               std::size_t groupOutputs, OutputRange range, ValueId input,
                               ValueId filter, ValueId bias, ValueId output);
    /// xnn_define_depthwise_convolution_2d; filter [1, kh, kw, C · multiplier].
    Result<void> depthwiseConvolution2d(const Window& window, std::uint32_t multiplier,
                                        std::size_t channels, OutputRange range, ValueId input,
                                        ValueId filter, ValueId bias, ValueId output);
    /// xnn_define_fully_connected; filter [O, I].
    Result<void> fullyConnected(OutputRange range, ValueId input, ValueId filter, ValueId bias,
                                ValueId output);
    Result<void> add(OutputRange range, ValueId a, ValueId b, ValueId output);
    Result<void> clamp(OutputRange range, ValueId input, ValueId output);
    /// float32 → int8 or int8 → float32.
    Result<void> convert(ValueId input, ValueId output);
    /// Equal quantization; NHWC.
    Result<void> maxPooling2d(const Window& window, ValueId input, ValueId output);
    Result<void> mean(std::span<const std::size_t> axes, bool keepDims, ValueId input,
                      ValueId output);
    Result<void> reshape(const Shape& shape, ValueId input, ValueId output);
    Result<void> transpose(std::span<const std::size_t> permutation, ValueId input, ValueId output);
    Result<void> copy(ValueId input, ValueId output);

private:
    friend class Runtime;
    struct State;
    explicit Subgraph(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// A subgraph made ready to run. One thread at a time.
class Runtime
{
public:
    static Result<std::unique_ptr<Runtime>> build(std::unique_ptr<Subgraph> subgraph,
                                                  const ThreadPool& pool);
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    /// Memory of each external value, by id. Each must be readable kReadAhead bytes past its end.
    Result<void> run(std::span<void* const> externals);

private:
    struct State;
    explicit Runtime(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// What the CPU offers of the instruction sets that XNNPACK's kernels are written for.
std::vector<std::string> cpuInstructionSets();

} // namespace pt2e::xnn
