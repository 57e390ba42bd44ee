#include "core/analysis/ValueProbe.h"

#include "core/analysis/GraphVariants.h"
#include "core/passes/Qdq.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

/// Finite values of one run, from all batches.
struct Collected
{
    std::vector<float> values;
    std::int64_t nonFinite = 0;
    bool isKnown = false;

    Result<void> add(const Tensor& tensor, std::int64_t samples)
    {
        PT2E_ASSIGN(const std::vector<double> all, tensor.toDoubles());
        const std::size_t count = elementsOf(tensor, samples);
        for (std::size_t i = 0; i < count; ++i) {
            if (std::isfinite(all[i]))
                values.push_back(static_cast<float>(all[i]));
            else
                ++nonFinite;
        }
        isKnown = true;
        return {};
    }
};

ValueSpread spreadOf(const Collected& collected, double low, double high)
{
    ValueSpread spread;
    spread.count = static_cast<std::int64_t>(collected.values.size());
    spread.nonFinite = collected.nonFinite;
    spread.counts.assign(ValueProbe::kBins, 0.0F);
    if (collected.values.empty())
        return spread;
    const auto [least, most] =
        std::minmax_element(collected.values.begin(), collected.values.end());
    spread.min = static_cast<double>(*least);
    spread.max = static_cast<double>(*most);
    double sum = 0;
    for (const float value : collected.values)
        sum += static_cast<double>(value);
    spread.mean = sum / static_cast<double>(spread.count);
    double squares = 0;
    const double scale = high > low ? ValueProbe::kBins / (high - low) : 0;
    for (const float value : collected.values) {
        const double distance = static_cast<double>(value) - spread.mean;
        squares += distance * distance;
        const auto bin = static_cast<int>((static_cast<double>(value) - low) * scale);
        spread.counts[static_cast<std::size_t>(std::clamp(bin, 0, ValueProbe::kBins - 1))] += 1;
    }
    spread.std = std::sqrt(squares / static_cast<double>(spread.count));
    return spread;
}

bool standsForItsInput(const Node& node)
{
    return node.is(OpKind::CallModule) || isQuantize(node) || isDequantize(node);
}

/// How the value is quantized in the converted graph; none: it is not, it is a constant, or dynamically.
std::optional<QuantizePair> pairOf(const Graph& converted, NodeId value)
{
    for (QuantizePair& pair : quantizePairs(converted)) {
        if (pair.value == value && !pair.isConstant)
            return pair;
    }
    return std::nullopt;
}

} // namespace

Result<std::unique_ptr<ValueProbe>> ValueProbe::make(SnapshotPtr snapshot, const DataSet& data,
                                                     int threads, std::int64_t batches)
{
    std::unique_ptr<ValueProbe> probe(new ValueProbe);
    probe->m_float = snapshot->annotated->folded.graph;
    probe->m_converted = snapshot->converted->graph;
    probe->m_snapshot = std::move(snapshot);
    PT2E_ASSIGN(probe->m_programs[0], makeReferenceProgram(probe->m_float));
    PT2E_ASSIGN(probe->m_programs[1], makeReferenceProgram(probe->m_converted));
    PT2E_ASSIGN(probe->m_programs[2], makeXnnpackProgram(probe->m_converted, {threads}));
    std::optional<Error> first;
    for (std::int64_t i = 0; i < data.batchCount(); ++i) {
        if (static_cast<std::int64_t>(probe->m_batches.size()) >= batches)
            break;
        auto batch = data.read(i);
        if (batch)
            probe->m_batches.push_back(std::move(*batch));
        else if (!first)
            first = batch.error();
    }
    if (probe->m_batches.empty())
        return first ? tl::unexpected<Error>(*first)
                     : badInput(data.description(), "there is no batch to look at");
    return probe;
}

NodeId ValueProbe::sourceOf(NodeId id) const
{
    for (const GraphPtr& graph : {m_converted, m_snapshot->prepared->graph}) {
        const Node* node = graph->find(id);
        while (node && standsForItsInput(*node)) {
            const NodeId input = node->args.empty() ? NodeId{} : node->arg(0).node();
            node = input ? graph->find(input) : nullptr;
            id = node ? node->id : id;
        }
    }
    return id;
}

