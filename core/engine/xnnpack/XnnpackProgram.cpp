#include "core/engine/xnnpack/XnnpackProgram.h"

#include "core/engine/xnnpack/Compile.h"
#include "core/engine/xnnpack/Emitter.h"
#include "core/engine/xnnpack/Segment.h"

#include <cstring>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

using Clock = std::chrono::steady_clock;

/// One XNNPACK partition with its buffers.
class PartitionStep
{
public:
    PartitionStep(CompiledPartition partition, const Graph& graph)
        : m_partition(std::move(partition)),
          m_graph(graph)
    {
        for (const CompiledPartition::Port& port : m_partition.inputs)
            m_inputs.push_back(Storage::allocate(sizeOf(port)));
    }

    Result<void> run(std::unordered_map<NodeId, Value>& values)
    {
        std::vector<void*> externals;
        for (std::size_t i = 0; i < m_inputs.size(); ++i) {
            PT2E_TRY(fill(m_partition.inputs[i], values.at(m_partition.inputs[i].node),
                          m_inputs[i].data));
            externals.push_back(m_inputs[i].data.data());
        }
        // Results are handed out, so each run has memory of its own for them.
        std::vector<Storage::Allocation> outputs;
        for (const CompiledPartition::Port& port : m_partition.outputs) {
            outputs.push_back(Storage::allocate(sizeOf(port)));
            externals.push_back(outputs.back().data.data());
        }
        PT2E_TRY(m_partition.runtime->run(externals));
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const CompiledPartition::Port& port = m_partition.outputs[i];
            auto storage =
                std::make_shared<Storage>(Storage::Bytes{outputs[i].memory, outputs[i].data});
            values[port.node].data =
                Tensor(std::move(storage), port.spec.isFloat ? DType::Float32 : DType::Int8,
                       port.spec.shape, Tensor::contiguousStrides(port.spec.shape));
        }
        return {};
    }

    const std::vector<CompiledPartition::Port>& outputs() const { return m_partition.outputs; }

private:
    static std::size_t sizeOf(const CompiledPartition::Port& port)
    {
        return static_cast<std::size_t>(elementCount(port.spec.shape))
               * elementSize(port.spec.isFloat ? DType::Float32 : DType::Int8);
    }

    Result<void> fill(const CompiledPartition::Port& port, const Value& value,
                      std::span<std::byte> buffer) const
    {
        const std::string& name = m_graph.node(port.node).name;
        const Tensor* tensor = value.tensor();
        if (!tensor)
            return badInput(name, "is not a tensor");
        const DType wanted = port.spec.isFloat ? DType::Float32 : DType::Int8;
        const bool isShifted = port.isShifted && tensor->dtype() == DType::UInt8;
        if (tensor->shape() != port.spec.shape || (tensor->dtype() != wanted && !isShifted))
            return badInput(name,
                            fmt::format("is {} {}; the program is made for {} {}",
                                        dtypeName(tensor->dtype()), shapeText(tensor->shape()),
                                        dtypeName(wanted), shapeText(port.spec.shape)));
        PT2E_ASSIGN(const Tensor contiguous, tensor->contiguous());
        PT2E_ASSIGN(const auto bytes, contiguous.bytes());
        std::memcpy(buffer.data(), bytes.data(), buffer.size());
        if (isShifted) {
            for (std::byte& byte : buffer)
                byte ^= std::byte{0x80};
        }
        return {};
    }

    CompiledPartition m_partition;
    const Graph& m_graph;
    std::vector<Storage::Allocation> m_inputs;
};

/// Exactly one of the two.
struct RunStep
{
    std::unique_ptr<PartitionStep> partition;
    std::unique_ptr<Segment> segment;
};

