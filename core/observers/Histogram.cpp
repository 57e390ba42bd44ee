#include "core/observers/Histogram.h"

#include "core/kernels/Kernels.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

constexpr std::int64_t kUpsample = 16; // upsample_rate of the constructor

Result<std::vector<float>> linspace(float start, float end, std::int64_t steps)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const Tensor points,
                all->callTensor("aten.linspace.default",
                                Values{Value{static_cast<double>(start)},
                                       Value{static_cast<double>(end)}, Value{steps}},
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

std::vector<float> withoutInfinities(std::span<const float> values)
{
    std::vector<float> kept;
    kept.reserve(values.size());
    std::copy_if(values.begin(), values.end(), std::back_inserter(kept),
                 [](float v) { return !std::isinf(v); });
    return kept;
}

/// histc of half precision bins in half precision, so ATen does it; what it has no histogram for fails there.
Result<std::vector<float>> histcThroughAten(const Tensor& tensor, std::int64_t bins, float low,
                                            float high)
{
    PT2E_ASSIGN(const Kernels* all, kernels());
    PT2E_ASSIGN(const Tensor counts,
                all->callTensor("aten.histc.default",
                                Values{Value{tensor}, Value{bins}, Value{static_cast<double>(low)},
                                       Value{static_cast<double>(high)}}));
    PT2E_ASSIGN(const std::vector<double> values, counts.toDoubles());
    return std::vector<float>(values.begin(), values.end());
}

} // namespace

/// One batch without infinities: float32 values, or the tensor itself where ATen has to bin it.
struct HistogramObserver::Batch
{
    std::span<const float> values;
    const Tensor* other = nullptr;
    MinMaxPair range;
    std::int64_t bins = 0;

    Result<std::vector<float>> histogram(MinMaxPair over) const
    {
        return other ? histcThroughAten(*other, bins, over.min, over.max)
                     : histc(values, bins, over.min, over.max);
    }
};

HistogramObserver::HistogramObserver(const ObserverConfig& config) : m_bins(config.bins) {}

Result<void> HistogramObserver::observe(const Tensor& tensor)
{
    if (tensor.elementCount() == 0)
        return {};
    PT2E_ASSIGN(const FloatView view, FloatView::of(tensor));
    Batch batch{view.values(), nullptr, minMaxOf(view.values()), m_bins};
    Tensor replacement;
    std::vector<float> kept;
    const float infinity = std::numeric_limits<float>::infinity();
    if (tensor.dtype() != DType::Float32)
        batch.other = &tensor;
    if (batch.range.min == -infinity || batch.range.max == infinity) {
        kept = withoutInfinities(batch.values);
        if (kept.empty())
            return {};
        batch.values = kept;
        batch.range = minMaxOf(kept);
        if (batch.other) {
            PT2E_ASSIGN(const Kernels* all, kernels());
            const Tensor floats = Tensor::fromValues<float>(
                DType::Float32, {static_cast<std::int64_t>(kept.size())}, std::span(kept));
            PT2E_ASSIGN(replacement,
                        all->callTensor("aten.to.dtype", {Value{floats}, Value{tensor.dtype()}}));
            batch.other = &replacement;
        }
    }
    PT2E_TRY(add(batch));
    m_state.valuesSeen += static_cast<std::int64_t>(batch.values.size());
    return {};
}

Result<void> HistogramObserver::add(const Batch& batch)
{
    MinMaxPair range = batch.range;
    if (m_state.minVal.empty()) {
        PT2E_ASSIGN(m_state.histogram, batch.histogram(range));
    } else {
        const MinMaxPair old{m_state.minVal.front(), m_state.maxVal.front()};
        // torch.min and torch.max, which pass NaN on: histc then fails as in the original.
        if (!std::isnan(range.min))
            range = {std::min(old.min, range.min), std::max(old.max, range.max)};
        PT2E_ASSIGN(const std::vector<float> added, batch.histogram(range));
        if (range.min == old.min && range.max == old.max) {
            for (std::size_t i = 0; i < added.size(); ++i)
                m_state.histogram[i] += added[i];
        } else {
            PT2E_ASSIGN(m_state.histogram, combine(added, range));
        }
    }
    m_state.minVal = {range.min};
    m_state.maxVal = {range.max};
    return {};
}

/// HistogramObserver._combine_histograms.
Result<std::vector<float>> HistogramObserver::combine(const std::vector<float>& added,
                                                      MinMaxPair range) const
{
    const MinMaxPair old{m_state.minVal.front(), m_state.maxVal.front()};
    std::vector<float> moved;
    if (old.min == old.max) {
        const float value = old.min;
        PT2E_ASSIGN(moved, histc(std::span(&value, 1), m_bins, range.min, range.max));
        PT2E_ASSIGN(const float sum, atenSum(m_state.histogram));
        for (float& count : moved)
            count *= sum;
        for (std::size_t i = 0; i < moved.size(); ++i)
            moved[i] += added[i];
        return moved;
    }
    PT2E_ASSIGN(moved, upscaleHistogram(m_state.histogram, old, range));
    for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] = added[i] + moved[i];
    return moved;
}

Result<std::vector<float>> upscaleHistogram(const std::vector<float>& histogram, MinMaxPair old,
                                            MinMaxPair range)
{
    const auto bins = static_cast<std::int64_t>(histogram.size());
    const std::int64_t fine = bins * kUpsample;
    const float width = (old.max - old.min) / static_cast<float>(fine);
    const float half = 0.5f * width;
    PT2E_ASSIGN(const std::vector<float> points, linspace(old.min, old.max, fine + 1));
    PT2E_ASSIGN(const std::vector<float> boundaries, linspace(range.min, range.max, bins + 1));
    std::vector<float> result(histogram.size());
    std::size_t hint = 0;
    // torch.bincount with float32 weights adds them one after another.
    for (std::int64_t i = 0; i < fine; ++i) {
        hint = bucketOf(points[static_cast<std::size_t>(i)] + half, boundaries, hint);
        const std::int64_t bin =
            std::clamp<std::int64_t>(static_cast<std::int64_t>(hint) - 1, 0, bins - 1);
        const float part =
            histogram[static_cast<std::size_t>(i / kUpsample)] / static_cast<float>(kUpsample);
        result[static_cast<std::size_t>(bin)] += part;
    }
    return result;
}

} // namespace pt2e
