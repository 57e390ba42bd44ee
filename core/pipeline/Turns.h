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

    /// Waits until the batches before this one are through with the observer. Fails when stopped: then a batch failed.
    Result<void> await(std::size_t observer, std::size_t batch) const
    {
        const std::atomic<std::uint64_t>& next = m_next[observer];
        std::uint64_t seen = next.load(std::memory_order_acquire);
        // Whoever is before us is mostly just about to leave: sleeping would take longer.
        for (int i = 0; i < kSpins && seen < batch; ++i)
            seen = next.load(std::memory_order_acquire);
        while (seen < batch) {
            next.wait(seen, std::memory_order_acquire);
            seen = next.load(std::memory_order_acquire);
        }
        if (seen >= kStopped)
            return fail(ErrorCode::Cancelled, "", "an earlier batch failed");
        return {};
    }
    /// The batch, whose turn it was or is, will not come to the observer again.
    void leave(std::size_t observer, std::size_t batch)
    {
        std::uint64_t current = batch;
        if (m_next[observer].compare_exchange_strong(current, batch + 1, std::memory_order_acq_rel))
            m_next[observer].notify_all();
    }
    void stop()
    {
        for (std::atomic<std::uint64_t>& next : m_next) {
            next.store(kStopped, std::memory_order_release);
            next.notify_all();
        }
    }

private:
    static constexpr int kSpins = 20000;
    static constexpr std::uint64_t kStopped = std::uint64_t(1) << 63;
    std::vector<std::atomic<std::uint64_t>> m_next; ///< batch, by observer
};

} // namespace pt2e
