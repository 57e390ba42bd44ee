#include "core/engine/xnnpack/XnnAdapter.h"

#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <mutex>
#include <pthreadpool.h>
#include <xnnpack.h>

// The named functions keep their meaning from version to version, which the newer ones that take an
// enumerator do not; some of them are marked as deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace pt2e::xnn {

static_assert(Storage::kPadding >= XNN_EXTRA_BYTES, "kernels read past the end of their inputs");
static_assert(kMaxRank == XNN_MAX_TENSOR_DIMS);
static_assert(kNoValue == XNN_INVALID_VALUE_ID);

namespace {

/// XNNPACK must not be initialised or build runtimes on two threads at once.
std::mutex& creationMutex()
{
    static std::mutex mutex;
    return mutex;
}

std::string_view statusText(xnn_status status)
{
    switch (status) {
    case xnn_status_success: return "success";
    case xnn_status_uninitialized: return "not initialized";
    case xnn_status_invalid_parameter: return "invalid parameter";
    case xnn_status_invalid_state: return "invalid state";
    case xnn_status_unsupported_parameter: return "unsupported parameter";
    case xnn_status_unsupported_hardware: return "unsupported hardware";
    case xnn_status_out_of_memory: return "out of memory";
    default: return "unknown status";
    }
}

Result<void> check(const char* what, xnn_status status)
{
    if (status == xnn_status_success)
        return {};
    return fail(ErrorCode::Internal, fmt::format("xnnpack: {}", what),
                std::string(statusText(status)));
}

std::vector<std::size_t> dimensions(const Shape& shape) { return {shape.begin(), shape.end()}; }

} // namespace

ThreadPool::ThreadPool(int threads)
{
    if (threads > 1)
        m_handle = pthreadpool_create(static_cast<std::size_t>(threads));
}

ThreadPool::~ThreadPool()
{
    if (m_handle)
        pthreadpool_destroy(static_cast<pthreadpool_t>(m_handle));
}

struct Subgraph::State
{
    xnn_subgraph_t handle = nullptr;
    std::uint32_t externals = 0;
    std::vector<TensorSpec> specs; ///< of the externals, by id
    /// What XNNPACK points to until the last runtime is gone.
    std::vector<Storage::Allocation> bytes;
    std::vector<std::unique_ptr<std::vector<float>>> scales;

    ~State()
    {
        if (handle)
            xnn_delete_subgraph(handle);
    }

    Result<ValueId> define(const TensorSpec& spec, std::uint32_t externalId, std::uint32_t flags)
    {
        const auto dims = dimensions(spec.shape);
        ValueId id = kNoValue;
        const xnn_status status =
            spec.isFloat
                ? xnn_define_tensor_value(handle, xnn_datatype_fp32, dims.size(), dims.data(),
                                          nullptr, externalId, flags, &id)
                : xnn_define_quantized_tensor_value(handle, xnn_datatype_qint8, spec.zeroPoint,
                                                    spec.scale, dims.size(), dims.data(), nullptr,
                                                    externalId, flags, &id);
        if (auto done = check("value", status); !done)
            return passOn(done);
        if (externalId != kNoValue)
            specs[externalId] = spec;
        return id;
    }
};

