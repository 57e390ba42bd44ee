#include "core/observers/Statistics.h"

#include "core/ir/Text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pt2e {

Result<FloatView> FloatView::of(const Tensor& tensor)
{
    FloatView view;
    if (tensor.dtype() == DType::Float32) {
        PT2E_ASSIGN(view.m_contiguous, tensor.contiguous());
        PT2E_ASSIGN(view.m_values, view.m_contiguous.values<float>());
        return view;
    }
    PT2E_ASSIGN(const std::vector<double> values, tensor.toDoubles());
    view.m_converted.assign(values.begin(), values.end());
    view.m_values = view.m_converted;
    return view;
}

MinMaxPair minMaxOf(std::span<const float> values)
{
    // Sixteen independent lanes, which the compiler turns into vector instructions. A NaN never passes the
    // comparisons; x - x is 0 for finite x and NaN for NaN and infinities, so infinities need a second look.
    constexpr std::size_t kLanes = 16;
    std::array<float, kLanes> low, high, odd;
    low.fill(std::numeric_limits<float>::infinity());
    high.fill(-std::numeric_limits<float>::infinity());
    odd.fill(0);
    const std::size_t whole = values.size() / kLanes * kLanes;
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const float v = values[i + k];
            low[k] = v < low[k] ? v : low[k];
            high[k] = v > high[k] ? v : high[k];
            odd[k] += v - v;
        }
    }
    for (std::size_t i = whole; i < values.size(); ++i) {
        low[0] = values[i] < low[0] ? values[i] : low[0];
        high[0] = values[i] > high[0] ? values[i] : high[0];
        odd[0] += values[i] - values[i];
    }
    const bool isOdd = std::any_of(odd.begin(), odd.end(), [](float v) { return v != 0; });
    if (isOdd && std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); })) {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        return {nan, nan};
    }
    return {*std::min_element(low.begin(), low.end()), *std::max_element(high.begin(), high.end())};
}

Result<std::vector<float>> histc(std::span<const float> values, std::int64_t bins, float low,
                                 float high)
{
    if (!std::isfinite(low) || !std::isfinite(high))
        return badInput("torch.histc", "range of [" + pythonFloat(low) + ", " + pythonFloat(high)
                                           + "] is not finite");
    if (low == high) {
        low -= 1;
        high += 1;
    }
    // Four tables, because neighbouring values often fall into one bin. The last place takes what is skipped.
    constexpr std::size_t kTables = 4;
    constexpr std::size_t kBlock = 256;
    const auto count = static_cast<std::size_t>(bins);
    std::vector<std::uint64_t> tables(kTables * (count + 1));
    std::array<std::int32_t, kBlock> place;
    const float range = high - low;
    const auto scale = static_cast<float>(bins);
    const auto last = static_cast<std::int32_t>(bins - 1);
    for (std::size_t at = 0; at < values.size(); at += kBlock) {
        const std::size_t size = std::min(kBlock, values.size() - at);
        for (std::size_t i = 0; i < size; ++i) {
            const float v = values[at + i];
            const bool isInside = v >= low && v <= high;
            const float position = isInside ? (v - low) * scale / range : 0.0f;
            // A position that overflowed (range of denormals) counts as the last bin.
            const std::int32_t bin = position < scale ? static_cast<std::int32_t>(position) : last;
            place[i] = isInside ? bin : last + 1;
        }
        for (std::size_t i = 0; i < size; ++i)
            ++tables[(i % kTables) * (count + 1) + static_cast<std::size_t>(place[i])];
    }
    std::vector<float> result(count);
    constexpr std::uint64_t kStuck = std::uint64_t(1) << 24; // 16777216 + 1 is 16777216 in float32
    for (std::size_t i = 0; i < count; ++i) {
        std::uint64_t sum = 0;
        for (std::size_t t = 0; t < kTables; ++t)
            sum += tables[t * (count + 1) + i];
        result[i] = static_cast<float>(std::min(sum, kStuck));
    }
    return result;
}

} // namespace pt2e
