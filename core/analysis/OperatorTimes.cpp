#include "core/analysis/OperatorTimes.h"

#include <algorithm>

namespace pt2e {

Result<std::vector<XnnpackProgram::OperatorTime>> timeOperators(const GraphPtr& converted,
                                                                const Values& inputs,
                                                                const TimingOptions& options,
                                                                const JobContext& context)
{
    using Clock = std::chrono::steady_clock;
    constexpr int kLeast = 3;
    XnnpackOptions profiled;
    profiled.threads = options.threads;
    profiled.isProfiled = true;
    PT2E_ASSIGN(const auto program, makeXnnpackProgram(converted, profiled));
    const auto start = Clock::now();
    std::vector<std::vector<std::chrono::nanoseconds>> times;
    std::vector<XnnpackProgram::OperatorTime> operators;
    const int all = options.warmUps + options.rounds;
    for (int round = 0; round < all; ++round) {
        const bool isEnough = round >= options.warmUps + kLeast && options.most.count() > 0
                              && Clock::now() - start > options.most;
        if (isEnough)
            break;
        context.report("timing operators", round, all);
        PT2E_TRY(program->run(inputs, {}, context));
        operators = program->operatorTimes();
        times.resize(operators.size());
        for (std::size_t i = 0; i < operators.size() && round >= options.warmUps; ++i)
            times[i].push_back(operators[i].time);
    }
    for (std::size_t i = 0; i < operators.size(); ++i) {
        auto& one = times[i];
        if (one.empty())
            continue;
        const auto middle = one.begin() + static_cast<std::ptrdiff_t>(one.size() / 2);
        std::nth_element(one.begin(), middle, one.end());
        operators[i].time = *middle;
    }
    return operators;
}

std::unordered_map<NodeId, std::chrono::nanoseconds> timesOfNodes(
    const std::vector<XnnpackProgram::OperatorTime>& operators)
{
    std::unordered_map<NodeId, std::chrono::nanoseconds> times;
    for (const XnnpackProgram::OperatorTime& one : operators) {
        if (one.node)
            times[one.node] += one.time;
    }
    return times;
}

} // namespace pt2e
