#include "core/metrics/Moments.h"

#include "core/metrics/Metrics.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

Result<void> RunningMoments::add(const Tensor& tensor, std::int64_t samples)
{
    PT2E_ASSIGN(const std::vector<double> values, tensor.toDoubles());
    const std::size_t count = elementsOf(tensor, samples);
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i];
        if (!std::isfinite(value))
            continue;
        if (m_count == 0)
            m_origin = value;
        m_sum += value - m_origin;
        m_squares += (value - m_origin) * (value - m_origin);
        m_low = std::min(m_low, value);
        m_high = std::max(m_high, value);
        ++m_count;
    }
    return {};
}

Moments RunningMoments::moments() const
{
    if (m_count == 0)
        return {};
    const auto count = static_cast<double>(m_count);
    const double mean = m_sum / count;
    return {m_origin + mean, std::sqrt(std::max(0.0, m_squares / count - mean * mean)), m_low,
            m_high, m_count};
}

Result<void> RunningShift::add(const Tensor& reference, const Tensor& actual, std::int64_t samples)
{
    const std::vector<std::int64_t>& shape = reference.shape();
    const auto axis = static_cast<std::size_t>(m_axis);
    if (m_axis < 0 || axis >= shape.size() || actual.shape() != shape)
        return {};
    const auto channels = static_cast<std::size_t>(shape[axis]);
    if (m_channels.empty())
        m_channels.resize(channels);
    if (m_channels.size() != channels || channels == 0)
        return {};
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < shape.size(); ++i)
        inner *= static_cast<std::size_t>(shape[i]);
    PT2E_ASSIGN(const std::vector<double> wanted, reference.toDoubles());
    PT2E_ASSIGN(const std::vector<double> got, actual.toDoubles());
    const std::size_t count = axis == 0 ? wanted.size() : elementsOf(reference, samples);
    for (std::size_t i = 0; i < count; ++i) {
        const double error = got[i] - wanted[i];
        if (!std::isfinite(error))
            continue;
        Sums& sums = m_channels[i / inner % channels];
        sums.reference += wanted[i];
        sums.square += wanted[i] * wanted[i];
        sums.error += error;
        sums.errorSquare += error * error;
        ++sums.count;
    }
    return {};
}

std::optional<ChannelShift> RunningShift::worst() const
{
    // A channel that hardly varies beside the others is moved by their rounding, and it matters little.
    constexpr double kLeastSpread = 0.25;
    constexpr std::int64_t kFewest = 32;
    constexpr double kChance = 5; // standard errors
    const auto deviationOf = [](double sum, double square, double count) {
        return std::sqrt(std::max(0.0, square / count - sum / count * (sum / count)));
    };
    std::vector<double> spreads;
    for (const Sums& sums : m_channels)
        spreads.push_back(deviationOf(sums.reference, sums.square,
                                      static_cast<double>(std::max<std::int64_t>(sums.count, 1))));
    std::sort(spreads.begin(), spreads.end());
    const double least = spreads.empty() ? 0 : kLeastSpread * spreads[spreads.size() / 2];
    std::optional<ChannelShift> worst;
    for (std::size_t i = 0; i < m_channels.size(); ++i) {
        const Sums& sums = m_channels[i];
        if (sums.count < kFewest)
            continue;
        const auto count = static_cast<double>(sums.count);
        const ChannelShift shift{static_cast<std::int64_t>(i), sums.error / count,
                                 deviationOf(sums.reference, sums.square, count)};
        const double chance = deviationOf(sums.error, sums.errorSquare, count) / std::sqrt(count);
        // A channel that is constant has no spread to measure by.
        const bool isStill = shift.deviation <= 1e-6 * std::abs(sums.reference / count)
                             || shift.deviation == 0 || shift.deviation < least;
        if (isStill || std::abs(shift.meanError) < kChance * chance)
            continue;
        if (!worst || std::abs(shift.ratio()) > std::abs(worst->ratio()))
            worst = shift;
    }
    return worst;
}

} // namespace pt2e