Subgraph::Subgraph(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Subgraph::~Subgraph() = default;

Result<std::unique_ptr<Subgraph>> Subgraph::create(std::uint32_t externals)
{
    const std::scoped_lock lock(creationMutex());
    static const xnn_status initialized = xnn_initialize(nullptr);
    if (auto done = check("xnn_initialize", initialized); !done)
        return passOn(done);
    auto state = std::make_unique<State>();
    state->externals = externals;
    state->specs.resize(externals);
    if (auto done = check("subgraph", xnn_create_subgraph(externals, 0, &state->handle)); !done)
        return passOn(done);
    return std::unique_ptr<Subgraph>(new Subgraph(std::move(state)));
}

Result<ValueId> Subgraph::externalInput(ValueId id, const TensorSpec& spec)
{
    return m_state->define(spec, id, XNN_VALUE_FLAG_EXTERNAL_INPUT);
}

Result<ValueId> Subgraph::externalOutput(ValueId id, const TensorSpec& spec)
{
    return m_state->define(spec, id, XNN_VALUE_FLAG_EXTERNAL_OUTPUT);
}

Result<ValueId> Subgraph::internal(const TensorSpec& spec)
{
    return m_state->define(spec, kNoValue, 0);
}

Result<ValueId> Subgraph::constant(const ConstantSpec& spec)
{
    Storage::Allocation copy = Storage::allocate(spec.bytes.size());
    std::memcpy(copy.data.data(), spec.bytes.data(), spec.bytes.size());
    const void* data = copy.data.data();
    m_state->bytes.push_back(std::move(copy));

    const auto dims = dimensions(spec.shape);
    const bool isBias = spec.dtype == DType::Int32;
    ValueId id = kNoValue;
    xnn_status status = xnn_status_invalid_parameter;
    if (spec.scales.size() == 1) {
        status = xnn_define_quantized_tensor_value(
            m_state->handle, isBias ? xnn_datatype_qint32 : xnn_datatype_qint8, spec.zeroPoint,
            spec.scales[0], dims.size(), dims.data(), data, kNoValue, 0, &id);
    } else {
        // The scale array is kept by pointer.
        auto scales = std::make_unique<std::vector<float>>(spec.scales);
        status = xnn_define_channelwise_quantized_tensor_value(
            m_state->handle, isBias ? xnn_datatype_qcint32 : xnn_datatype_qcint8, scales->data(),
            dims.size(), spec.channelAxis, dims.data(), data, kNoValue, 0, &id);
        m_state->scales.push_back(std::move(scales));
    }
    if (auto done = check("constant", status); !done)
        return passOn(done);
    return id;
}

Result<void> Subgraph::convolution2d(const Window& w, std::uint32_t groups, std::size_t groupInputs,
                                     std::size_t groupOutputs, OutputRange range, ValueId input,
                                     ValueId filter, ValueId bias, ValueId output)
{
    return check("convolution_2d",
                 xnn_define_convolution_2d(m_state->handle, w.top, w.right, w.bottom, w.left,
                                           w.kernel.height, w.kernel.width, w.stride.height,
                                           w.stride.width, w.dilation.height, w.dilation.width,
                                           groups, groupInputs, groupOutputs, range.low, range.high,
                                           input, filter, bias, output, 0));
}

Result<void> Subgraph::depthwiseConvolution2d(const Window& w, std::uint32_t multiplier,
                                              std::size_t channels, OutputRange range,
                                              ValueId input, ValueId filter, ValueId bias,
                                              ValueId output)
{
    return check("depthwise_convolution_2d",
                 xnn_define_depthwise_convolution_2d(
                     m_state->handle, w.top, w.right, w.bottom, w.left, w.kernel.height,
                     w.kernel.width, w.stride.height, w.stride.width, w.dilation.height,
                     w.dilation.width, multiplier, channels, range.low, range.high, input, filter,
                     bias, output, 0));
}

Result<void> Subgraph::fullyConnected(OutputRange range, ValueId input, ValueId filter,
                                      ValueId bias, ValueId output)
{
    return check("fully_connected",
                 xnn_define_fully_connected(m_state->handle, range.low, range.high, input, filter,
                                            bias, output, 0));
}

Result<void> Subgraph::add(OutputRange range, ValueId a, ValueId b, ValueId output)
{
    return check("add2", xnn_define_add2(m_state->handle, range.low, range.high, a, b, output, 0));
}

Result<void> Subgraph::clamp(OutputRange range, ValueId input, ValueId output)
{
    return check("clamp",
                 xnn_define_clamp(m_state->handle, range.low, range.high, input, output, 0));
}

Result<void> Subgraph::convert(ValueId input, ValueId output)
{
    return check("convert", xnn_define_convert(m_state->handle, input, output, 0));
}

Result<void> Subgraph::maxPooling2d(const Window& w, ValueId input, ValueId output)
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    return check("max_pooling_2d",
                 xnn_define_max_pooling_2d(m_state->handle, w.top, w.right, w.bottom, w.left,
                                           w.kernel.height, w.kernel.width, w.stride.height,
                                           w.stride.width, w.dilation.height, w.dilation.width,
                                           -kInfinity, kInfinity, input, output, 0));
}

Result<void> Subgraph::mean(std::span<const std::size_t> axes, bool keepDims, ValueId input,
                            ValueId output)
{
    return check("static_mean",
                 xnn_define_static_mean(m_state->handle, axes.size(), axes.data(), input, output,
                                        keepDims ? XNN_FLAG_KEEP_DIMS : 0));
}

