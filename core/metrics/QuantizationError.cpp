#include "core/metrics/QuantizationError.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

constexpr std::int64_t kMostCodes = 1 << 16;
constexpr double kMargin = 1e-4; ///< steps

} // namespace

RunningLoss::RunningLoss(QuantizationGrid grid) : m_grid(std::move(grid))
{
    const std::int64_t codes = m_grid.quantMax - m_grid.quantMin + 1;
    if (codes > 0 && codes <= kMostCodes)
        m_isUsed.resize(static_cast<std::size_t>(codes));
}

void RunningLoss::addElement(double original, double dequantized, std::size_t channel)
{
    if (!std::isfinite(original) || !std::isfinite(dequantized))
        return;
    const double scale = m_grid.scales[channel];
    const auto zeroPoint = static_cast<double>(m_grid.zeroPoints[channel]);
    const double low = (static_cast<double>(m_grid.quantMin) - zeroPoint) * scale;
    const double high = (static_cast<double>(m_grid.quantMax) - zeroPoint) * scale;
    const double square = (dequantized - original) * (dequantized - original);
    // A largest value that the range was made for is not clipped by a rounding of its scale.
    const double margin = kMargin * scale;
    const bool isClipped = original < low - margin || original > high + margin;
    (isClipped ? m_clipping : m_rounding) += square;
    m_steps += square / (scale * scale);
    m_clipped += isClipped ? 1 : 0;
    ++m_count;
    if (m_isUsed.empty())
        return;
    const double code = std::round(dequantized / scale + zeroPoint);
    const double last = static_cast<double>(m_isUsed.size()) - 1;
    const double at = std::clamp(code - static_cast<double>(m_grid.quantMin), 0.0, last);
    m_isUsed[static_cast<std::size_t>(at)] = true;
}

Result<void> RunningLoss::add(const Tensor& original, const Tensor& dequantized,
                              std::int64_t samples)
{
    PT2E_TRY(m_error.add(original, dequantized, samples));
    const std::vector<std::int64_t>& shape = original.shape();
    const auto axis = static_cast<std::size_t>(m_grid.axis);
    const bool isPerChannel = m_grid.scales.size() > 1;
    if (isPerChannel
        && (axis >= shape.size() || shape[axis] != static_cast<std::int64_t>(m_grid.scales.size())))
        return badInput("", fmt::format("{} scales along axis {} do not go with shape {}",
                                        m_grid.scales.size(), m_grid.axis,
                                        shapeText(original.meta().shape)));
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; isPerChannel && i < shape.size(); ++i)
        inner *= static_cast<std::size_t>(shape[i]);
    PT2E_ASSIGN(const std::vector<double> before, original.toDoubles());
    PT2E_ASSIGN(const std::vector<double> after, dequantized.toDoubles());
    const std::size_t count = elementsOf(original, samples);
    for (std::size_t i = 0; i < count; ++i)
        addElement(before[i], after[i], isPerChannel ? i / inner % m_grid.scales.size() : 0);
    return {};
}

QuantizationLoss RunningLoss::loss() const
{
    QuantizationLoss loss;
    loss.error = m_error.error();
    loss.codes = m_grid.quantMax - m_grid.quantMin + 1;
    loss.usedCodes = std::count(m_isUsed.begin(), m_isUsed.end(), true);
    if (m_count > 0) {
        const auto count = static_cast<double>(m_count);
        loss.roundingMse = m_rounding / count;
        loss.clippingMse = m_clipping / count;
        loss.clipRate = static_cast<double>(m_clipped) / count;
        loss.stepRmse = std::sqrt(m_steps / count);
    }
    return loss;
}

} // namespace pt2e
