// What a scale would be after fewer batches: when more data stop to matter.
#pragma once

#include "core/data/Batches.h"
#include "core/pipeline/ActivationCache.h"
#include "core/pipeline/Snapshot.h"

#include <memory>
#include <span>
#include <vector>

namespace pt2e {

struct Convergence
{
    struct Point
    {
        QParams qparams; ///< after so many batches: one scale
        double low = 0; ///< smallest and largest value that they can hold
        double high = 0;
        /// Of what all batches showed, quantized with these: 10·log10(E[x²] / E[e²]) over the histogram's bins, each
        /// value in the middle of its bin. NaN where the observer keeps no histogram.
        double sqnrDb = 0;
    };
    std::vector<Point> points; ///< after the first, the second … batch
    /// From so many batches on the scale stays within kTolerance of the last one.
    std::size_t enough = 0;
    static constexpr double kTolerance = 0.01;
};

/// From kept values where the cache has them, else by running the model. BadInput for instances without a scale of
/// their own for the whole tensor: per channel, fixed, derived, dynamic.
Result<Convergence> convergenceOf(const Snapshot& snapshot, ObserverId instance,
                                  const Batches& batches, ActivationCache& cache,
                                  const JobContext& context);

/// What calibration had made of the first `counts` batches each (ascending, at most all): statistics and parameters of all
/// instances, as calibrating on these batches alone gives them. In one pass over the values, from kept ones where the
/// cache has them. Without diagnostics and what else is only looked at.
Result<std::vector<std::shared_ptr<const CalibratedStage>>> calibratedAfter(
    const Snapshot& snapshot, std::span<const std::size_t> counts, const Batches& batches,
    ActivationCache& cache, const JobContext& context);

} // namespace pt2e
