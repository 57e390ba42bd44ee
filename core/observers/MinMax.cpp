#include "core/observers/MinMax.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

/// The three groups of axes around the channel axis of a contiguous tensor.
struct ChannelLayout
{
    std::size_t outer = 1, channels = 1, inner = 1;
};

ChannelLayout layoutOf(const std::vector<std::int64_t>& shape, std::size_t axis)
{
    ChannelLayout layout;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto size = static_cast<std::size_t>(shape[i]);
        if (i < axis)
            layout.outer *= size;
        else if (i == axis)
            layout.channels = size;
        else
            layout.inner *= size;
    }
    return layout;
}

/// torch.min of two numbers: NaN if either is.
float smaller(float a, float b)
{
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN()
                                          : std::min(a, b);
}

float larger(float a, float b)
{
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<float>::quiet_NaN()
                                          : std::max(a, b);
}

} // namespace

MinMaxObserver::MinMaxObserver(const ObserverConfig& config)
    : m_isPerChannel(config.kind == ObserverKind::PerChannelMinMax
                     || config.kind == ObserverKind::MovingAveragePerChannelMinMax),
      m_isMoving(config.kind == ObserverKind::MovingAverageMinMax
                 || config.kind == ObserverKind::MovingAveragePerChannelMinMax),
      m_axis(config.chAxis),
      m_constant(static_cast<float>(config.averagingConstant))
{}

Result<std::vector<MinMaxPair>> MinMaxObserver::rangesOf(const Tensor& tensor) const
{
    PT2E_ASSIGN(const FloatView view, FloatView::of(tensor));
    const std::span<const float> values = view.values();
    if (!m_isPerChannel)
        return std::vector{minMaxOf(values)};
    const auto rank = static_cast<std::int64_t>(tensor.shape().size());
    if (m_axis < 0 || m_axis >= rank)
        return badInput("PerChannelMinMaxObserver", "a tensor of rank " + std::to_string(rank)
                                                        + " has no axis " + std::to_string(m_axis));
    // The original flattens all axes behind the first, which one axis alone does not have.
    if (rank < 2)
        return badInput("PerChannelMinMaxObserver",
                        "a tensor of rank 1 has nothing but channels (torchao raises IndexError "
                        "here)");
    const ChannelLayout layout = layoutOf(tensor.shape(), static_cast<std::size_t>(m_axis));
    std::vector<MinMaxPair> ranges(layout.channels);
    for (std::size_t o = 0; o < layout.outer; ++o) {
        for (std::size_t c = 0; c < layout.channels; ++c) {
            const MinMaxPair part =
                minMaxOf(values.subspan((o * layout.channels + c) * layout.inner, layout.inner));
            ranges[c] = o == 0 ? part
                               : MinMaxPair{smaller(ranges[c].min, part.min),
                                            larger(ranges[c].max, part.max)};
        }
    }
    return ranges;
}

void MinMaxObserver::add(std::size_t channel, MinMaxPair seen)
{
    float& low = m_state.minVal[channel];
    float& high = m_state.maxVal[channel];
    if (m_isMoving) {
        low = low + m_constant * (seen.min - low);
        high = high + m_constant * (seen.max - high);
    } else {
        low = smaller(low, seen.min);
        high = larger(high, seen.max);
    }
}

Result<void> MinMaxObserver::observe(const Tensor& tensor)
{
    if (tensor.elementCount() == 0)
        return {};
    PT2E_ASSIGN(const std::vector<MinMaxPair> ranges, rangesOf(tensor));
    m_state.valuesSeen += tensor.elementCount();
    if (m_state.minVal.empty()) {
        for (const MinMaxPair& range : ranges) {
            m_state.minVal.push_back(range.min);
            m_state.maxVal.push_back(range.max);
        }
        return {};
    }
    // As torch.min and torch.add broadcast: one channel goes with any number.
    if (m_state.minVal.size() == 1) {
        m_state.minVal.resize(ranges.size(), m_state.minVal.front());
        m_state.maxVal.resize(ranges.size(), m_state.maxVal.front());
    }
    if (ranges.size() != 1 && ranges.size() != m_state.minVal.size())
        return badInput("PerChannelMinMaxObserver",
                        "saw tensors with " + std::to_string(m_state.minVal.size()) + " and "
                            + std::to_string(ranges.size()) + " channels");
    for (std::size_t i = 0; i < m_state.minVal.size(); ++i)
        add(i, ranges[ranges.size() == 1 ? 0 : i]);
    return {};
}

} // namespace pt2e
