// A plan made ready: compiles its steps and runs them one after another.
#include "core/engine/xnnpack/BatchNorms.h"
#include "core/engine/xnnpack/Compile.h"
#include "core/engine/xnnpack/OutOfPlace.h"
#include "core/engine/xnnpack/OwnStep.h"
#include "core/engine/xnnpack/Segment.h"
#include "core/engine/xnnpack/Spread.h"
#include "core/engine/xnnpack/ValueReport.h"

#include <fmt/format.h>
#include <unordered_set>

namespace pt2e::xnn {

namespace {

using Clock = std::chrono::steady_clock;

/// Exactly one of the three.
struct RunStep
{
    std::unique_ptr<PartitionStep> partition;
    std::unique_ptr<OwnStep> own;
    std::unique_ptr<Segment> segment;
};

/// Just the nodes that the caller's graph has: what rewriting took away is part of its neighbours.
std::vector<Assignment> knownOnes(std::vector<Assignment> all, const Graph& graph)
{
    std::erase_if(all, [&](const Assignment& one) { return !graph.contains(one.node); });
    std::unordered_set<NodeId> told;
    for (const Assignment& one : all)
        told.insert(one.node);
    for (const Node& node : graph) {
        if (!told.contains(node.id))
            all.push_back({node.id, Assignment::Where::Absorbed, -1, {}, {}});
    }
    return all;
}

/// The graph as it is planned: the same values, more of it for XNNPACK.
GraphPtr rewritten(const GraphPtr& graph, const PlanOptions& options)
{
    const GraphPtr spread = spreadQuantization(writeOutOfPlace(graph));
    const GraphPtr folded = options.hasFloat ? foldBatchNorms(spread) : nullptr;
    return folded ? folded : spread;
}

class PlanProgram final : public XnnpackProgram
{
public:
    PlanProgram(CompileRequest request, Plan plan, std::vector<RunStep> steps)
        : m_request(std::move(request)),
          m_plan(std::move(plan)),
          m_steps(std::move(steps))
    {
        // When each value is read for the last time.
        for (std::size_t i = 0; i < m_plan.steps.size(); ++i) {
            for (const NodeId id : m_plan.steps[i].inputs)
                m_lastRead[id] = i;
        }
        for (const NodeId id : graph().output()->inputs())
            m_lastRead.erase(id);
    }

    Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                          const JobContext& context) override
    {
        if (options.onValue && !m_request.keepsValues)
            return runKeeping(inputs, options, context);
        const auto start = Clock::now();
        ValueMap values;
        PT2E_TRY(bindInputs(inputs, values));
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            PT2E_TRY(context.checkpoint());
            PT2E_TRY(runStep(i, values, options, context));
            for (const NodeId id : m_plan.steps[i].inputs) {
                if (const auto last = m_lastRead.find(id);
                    last != m_lastRead.end() && last->second == i)
                    values.erase(id);
            }
        }
        RunReport report;
        for (const Argument& argument : graph().output()->args)
            PT2E_TRY(collect(argument, values, report.outputs));
        report.time = Clock::now() - start;
        return report;
    }

    std::vector<Assignment> assignments() const override
    {
        return knownOnes(m_plan.assignments(), *m_request.graph);
    }

    std::vector<OperatorTime> operatorTimes() const override
    {
        std::vector<OperatorTime> result;
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            const RunStep& step = m_steps[i];
            if (step.segment) {
                for (const Segment::Time& time : step.segment->times())
                    result.push_back({-1, "LibTorch", time.time, known(time.node)});
            }
            if (step.own) {
                for (const OwnStep::Time& time : step.own->times())
                    result.push_back({-1, time.name, time.time, known(time.node)});
            }
            if (!step.partition)
                continue;
            const auto times = step.partition->runtime().profile();
            if (!times)
                continue; // not profiled
            for (const Runtime::OperatorTime& time : *times)
                result.push_back(
                    {m_plan.steps[i].partition, time.name, time.time, known(time.owner)});
        }
        return result;
    }

    std::vector<int> transposes() const override
    {
        std::vector<int> result;
        for (const RunStep& step : m_steps) {
            if (step.partition)
                result.push_back(step.partition->transposes());
        }
        return result;
    }

