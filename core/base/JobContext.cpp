#include "core/base/JobContext.h"

namespace pt2e {

Result<void> JobContext::checkpoint() const
{
    if (isCancelled())
        return fail(ErrorCode::Cancelled, {}, "cancelled");
    return {};
}

void JobContext::report(const std::string& step, std::int64_t done, std::int64_t total) const
{
    if (onProgress)
        onProgress(Progress{step, done, total});
}

} // namespace pt2e
