// HistogramObserver._non_linear_param_search: which bins to keep so that the quantization error is small.
#pragma once

#include "core/observers/Observer.h"

#include <functional>

namespace pt2e {

struct HistogramRange
{
    float low = 0;
    float high = 0;
};

/// One candidate the search computed the error of; for tests and for explaining a scale.
struct HistogramCandidate
{
    std::int64_t iteration = 0; ///< 1 is the first
    std::int64_t first = 0; ///< bins first … last are kept
    std::int64_t last = 0;
    double norm = 0;
    bool isAccepted = false;
};
using HistogramTrace = std::vector<HistogramCandidate>;

/// The range to quantize over, for a state that has seen data. Needs kernels() for ATen's sum, whose last bits
/// depend on the vector width; everything else is exactly defined. `iterations` and `trace` may be null.
Result<HistogramRange> searchHistogramRange(const ObserverConfig& config,
                                            const ObserverState& state,
                                            HistogramTrace* trace = nullptr,
                                            std::int64_t* iterations = nullptr);

/// ATen's floor division of float32 (c10::div_floor_floating): not floor(a / b).
float floorDivide(float a, float b);

} // namespace pt2e
