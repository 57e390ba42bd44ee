#include "core/analysis/NodeErrors.h"

#include "core/analysis/GraphVariants.h"

#include <array>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

using Kept = std::unordered_map<NodeId, Tensor>;
using Places = std::unordered_map<NodeId, NodeId>; ///< operator → the node that has its value

/// Runs the graph and keeps the values of some nodes.
struct KeptRun
{
    Kept values;
    Values outputs;
};

Result<KeptRun> runKeeping(Program& program, const Values& inputs,
                           const std::unordered_set<NodeId>& wanted, const JobContext& context)
{
    KeptRun run;
    RunOptions options;
    options.wants = [&](NodeId id) { return wanted.contains(id); };
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        if (const Tensor* tensor = value.tensor(); tensor && wanted.contains(id))
            run.values[id] = *tensor;
        return {};
    };
    PT2E_ASSIGN(RunReport report, program.run(inputs, options, context));
    run.outputs = std::move(report.outputs);
    return run;
}

/// A graph, its program and which node has which operator's value.
struct Variant
{
    GraphPtr graph;
    std::unique_ptr<Program> program;
    Places valueOf;
    std::unordered_set<NodeId> wanted;

    Result<void> start()
    {
        PT2E_ASSIGN(program, makeReferenceProgram(graph));
        for (const auto& [operation, node] : valueOf)
            wanted.insert(node);
        return {};
    }
};

enum Question { Alone, Cumulative, WeightsOnly, ActivationsOnly, OfKernels, AgainstFloat, kCount };

struct NodeSums
{
    NodeId node;
    std::array<RunningError, kCount> errors;
    std::array<bool, kCount> isKnown{};
    RunningShift shift{-1}; ///< of Alone
};

struct PairSums
{
    QuantizePair pair;
    RunningLoss loss;
};

class NodeErrorsImpl final : public NodeErrors
{
public:
    Result<void> prepare(const Snapshot& snapshot, Program& xnnpack, const JobContext& context);
    Result<Outputs> add(const DataBatch& batch, const JobContext& context) override;
    NodeErrorReport report() const override;

private:
    void collectNodes();
    void collectPairs();
    Result<void> compare(Question question, const Places& places, const Kept& signal,
                         const Places& signalPlaces, const Kept& actual, std::int64_t samples);
    Result<void> addPairs(const Kept& values, std::int64_t samples);

    GraphPtr m_converted;
    Program* m_xnnpack = nullptr;
    Variant m_alone; ///< valueOf: the operators themselves, in float
    Places m_aloneOf; ///< in the same graph: the operators quantized alone
    Variant m_simulated;
    Variant m_weights;
    Variant m_activations;
    Variant m_int8; ///< no program of its own
    std::vector<NodeSums> m_nodes;
    std::vector<PairSums> m_pairs;
    std::int64_t m_batches = 0;
};

void NodeErrorsImpl::collectNodes()
{
    for (const Node& node : *m_converted) {
        if (!isOperator(node) || !m_alone.graph->contains(node.id))
            continue;
        m_nodes.push_back({node.id, {}, {}, RunningShift(channelAxisOf(*m_alone.graph, node.id))});
        m_alone.valueOf.emplace(node.id, node.id);
        m_int8.valueOf.emplace(node.id, valueNodeOf(*m_converted, node.id));
        for (Variant* variant : {&m_simulated, &m_weights, &m_activations}) {
            if (variant->graph->contains(node.id))
                variant->valueOf.emplace(node.id, valueNodeOf(*variant->graph, node.id));
        }
    }
    for (const auto& [operation, node] : m_int8.valueOf)
        m_int8.wanted.insert(node);
    for (const auto& [operation, node] : m_aloneOf)
        m_alone.wanted.insert(node);
}

void NodeErrorsImpl::collectPairs()
{
    for (QuantizePair& pair : quantizePairs(*m_simulated.graph)) {
        auto grid = gridOf(*m_simulated.graph, pair);
        if (!grid)
            continue;
        m_simulated.wanted.insert(pair.value);
        m_simulated.wanted.insert(pair.dequantizes.front());
        m_pairs.push_back({std::move(pair), RunningLoss(std::move(*grid))});
    }
}

Result<void> NodeErrorsImpl::prepare(const Snapshot& snapshot, Program& xnnpack,
                                     const JobContext& context)
{
    m_xnnpack = &xnnpack;
    m_converted = snapshot.converted->graph;
    PT2E_ASSIGN(m_simulated.graph, unfoldedGraph(snapshot, context));
    EachAlone alone = eachAlone(*m_simulated.graph);
    m_alone.graph = std::move(alone.graph);
    m_aloneOf = std::move(alone.resultOf);
    m_weights.graph = onlyQuantized(*m_simulated.graph, Quantized::Weights);
    m_activations.graph = onlyQuantized(*m_simulated.graph, Quantized::Activations);
    collectNodes();
    collectPairs();
    for (Variant* variant : {&m_alone, &m_simulated, &m_weights, &m_activations})
        PT2E_TRY(variant->start());
    return {};
}

