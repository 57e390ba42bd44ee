// What one quantize/dequantize pair loses: rounding and clipping apart.
#pragma once

#include "core/base/Result.h"
#include "core/metrics/Metrics.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <vector>

namespace pt2e {

/// The quantization of a tensor, per tensor or per channel.
struct QuantizationGrid
{
    std::vector<double> scales; ///< one, or one per channel
    std::vector<std::int64_t> zeroPoints; ///< as many
    std::int64_t quantMin = -128;
    std::int64_t quantMax = 127;
    std::int64_t axis = 0; ///< of the channels, where there are several
};

struct QuantizationLoss
{
    TensorError error; ///< of the dequantized against the original values
    double roundingMse =
        0; ///< Σ error² of the values inside the range, over all values: the two add up to error.mse
    double clippingMse =
        0; ///< of those outside (quantMin − zeroPoint)·scale … (quantMax − zeroPoint)·scale
    double clipRate = 0; ///< share of the values outside by more than 1e-4 of a step
    double stepRmse =
        0; ///< root mean square of error / scale; evenly spread rounding gives 1/√12 ≈ 0.289
    std::int64_t usedCodes = 0; ///< different integers that occur
    std::int64_t codes = 0; ///< that could
};

/// Values before quantize and after dequantize of one pair, added batch by batch.
class RunningLoss
{
public:
    explicit RunningLoss(QuantizationGrid grid);
    /// samples: as in RunningError. An error if the shapes differ or the axis has another length than there are scales.
    Result<void> add(const Tensor& original, const Tensor& dequantized, std::int64_t samples = 0);
    QuantizationLoss loss() const;

private:
    void addElement(double original, double dequantized, std::size_t channel);

    QuantizationGrid m_grid;
    RunningError m_error;
    double m_rounding = 0;
    double m_clipping = 0;
    double m_steps = 0;
    std::int64_t m_clipped = 0;
    std::int64_t m_count = 0;
    std::vector<bool> m_isUsed; ///< by code − quantMin; empty where there are too many
};

} // namespace pt2e
