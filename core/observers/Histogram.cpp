#include "core/observers/Histogram.h"

#include "core/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

constexpr std::int64_t kUpsample = 16; // upsample_rate of the constructor

Result<std::vector<float>> linspace(double start, double end, std::int64_t steps)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const Tensor points, all->callTensor("aten.linspace.default",
                                                     Values{Value{start}, Value{end}, Value{steps}},
                                                     {{"dtype", Value{DType::Float32}}}));
    PT2E_ASSIGN(const auto values, points.values<float>());
    return std::vector<float>(values.begin(), values.end());
}

Result<float> atenSum(const std::vector<float>& values)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    const Tensor tensor = Tensor::fromValues<float>(
        DType::Float32, {static_cast<std::int64_t>(values.size())}, std::span(values));
    PT2E_ASSIGN(const Tensor sum, all->callTensor("aten.sum.default", {Value{tensor}}));
    PT2E_ASSIGN(const auto read, sum.values<float>());
    return read.front();
}

/// torch.bucketize(right=True) of rising values: the number of boundaries ≤ value. `hint` is where the value before
/// ended, which is nearly always the answer or next to it.
std::size_t bucketOf(float value, const std::vector<float>& boundaries, std::size_t hint)
{
    std::size_t place = hint;
    while (place < boundaries.size() && !(boundaries[place] > value))
        ++place;
    while (place > 0 && boundaries[place - 1] > value)
        --place;
    return place;
}

/// A tensor of another dtype without its infinities, one-dimensional.
Result<Tensor> finiteOnly(const Tensor& tensor)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const Tensor isInfinite, all->callTensor("aten.isinf.default", {Value{tensor}}));
    PT2E_ASSIGN(const Tensor isKept,
                all->callTensor("aten.logical_not.default", {Value{isInfinite}}));
    return all->callTensor("aten.masked_select.default", {Value{tensor}, Value{isKept}});
}

/// torch.aminmax of values that are not float32.
ValueRange rangeOf(const std::vector<double>& values)
{
    ValueRange range{values.front(), values.front()};
    for (double v : values) {
        if (std::isnan(v))
            return {v, v};
        range = {std::min(range.min, v), std::max(range.max, v)};
    }
    return range;
}

bool hasInfinity(ValueRange range)
{
    return range.min == -std::numeric_limits<double>::infinity()
           || range.max == std::numeric_limits<double>::infinity();
}

/// Other dtypes are binned in their own precision, so ATen does it; what it has no histogram for fails there.
Result<std::vector<float>> histcThroughAten(const Tensor& tensor, std::int64_t bins,
                                            ValueRange range)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const Tensor counts,
                all->callTensor("aten.histc.default", Values{Value{tensor}, Value{bins},
                                                             Value{range.min}, Value{range.max}}));
    PT2E_ASSIGN(const std::vector<double> values, counts.toDoubles());
    return std::vector<float>(values.begin(), values.end());
}

} // namespace

/// One batch without infinities: float32 values, or a tensor that ATen has to bin.
struct HistogramObserver::Batch
{
    std::span<const float> values;
    Tensor other; ///< valid: the batch is not float32
    ValueRange range;
    std::int64_t count = 0;

    static Result<Batch> ofFloats(const Tensor& tensor, std::vector<float>& kept);
    static Result<Batch> ofOthers(const Tensor& tensor);
    Result<std::vector<float>> histogram(std::int64_t bins, ValueRange over) const
    {
        return other.isValid() ? histcThroughAten(other, bins, over)
                               : histc(values, bins, static_cast<float>(over.min),
                                       static_cast<float>(over.max));
    }
};

/// `kept` holds the values when some had to be dropped.
Result<HistogramObserver::Batch> HistogramObserver::Batch::ofFloats(const Tensor& tensor,
                                                                    std::vector<float>& kept)
{
    Batch batch;
    PT2E_ASSIGN(batch.values, tensor.values<float>());
    const auto measure = [&batch] {
        const MinMaxPair pair = minMaxOf(batch.values);
        batch.range = {pair.min, pair.max};
    };
    measure();
    if (hasInfinity(batch.range)) {
        std::copy_if(batch.values.begin(), batch.values.end(), std::back_inserter(kept),
                     [](float v) { return !std::isinf(v); });
        batch.values = kept;
        if (!kept.empty())
            measure();
    }
    batch.count = static_cast<std::int64_t>(batch.values.size());
    return batch;
}