Result<void> NodeErrorsImpl::compare(Question question, const Places& places, const Kept& signal,
                                     const Places& signalPlaces, const Kept& actual,
                                     std::int64_t samples)
{
    for (NodeSums& sums : m_nodes) {
        const auto signalNode = signalPlaces.find(sums.node);
        const auto actualNode = places.find(sums.node);
        if (signalNode == signalPlaces.end() || actualNode == places.end())
            continue;
        const auto wanted = signal.find(signalNode->second);
        const auto got = actual.find(actualNode->second);
        if (wanted == signal.end() || got == actual.end()
            || wanted->second.shape() != got->second.shape())
            continue;
        PT2E_TRY(sums.errors[question].add(wanted->second, got->second, samples));
        if (question == Alone)
            PT2E_TRY(sums.shift.add(wanted->second, got->second, samples));
        sums.isKnown[question] = true;
    }
    return {};
}

Result<void> NodeErrorsImpl::addPairs(const Kept& values, std::int64_t samples)
{
    for (PairSums& sums : m_pairs) {
        const auto before = values.find(sums.pair.value);
        const auto after = values.find(sums.pair.dequantizes.front());
        const bool isDone = sums.pair.isConstant && m_batches > 0;
        if (isDone || before == values.end() || after == values.end())
            continue;
        PT2E_TRY(sums.loss.add(before->second, after->second, sums.pair.isConstant ? 0 : samples));
    }
    return {};
}

Result<NodeErrors::Outputs> NodeErrorsImpl::add(const DataBatch& batch, const JobContext& context)
{
    const auto samples = static_cast<std::int64_t>(batch.samples.size());
    const auto run = [&](const Variant& variant) {
        return runKeeping(*variant.program, batch.inputs, variant.wanted, context);
    };
    PT2E_ASSIGN(const KeptRun floats, run(m_alone));
    const Places& inFloat = m_alone.valueOf;
    PT2E_TRY(compare(Alone, m_aloneOf, floats.values, inFloat, floats.values, samples));
    PT2E_ASSIGN(const KeptRun simulated, run(m_simulated));
    PT2E_TRY(compare(Cumulative, m_simulated.valueOf, floats.values, inFloat, simulated.values,
                     samples));
    PT2E_TRY(addPairs(simulated.values, samples));
    {
        PT2E_ASSIGN(const KeptRun int8,
                    runKeeping(*m_xnnpack, batch.inputs, m_int8.wanted, context));
        PT2E_TRY(compare(OfKernels, m_int8.valueOf, simulated.values, m_simulated.valueOf,
                         int8.values, samples));
        PT2E_TRY(
            compare(AgainstFloat, m_int8.valueOf, floats.values, inFloat, int8.values, samples));
    }
    PT2E_ASSIGN(KeptRun weights, run(m_weights));
    PT2E_TRY(
        compare(WeightsOnly, m_weights.valueOf, floats.values, inFloat, weights.values, samples));
    PT2E_ASSIGN(KeptRun activations, run(m_activations));
    PT2E_TRY(compare(ActivationsOnly, m_activations.valueOf, floats.values, inFloat,
                     activations.values, samples));
    ++m_batches;
    return Outputs{std::move(weights.outputs), std::move(activations.outputs)};
}

NodeErrorReport NodeErrorsImpl::report() const
{
    NodeErrorReport report;
    report.batches = m_batches;
    for (const NodeSums& sums : m_nodes) {
        const auto of = [&](Question question) {
            return sums.isKnown[question] ? std::optional(sums.errors[question].error())
                                          : std::nullopt;
        };
        const Node& node = m_converted->node(sums.node);
        report.nodes.push_back({sums.node, node.name, node.target, of(Alone), of(Cumulative),
                                of(WeightsOnly), of(ActivationsOnly), of(OfKernels),
                                of(AgainstFloat), sums.shift.worst()});
    }
    for (const PairSums& sums : m_pairs)
        report.pairs.push_back({sums.pair.value, m_simulated.graph->node(sums.pair.value).name,
                                sums.pair.isConstant, sums.loss.loss()});
    return report;
}

} // namespace

const char* questionName(ErrorQuestion question)
{
    switch (question) {
    case ErrorQuestion::Alone: return "alone";
    case ErrorQuestion::WeightsOnly: return "weights only";
    case ErrorQuestion::ActivationsOnly: return "activations only";
    case ErrorQuestion::Cumulative: return "cumulative";
    case ErrorQuestion::Kernels: return "kernels";
    case ErrorQuestion::AgainstFloat: break;
    }
    return "against float";
}

const std::optional<TensorError>& errorOf(const NodeError& error, ErrorQuestion question)
{
    switch (question) {
    case ErrorQuestion::Alone: return error.alone;
    case ErrorQuestion::WeightsOnly: return error.weightsOnly;
    case ErrorQuestion::ActivationsOnly: return error.activationsOnly;
    case ErrorQuestion::Cumulative: return error.cumulative;
    case ErrorQuestion::Kernels: return error.kernels;
    case ErrorQuestion::AgainstFloat: break;
    }
    return error.xnnpack;
}

Result<std::unique_ptr<NodeErrors>> NodeErrors::make(const Snapshot& snapshot, Program& xnnpack,
                                                     const JobContext& context)
{
    auto errors = std::make_unique<NodeErrorsImpl>();
    PT2E_TRY(errors->prepare(snapshot, xnnpack, context));
    return errors;
}

} // namespace pt2e
