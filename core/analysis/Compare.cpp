#include "core/analysis/Compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

/// The flat outputs of one engine, batch after batch.
using Runs = std::vector<Values>;

Result<Runs> runAll(Program& program, const char* what, const Batches& data,
                    const JobContext& context)
{
    Runs runs;
    for (std::size_t i = 0; i < data.batches.size(); ++i) {
        context.report(fmt::format("running {}", what), static_cast<std::int64_t>(i),
                       static_cast<std::int64_t>(data.batches.size()));
        PT2E_TRY(context.checkpoint());
        PT2E_ASSIGN(RunReport report, program.run(data.batches[i], {}, context));
        runs.push_back(std::move(report.outputs));
    }
    return runs;
}

void collectNodes(const Argument& argument, std::vector<NodeId>& nodes)
{
    if (const ArgumentList* list = argument.get<ArgumentList>()) {
        for (const Argument& item : list->items)
            collectNodes(item, nodes);
    } else {
        nodes.push_back(argument.node());
    }
}

/// One entry per flat output; invalid where it is no node.
std::vector<NodeId> outputNodes(const Graph& graph)
{
    std::vector<NodeId> nodes;
    if (const Node* output = graph.output()) {
        for (const Argument& argument : output->args)
            collectNodes(argument, nodes);
    }
    return nodes;
}

/// Output i of all batches in one row of doubles.
Result<std::vector<double>> flattened(const Runs& runs, std::size_t i)
{
    std::vector<double> all;
    for (const Values& outputs : runs) {
        const Tensor* tensor = i < outputs.size() ? outputs[i].tensor() : nullptr;
        if (!tensor)
            return fail(ErrorCode::Internal, fmt::format("output {}", i), "is not a tensor");
        PT2E_ASSIGN(const std::vector<double> values, tensor->toDoubles());
        all.insert(all.end(), values.begin(), values.end());
    }
    return all;
}

Tensor asTensor(const std::vector<double>& values)
{
    return Tensor::fromValues<double>(DType::Float64, {static_cast<std::int64_t>(values.size())},
                                      values);
}

StepError stepError(const std::vector<double>& a, const std::vector<double>& b, double scale)
{
    StepError error;
    error.scale = scale;
    error.count = static_cast<std::int64_t>(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        // Both are multiples of the scale up to rounding in float32.
        const auto steps = std::llround(std::fabs(a[i] - b[i]) / scale);
        error.maxSteps = std::max<std::int64_t>(error.maxSteps, steps);
        error.differing += steps > 0 ? 1 : 0;
        error.farApart += steps > 1 ? 1 : 0;
    }
    return error;
}

/// The scale of the dequantize that makes the output, if that is what makes it.
std::optional<double> stepOf(const Graph& graph, NodeId id)
{
    const Node* node = id ? graph.find(id) : nullptr;
    if (!node || !node->calls("quantized_decomposed.dequantize_per_tensor.default"))
        return std::nullopt;
    const double* scale = node->arg(1).get<double>();
    return scale && *scale > 0 ? std::optional(*scale) : std::nullopt;
}

Result<OutputComparison> compareOutput(const Runs& floats, const Runs& simulated,
                                       const Runs& xnnpack, std::size_t i,
                                       std::optional<double> step)
{
    PT2E_ASSIGN(const std::vector<double> f, flattened(floats, i));
    PT2E_ASSIGN(const std::vector<double> s, flattened(simulated, i));
    PT2E_ASSIGN(const std::vector<double> x, flattened(xnnpack, i));
    OutputComparison result;
    result.shape = floats.front()[i].tensor()->shape();
    PT2E_ASSIGN(result.simulated, compareTensors(asTensor(f), asTensor(s)));
    PT2E_ASSIGN(result.xnnpack, compareTensors(asTensor(f), asTensor(x)));
    PT2E_ASSIGN(result.kernels, compareTensors(asTensor(s), asTensor(x)));
    if (step)
        result.steps = stepError(s, x, *step);
    return result;
}

Result<void> compareOutputs(const Snapshot& snapshot, const Runs& floats, const Runs& simulated,
                            const Runs& xnnpack, CompareReport& report)
{
    const Graph& exported = *snapshot.model->exported;
    const std::vector<NodeId> names = outputNodes(exported);
    const std::vector<NodeId> ends = outputNodes(*report.converted);
    for (std::size_t i = 0; i < floats.front().size(); ++i) {
        if (!floats.front()[i].tensor())
            continue;
        const auto step =
            i < ends.size() ? stepOf(*report.converted, ends[i]) : std::optional<double>();
        PT2E_ASSIGN(OutputComparison output, compareOutput(floats, simulated, xnnpack, i, step));
        output.name = i < names.size() && names[i] ? exported.node(names[i]).name
                                                   : fmt::format("output {}", i);
        report.outputs.push_back(std::move(output));
    }
    return {};
}

} // namespace

Result<CompareReport> compareEngines(const Snapshot& snapshot, const Batches& data, int threads,
                                     const JobContext& context)
{
    if (!snapshot.converted)
        return snapshot.error ? tl::unexpected<Error>(*snapshot.error)
                              : fail(ErrorCode::Internal, "compare", "there is no converted stage");
    if (data.batches.empty())
        return badInput(data.description, "there is no batch to compare on");
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    CompareReport report;
    report.data = data.description;
    report.dataHash = data.hash;
    report.batches = static_cast<std::int64_t>(data.batches.size());
    report.converted = snapshot.converted->graph;
    report.xnnpackInfo = xnnpackInfo();
    report.torchInfo = torch->info();
    report.threads = threads;

    PT2E_ASSIGN(const auto floatProgram, makeReferenceProgram(snapshot.model->exported));
    PT2E_ASSIGN(const auto simulation, makeReferenceProgram(report.converted));
    PT2E_ASSIGN(const auto int8Program, makeXnnpackProgram(report.converted, {threads}));
    report.assignments = int8Program->assignments();
    PT2E_ASSIGN(const Runs floats, runAll(*floatProgram, "float", data, context));
    PT2E_ASSIGN(const Runs simulated, runAll(*simulation, "simulated", data, context));
    PT2E_ASSIGN(const Runs xnnpack, runAll(*int8Program, "XNNPACK", data, context));
    PT2E_TRY(compareOutputs(snapshot, floats, simulated, xnnpack, report));
    return report;
}

} // namespace pt2e
