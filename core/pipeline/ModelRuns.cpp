#include "core/pipeline/ModelRuns.h"

#include "core/base/ParallelFor.h"
#include "core/kernels/Kernels.h"

#include <algorithm>
#include <array>

namespace pt2e {

namespace {

constexpr std::size_t kMostAhead = 4; ///< batches at a time: each holds all its values

/// Parts of operator names. Those that draw in training only are taken to draw, but for a dropout whose flag says no.
constexpr std::array<std::string_view, 15> kRandomOps = {
    "rand",        "dropout",     "bernoulli", "normal",    "uniform",
    "multinomial", "exponential", "poisson",   "geometric", "cauchy",
    "rrelu",       "binomial",    "lstm",      "gru",       "rnn_"};

bool mayDraw(const Node& node)
{
    const std::string_view target = node.target;
    if (target == "aten.dropout.default" || target == "aten.native_dropout.default") {
        const bool* isTraining = node.arg(2).get<bool>();
        return !isTraining || *isTraining;
    }
    if (target == "aten.scaled_dot_product_attention.default")
        return node.args.size() > 4
               || std::any_of(node.kwargs.begin(), node.kwargs.end(),
                              [](const auto& given) { return given.first == "dropout_p"; });
    return std::any_of(kRandomOps.begin(), kRandomOps.end(), [&](std::string_view part) {
        return target.find(part) != std::string_view::npos;
    });
}

} // namespace

bool mayDrawRandomNumbers(const Graph& graph)
{
    for (const Node& node : graph) {
        if (node.is(OpKind::CallFunction) && mayDraw(node))
            return true;
    }
    return std::any_of(graph.subgraphs().begin(), graph.subgraphs().end(), [](const auto& body) {
        return body.second && mayDrawRandomNumbers(*body.second);
    });
}

bool leavesAttributesAlone(const Graph& graph)
{
    // What these are given is neither written nor shared with their result.
    constexpr std::array<std::string_view, 14> kReaders = {"aten.conv1d.default",
                                                           "aten.conv2d.default",
                                                           "aten.conv3d.default",
                                                           "aten.conv_transpose1d.default",
                                                           "aten.conv_transpose2d.input",
                                                           "aten.linear.default",
                                                           "aten.layer_norm.default",
                                                           "aten.group_norm.default",
                                                           "aten.embedding.default",
                                                           "aten.matmul.default",
                                                           "aten.addmm.default",
                                                           "aten.add.Tensor",
                                                           "aten.mul.Tensor",
                                                           "aten.sub.Tensor"};
    if (!graph.subgraphs().empty())
        return false;
    for (const Node& node : graph) {
        if (!node.is(OpKind::GetAttr))
            continue;
        for (const NodeId id : node.users) {
            const Node& user = graph.node(id);
            if (!user.is(OpKind::CallFunction)
                || std::find(kReaders.begin(), kReaders.end(), user.target) == kReaders.end())
                return false;
        }
    }
    return true;
}

ModelRuns::ModelRuns(GraphPtr graph, const Batches& batches, ActivationCache& cache,
                     const JobContext& context, std::function<bool(NodeId)> wants)
    : m_graph(std::move(graph)),
      m_batches(batches),
      m_cache(cache),
      m_context(context),
      m_wants(std::move(wants))
{}

Result<void> ModelRuns::prepare()
{
    if (m_program)
        return {};
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    // ATen on several threads would share its own threads with ours, and sum in another order.
    m_isInOrder = torch->info().threads > 1 || mayDrawRandomNumbers(*m_graph);
    PT2E_ASSIGN(m_program, makeReferenceProgram(m_graph));
    return {};
}

Result<RunState> ModelRuns::run(std::size_t batch, const ValueSink& onValue) const
{
    RunState state = m_cache.stateBefore(batch);
    RunOptions options;
    options.state = &state;
    options.onValue = onValue;
    if (m_cache.keepsNothing())
        options.wants = m_wants;
    const auto report = m_program->run(m_batches.batches[batch], options, m_context);
    if (!report)
        return passOn(report);
    return state;
}

Result<ModelRuns::Outcome> ModelRuns::compute(std::size_t batch) const
{
    Outcome outcome;
    const auto onValue = [&](NodeId node, const Value& value) -> Result<void> {
        if (const Tensor* tensor = value.tensor(); tensor && tensor->isValid())
            outcome.values.emplace_back(node, *tensor);
        return {};
    };
    PT2E_ASSIGN(outcome.state, run(batch, onValue));
    return outcome;
}

/// How many batches from this one on are to be run now.
std::size_t ModelRuns::aheadOf(std::size_t batch) const
{
    if (m_isInOrder)
        return 1;
    const auto threads = static_cast<std::size_t>(std::max(1, m_context.threads));
    const std::size_t most = std::min({threads, kMostAhead, m_batches.batches.size() - batch});
    std::size_t count = 1;
    while (count < most && !m_cache.has(batch + count))
        ++count;
    return count;
}

Result<void> ModelRuns::runAhead(std::size_t first, std::size_t count)
{
    std::vector<Outcome> outcomes(count);
    PT2E_TRY(parallelFor(m_context, count, [&](std::size_t i) -> Result<void> {
        PT2E_ASSIGN(outcomes[i], compute(first + i));
        return {};
    }));
    for (std::size_t i = 0; i < count; ++i) {
        const bool wroteBuffers = !outcomes[i].state.attributes.empty();
        m_cache.countModelRun();
        m_cache.setStateAfter(first + i, std::move(outcomes[i].state));
        m_ahead.emplace(first + i, std::move(outcomes[i].values));
        if (wroteBuffers) {
            // Those after it did not start from what this one left.
            m_isInOrder = true;
            break;
        }
    }
    return {};
}

Result<BatchValues> ModelRuns::valuesOf(std::size_t batch)
{
    if (m_cache.has(batch))
        return m_cache.values(batch);
    PT2E_TRY(prepare());
    if (!m_ahead.contains(batch))
        PT2E_TRY(runAhead(batch, aheadOf(batch)));
    BatchValues values = std::move(m_ahead.extract(batch).mapped());
    if (!m_cache.keep(batch, values))
        ++m_notKept;
    return values;
}

Result<bool> ModelRuns::areIndependent()
{
    PT2E_TRY(prepare());
    return !m_isInOrder && leavesAttributesAlone(*m_graph);
}

Result<void> ModelRuns::stream(std::size_t batch, const ValueSink& onValue) const
{
    PT2E_ASSIGN(const RunState state, run(batch, onValue));
    if (!state.attributes.empty())
        return fail(ErrorCode::Internal, "", "the model wrote a buffer");
    return {};
}

void ModelRuns::countRuns(std::size_t batches)
{
    for (std::size_t i = 0; i < batches; ++i)
        m_cache.countModelRun();
}

} // namespace pt2e
