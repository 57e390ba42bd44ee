#include "core/engine/xnnpack/XnnpackProgram.h"

#include "core/engine/xnnpack/Compile.h"
#include "core/engine/xnnpack/Specialize.h"

#include <deque>

namespace pt2e::xnn {

namespace {

/// Inputs of other sizes than the graph's get plans of their own, the last few of them kept.
class ShapedProgram final : public XnnpackProgram
{
public:
    ShapedProgram(CompileRequest request, std::unique_ptr<XnnpackProgram> exported)
        : m_request(std::move(request)),
          m_exported(std::move(exported)),
          m_last(m_exported.get())
    {}

    Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                          const JobContext& context) override
    {
        PT2E_ASSIGN(m_last, programFor(inputs, context));
        return m_last->run(inputs, options, context);
    }

    /// Of the last run: with fixed sizes more may run on XNNPACK.
    std::vector<Assignment> assignments() const override { return m_last->assignments(); }
    std::vector<OperatorTime> operatorTimes() const override { return m_last->operatorTimes(); }
    std::vector<int> transposes() const override { return m_last->transposes(); }

private:
    using Sizes = std::vector<std::vector<std::int64_t>>;

    Result<XnnpackProgram*> programFor(std::span<const Value> inputs, const JobContext& context)
    {
        if (inputs.size() != m_request.graph->placeholders().size()
            || fitsExactly(*m_request.graph, inputs))
            return m_exported.get();
        Sizes sizes;
        for (const Value& input : inputs)
            sizes.push_back(input.tensor() ? input.tensor()->shape() : std::vector<std::int64_t>());
        for (const auto& [known, program] : m_others) {
            if (known == sizes)
                return program.get();
        }
        CompileRequest request = m_request;
        PT2E_ASSIGN(request.graph, specializeGraph(m_request.graph, inputs, context));
        PT2E_ASSIGN(auto program, compilePlan(request));
        constexpr std::size_t kMostKept = 3; // each has packed weights of its own
        if (m_others.size() == kMostKept)
            m_others.pop_front();
        m_others.emplace_back(std::move(sizes), std::move(program));
        return m_others.back().second.get();
    }

    CompileRequest m_request;
    std::unique_ptr<XnnpackProgram> m_exported; ///< for the graph's own sizes
    std::deque<std::pair<Sizes, std::unique_ptr<XnnpackProgram>>> m_others;
    XnnpackProgram* m_last;
};

} // namespace

Result<std::unique_ptr<XnnpackProgram>> compileProgram(GraphPtr graph,
                                                       const XnnpackOptions& options,
                                                       std::span<const OpRule> table)
{
    if (!graph || !graph->output())
        return fail(ErrorCode::Internal, "xnnpack", "the graph has no output");
    CompileRequest request{std::move(graph), options, table,
                           std::make_shared<const ThreadPool>(options.threads), false};
    PT2E_ASSIGN(auto exported, compilePlan(request));
    return std::make_unique<ShapedProgram>(std::move(request), std::move(exported));
}

} // namespace pt2e::xnn

namespace pt2e {

Result<std::unique_ptr<XnnpackProgram>> makeXnnpackProgram(GraphPtr graph,
                                                           const XnnpackOptions& options)
{
    return xnn::compileProgram(std::move(graph), options, xnn::opTable());
}

XnnpackInfo xnnpackInfo() { return {PT2E_XNNPACK_SNAPSHOT, xnn::cpuInstructionSets()}; }

} // namespace pt2e
