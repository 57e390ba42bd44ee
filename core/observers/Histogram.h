// HistogramObserver: a histogram of all values seen, widened when a batch goes beyond it.
#pragma once

#include "core/observers/Observer.h"
#include "core/observers/Statistics.h"

namespace pt2e {

/// A range in double: exact for float32 values, and as torch promotes a float64 batch beside the float32 state.
struct ValueRange
{
    double min = 0;
    double max = 0;
};

class HistogramObserver : public Observer
{
public:
    explicit HistogramObserver(const ObserverConfig& config);
    Result<void> observe(const Tensor& tensor) override;
    ObserverState state() const override { return m_state; }
    void restore(const ObserverState& state) override { m_state = state; }

private:
    struct Batch;
    Result<void> add(const Batch& batch);
    Result<std::vector<float>> combine(const std::vector<float>& added, ValueRange range) const;

    std::int64_t m_bins;
    ObserverState m_state;
};

/// HistogramObserver._upscale_histogram: the old histogram spread over the bins of the new range. Needs kernels()
/// for torch.linspace, whose last bits depend on the build.
Result<std::vector<float>> upscaleHistogram(const std::vector<float>& histogram, MinMaxPair old,
                                            ValueRange range);

} // namespace pt2e
