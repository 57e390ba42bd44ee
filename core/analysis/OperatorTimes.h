// What each operator of the int8 program takes.
#pragma once

#include "core/base/JobContext.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/kernels/Value.h"

#include <chrono>
#include <unordered_map>
#include <vector>

namespace pt2e {

struct TimingOptions
{
    int threads = 1; ///< of XNNPACK
    int warmUps = 10; ///< rounds that are not counted
    int rounds = 30;
    std::chrono::milliseconds most{
        0}; ///< no further round after this time, at least 3 of them; 0: all rounds
};

/// Medians over the rounds, in execution order. In a program of its own with XNNPACK's clock in it, which itself takes
/// time: the sum is more than a run takes.
Result<std::vector<XnnpackProgram::OperatorTime>> timeOperators(const GraphPtr& converted,
                                                                const Values& inputs,
                                                                const TimingOptions& options,
                                                                const JobContext& context);

/// Their sums by node of the graph; times without a node are left out.
std::unordered_map<NodeId, std::chrono::nanoseconds> timesOfNodes(
    const std::vector<XnnpackProgram::OperatorTime>& operators);

} // namespace pt2e
