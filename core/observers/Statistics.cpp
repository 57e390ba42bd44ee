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

namespace {

// The loops below have trip counts that the compiler knows, so that it makes vector instructions of them. They exist
// twice, for any processor and for AVX2; the numbers are the same, only addition and comparison of lanes are involved
// and no multiply-add is fused (-ffp-contract=off).
#if defined(__x86_64__)
#define PT2E_AVX2 [[gnu::target("avx2")]]
const bool hasAvx2 = __builtin_cpu_supports("avx2");
#else
#define PT2E_AVX2
const bool hasAvx2 = false;
#endif

constexpr std::size_t kLanes = 32;

/// A NaN never passes the comparisons; x - x is 0 for finite x and NaN for NaN and infinities.
struct Extremes
{
    std::array<float, kLanes> low, high, odd;

    Extremes()
    {
        low.fill(std::numeric_limits<float>::infinity());
        high.fill(-std::numeric_limits<float>::infinity());
        odd.fill(0);
    }
};

/// count is a multiple of kLanes.
[[gnu::always_inline]] inline void addWhole(Extremes& seen, const float* values, std::size_t count)
{
    Extremes lanes = seen;
    for (std::size_t i = 0; i < count; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            const float v = values[i + k];
            lanes.low[k] = v < lanes.low[k] ? v : lanes.low[k];
            lanes.high[k] = v > lanes.high[k] ? v : lanes.high[k];
            lanes.odd[k] += v - v;
        }
    }
    seen = lanes;
}

void addWholeAny(Extremes& seen, const float* values, std::size_t count)
{
    addWhole(seen, values, count);
}

PT2E_AVX2 void addWholeAvx2(Extremes& seen, const float* values, std::size_t count)
{
    addWhole(seen, values, count);
}

/// The range and the bins of a histogram.
struct Binning
{
    float low;
    float high;
    std::int32_t last; ///< bin
};

constexpr std::size_t kBlock = 512;

/// The bins of kBlock values; one past the last for those outside.
[[gnu::always_inline]] inline void findBins(const float* values, Binning binning,
                                            std::int32_t* bins)
{
    const float low = binning.low, high = binning.high, range = high - low;
    const std::int32_t last = binning.last;
    const auto scale = static_cast<float>(last + 1);
    for (std::size_t i = 0; i < kBlock; ++i) {
        const float v = values[i];
        const bool isInside = (v >= low) & (v <= high);
        const float position = ((isInside ? v : low) - low) * scale / range;
        // A position that overflowed (range of denormals) counts as the last bin.
        const bool isBelow = position < scale;
        const std::int32_t found = static_cast<std::int32_t>(isBelow ? position : 0.0f);
        const std::int32_t bin = isBelow ? found : last;
        bins[i] = isInside ? bin : last + 1;
    }
}

void findBinsAny(const float* values, Binning binning, std::int32_t* bins)
{
    findBins(values, binning, bins);
}

PT2E_AVX2 void findBinsAvx2(const float* values, Binning binning, std::int32_t* bins)
{
    findBins(values, binning, bins);
}

/// Four tables, because neighbouring values often fall into one bin, and an increment has to wait for the one before
/// it at the same place.
class BinCounts
{
public:
    static constexpr std::size_t kTables = 4;
    explicit BinCounts(std::size_t places) : m_places(places), m_tables(kTables * places) {}

    void add(const std::array<std::int32_t, kBlock>& bins)
    {
        std::uint32_t* const t0 = m_tables.data();
        std::uint32_t* const t1 = t0 + m_places;
        std::uint32_t* const t2 = t1 + m_places;
        std::uint32_t* const t3 = t2 + m_places;
        for (std::size_t i = 0; i < kBlock; i += kTables) {
            ++t0[bins[i]];
            ++t1[bins[i + 1]];
            ++t2[bins[i + 2]];
            ++t3[bins[i + 3]];
        }
    }
    std::uint64_t at(std::size_t place) const
    {
        std::uint64_t sum = 0;
        for (std::size_t t = 0; t < kTables; ++t)
            sum += m_tables[t * m_places + place];
        return sum;
    }

private:
    std::size_t m_places;
    std::vector<std::uint32_t> m_tables;
};

BinCounts countBins(std::span<const float> values, Binning binning)
{
    BinCounts counts(static_cast<std::size_t>(binning.last) + 2);
    std::array<std::int32_t, kBlock> bins;
    const auto find = hasAvx2 ? findBinsAvx2 : findBinsAny;
    while (values.size() >= kBlock) {
        find(values.data(), binning, bins.data());
        counts.add(bins);
        values = values.subspan(kBlock);
    }
    // The rest, filled up with values that fall outside.
    std::array<float, kBlock> rest;
    rest.fill(std::numeric_limits<float>::quiet_NaN());
    std::copy(values.begin(), values.end(), rest.begin());
    find(rest.data(), binning, bins.data());
    counts.add(bins);
    return counts;
}

} // namespace

MinMaxPair minMaxOf(std::span<const float> values)
{
    Extremes seen;
    const std::size_t whole = values.size() / kLanes * kLanes;
    (hasAvx2 ? addWholeAvx2 : addWholeAny)(seen, values.data(), whole);
    for (std::size_t i = whole; i < values.size(); ++i) {
        seen.low[0] = values[i] < seen.low[0] ? values[i] : seen.low[0];
        seen.high[0] = values[i] > seen.high[0] ? values[i] : seen.high[0];
        seen.odd[0] += values[i] - values[i];
    }
    // Infinities are odd too, so NaN needs a second look.
    const bool isOdd =
        std::any_of(seen.odd.begin(), seen.odd.end(), [](float v) { return v != 0; });
    if (isOdd && std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); })) {
        const float nan = std::numeric_limits<float>::quiet_NaN();
        return {nan, nan};
    }
    return {*std::min_element(seen.low.begin(), seen.low.end()),
            *std::max_element(seen.high.begin(), seen.high.end())};
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
    constexpr std::uint64_t kStuck = std::uint64_t(1) << 24; // 16777216 + 1 is 16777216 in float32
    constexpr std::size_t kPart = std::size_t(1) << 31; // so that 32 bits count them
    const auto count = static_cast<std::size_t>(bins);
    const Binning binning{low, high, static_cast<std::int32_t>(bins - 1)};
    std::vector<float> result(count);
    while (!values.empty()) {
        const std::span<const float> part = values.subspan(0, std::min(values.size(), kPart));
        values = values.subspan(part.size());
        const BinCounts counts = countBins(part, binning);
        for (std::size_t i = 0; i < count; ++i) {
            const std::uint64_t sum = static_cast<std::uint64_t>(result[i]) + counts.at(i);
            result[i] = static_cast<float>(std::min(sum, kStuck));
        }
    }
    return result;
}

} // namespace pt2e
