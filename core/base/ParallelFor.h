// The only place in core that runs things side by side.
#pragma once

#include "core/base/JobContext.h"

#include <cstddef>
#include <functional>

namespace pt2e {

/// Calls body(0) … body(count - 1), on up to context.threads threads, in any order. Each call must
/// write only what belongs to its index, so that the result does not depend on the thread count.
/// Stops early with the error of the lowest failing index, or with Cancelled.
Result<void> parallelFor(const JobContext& context, std::size_t count,
                         const std::function<Result<void>(std::size_t)>& body);

} // namespace pt2e
