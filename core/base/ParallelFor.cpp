#include "core/base/ParallelFor.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace pt2e {

namespace {

/// The failure with the lowest index, so that the answer does not depend on scheduling.
class FirstError
{
public:
    void offer(std::size_t index, Error error)
    {
        const std::scoped_lock lock(m_mutex);
        if (index < m_index) {
            m_index = index;
            m_error = std::move(error);
        }
    }
    bool isSet() const
    {
        const std::scoped_lock lock(m_mutex);
        return m_index != kUnset;
    }
    Error take() { return std::move(m_error); }

private:
    static constexpr std::size_t kUnset = static_cast<std::size_t>(-1);
    mutable std::mutex m_mutex;
    std::size_t m_index = kUnset;
    Error m_error;
};

} // namespace

Result<void> parallelFor(const JobContext& context, std::size_t count,
                         const std::function<Result<void>(std::size_t)>& body)
{
    FirstError firstError;
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < count && !firstError.isSet(); i = next++) {
            Result<void> result = context.checkpoint();
            if (result)
                result = body(i);
            if (!result)
                firstError.offer(i, std::move(result).error());
        }
    };
    const std::size_t extra =
        std::min<std::size_t>(std::max(context.threads, 1), count) - (count ? 1 : 0);
    {
        std::vector<std::jthread> helpers;
        helpers.reserve(extra);
        for (std::size_t i = 0; i < extra; ++i)
            helpers.emplace_back(work);
        work();
    }
    if (firstError.isSet())
        return tl::unexpected<Error>(firstError.take());
    return {};
}

} // namespace pt2e
