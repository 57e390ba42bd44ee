#include "core/observers/RangeMethods.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace pt2e {

namespace {

/// A per-tensor histogram in double.
struct Bins
{
    double low;
    double width; ///< of one bin
    std::vector<double> counts;

    double high() const { return low + width * static_cast<double>(counts.size()); }
    double total() const { return std::accumulate(counts.begin(), counts.end(), 0.0); }
    double middle(std::size_t bin) const { return low + (static_cast<double>(bin) + 0.5) * width; }
};

Result<Bins> binsOf(const ObserverState& state)
{
    if (state.histogram.empty() || state.minVal.size() != 1 || state.maxVal.size() != 1)
        return badInput("range", "there is no histogram of these values");
    Bins bins{
        static_cast<double>(state.minVal[0]), 0, {state.histogram.begin(), state.histogram.end()}};
    bins.width =
        (static_cast<double>(state.maxVal[0]) - bins.low) / static_cast<double>(bins.counts.size());
    if (!(bins.width >= 0) || !std::isfinite(bins.width) || !(bins.total() > 0))
        return badInput("range", "the histogram has no finite values");
    return bins;
}

ValueRange rangeOf(double low, double high)
{
    return {static_cast<float>(low), static_cast<float>(high)};
}

/// Where so much of the distribution lies below.
double quantile(const Bins& bins, double share)
{
    const double wanted = share * bins.total();
    double below = 0;
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin) {
        const double count = bins.counts[bin];
        if (below + count >= wanted && count > 0)
            return bins.low + bins.width * (static_cast<double>(bin) + (wanted - below) / count);
        below += count;
    }
    return bins.high();
}

ValueRange percentile(const Bins& bins, double share)
{
    const double cut = (1 - share) / 2;
    return rangeOf(quantile(bins, cut), quantile(bins, 1 - cut));
}

double errorOf(const ObserverConfig& config, const QParams& qparams, const Bins& bins)
{
    const auto scale = static_cast<double>(qparams.scale.front());
    const auto zero = static_cast<double>(qparams.zeroPoint.front());
    const auto least = static_cast<double>(config.quantMin);
    const auto most = static_cast<double>(config.quantMax);
    double sum = 0;
    for (std::size_t bin = 0; bin < bins.counts.size(); ++bin) {
        if (bins.counts[bin] == 0)
            continue;
        const double value = bins.middle(bin);
        const double code = std::clamp(std::nearbyint(value / scale) + zero, least, most);
        const double difference = (code - zero) * scale - value;
        sum += bins.counts[bin] * difference * difference;
    }
    return sum / bins.total();
}

Result<ValueRange> leastSquares(const ObserverConfig& config, const Bins& bins)
{
    constexpr int kParts = 128;
    constexpr int kMostTurns = 6;
    double low = bins.low;
    double high = bins.high();
    double least = std::numeric_limits<double>::infinity();
    for (int turn = 0; turn < kMostTurns; ++turn) {
        const double before = least;
        double& end = turn % 2 == 0 ? high : low;
        const double whole = turn % 2 == 0 ? bins.high() : bins.low;
        double best = end;
        for (int part = 1; part <= kParts; ++part) {
            end = whole * part / kParts;
            if (low > high)
                continue;
            PT2E_ASSIGN(const QParams qparams, qparamsOfRange(config, rangeOf(low, high)));
            if (const double error = errorOf(config, qparams, bins); error < least) {
                least = error;
                best = end;
            }
        }
        end = best;
        if (turn > 0 && least == before)
            break;
    }
    return rangeOf(low, high);
}

/// Of absolute values where some are negative, in bins from 0 on.
std::vector<double> magnitudes(const Bins& bins, double& width)
{
    const double largest = std::max(std::fabs(bins.low), std::fabs(bins.high()));
    const std::size_t count = bins.counts.size();
    width = largest / static_cast<double>(count);
    std::vector<double> result(count, 0.0);
    for (std::size_t bin = 0; bin < count; ++bin) {
        const double at = std::fabs(bins.middle(bin)) / width;
        result[std::min(static_cast<std::size_t>(at), count - 1)] += bins.counts[bin];
    }
    return result;
}

