#include "core/engine/reference/Frame.h"

#include <chrono>

namespace pt2e {

namespace {

class ReferenceProgram final : public Program
{
public:
    explicit ReferenceProgram(reference::PlanPtr plan) : m_plan(std::move(plan)) {}

    Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                          const JobContext& context) override
    {
        const auto start = std::chrono::steady_clock::now();
        reference::Frame frame(m_plan, options, context, nullptr);
        if (options.state)
            frame.setState(*options.state);
        PT2E_ASSIGN(Values outputs, frame.run(inputs));
        if (options.state)
            frame.takeState(*options.state);
        return RunReport{std::move(outputs), std::chrono::steady_clock::now() - start};
    }

private:
    reference::PlanPtr m_plan;
};

} // namespace

Result<std::unique_ptr<Program>> makeReferenceProgram(GraphPtr graph)
{
    PT2E_ASSIGN(reference::PlanPtr plan, reference::makePlan(std::move(graph)));
    return std::make_unique<ReferenceProgram>(std::move(plan));
}

} // namespace pt2e
