// What runs between partitions in code of ours: where XNNPACK has no operator, or a slower one.
#pragma once

#include "core/engine/xnnpack/XnnAdapter.h"

namespace pt2e::xnn {

class OwnKernel
{
public:
    virtual ~OwnKernel() = default;
    /// From one contiguous float32 tensor in the graph's order to the memory of the result.
    virtual void run(std::span<const float> in, void* out, const ThreadPool& pool) const = 0;
};

// Loops whose trip counts the compiler knows become vector instructions. They are compiled for any
// processor and for AVX2; neither adds in another order nor fuses multiply-adds, so both give the
// same numbers.
#if defined(__x86_64__)
#define PT2E_XNN_AVX2 [[gnu::target("avx2")]]
inline bool hasAvx2()
{
    static const bool has = __builtin_cpu_supports("avx2") != 0;
    return has;
}
#else
#define PT2E_XNN_AVX2
inline bool hasAvx2() { return false; }
#endif

} // namespace pt2e::xnn
