// A step of kernels of ours, with their buffers.
#pragma once

#include "core/engine/xnnpack/RunSteps.h"

namespace pt2e::xnn {

/// One unit of it.
class OwnWork
{
public:
    virtual ~OwnWork() = default;
    virtual Result<void> run(ValueMap& values) = 0;
};

class OwnStep
{
public:
    struct Time
    {
        NodeId node;
        std::string name;
        std::chrono::nanoseconds time{0};
    };
    OwnStep(const Plan& plan, const Step& step, const Boundary& boundary, const ThreadPool& pool);
    Result<void> run(ValueMap& values);
    /// Of the last run, one per unit.
    const std::vector<Time>& times() const { return m_times; }

private:
    std::vector<std::unique_ptr<OwnWork>> m_works;
    std::vector<Time> m_times;
};

} // namespace pt2e::xnn
