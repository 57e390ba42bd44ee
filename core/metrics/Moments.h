// Mean, spread and range of values; and how far a quantized channel's mean has moved.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pt2e {

/// Of finite values.
struct Moments
{
    double mean = 0;
    double deviation = 0; ///< standard deviation, √(Σ(x − mean)² / count)
    double low = 0;
    double high = 0;
    std::int64_t count = 0;
};

/// Over many tensors, added one by one.
class RunningMoments
{
public:
    /// samples: only so many rows of the first axis (0: all).
    Result<void> add(const Tensor& tensor, std::int64_t samples = 0);
    Moments moments() const;

private:
    // Around the first value: sums of squares of values far from 0 would lose what is wanted.
    double m_origin = 0;
    double m_sum = 0;
    double m_squares = 0;
    double m_low = std::numeric_limits<double>::infinity();
    double m_high = -std::numeric_limits<double>::infinity();
    std::int64_t m_count = 0;
};

/// The channel whose mean has moved the most against the spread of its values.
struct ChannelShift
{
    std::int64_t channel = 0;
    double meanError = 0; ///< mean(actual − reference)
    double deviation = 0; ///< of the reference
    double ratio() const { return meanError / deviation; }
};

/// Mean error of each channel in units of its standard deviation: what bias correction takes away.
class RunningShift
{
public:
    explicit RunningShift(std::int64_t axis) : m_axis(axis) {}
    /// Shapes are equal and have the axis; else nothing is added, as where the number of channels changes.
    Result<void> add(const Tensor& reference, const Tensor& actual, std::int64_t samples = 0);
    /// Of those channels whose mean error is not chance: 32 values or more, and five times its standard error. None: nothing.
    std::optional<ChannelShift> worst() const;

private:
    struct Sums
    {
        double reference = 0, square = 0, error = 0, errorSquare = 0;
        std::int64_t count = 0;
    };
    std::int64_t m_axis;
    std::vector<Sums> m_channels;
};

} // namespace pt2e
