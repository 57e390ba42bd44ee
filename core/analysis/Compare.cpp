#include "core/analysis/Compare.h"

#include "core/analysis/OneTorchThread.h"
#include "core/analysis/OperatorTimes.h"
#include "core/base/ParallelFor.h"
#include "core/pipeline/ModelRuns.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

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

/// Adds the elements of two tensors of one shape, the first `rows` of the first axis (0: all).
Result<void> addSteps(StepError& error, const Tensor& a, const Tensor& b, std::int64_t rows)
{
    PT2E_ASSIGN(const std::vector<double> x, a.toDoubles());
    PT2E_ASSIGN(const std::vector<double> y, b.toDoubles());
    const std::size_t count = elementsOf(a, rows);
    for (std::size_t i = 0; i < count; ++i) {
        // Both are multiples of the scale up to rounding in float32.
        const auto steps = std::llround(std::fabs(x[i] - y[i]) / error.scale);
        error.maxSteps = std::max<std::int64_t>(error.maxSteps, steps);
        error.differing += steps > 0 ? 1 : 0;
        error.farApart += steps > 1 ? 1 : 0;
    }
    error.count += static_cast<std::int64_t>(count);
    return {};
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

/// One output, batch after batch.
struct OutputSums
{
    OutputComparison result;
    RunningError simulated, xnnpack, kernels, weightsOnly, activationsOnly;
    bool hasVariants = false;

    OutputComparison finished() const
    {
        OutputComparison finished = result;
        finished.simulated = simulated.error();
        finished.xnnpack = xnnpack.error();
        finished.kernels = kernels.error();
        if (hasVariants) {
            finished.weightsOnly = weightsOnly.error();
            finished.activationsOnly = activationsOnly.error();
        }
        return finished;
    }
};

class Comparer
{
public:
    Comparer(const Snapshot& snapshot, const DataSet& data, const CompareOptions& options,
             const JobContext& context)
        : m_snapshot(snapshot),
          m_data(data),
          m_options(options),
          m_context(context)
    {}
    Result<CompareReport> run();

private:
    Result<void> start();
    Result<void> addBatch(const DataBatch& batch);
    Result<Values> runOne(Program& program, const Values& inputs) const;
    Result<void> addOutputs(const DataBatch& batch, const std::array<Values, kRunKinds>& outputs);
    Result<void> addVariants(const DataBatch& batch, const Values& floats);
    Result<void> addLabels(const DataBatch& batch, const std::array<Values, kRunKinds>& outputs);
    Result<void> addInputs(const DataBatch& batch);

    const Snapshot& m_snapshot;
    const DataSet& m_data;
    const CompareOptions& m_options;
    const JobContext& m_context;
    int m_threads = 1; ///< of XNNPACK
    std::unique_ptr<OneTorchThread> m_oneThread;
    JobContext m_sideBySide; ///< for the three runs of a batch
    CompareReport m_report;
    std::array<std::unique_ptr<Program>, kRunKinds> m_programs;
    std::unique_ptr<NodeErrors> m_nodeErrors;
    std::optional<Classifier> m_classifier;
    std::vector<RunningMoments> m_inputs; ///< one per placeholder
    std::vector<OutputSums> m_sums; ///< one per flat output that is a tensor
    std::vector<std::size_t> m_outputs; ///< their places
    Values m_first; ///< inputs of the first batch
};

Result<void> Comparer::start()
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    const bool isSmall = m_snapshot.annotated->coverage.macs < kSmallModelMacs;
    m_threads = isSmall ? 1 : m_options.threads;
    if (isSmall)
        m_oneThread = std::make_unique<OneTorchThread>(*torch);
    // LibTorch on several threads would share its own with ours; random numbers are drawn in order.
    m_sideBySide = m_context;
    if (torch->info().threads > 1 || mayDrawRandomNumbers(*m_snapshot.model->exported))
        m_sideBySide.threads = 1;
    m_report.data = m_data.description();
    m_report.problems = m_data.problems();
    m_report.converted = m_snapshot.converted->graph;
    m_report.xnnpackInfo = xnnpackInfo();
    m_report.torchInfo = torch->info();
    m_report.threads = m_threads;
    m_report.samplesInAll = m_data.samplesInAll();
    PT2E_ASSIGN(m_programs[0], makeReferenceProgram(m_snapshot.model->exported));
    PT2E_ASSIGN(m_programs[1], makeReferenceProgram(m_report.converted));
    PT2E_ASSIGN(m_programs[2], makeXnnpackProgram(m_report.converted, {m_threads}));
    if (m_options.nodeBatches > 0) {
        PT2E_ASSIGN(m_nodeErrors, NodeErrors::make(m_snapshot, *m_programs[2], m_context));
    }
    if (!m_data.labels().empty())
        m_classifier.emplace(m_data.labels(), m_data.classNames());
    return {};
}