bool ValueProbe::knows(NodeId node) const
{
    const NodeId source = sourceOf(node);
    const Node* found = m_float->find(source);
    return found && found->val.tensor() && m_converted->contains(source)
           && (isOperator(*found) || found->is(OpKind::Placeholder));
}

Result<std::unordered_map<NodeId, Tensor>> ValueProbe::valuesIn(RunKind run,
                                                                const std::vector<NodeId>& nodes,
                                                                const DataBatch& batch,
                                                                const JobContext& context)
{
    const GraphPtr& graph = run == RunKind::Float ? m_float : m_converted;
    std::unordered_map<NodeId, Tensor> found;
    std::vector<NodeId> computed;
    for (const NodeId node : nodes) {
        if (!graph->node(node).is(OpKind::Placeholder)) {
            computed.push_back(node);
            continue;
        }
        const std::vector<NodeId> inputs = graph->placeholders();
        const auto at = std::find(inputs.begin(), inputs.end(), node) - inputs.begin();
        if (const Tensor* tensor = batch.inputs[static_cast<std::size_t>(at)].tensor())
            found.emplace(node, *tensor);
    }
    if (computed.empty())
        return found;
    RunOptions options;
    options.wants = [&](NodeId id) {
        return std::find(computed.begin(), computed.end(), id) != computed.end();
    };
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        if (const Tensor* tensor = value.tensor(); tensor && options.wants(id))
            found.insert_or_assign(id, *tensor);
        return {};
    };
    PT2E_TRY(m_programs[static_cast<std::size_t>(run)]->run(batch.inputs, options, context));
    return found;
}

Result<ValueReport> ValueProbe::measure(NodeId node, const JobContext& context)
{
    if (!knows(node))
        return badInput("values", "the float model has no such value");
    ValueReport report;
    report.node = sourceOf(node);
    report.name = m_float->node(report.node).name;
    report.batches = static_cast<std::int64_t>(m_batches.size());
    const auto pair = pairOf(*m_converted, report.node);
    const NodeId behind = pair ? pair->dequantizes.front() : report.node;
    const auto grid = pair ? gridOf(*m_converted, *pair) : std::nullopt;
    std::optional<RunningLoss> loss;
    if (grid)
        loss.emplace(*grid);
    std::array<Collected, kRunKinds> collected;
    for (const DataBatch& batch : m_batches) {
        const auto samples = static_cast<std::int64_t>(batch.samples.size());
        for (const RunKind run : {RunKind::Float, RunKind::Simulated, RunKind::Xnnpack}) {
            const NodeId at = run == RunKind::Float ? report.node : behind;
            // What is quantized, and what came of it, from the same run.
            const bool isLossy = loss && run == RunKind::Simulated;
            PT2E_ASSIGN(const auto values,
                        valuesIn(run, isLossy ? std::vector{report.node, at} : std::vector{at},
                                 batch, context));
            if (const auto value = values.find(at); value != values.end())
                PT2E_TRY(collected[static_cast<std::size_t>(run)].add(value->second, samples));
            if (isLossy && values.contains(at) && values.contains(report.node))
                PT2E_TRY(loss->add(values.at(report.node), values.at(at), samples));
        }
    }
    bool isFirst = true;
    for (const Collected& run : collected) {
        for (const float value : run.values) {
            const auto real = static_cast<double>(value);
            report.low = isFirst ? real : std::min(report.low, real);
            report.high = isFirst ? real : std::max(report.high, real);
            isFirst = false;
        }
    }
    for (std::size_t run = 0; run < kRunKinds; ++run) {
        if (collected[run].isKnown)
            report.runs[run] = spreadOf(collected[run], report.low, report.high);
    }
    if (loss)
        report.quantized = ValueReport::Quantized{*grid, loss->loss()};
    return report;
}

} // namespace pt2e
