// Calibration without observers in the graph: the folded float graph runs once per batch, its values are kept
// (ActivationCache), and each observer instance is fed what stands at its places, batch by batch and within a
// batch in the prepared graph's execution order. Observers stand directly behind the node they observe, so
// that order is the float graph's.
#include "core/base/ParallelFor.h"
#include "core/pipeline/ModelRuns.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/Turns.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPartialInterval = std::chrono::milliseconds(250);

/// One observer instance on its way through the batches.
struct Run
{
    std::string key; ///< settings and places: equal keys end with equal results
    std::unordered_map<NodeId, int> places; ///< observed node → how often
    NodeId lastPlace; ///< in execution order
    bool isIdempotent = false; ///< seeing the same values again changes nothing
    std::unique_ptr<Observer> observer; ///< null: finished before, or observes nothing
    std::unordered_set<NodeId> seenConstants;
};

/// An error says in which batch.
Result<void> atBatch(std::size_t batch, Result<void> done)
{
    if (!done && done.error().code != ErrorCode::Cancelled) {
        const std::string& where = done.error().where;
        done.error().where =
            fmt::format("calibration batch {}{}{}", batch, where.empty() ? "" : ": ", where);
    }
    return done;
}

class Calibration
{
public:
    Calibration(const AnnotatedStage& annotated, const PreparedGraph& prepared,
                const Batches& batches, ActivationCache& cache, const JobContext& context)
        : m_graph(annotated.folded.graph),
          m_prepared(prepared),
          m_batches(batches),
          m_cache(cache),
          m_context(context),
          m_models(m_graph, batches, cache, context,
                   [this](NodeId node) { return m_runsAt.contains(node); })
    {}

    using Published = std::function<void(std::shared_ptr<const CalibratedStage>)>;
    Result<std::shared_ptr<const CalibratedStage>> run(const Published& onPartial);

private:
    Result<void> requireTensors(const NodeNames& names, const std::vector<NodeId>& places,
                                const ObserverConfig& config) const;
    Result<void> makeRuns();
    std::vector<std::size_t> pendingRuns() const;
    Result<void> feedAll(std::size_t batch, const std::vector<std::size_t>& pending);
    Result<void> streamAll(const std::vector<std::size_t>& pending);
    Result<void> feedStreamed(std::size_t batch, NodeId node, const Value& value, Turns& turns);
    Result<void> feed(Run& run, NodeId node, const Tensor& tensor);
    Result<void> runBatches(const Published& onPartial);
    std::vector<ObserverState> states() const;
    Result<std::shared_ptr<const CalibratedStage>> finish(const std::vector<ObserverState>& states,
                                                          std::int64_t batches, bool isComplete,
                                                          const JobContext& context);
    void publish(const Published& onPartial);

    GraphPtr m_graph;
    const PreparedGraph& m_prepared;
    const Batches& m_batches;
    ActivationCache& m_cache;
    const JobContext& m_context;
    std::vector<Run> m_runs; ///< index = ObserverId.value
    std::unordered_map<NodeId, std::vector<std::size_t>> m_runsAt; ///< that have an observer
    ModelRuns m_models;
    std::vector<ObserverState> m_partial; ///< after the last complete batch
    std::int64_t m_partialBatches = -1;
    std::int64_t m_publishedBatches = -1;
};

std::string keyOf(const ObserverConfig& c, const std::vector<NodeId>& places)
{
    std::string key =
        fmt::format("{} {} {} {} {} {} {} {} {} {} {} {} {}", static_cast<int>(c.kind),
                    dtypeName(c.dtype), c.quantMin, c.quantMax, c.hasCustomRange,
                    static_cast<int>(c.qscheme), c.chAxis, c.isDynamic, c.eps, c.averagingConstant,
                    c.bins, c.fixedScale.value_or(0), c.fixedZeroPoint);
    for (const NodeId place : places)
        key += fmt::format(" {}", place.value);
    return key;
}

/// What an observer node observes: observers pass their input through.
NodeId observedNode(const Graph& graph, const Node& observer)
{
    const Node* source = graph.find(observer.arg(0).node());
    while (source && source->is(OpKind::CallModule))
        source = graph.find(source->arg(0).node());
    return source ? source->id : NodeId{};
}

/// A tuple, or a size, has an observer only where somebody asked for it; it fails with the first batch.
Result<void> Calibration::requireTensors(const NodeNames& names, const std::vector<NodeId>& places,
                                         const ObserverConfig& config) const
{
    for (const NodeId place : places) {
        const NodeNames::Entry* entry = names.entry(place);
        if (entry && !entry->node->val.isNone() && !entry->node->val.tensor()
            && !m_batches.batches.empty())
            return badInput("calibration batch 0: " + entry->name(),
                            std::string(observerClassName(config.kind))
                                + ": what it observes is not a tensor");
    }
    return {};
}