Result<HistogramObserver::Batch> HistogramObserver::Batch::ofOthers(const Tensor& tensor)
{
    Batch batch;
    batch.other = tensor;
    PT2E_ASSIGN(std::vector<double> values, tensor.toDoubles());
    batch.range = rangeOf(values);
    if (hasInfinity(batch.range)) {
        PT2E_ASSIGN(batch.other, finiteOnly(tensor));
        PT2E_ASSIGN(values, batch.other.toDoubles());
        if (!values.empty())
            batch.range = rangeOf(values);
    }
    batch.count = static_cast<std::int64_t>(values.size());
    return batch;
}

HistogramObserver::HistogramObserver(const ObserverConfig& config) : m_bins(config.bins) {}

Result<void> HistogramObserver::observe(const Tensor& tensor)
{
    if (tensor.elementCount() == 0)
        return {};
    PT2E_ASSIGN(const Tensor contiguous, tensor.contiguous());
    std::vector<float> kept;
    PT2E_ASSIGN(const Batch batch, contiguous.dtype() == DType::Float32
                                       ? Batch::ofFloats(contiguous, kept)
                                       : Batch::ofOthers(contiguous));
    if (batch.count == 0)
        return {};
    PT2E_TRY(add(batch));
    m_state.valuesSeen += batch.count;
    return {};
}

Result<void> HistogramObserver::add(const Batch& batch)
{
    ValueRange range = batch.range;
    if (m_state.minVal.empty()) {
        PT2E_ASSIGN(m_state.histogram, batch.histogram(m_bins, range));
    } else {
        const double oldMin = m_state.minVal.front();
        const double oldMax = m_state.maxVal.front();
        // torch.min and torch.max, which pass NaN on: histc then fails as in the original.
        if (!std::isnan(range.min))
            range = {std::min(oldMin, range.min), std::max(oldMax, range.max)};
        PT2E_ASSIGN(const std::vector<float> added, batch.histogram(m_bins, range));
        if (range.min == oldMin && range.max == oldMax) {
            for (std::size_t i = 0; i < added.size(); ++i)
                m_state.histogram[i] += added[i];
        } else {
            PT2E_ASSIGN(m_state.histogram, combine(added, range));
        }
    }
    m_state.minVal = {static_cast<float>(range.min)};
    m_state.maxVal = {static_cast<float>(range.max)};
    return {};
}

/// HistogramObserver._combine_histograms.
Result<std::vector<float>> HistogramObserver::combine(const std::vector<float>& added,
                                                      ValueRange range) const
{
    const MinMaxPair old{m_state.minVal.front(), m_state.maxVal.front()};
    std::vector<float> moved;
    if (old.min == old.max) {
        const float value = old.min;
        PT2E_ASSIGN(moved, histc(std::span(&value, 1), m_bins, static_cast<float>(range.min),
                                 static_cast<float>(range.max)));
        PT2E_ASSIGN(const float sum, atenSum(m_state.histogram));
        for (float& count : moved)
            count *= sum;
    } else {
        PT2E_ASSIGN(moved, upscaleHistogram(m_state.histogram, old, range));
    }
    for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] += added[i];
    return moved;
}

Result<std::vector<float>> upscaleHistogram(const std::vector<float>& histogram, MinMaxPair old,
                                            ValueRange range)
{
    const auto bins = static_cast<std::int64_t>(histogram.size());
    const std::int64_t fine = bins * kUpsample;
    const float width = (old.max - old.min) / static_cast<float>(fine);
    const float half = 0.5f * width;
    PT2E_ASSIGN(const std::vector<float> points, linspace(old.min, old.max, fine + 1));
    PT2E_ASSIGN(const std::vector<float> boundaries, linspace(range.min, range.max, bins + 1));
    std::vector<float> result(histogram.size());
    std::size_t hint = 0;
    // torch.bincount with float32 weights adds them one after another. Neighbours mostly fall into one bin, whose sum
    // stays in a register until then.
    std::int64_t bin = 0;
    float sum = 0;
    for (std::int64_t i = 0; i < fine; ++i) {
        hint = bucketOf(points[static_cast<std::size_t>(i)] + half, boundaries, hint);
        const std::int64_t next =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(hint) - 1, 0, bins - 1);
        if (next != bin) {
            result[static_cast<std::size_t>(bin)] = sum;
            sum = result[static_cast<std::size_t>(next)];
            bin = next;
        }
        sum += histogram[static_cast<std::size_t>(i / kUpsample)] / static_cast<float>(kUpsample);
    }
    result[static_cast<std::size_t>(bin)] = sum;
    return result;
}

} // namespace pt2e
