#include "core/observers/Observer.h"

#include "core/observers/Histogram.h"
#include "core/observers/MinMax.h"

namespace pt2e {

namespace {

/// Placeholder, FixedQParams and Derived observers: values pass, nothing is kept.
class PassingObserver : public Observer
{
public:
    Result<void> observe(const Tensor& tensor) override
    {
        m_state.valuesSeen += tensor.elementCount();
        return {};
    }
    ObserverState state() const override { return m_state; }
    void restore(const ObserverState& state) override { m_state = state; }

private:
    ObserverState m_state;
};

} // namespace

Result<std::unique_ptr<Observer>> makeObserver(const ObserverConfig& config)
{
    switch (config.kind) {
    case ObserverKind::MinMax:
    case ObserverKind::MovingAverageMinMax:
    case ObserverKind::PerChannelMinMax:
    case ObserverKind::MovingAveragePerChannelMinMax:
        return std::make_unique<MinMaxObserver>(config);
    case ObserverKind::Histogram: return std::make_unique<HistogramObserver>(config);
    case ObserverKind::Placeholder:
    case ObserverKind::FixedQParams:
    case ObserverKind::Derived: return std::make_unique<PassingObserver>();
    }
    return fail(ErrorCode::Internal, "makeObserver", "unknown observer");
}

} // namespace pt2e