Result<Values> Comparer::runOne(Program& program, const Values& inputs) const
{
    PT2E_ASSIGN(RunReport report, program.run(inputs, {}, m_context));
    return std::move(report.outputs);
}

Result<void> Comparer::addOutputs(const DataBatch& batch,
                                  const std::array<Values, kRunKinds>& outputs)
{
    if (m_report.batches == 0) {
        const Graph& exported = *m_snapshot.model->exported;
        const std::vector<NodeId> names = outputNodes(exported);
        const std::vector<NodeId> ends = outputNodes(*m_report.converted);
        for (std::size_t i = 0; i < outputs[0].size(); ++i) {
            const Tensor* tensor = outputs[0][i].tensor();
            if (!tensor)
                continue;
            OutputSums sums;
            sums.result.shape = tensor->shape();
            sums.result.name = i < names.size() && names[i] ? exported.node(names[i]).name
                                                            : fmt::format("output {}", i);
            if (const auto step =
                    i < ends.size() ? stepOf(*m_report.converted, ends[i]) : std::nullopt)
                sums.result.steps = StepError{*step, 0, 0, 0, 0};
            m_outputs.push_back(i);
            m_sums.push_back(std::move(sums));
        }
    }
    const auto samples = static_cast<std::int64_t>(batch.samples.size());
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        std::array<const Tensor*, kRunKinds> tensors{};
        for (std::size_t run = 0; run < kRunKinds; ++run) {
            const Values& values = outputs[run];
            tensors[run] = m_outputs[i] < values.size() ? values[m_outputs[i]].tensor() : nullptr;
            if (!tensors[run])
                return fail(ErrorCode::Internal, fmt::format("output {}", i), "is not a tensor");
        }
        OutputSums& sums = m_sums[i];
        PT2E_TRY(sums.simulated.add(*tensors[0], *tensors[1], samples));
        PT2E_TRY(sums.xnnpack.add(*tensors[0], *tensors[2], samples));
        PT2E_TRY(sums.kernels.add(*tensors[1], *tensors[2], samples));
        if (sums.result.steps)
            PT2E_TRY(addSteps(*sums.result.steps, *tensors[1], *tensors[2], samples));
    }
    return {};
}

Result<void> Comparer::addVariants(const DataBatch& batch, const Values& floats)
{
    m_context.report("comparing operators", m_report.batches, m_options.nodeBatches);
    PT2E_ASSIGN(const NodeErrors::Outputs variants, m_nodeErrors->add(batch, m_context));
    const auto samples = static_cast<std::int64_t>(batch.samples.size());
    for (std::size_t i = 0; i < m_sums.size(); ++i) {
        const std::size_t at = m_outputs[i];
        const Tensor* weights =
            at < variants.weightsOnly.size() ? variants.weightsOnly[at].tensor() : nullptr;
        const Tensor* activations =
            at < variants.activationsOnly.size() ? variants.activationsOnly[at].tensor() : nullptr;
        if (!weights || !activations)
            continue;
        PT2E_TRY(m_sums[i].weightsOnly.add(*floats[at].tensor(), *weights, samples));
        PT2E_TRY(m_sums[i].activationsOnly.add(*floats[at].tensor(), *activations, samples));
        m_sums[i].hasVariants = true;
    }
    return {};
}

Result<void> Comparer::addLabels(const DataBatch& batch,
                                 const std::array<Values, kRunKinds>& outputs)
{
    if (!m_classifier)
        return {};
    std::array<const Tensor*, kRunKinds> scores{};
    for (std::size_t run = 0; run < kRunKinds; ++run)
        scores[run] = outputs[run].empty() ? nullptr : outputs[run].front().tensor();
    return m_classifier->add(batch.samples, scores);
}

