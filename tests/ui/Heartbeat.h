// What the benchmarks of the window measure with.
#pragma once

#include <QTimer>

#include <algorithm>
#include <chrono>

namespace pt2e::ui {

using Clock = std::chrono::steady_clock;

inline double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Longest time between two turns of the event loop, for as long as it lives, up to 1 ms too long. It does not spin: that
/// would take a core from the work that is measured beside it.
class Heartbeat
{
public:
    Heartbeat()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            m_longest = std::max(m_longest, millisecondsSince(m_last));
            m_last = Clock::now();
        });
        m_timer.start(1);
    }
    double longest() const { return std::max(m_longest, millisecondsSince(m_last)); }

private:
    QTimer m_timer;
    Clock::time_point m_last = Clock::now();
    double m_longest = 0;
};

} // namespace pt2e::ui