Result<void> Subgraph::reshape(const Shape& shape, ValueId input, ValueId output)
{
    const auto dims = dimensions(shape);
    return check("static_reshape", xnn_define_static_reshape(m_state->handle, dims.size(),
                                                             dims.data(), input, output, 0));
}

Result<void> Subgraph::transpose(std::span<const std::size_t> permutation, ValueId input,
                                 ValueId output)
{
    return check("static_transpose",
                 xnn_define_static_transpose(m_state->handle, permutation.size(),
                                             permutation.data(), input, output, 0));
}

Result<void> Subgraph::copy(ValueId input, ValueId output)
{
    return check("copy", xnn_define_copy(m_state->handle, input, output, 0));
}

struct Runtime::State
{
    std::unique_ptr<Subgraph> subgraph; ///< owns the constants; outlives the handle
    xnn_runtime_t handle = nullptr;
    std::vector<void*> bound;

    ~State()
    {
        if (handle)
            xnn_delete_runtime(handle);
    }
};

Runtime::Runtime(std::unique_ptr<State> state) : m_state(std::move(state)) {}
Runtime::~Runtime() = default;

Result<std::unique_ptr<Runtime>> Runtime::build(std::unique_ptr<Subgraph> subgraph,
                                                const ThreadPool& pool)
{
    const std::scoped_lock lock(creationMutex());
    auto state = std::make_unique<State>();
    state->subgraph = std::move(subgraph);
    const Subgraph::State& graph = *state->subgraph->m_state;
    PT2E_TRY(check("runtime", xnn_create_runtime_v4(graph.handle, nullptr, nullptr,
                                                    static_cast<pthreadpool_t>(pool.handle()),
                                                    XNN_FLAG_YIELD_WORKERS, &state->handle)));
    PT2E_TRY(check("reshape of the runtime", xnn_reshape_runtime(state->handle)));
    // XNNPACK computes the shapes by itself; they must be those the buffers are made for.
    for (std::uint32_t id = 0; id < graph.externals; ++id) {
        std::size_t rank = 0;
        std::size_t dims[XNN_MAX_TENSOR_DIMS] = {};
        PT2E_TRY(check("shape of a value",
                       xnn_get_external_value_shape(state->handle, id, &rank, dims)));
        if (dimensions(graph.specs[id].shape) != std::vector<std::size_t>(dims, dims + rank))
            return fail(ErrorCode::Internal, "xnnpack", "a shape differs from the graph's");
    }
    return std::unique_ptr<Runtime>(new Runtime(std::move(state)));
}

Result<void> Runtime::run(std::span<void* const> externals)
{
    State& state = *m_state;
    if (!std::equal(externals.begin(), externals.end(), state.bound.begin(), state.bound.end())) {
        std::vector<xnn_external_value> values;
        values.reserve(externals.size());
        for (std::uint32_t id = 0; id < externals.size(); ++id)
            values.push_back({id, externals[id]});
        state.bound.clear();
        PT2E_TRY(check("setup of the runtime",
                       xnn_setup_runtime_v2(state.handle, values.size(), values.data())));
        state.bound.assign(externals.begin(), externals.end());
    }
    return check("run", xnn_invoke_runtime(state.handle));
}

std::vector<std::string> cpuInstructionSets()
{
    std::vector<std::string> found;
#if defined(__x86_64__) || defined(__i386__)
    __builtin_cpu_init();
    const std::pair<bool, const char*> known[] = {
        {__builtin_cpu_supports("sse4.1") != 0, "SSE4.1"},
        {__builtin_cpu_supports("avx") != 0, "AVX"},
        {__builtin_cpu_supports("avx2") != 0, "AVX2"},
        {__builtin_cpu_supports("fma") != 0, "FMA3"},
        {__builtin_cpu_supports("avx512f") != 0, "AVX512F"},
        {__builtin_cpu_supports("avx512vnni") != 0, "AVX512-VNNI"},
    };
    for (const auto& [isThere, name] : known) {
        if (isThere)
            found.emplace_back(name);
    }
#elif defined(__aarch64__)
    found.emplace_back("NEON");
#endif
    return found;
}

} // namespace pt2e::xnn