Result<void> Comparer::addInputs(const DataBatch& batch)
{
    m_inputs.resize(std::max(m_inputs.size(), batch.inputs.size()));
    for (std::size_t i = 0; i < batch.inputs.size(); ++i) {
        const Tensor* tensor = batch.inputs[i].tensor();
        if (tensor && isFloatingPoint(tensor->dtype()))
            PT2E_TRY(m_inputs[i].add(*tensor, static_cast<std::int64_t>(batch.samples.size())));
    }
    return {};
}

Result<void> Comparer::addBatch(const DataBatch& batch)
{
    std::array<Values, kRunKinds> outputs;
    PT2E_TRY(parallelFor(m_sideBySide, kRunKinds, [&](std::size_t run) -> Result<void> {
        PT2E_ASSIGN(outputs[run], runOne(*m_programs[run], batch.inputs));
        return {};
    }));
    PT2E_TRY(addOutputs(batch, outputs));
    if (m_report.batches == 0)
        m_first = batch.inputs;
    if (m_report.batches < m_options.nodeBatches)
        PT2E_TRY(addVariants(batch, outputs[0]));
    PT2E_TRY(addLabels(batch, outputs));
    PT2E_TRY(addInputs(batch));
    m_report.batchHashes.push_back(batch.hash);
    m_report.samples += static_cast<std::int64_t>(batch.samples.size());
    ++m_report.batches;
    return {};
}

Result<CompareReport> Comparer::run()
{
    PT2E_TRY(start());
    std::optional<Error> first;
    for (std::int64_t i = 0; i < m_data.batchCount(); ++i) {
        m_context.report("comparing", i, m_data.batchCount());
        PT2E_TRY(m_context.checkpoint());
        const auto batch = m_data.read(i);
        if (!batch) {
            first = first ? first : std::optional(batch.error());
            m_report.problems.push_back(leftOut(batch.error()));
            continue;
        }
        m_report.problems.insert(m_report.problems.end(), batch->problems.begin(),
                                 batch->problems.end());
        PT2E_TRY(addBatch(*batch));
    }
    if (m_report.batches == 0)
        return first ? tl::unexpected<Error>(*first)
                     : badInput(m_report.data, "there is no batch to compare on");
    // Only now: where sizes are open the program was planned for those of the data.
    const auto& program = static_cast<const XnnpackProgram&>(*m_programs[2]);
    m_report.assignments = program.assignments();
    m_report.transposes = program.transposes();
    if (m_options.hasTimes) {
        constexpr std::chrono::milliseconds kMost{300};
        PT2E_ASSIGN(m_report.operators, timeOperators(m_report.converted, m_first,
                                                      {m_threads, 2, 20, kMost}, m_context));
    }
    for (const OutputSums& sums : m_sums)
        m_report.outputs.push_back(sums.finished());
    const std::vector<NodeId> placeholders = m_snapshot.model->exported->placeholders();
    for (std::size_t i = 0; i < std::min(m_inputs.size(), placeholders.size()); ++i) {
        if (const Moments values = m_inputs[i].moments(); values.count > 0)
            m_report.inputs.push_back({placeholders[i], values});
    }
    if (m_nodeErrors)
        m_report.nodes = m_nodeErrors->report();
    if (m_classifier)
        m_report.classified = m_classifier->result();
    m_report.dataHash = hashOfHashes(m_report.batchHashes);
    return std::move(m_report);
}

} // namespace

Result<CompareReport> compareEngines(const Snapshot& snapshot, const DataSet& data,
                                     const CompareOptions& options, const JobContext& context)
{
    if (!snapshot.converted)
        return snapshot.error ? tl::unexpected<Error>(*snapshot.error)
                              : fail(ErrorCode::Internal, "compare", "there is no converted stage");
    return Comparer(snapshot, data, options, context).run();
}

Result<CompareReport> compareEngines(const Snapshot& snapshot, const Batches& data, int threads,
                                     const JobContext& context)
{
    CompareOptions options;
    options.threads = threads;
    return compareEngines(snapshot, *dataOf(data), options, context);
}

} // namespace pt2e
