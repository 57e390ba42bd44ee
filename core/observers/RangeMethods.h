// Other ways to choose a range than torchao's observers have, from the histogram that one of them has kept. What they
// give goes into a recipe as a fixed scale and zero point, which torchao takes as it is.
#pragma once

#include "core/observers/Observer.h"

#include <span>
#include <string_view>

namespace pt2e {

enum class RangeMethod : std::uint8_t {
    MinMax, ///< all that was seen
    Percentile999, ///< 99.9 % of the values: 0.05 % are cut off at each end
    Percentile9999, ///< 99.99 %
    SquaredError, ///< smallest mean squared error of rounding and clipping together
    Divergence ///< smallest Kullback-Leibler divergence of the quantized distribution from the observed one
};
std::span<const RangeMethod> rangeMethods();
std::string_view rangeMethodName(RangeMethod method); ///< "min-max", "percentile 99.9", …

/// The range in real values. BadInput where the state is no histogram (per channel, or nothing seen).
///
/// Percentiles take the histogram's values as spread evenly within each bin. SquaredError takes each bin's values to lie
/// in its middle, and tries ends at 128ths of the observed ones, one end after the other until neither moves.
/// Divergence follows S. Migacz, "8-bit inference with TensorRT" (2017), over absolute values where there are negative
/// ones: all thresholds from one bin per code on, the values behind one added to its last bin.
struct ValueRange
{
    float low = 0;
    float high = 0;
};
Result<ValueRange> chooseRange(RangeMethod method, const ObserverConfig& config,
                               const ObserverState& state);

/// Scale and zero point of that range, or of one drawn by hand, as the observer's config computes them.
Result<QParams> qparamsOfRange(const ObserverConfig& config, ValueRange range);

/// Mean squared error of quantizing the histogram's values, each in the middle of its bin.
double squaredError(const ObserverConfig& config, const QParams& qparams,
                    const ObserverState& state);
/// Mean square of these values themselves; both are NaN where there is no histogram.
double meanSquare(const ObserverState& state);

} // namespace pt2e