private:
    const Graph& graph() const { return m_plan.view->graph(); }

    /// A node that rewriting brought in is part of what the caller has: nobody's own.
    NodeId known(NodeId node) const { return m_request.graph->contains(node) ? node : NodeId(); }

    /// The same plan with every value outside of its partition.
    Result<RunReport> runKeeping(std::span<const Value> inputs, const RunOptions& options,
                                 const JobContext& context)
    {
        if (!m_keeping) {
            CompileRequest request = m_request;
            request.keepsValues = true;
            request.options.isProfiled = false;
            PT2E_ASSIGN(m_keeping, compilePlan(request));
        }
        return m_keeping->run(inputs, options, context);
    }

    Result<void> bindInputs(std::span<const Value> inputs, ValueMap& values) const
    {
        const std::vector<NodeId> placeholders = graph().placeholders();
        if (inputs.size() != placeholders.size())
            return badInput("inputs",
                            fmt::format("{} given, {} needed", inputs.size(), placeholders.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            values[placeholders[i]] = inputs[i];
        return {};
    }

    Result<void> runStep(std::size_t i, ValueMap& values, const RunOptions& options,
                         const JobContext& context)
    {
        RunStep& step = m_steps[i];
        if (step.segment) {
            RunOptions own = options;
            if (own.onValue) {
                own.wants = [&](NodeId id) {
                    return m_request.graph->contains(id) && (!options.wants || options.wants(id));
                };
            }
            return step.segment->run(values, own, context, m_request.options.isProfiled);
        }
        if (step.partition)
            PT2E_TRY(step.partition->run(values));
        else
            PT2E_TRY(step.own->run(values));
        return options.onValue ? reportStep(m_plan, i, *m_request.graph, values, options)
                               : Result<void>();
    }

    Result<void> collect(const Argument& argument, const ValueMap& values, Values& outputs) const
    {
        if (const ArgumentList* list = argument.get<ArgumentList>()) {
            for (const Argument& item : list->items)
                PT2E_TRY(collect(item, values, outputs));
            return {};
        }
        Value value;
        if (const NodeId id = argument.node()) {
            PT2E_ASSIGN(value, outputValue(id, values));
        } else if (const std::int64_t* integer = argument.get<std::int64_t>()) {
            value.data = *integer;
        } else if (const double* real = argument.get<double>()) {
            value.data = *real;
        } else if (const bool* flag = argument.get<bool>()) {
            value.data = *flag;
        }
        outputs.push_back(std::move(value));
        return {};
    }

    Result<Value> outputValue(NodeId id, const ValueMap& values) const
    {
        if (const auto known = values.find(id); known != values.end())
            return known->second;
        PT2E_ASSIGN(Tensor constant, m_plan.view->constantValue(id));
        return Value{std::move(constant)};
    }

    CompileRequest m_request; ///< its pool outlives the runtimes
    Plan m_plan;
    std::vector<RunStep> m_steps;
    std::unordered_map<NodeId, std::size_t> m_lastRead;
    std::unique_ptr<XnnpackProgram> m_keeping;
};

/// A graph that cannot be cut: as it is, on the reference engine.
class WholeProgram final : public XnnpackProgram
{
public:
    WholeProgram(GraphPtr graph, Plan plan, std::unique_ptr<Program> program)
        : m_graph(std::move(graph)),
          m_plan(std::move(plan)),
          m_program(std::move(program))
    {}
    Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                          const JobContext& context) override
    {
        PT2E_ASSIGN(RunReport report, m_program->run(inputs, options, context));
        m_time = report.time;
        return report;
    }
    std::vector<Assignment> assignments() const override
    {
        return knownOnes(m_plan.assignments(), *m_graph);
    }
    std::vector<OperatorTime> operatorTimes() const override
    {
        return {{-1, "LibTorch", m_time, {}}};
    }
    std::vector<int> transposes() const override { return {}; }

private:
    GraphPtr m_graph;
    Plan m_plan;
    std::unique_ptr<Program> m_program;
    std::chrono::nanoseconds m_time{0};
};

/// An op that XNNPACK itself refuses although its rule accepted it goes to LibTorch with XNNPACK's
/// answer as the reason; where it cannot be told which one, all ops of the partition do.
void refuse(const Plan& plan, const Step& step, const Error& error, PlanOptions& options)
{
    const Graph& graph = plan.view->graph();
    const Node* culprit = graph.findByName(error.where);
    for (const std::size_t i : step.units) {
        const Unit& unit = plan.units[i];
        if (unit.kind == Unit::Kind::Op && (!culprit || culprit->id == unit.node))
            options.refused[unit.node] = "XNNPACK refused it (" + error.what + ")";
    }
}

Result<RunStep> compileStep(const Plan& plan, std::size_t i, const CompileRequest& request,
                            const Boundary& boundary)
{
    const Step& step = plan.steps[i];
    RunStep ready;
    if (step.isXnnpack) {
        PT2E_ASSIGN(CompiledPartition compiled,
                    Emitter::compile(plan, i, *request.pool,
                                     {request.options.isProfiled, plan.hasTorch()}));
        ready.partition =
            std::make_unique<PartitionStep>(std::move(compiled), plan.view->graph(), boundary);
    } else if (step.isOwn) {
        ready.own = std::make_unique<OwnStep>(plan, step, boundary, *request.pool);
    } else {
        std::vector<NodeId> nodes;
        for (const std::size_t unit : step.units)
            nodes.push_back(plan.units[unit].node);
        PT2E_ASSIGN(Segment segment, Segment::make(plan.view->graph(), nodes, step.outputs));
        ready.segment = std::make_unique<Segment>(std::move(segment));
    }
    return ready;
}

} // namespace

Result<std::unique_ptr<XnnpackProgram>> compilePlan(const CompileRequest& request)
{
    PlanOptions options;
    options.table = request.table;
    options.hasFloat = request.options.hasFloat;
    options.keepsValues = request.keepsValues;
    const GraphPtr graph = rewritten(request.graph, options);
    for (;;) {
        Plan plan = makePlan(graph, options);
        if (!plan.wholeGraphReason.empty()) {
            plan = makePlan(request.graph, options);
            PT2E_ASSIGN(auto whole, makeReferenceProgram(request.graph));
            return std::make_unique<WholeProgram>(request.graph, std::move(plan), std::move(whole));
        }
        const Boundary boundary = boundaryOf(plan);
        std::vector<RunStep> steps;
        const std::size_t refusedBefore = options.refused.size();
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            auto step = compileStep(plan, i, request, boundary);
            if (!step) {
                if (plan.steps[i].isXnnpack)
                    refuse(plan, plan.steps[i], step.error(), options);
                if (options.refused.size() == refusedBefore)
                    return passOn(step);
                break;
            }
            steps.push_back(std::move(*step));
        }
        if (options.refused.size() == refusedBefore)
            return std::make_unique<PlanProgram>(request, std::move(plan), std::move(steps));
    }
}

} // namespace pt2e::xnn