class XnnpackProgram final : public Program
{
public:
    XnnpackProgram(Plan plan, std::unique_ptr<ThreadPool> pool, std::vector<RunStep> steps)
        : m_plan(std::move(plan)),
          m_pool(std::move(pool)),
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
        const auto start = Clock::now();
        std::unordered_map<NodeId, Value> values;
        PT2E_TRY(bindInputs(inputs, values));
        for (std::size_t i = 0; i < m_steps.size(); ++i) {
            PT2E_TRY(context.checkpoint());
            PT2E_TRY(runStep(m_steps[i], values, options, context));
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

    std::vector<Assignment> assignments() const override { return m_plan.assignments(); }

private:
    const Graph& graph() const { return m_plan.view->graph(); }

    Result<void> bindInputs(std::span<const Value> inputs,
                            std::unordered_map<NodeId, Value>& values) const
    {
        const std::vector<NodeId> placeholders = graph().placeholders();
        if (inputs.size() != placeholders.size())
            return badInput("inputs",
                            fmt::format("{} given, {} needed", inputs.size(), placeholders.size()));
        for (std::size_t i = 0; i < inputs.size(); ++i)
            values[placeholders[i]] = inputs[i];
        return {};
    }

    Result<void> runStep(RunStep& step, std::unordered_map<NodeId, Value>& values,
                         const RunOptions& options, const JobContext& context) const
    {
        if (step.segment)
            return step.segment->run(values, options, context);
        PT2E_TRY(step.partition->run(values));
        if (!options.onValue)
            return {};
        for (const CompiledPartition::Port& port : step.partition->outputs()) {
            // int8 values between partitions are in XNNPACK's order, not in the graph's.
            if (port.spec.isFloat && (!options.wants || options.wants(port.node)))
                PT2E_TRY(options.onValue(port.node, values.at(port.node)));
        }
        return {};
    }

    Result<void> collect(const Argument& argument, const std::unordered_map<NodeId, Value>& values,
                         Values& outputs) const
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

    Result<Value> outputValue(NodeId id, const std::unordered_map<NodeId, Value>& values) const
    {
        if (const auto known = values.find(id); known != values.end())
            return known->second;
        PT2E_ASSIGN(Tensor constant, m_plan.view->constantValue(id));
        return Value{std::move(constant)};
    }

    Plan m_plan;
    std::unique_ptr<ThreadPool> m_pool; ///< outlives the runtimes
    std::vector<RunStep> m_steps;
    std::unordered_map<NodeId, std::size_t> m_lastRead;
};

/// A graph that cannot be cut: as it is, on the reference engine.
class WholeProgram final : public Program
{
public:
    WholeProgram(Plan plan, std::unique_ptr<Program> program)
        : m_plan(std::move(plan)),
          m_program(std::move(program))
    {}
    Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                          const JobContext& context) override
    {
        return m_program->run(inputs, options, context);
    }
    std::vector<Assignment> assignments() const override { return m_plan.assignments(); }

private:
    Plan m_plan;
    std::unique_ptr<Program> m_program;
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

} // namespace

Result<std::unique_ptr<Program>> compileProgram(GraphPtr graph, const XnnpackOptions& options,
                                                std::span<const OpRule> table)
{
    if (!graph || !graph->output())
        return fail(ErrorCode::Internal, "xnnpack", "the graph has no output");
    auto pool = std::make_unique<ThreadPool>(options.threads);
    PlanOptions planOptions{table, {}};
    for (;;) {
        Plan plan = makePlan(graph, planOptions);
        if (!plan.wholeGraphReason.empty()) {
            PT2E_ASSIGN(auto whole, makeReferenceProgram(graph));
            return std::make_unique<WholeProgram>(std::move(plan), std::move(whole));
        }
        std::vector<RunStep> steps;
        std::size_t refusedBefore = planOptions.refused.size();
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            const Step& step = plan.steps[i];
            RunStep ready;
            if (step.isXnnpack) {
                auto compiled = Emitter::compile(plan, i, *pool);
                if (!compiled) {
                    refuse(plan, step, compiled.error(), planOptions);
                    if (planOptions.refused.size() == refusedBefore)
                        return passOn(compiled);
                    break;
                }
                ready.partition =
                    std::make_unique<PartitionStep>(std::move(*compiled), plan.view->graph());
            } else {
                std::vector<NodeId> nodes;
                for (const std::size_t unit : step.units)
                    nodes.push_back(plan.units[unit].node);
                PT2E_ASSIGN(Segment segment, Segment::make(*graph, nodes, step.outputs));
                ready.segment = std::make_unique<Segment>(std::move(segment));
            }
            steps.push_back(std::move(ready));
        }
        if (planOptions.refused.size() == refusedBefore)
            return std::unique_ptr<Program>(std::make_unique<XnnpackProgram>(
                std::move(plan), std::move(pool), std::move(steps)));
    }
}

} // namespace pt2e::xnn

namespace pt2e {

Result<std::unique_ptr<Program>> makeXnnpackProgram(GraphPtr converted,
                                                    const XnnpackOptions& options)
{
    return xnn::compileProgram(std::move(converted), options, xnn::opTable());
}

XnnpackInfo xnnpackInfo() { return {PT2E_XNNPACK_SNAPSHOT, xnn::cpuInstructionSets()}; }

} // namespace pt2e