Result<void> Calibration::makeRuns()
{
    const NodeNames names(*m_prepared.graph);
    std::vector<std::vector<NodeId>> places(m_prepared.instances.size());
    for (const NodeNames::Entry& entry : names.entries()) {
        const ModuleRef* module = entry.node->is(OpKind::CallModule)
                                      ? entry.graph->modules().find(entry.node->target)
                                      : nullptr;
        if (module && module->instance)
            places[module->instance.value].push_back(observedNode(*entry.graph, *entry.node));
    }
    m_runs.resize(places.size());
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const ObserverConfig& config = m_prepared.instances[i].config;
        Run& run = m_runs[i];
        run.key = keyOf(config, places[i]);
        for (const NodeId place : places[i])
            ++run.places[place];
        run.isIdempotent =
            config.kind == ObserverKind::MinMax || config.kind == ObserverKind::PerChannelMinMax;
        const bool observes = config.kind != ObserverKind::Placeholder
                              && config.kind != ObserverKind::FixedQParams
                              && config.kind != ObserverKind::Derived;
        if (!observes || m_cache.finished(run.key))
            continue;
        PT2E_TRY(requireTensors(names, places[i], config));
        PT2E_ASSIGN(run.observer, makeObserver(config));
        for (const auto& [place, times] : run.places)
            m_runsAt[place].push_back(i);
        run.lastPlace = places[i].empty() ? NodeId{} : places[i].back();
    }
    return {};
}

std::vector<std::size_t> Calibration::pendingRuns() const
{
    std::vector<std::size_t> pending;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i].observer)
            pending.push_back(i);
    }
    return pending;
}

Result<void> Calibration::feed(Run& run, NodeId node, const Tensor& tensor)
{
    const auto place = run.places.find(node);
    if (place == run.places.end())
        return {};
    PT2E_TRY(m_context.checkpoint());
    if (run.isIdempotent && m_cache.isConstant(tensor.storage().get())
        && !run.seenConstants.insert(node).second)
        return {}; // a weight, seen in an earlier batch
    for (int i = 0; i < place->second; ++i)
        PT2E_TRY(run.observer->observe(tensor));
    return {};
}

/// Feeds the batch to the pending observers.
Result<void> Calibration::feedAll(std::size_t batch, const std::vector<std::size_t>& pending)
{
    PT2E_ASSIGN(const BatchValues values, m_models.valuesOf(batch));
    return parallelFor(m_context, pending.size(), [&](std::size_t i) -> Result<void> {
        for (const auto& [node, tensor] : values)
            PT2E_TRY(feed(m_runs[pending[i]], node, tensor));
        return {};
    });
}

Result<void> Calibration::feedStreamed(std::size_t batch, NodeId node, const Value& value,
                                       Turns& turns)
{
    const Tensor* tensor = value.tensor();
    if (!tensor || !tensor->isValid())
        return {};
    for (const std::size_t i : m_runsAt.at(node)) {
        PT2E_TRY(turns.await(i, batch));
        PT2E_TRY(feed(m_runs[i], node, *tensor));
        if (m_runs[i].lastPlace == node)
            turns.leave(i, batch);
    }
    return {};
}

/// When nobody wants the values later: each is observed at once, while it is in the processor's cache, and no batch is
/// held. Threads run a batch each; they meet at the observers, which see batch after batch.
Result<void> Calibration::streamAll(const std::vector<std::size_t>& pending)
{
    Turns turns(m_runs.size());
    // Whoever waits for a batch that was not begun any more.
    const std::stop_callback onStop(m_context.stop, [&turns] { turns.stopBehind(0); });
    const auto caller = std::this_thread::get_id();
    const std::size_t total = m_batches.batches.size();
    m_context.report("calibrating", 0, static_cast<std::int64_t>(total));
    PT2E_TRY(parallelFor(m_context, total, [&](std::size_t batch) -> Result<void> {
        if (std::this_thread::get_id() == caller)
            m_context.report("calibrating", static_cast<std::int64_t>(batch),
                             static_cast<std::int64_t>(total));
        const auto done = m_models.stream(batch, [&](NodeId node, const Value& value) {
            return feedStreamed(batch, node, value, turns);
        });
        if (!done) {
            turns.stopBehind(batch);
            return atBatch(batch, done);
        }
        for (const std::size_t i : pending) {
            PT2E_TRY(turns.await(i, batch));
            turns.leave(i, batch);
        }
        return {};
    }));
    m_models.countRuns(total);
    m_context.report("calibrating", static_cast<std::int64_t>(total),
                     static_cast<std::int64_t>(total));
    return {};
}

std::vector<ObserverState> Calibration::states() const
{
    std::vector<ObserverState> states;
    for (const Run& run : m_runs) {
        const ObserverResult* finished = m_cache.finished(run.key);
        states.push_back(run.observer ? run.observer->state()
                         : finished   ? finished->state
                                      : ObserverState{});
    }
    return states;
}

/// States of the last complete batch, with the qparams they give.
void Calibration::publish(const Published& onPartial)
{
    if (!onPartial || m_partialBatches < 0 || m_publishedBatches == m_partialBatches)
        return;
    JobContext always = m_context; // a cancelled run still hands over what it has
    always.stop = {};
    always.onProgress = {};
    if (auto stage = finish(m_partial, m_partialBatches, false, always)) {
        m_publishedBatches = m_partialBatches;
        onPartial(*stage);
    }
}

