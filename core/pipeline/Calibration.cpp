// Calibration without observers in the graph: the folded float graph runs once per batch, its values are kept
// (ActivationCache), and each observer instance is fed what stands at its places, batch by batch and within a
// batch in the prepared graph's execution order. Observers stand directly behind the node they observe, so
// that order is the float graph's.
#include "core/base/ParallelFor.h"
#include "core/pipeline/ModelRuns.h"
#include "core/pipeline/ObserverRuns.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/Turns.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <thread>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPartialInterval = std::chrono::milliseconds(250);

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
          m_runs(prepared, cache, context),
          m_models(m_graph, batches, cache, context,
                   [this](NodeId node) { return m_runs.isWanted(node); }),
          m_watch(*m_graph, batches.batches.size())
    {}

    using Published = std::function<void(std::shared_ptr<const CalibratedStage>)>;
    Result<std::shared_ptr<const CalibratedStage>> run(const Published& onPartial);

private:
    Result<void> feedAll(std::size_t batch, const std::vector<std::size_t>& pending);
    Result<void> streamAll(const std::vector<std::size_t>& pending);
    Result<void> feedStreamed(std::size_t batch, NodeId node, const Value& value, Turns& turns);
    Result<void> runBatches(const Published& onPartial);
    Result<std::shared_ptr<const CalibratedStage>> finish(
        const std::vector<ObserverStatePtr>& states, std::int64_t batches, bool isComplete,
        const JobContext& context);
    void publish(const Published& onPartial);
    void watchPlaces();
    Result<void> watchInputs();
    void takeSeen(CalibratedStage& stage);

    GraphPtr m_graph;
    const PreparedGraph& m_prepared;
    const Batches& m_batches;
    ActivationCache& m_cache;
    const JobContext& m_context;
    ObserverRuns m_runs;
    ModelRuns m_models;
    ValueWatch m_watch;
    std::vector<ObserverStatePtr> m_partial; ///< after the last complete batch
    std::int64_t m_partialBatches = -1;
    std::int64_t m_publishedBatches = -1;
};

/// Feeds the batch to the pending observers.
Result<void> Calibration::feedAll(std::size_t batch, const std::vector<std::size_t>& pending)
{
    PT2E_ASSIGN(const BatchValues values, m_models.valuesOf(batch));
    for (const auto& [node, tensor] : values)
        PT2E_TRY(m_watch.add(batch, node, tensor));
    return parallelFor(m_context, pending.size(), [&](std::size_t i) -> Result<void> {
        for (const auto& [node, tensor] : values)
            PT2E_TRY(m_runs.feed(pending[i], node, tensor));
        return {};
    });
}

Result<void> Calibration::feedStreamed(std::size_t batch, NodeId node, const Value& value,
                                       Turns& turns)
{
    const Tensor* tensor = value.tensor();
    if (!tensor || !tensor->isValid())
        return {};
    PT2E_TRY(m_watch.add(batch, node, *tensor));
    for (const std::size_t i : m_runs.at(node)) {
        PT2E_TRY(turns.await(i, batch));
        PT2E_TRY(m_runs.feed(i, node, *tensor));
        if (m_runs.lastPlace(i) == node)
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

/// Values that are fed now and were not before; weights are no values of a batch.
void Calibration::watchPlaces()
{
    for (const std::vector<NodeId>& places : observedPlaces(m_prepared)) {
        for (const NodeId place : places) {
            const Node* node = m_graph->find(place);
            const bool isWeight = node && node->is(OpKind::GetAttr);
            if (!isWeight && m_runs.isWanted(place) && !m_cache.seen().contains(place))
                m_watch.want(place);
        }
    }
}

Result<void> Calibration::watchInputs()
{
    if (!m_cache.seenInputs().empty())
        return {};
    std::size_t i = 0;
    for (const Node& node : *m_graph) {
        if (!node.is(OpKind::Placeholder))
            continue;
        RunningMoments moments;
        for (const Values& batch : m_batches.batches) {
            const Tensor* tensor = i < batch.size() ? batch[i].tensor() : nullptr;
            if (tensor && isFloatingPoint(tensor->dtype()))
                PT2E_TRY(moments.add(*tensor));
        }
        if (moments.moments().count > 0)
            m_cache.seenInputs().push_back({node.id, moments.moments()});
        ++i;
    }
    return {};
}

void Calibration::takeSeen(CalibratedStage& stage)
{
    m_cache.seen().merge(m_watch.take());
    for (const std::vector<NodeId>& places : observedPlaces(m_prepared)) {
        for (const NodeId place : places) {
            if (const auto found = m_cache.seen().find(place); found != m_cache.seen().end())
                stage.seen.insert(*found);
        }
    }
    stage.inputs = m_cache.seenInputs();
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
    const std::vector<std::size_t> pending = m_runs.fedOnes();
    // Where nobody observes, the batches still leave their mark in the buffers that the model writes.
    const std::size_t total = m_batches.batches.size();
    if (pending.empty()
        && (total == 0 || leavesAttributesAlone(*m_graph) || m_cache.knowsStateAfter(total - 1)))
        return {};
    if (m_cache.keepsNothing() && !onPartial) {
        PT2E_ASSIGN(const bool areIndependent, m_models.areIndependent());
        if (areIndependent)
            return streamAll(pending);
    }
    Clock::time_point lastPublished = Clock::now();
    for (std::size_t batch = 0; batch < total; ++batch) {
        m_context.report("calibrating", static_cast<std::int64_t>(batch),
                         static_cast<std::int64_t>(total));
        PT2E_TRY(m_context.checkpoint());
        if (auto done = atBatch(batch, feedAll(batch, pending)); !done) {
            const bool isCancelled = done.error().code == ErrorCode::Cancelled;
            return isCancelled || !m_runs.giveUpWatching(pending) ? done : Result<void>();
        }
        if (!onPartial)
            continue;
        m_partial = m_runs.states();
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
    const std::vector<ObserverStatePtr>& states, std::int64_t batches, bool isComplete,
    const JobContext& context)
{
    const std::size_t count = m_runs.size();
    PT2E_ASSIGN(
        std::vector<ObserverResult> results,
        resultsOf(
            m_prepared, states, [this](std::size_t i) { return m_runs.finished(i); }, context));
    auto stage = std::make_shared<CalibratedStage>();
    stage->batches = batches;
    stage->total = static_cast<std::int64_t>(m_batches.batches.size());
    stage->data = m_batches.description;
    stage->keptBytes = m_cache.bytesInMemory();
    stage->buffers = m_cache.stateBefore(static_cast<std::size_t>(batches)).attributes;
    if (isComplete)
        takeSeen(*stage);
    for (std::size_t i = 0; i < count; ++i) {
        stage->watched.push_back(m_runs.watched(i));
        if (isComplete && m_runs.isFed(i))
            m_runs.setFinished(i, results[i]);
        stage->states.push_back(std::move(results[i].state));
        stage->qparams.push_back(std::move(results[i].qparams));
        stage->errors.push_back(std::move(results[i].error));
    }
    return stage;
}

Result<std::shared_ptr<const CalibratedStage>> Calibration::run(const Published& onPartial)
{
    m_cache.bind(m_graph, m_batches.hash);
    PT2E_TRY(m_runs.make(!m_batches.batches.empty()));
    watchPlaces();
    PT2E_TRY(watchInputs());
    if (const auto done = runBatches(onPartial); !done) {
        publish(onPartial);
        return passOn(done);
    }
    auto stage = finish(m_runs.states(), static_cast<std::int64_t>(m_batches.batches.size()), true,
                        m_context);
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
