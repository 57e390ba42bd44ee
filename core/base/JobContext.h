// What a long computation is given: a way to be stopped, a way to tell how far it is.
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace pt2e {

struct Progress
{
    std::string step; ///< what is being done, e.g. "calibrating"
    std::int64_t done = 0;
    std::int64_t total = 0; ///< 0 when it is not known
};

/// Passed by const reference down a computation. Core runs synchronously on the caller's thread;
/// onProgress is called on that thread.
struct JobContext
{
    std::stop_token stop;
    std::function<void(const Progress&)> onProgress; ///< may be empty
    int threads = 1; ///< for parallelFor; ATen's and XNNPACK's counts are set once at start

    bool isCancelled() const { return stop.stop_requested(); }
    /// An error with code Cancelled once a stop was requested. Called at least once per node, batch or pass.
    Result<void> checkpoint() const;
    void report(const std::string& step, std::int64_t done, std::int64_t total) const;
};

} // namespace pt2e
