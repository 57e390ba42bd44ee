#include "core/engine/xnnpack/XnnAdapter.h"

#include "core/engine/xnnpack/XnnState.h"

#include <atomic>
#include <pthreadpool.h>

namespace pt2e::xnn {

ThreadPool::ThreadPool(int threads)
{
    if (threads > 1) {
        m_threads = static_cast<std::size_t>(threads);
        m_handle = pthreadpool_create(m_threads);
    }
}

ThreadPool::~ThreadPool()
{
    if (m_handle)
        pthreadpool_destroy(static_cast<pthreadpool_t>(m_handle));
}

void ThreadPool::forParts(std::size_t count, std::size_t cost,
                          const std::function<void(std::size_t, std::size_t)>& part) const
{
    // Below that, waking a thread costs more than it does.
    constexpr std::size_t kWorthSharing = 32768;
    if (m_threads < 2 || count < 2 || count * cost < kWorthSharing) {
        part(0, count);
        return;
    }
    // Of equal size: all items cost the same.
    const std::size_t size = (count + m_threads - 1) / m_threads;
    // The pool hands work over and takes it back in order. That is said once more for tools that do
    // not see into its library: what was written before is read after.
    static std::atomic<std::size_t> handovers;
    constexpr auto call = [](void* context, std::size_t begin, std::size_t items) {
        handovers.load(std::memory_order_acquire);
        (*static_cast<decltype(&part)>(context))(begin, begin + items);
        handovers.fetch_add(1, std::memory_order_release);
    };
    handovers.fetch_add(1, std::memory_order_release);
    pthreadpool_parallelize_1d_tile_1d(static_cast<pthreadpool_t>(m_handle), call,
                                       const_cast<void*>(static_cast<const void*>(&part)), count,
                                       size, 0);
    handovers.load(std::memory_order_acquire);
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
                                                const ThreadPool& pool,
                                                const RuntimeOptions& options)
{
    const std::scoped_lock lock(creationMutex());
    auto state = std::make_unique<State>();
    state->subgraph = std::move(subgraph);
    Subgraph::State& graph = *state->subgraph->m_state;
    const std::uint32_t flags = (options.yieldsWorkers ? XNN_FLAG_YIELD_WORKERS : 0u)
                                | (options.isProfiled ? XNN_FLAG_BASIC_PROFILING : 0u);
    PT2E_TRY(check("runtime", xnn_create_runtime_v4(graph.handle, nullptr, nullptr,
                                                    static_cast<pthreadpool_t>(pool.handle()),
                                                    flags, &state->handle)));
    // XNNPACK has its own packed copy of these, and no other runtime is made from this subgraph.
    graph.packed.clear();
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

Result<std::vector<Runtime::OperatorTime>> Runtime::profile() const
{
    const auto read = [&](xnn_profile_info what, auto& values) -> Result<void> {
        std::size_t size = 0;
        const xnn_status asked =
            xnn_get_runtime_profiling_info(m_state->handle, what, 0, nullptr, &size);
        if (asked != xnn_status_out_of_memory)
            return check("profile", asked);
        values.resize(size / sizeof(values[0]));
        return check("profile", xnn_get_runtime_profiling_info(m_state->handle, what, size,
                                                               values.data(), &size));
    };
    std::vector<char> names;
    std::vector<std::uint64_t> times;
    PT2E_TRY(read(xnn_profile_info_operator_name, names));
    PT2E_TRY(read(xnn_profile_info_operator_timing, times));
    std::vector<OperatorTime> result;
    const char* name = names.data();
    for (const std::uint64_t time : times) {
        if (name >= names.data() + names.size())
            break;
        result.push_back({name, std::chrono::microseconds(time), {}});
        name += result.back().name.size() + 1; // each ends with a NUL
    }
    std::vector<std::string> all;
    for (const OperatorTime& one : result)
        all.push_back(one.name);
    const auto owners = ownersOf(m_state->subgraph->m_state->operators, all);
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i].owner = owners[i];
    return result;
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
