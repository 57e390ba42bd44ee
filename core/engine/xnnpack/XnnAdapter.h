// Running XNNPACK: threads, runtimes, profiles. With XnnSubgraph.h the only door to XNNPACK: only the
// sources of these two call xnn_ functions or include its header.
#pragma once

#include "core/engine/xnnpack/XnnSubgraph.h"

#include <chrono>
#include <functional>

namespace pt2e::xnn {

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
    /// part(begin, end) over [0, count) in pieces, on all threads where there is enough to do.
    /// cost: about how many elements one item is.
    void forParts(std::size_t count, std::size_t cost,
                  const std::function<void(std::size_t, std::size_t)>& part) const;

private:
    std::size_t m_threads = 1;
    void* m_handle = nullptr;
};

struct RuntimeOptions
{
    bool isProfiled = false; ///< times each operator
    /// The workers sleep after each run, and have to be woken for the next: where others want their
    /// cores in between. Else they wait a while for more.
    bool yieldsWorkers = false;
};

/// A subgraph made ready to run. One thread at a time.
class Runtime
{
public:
    /// Packs the weights; constants marked as packed are freed.
    static Result<std::unique_ptr<Runtime>> build(std::unique_ptr<Subgraph> subgraph,
                                                  const ThreadPool& pool,
                                                  const RuntimeOptions& options = {});
    ~Runtime();
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;

    /// Memory of each external value, by id. Each must be readable kReadAhead bytes past its end.
    Result<void> run(std::span<void* const> externals);

    /// An operator of XNNPACK's own list, in execution order; fused ones are gone from it.
    struct OperatorTime
    {
        std::string name; ///< "Convolution (NHWC, QC8)"
        std::chrono::microseconds time;
        NodeId owner; ///< Subgraph::setOwner; invalid where it cannot be told
    };
    /// Of the last run of a profiled runtime.
    Result<std::vector<OperatorTime>> profile() const;

private:
    struct State;
    explicit Runtime(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// What the CPU offers of the instruction sets that XNNPACK's kernels are written for.
std::vector<std::string> cpuInstructionSets();

} // namespace pt2e::xnn