Result<void> Calibration::runBatches(const Published& onPartial)
{
    const std::vector<std::size_t> pending = pendingRuns();
    if (pending.empty())
        return {};
    if (m_cache.keepsNothing() && !onPartial) {
        PT2E_ASSIGN(const bool areIndependent, m_models.areIndependent());
        if (areIndependent)
            return streamAll(pending);
    }
    const std::size_t total = m_batches.batches.size();
    Clock::time_point lastPublished = Clock::now();
    for (std::size_t batch = 0; batch < total; ++batch) {
        m_context.report("calibrating", static_cast<std::int64_t>(batch),
                         static_cast<std::int64_t>(total));
        PT2E_TRY(m_context.checkpoint());
        PT2E_TRY(atBatch(batch, feedAll(batch, pending)));
        if (!onPartial)
            continue;
        m_partial = states();
        m_partialBatches = static_cast<std::int64_t>(batch) + 1;
        if (Clock::now() - lastPublished >= kPartialInterval && batch + 1 < total) {
            publish(onPartial);
            lastPublished = Clock::now();
        }
    }
    m_context.report("calibrating", static_cast<std::int64_t>(total),
                     static_cast<std::int64_t>(total));
    return {};
}

Result<std::shared_ptr<const CalibratedStage>> Calibration::finish(
    const std::vector<ObserverState>& states, std::int64_t batches, bool isComplete,
    const JobContext& context)
{
    const std::size_t count = m_runs.size();
    std::vector<ObserverResult> results(count);
    const auto qparamsOf = [&](std::size_t i,
                               const std::function<Result<QParams>(ObserverId)>& derived) {
        results[i].state = states[i];
        auto qparams = calculateQParams(m_prepared.instances[i].config, states[i], derived);
        if (qparams)
            results[i].qparams = std::move(*qparams);
        else
            results[i].error = qparams.error();
    };
    PT2E_TRY(parallelFor(context, count, [&](std::size_t i) -> Result<void> {
        if (m_prepared.instances[i].config.kind == ObserverKind::Derived)
            return {};
        const ObserverResult* finished = m_cache.finished(m_runs[i].key);
        if (finished && !m_runs[i].observer)
            results[i] = *finished;
        else
            qparamsOf(i, {});
        return {};
    }));
    const auto derived = [&](ObserverId from) -> Result<QParams> {
        if (!from)
            return badInput("derived observer", "one of the points it is derived from is not "
                                                "observed (torchao raises AttributeError here)");
        const ObserverResult& result = results[from.value];
        if (result.error)
            return tl::unexpected<Error>(*result.error);
        if (!result.qparams.qparams)
            return badInput("derived observer", "one it is derived from has no scale");
        return *result.qparams.qparams;
    };
    // After all others, in order: a derived observer names instances made before it.
    for (std::size_t i = 0; i < count; ++i) {
        if (m_prepared.instances[i].config.kind == ObserverKind::Derived)
            qparamsOf(i, derived);
    }
    auto stage = std::make_shared<CalibratedStage>();
    stage->batches = batches;
    stage->total = static_cast<std::int64_t>(m_batches.batches.size());
    stage->data = m_batches.description;
    stage->buffers = m_cache.stateBefore(static_cast<std::size_t>(batches)).attributes;
    for (std::size_t i = 0; i < count; ++i) {
        if (isComplete && m_runs[i].observer)
            m_cache.setFinished(m_runs[i].key, results[i]);
        stage->states.push_back(std::move(results[i].state));
        stage->qparams.push_back(std::move(results[i].qparams));
        stage->errors.push_back(std::move(results[i].error));
    }
    return stage;
}

Result<std::shared_ptr<const CalibratedStage>> Calibration::run(const Published& onPartial)
{
    m_cache.bind(m_graph, m_batches.hash);
    PT2E_TRY(makeRuns());
    if (const auto done = runBatches(onPartial); !done) {
        publish(onPartial);
        return passOn(done);
    }
    auto stage =
        finish(states(), static_cast<std::int64_t>(m_batches.batches.size()), true, m_context);
    if (stage && m_models.notKept() > 0 && !m_cache.keepsNothing()) {
        auto noted = std::make_shared<CalibratedStage>(**stage);
        noted->diagnostics.push_back(
            {Severity::Note, "activations-not-kept", "", "",
             fmt::format(
                 "the activations of {} of {} batches found no room in memory or on disk; the "
                 "model runs again on them after an edit",
                 m_models.notKept(), m_batches.batches.size())});
        return noted;
    }
    return stage;
}

} // namespace

Result<std::shared_ptr<const CalibratedStage>> calibrateStage(
    const AnnotatedStage& annotated, const PreparedGraph& prepared, const Batches& batches,
    ActivationCache& cache, const JobContext& context,
    const std::function<void(std::shared_ptr<const CalibratedStage>)>& onPartial)
{
    return Calibration(annotated, prepared, batches, cache, context).run(onPartial);
}

} // namespace pt2e
