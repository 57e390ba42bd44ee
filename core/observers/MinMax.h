// MinMaxObserver and MovingAverageMinMaxObserver, per tensor and per channel.
#pragma once

#include "core/observers/Observer.h"
#include "core/observers/Statistics.h"

namespace pt2e {

class MinMaxObserver : public Observer
{
public:
    explicit MinMaxObserver(const ObserverConfig& config);
    Result<void> observe(const Tensor& tensor) override;
    ObserverState state() const override { return m_state; }
    void restore(const ObserverState& state) override { m_state = state; }

private:
    Result<std::vector<MinMaxPair>> rangesOf(const Tensor& tensor) const;
    void add(std::size_t channel, MinMaxPair seen);

    bool m_isPerChannel;
    bool m_isMoving;
    std::int64_t m_axis;
    float m_constant; ///< averaging_constant
    ObserverState m_state;
};

} // namespace pt2e
