// Batches that run side by side come to an observer in their order.
#pragma once

#include "core/base/Result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pt2e {

/// For each of `count` observers, whose turn it is: batch 0 first. Thread-safe.
class Turns
{
public:
    explicit Turns(std::size_t count) : m_next(count) {}

    /// Waits until the batches before this one are through with the observer. Fails when one of them has failed.
    Result<void> await(std::size_t observer, std::size_t batch) const
    {
        const std::atomic<std::uint64_t>& next = m_next[observer];
        std::uint64_t seen = next.load(std::memory_order_acquire);
        // Whoever is before us is mostly just about to leave: sleeping would take longer.
        for (int i = 0; i < kSpins && turnOf(seen) < batch; ++i)
            seen = next.load(std::memory_order_acquire);
        while (turnOf(seen) < batch) {
            if (m_failed.load(std::memory_order_acquire) < batch)
                return fail(ErrorCode::Cancelled, "", "an earlier batch failed");
            next.wait(seen, std::memory_order_acquire);
            seen = next.load(std::memory_order_acquire);
        }
        return {};
    }
    /// The batch, whose turn it was or is, will not come to the observer again.
    void leave(std::size_t observer, std::size_t batch)
    {
        std::atomic<std::uint64_t>& next = m_next[observer];
        std::uint64_t seen = next.load(std::memory_order_acquire);
        while (turnOf(seen) == batch) {
            if (!next.compare_exchange_weak(seen, seen + 1, std::memory_order_acq_rel))
                continue;
            next.notify_all();
            return;
        }
    }
    /// The batch failed: those behind it need not wait, those before it go on, as they may fail too.
    void stopBehind(std::size_t batch)
    {
        std::uint64_t before = m_failed.load(std::memory_order_acquire);
        while (batch < before && !m_failed.compare_exchange_weak(before, batch))
            continue;
        // A changed value wakes those who wait.
        for (std::atomic<std::uint64_t>& next : m_next) {
            next.fetch_add(kNotice, std::memory_order_acq_rel);
            next.notify_all();
        }
    }

private:
    static constexpr int kSpins = 20000;
    static constexpr std::uint64_t kNotice = std::uint64_t(1) << 40;
    static std::uint64_t turnOf(std::uint64_t value) { return value % kNotice; }

    std::vector<std::atomic<std::uint64_t>>
        m_next; ///< batch, by observer; above it how many failed
    std::atomic<std::uint64_t> m_failed = kNotice; ///< the first batch that failed
};

} // namespace pt2e