/// KL(P ‖ Q): the first `kept` bins, with what lies behind in the last of them, against the same in so many levels.
double divergence(const std::vector<double>& counts, std::size_t kept, std::size_t levels)
{
    double total = 0;
    double inside = 0;
    for (std::size_t bin = 0; bin < counts.size(); ++bin) {
        total += counts[bin];
        inside += bin < kept ? counts[bin] : 0;
    }
    double sum = 0;
    for (std::size_t level = 0; level < levels; ++level) {
        const std::size_t first = level * kept / levels;
        const std::size_t end = (level + 1) * kept / levels;
        double count = 0;
        double used = 0;
        for (std::size_t bin = first; bin < end; ++bin) {
            count += counts[bin];
            used += counts[bin] > 0 ? 1 : 0;
        }
        for (std::size_t bin = first; bin < end; ++bin) {
            const double behind = bin + 1 == kept ? total - inside : 0;
            const double p = (counts[bin] + behind) / total;
            if (p == 0)
                continue;
            const double q = counts[bin] > 0 ? count / used / inside : 0;
            if (q == 0)
                return std::numeric_limits<double>::infinity();
            sum += p * std::log(p / q);
        }
    }
    return sum;
}

ValueRange leastDivergence(const ObserverConfig& config, const Bins& bins)
{
    const bool isSigned = bins.low < 0;
    const auto codes = static_cast<std::size_t>(config.quantMax - config.quantMin + 1);
    const std::size_t levels = std::max<std::size_t>(isSigned ? codes / 2 : codes, 1);
    double width = 0;
    const std::vector<double> counts = magnitudes(bins, width);
    std::size_t best = counts.size();
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t kept = std::min(levels, counts.size()); kept <= counts.size(); ++kept) {
        if (const double found = divergence(counts, kept, levels); found < least) {
            least = found;
            best = kept;
        }
    }
    const double threshold = width * static_cast<double>(best);
    return rangeOf(std::max(bins.low, isSigned ? -threshold : 0.0),
                   std::min(bins.high(), threshold));
}

} // namespace

std::span<const RangeMethod> rangeMethods()
{
    static constexpr RangeMethod kAll[] = {RangeMethod::MinMax, RangeMethod::Percentile999,
                                           RangeMethod::Percentile9999, RangeMethod::SquaredError,
                                           RangeMethod::Divergence};
    return kAll;
}

std::string_view rangeMethodName(RangeMethod method)
{
    switch (method) {
    case RangeMethod::MinMax: return "min-max";
    case RangeMethod::Percentile999: return "percentile 99.9";
    case RangeMethod::Percentile9999: return "percentile 99.99";
    case RangeMethod::SquaredError: return "least squared error";
    case RangeMethod::Divergence: break;
    }
    return "least KL divergence";
}

Result<QParams> qparamsOfRange(const ObserverConfig& config, ValueRange range)
{
    if (isPerChannel(config.qscheme))
        return badInput("range", "the values are quantized per channel");
    ObserverConfig plain = config;
    plain.kind = ObserverKind::MinMax;
    ObserverState state;
    state.minVal = {range.low};
    state.maxVal = {range.high};
    PT2E_ASSIGN(const QParamsResult result, calculateQParams(plain, state));
    return *result.qparams;
}

Result<ValueRange> chooseRange(RangeMethod method, const ObserverConfig& config,
                               const ObserverState& state)
{
    PT2E_ASSIGN(const Bins bins, binsOf(state));
    if (bins.width == 0)
        return ValueRange{state.minVal[0], state.maxVal[0]};
    switch (method) {
    case RangeMethod::MinMax: return ValueRange{state.minVal[0], state.maxVal[0]};
    case RangeMethod::Percentile999: return percentile(bins, 0.999);
    case RangeMethod::Percentile9999: return percentile(bins, 0.9999);
    case RangeMethod::SquaredError: return leastSquares(config, bins);
    case RangeMethod::Divergence: break;
    }
    return leastDivergence(config, bins);
}

double squaredError(const ObserverConfig& config, const QParams& qparams,
                    const ObserverState& state)
{
    const auto bins = binsOf(state);
    return bins ? errorOf(config, qparams, *bins) : std::numeric_limits<double>::quiet_NaN();
}

double meanSquare(const ObserverState& state)
{
    const auto bins = binsOf(state);
    if (!bins)
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (std::size_t bin = 0; bin < bins->counts.size(); ++bin)
        sum += bins->counts[bin] * bins->middle(bin) * bins->middle(bin);
    return sum / bins->total();
}

} // namespace pt2e
