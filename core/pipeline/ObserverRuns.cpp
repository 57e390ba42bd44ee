#include "core/pipeline/ObserverRuns.h"

#include "core/base/ParallelFor.h"
#include "core/pipeline/NodeNames.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e {

namespace {

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

} // namespace

std::vector<std::vector<NodeId>> observedPlaces(const PreparedGraph& prepared)
{
    const NodeNames names(*prepared.graph);
    std::vector<std::vector<NodeId>> places(prepared.instances.size());
    for (const NodeNames::Entry& entry : names.entries()) {
        const ModuleRef* module = entry.node->is(OpKind::CallModule)
                                      ? entry.graph->modules().find(entry.node->target)
                                      : nullptr;
        if (module && module->instance)
            places[module->instance.value].push_back(observedNode(*entry.graph, *entry.node));
    }
    return places;
}

Result<std::vector<ObserverResult>> resultsOf(
    const PreparedGraph& prepared, const std::vector<ObserverStatePtr>& states,
    const std::function<const ObserverResult*(std::size_t)>& known, const JobContext& context)
{
    const std::size_t count = prepared.instances.size();
    std::vector<ObserverResult> results(count);
    const auto qparamsOf = [&](std::size_t i,
                               const std::function<Result<QParams>(ObserverId)>& derived) {
        results[i].state = states[i];
        auto qparams = calculateQParams(prepared.instances[i].config, *states[i], derived);
        if (qparams)
            results[i].qparams = std::move(*qparams);
        else
            results[i].error = qparams.error();
    };
    PT2E_TRY(parallelFor(context, count, [&](std::size_t i) -> Result<void> {
        if (prepared.instances[i].config.kind == ObserverKind::Derived)
            return {};
        if (const ObserverResult* before = known(i))
            results[i] = *before;
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
        if (prepared.instances[i].config.kind == ObserverKind::Derived)
            qparamsOf(i, derived);
    }
    return results;
}

ObserverRuns::ObserverRuns(const PreparedGraph& prepared, ActivationCache& cache,
                           const JobContext& context)
    : m_prepared(prepared),
      m_cache(cache),
      m_context(context)
{}

/// A tuple, or a size, has an observer only where somebody asked for it; it fails with the first batch.
Result<void> ObserverRuns::requireTensors(const NodeNames& names, const std::vector<NodeId>& places,
                                          const ObserverConfig& config) const
{
    for (const NodeId place : places) {
        const NodeNames::Entry* entry = names.entry(place);
        if (entry && entry->node->val.isNoTensor())
            return badInput("calibration batch 0: " + entry->name(),
                            std::string(observerClassName(config.kind))
                                + ": what it observes is not a tensor");
    }
    return {};
}

Result<void> ObserverRuns::make(bool hasBatches)
{
    const NodeNames names(*m_prepared.graph);
    const auto places = observedPlaces(m_prepared);
    m_runs.resize(places.size());
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const ObserverConfig& config = m_prepared.instances[i].config;
        Run& run = m_runs[i];
        run.key = keyOf(config, places[i]);
        for (const NodeId place : places[i])
            ++run.places[place];
        run.isIdempotent =
            config.kind == ObserverKind::MinMax || config.kind == ObserverKind::PerChannelMinMax;
        run.lastPlace = places[i].empty() ? NodeId{} : places[i].back();
        if (config.kind == ObserverKind::FixedQParams)
            PT2E_TRY(watch(run, config, places[i]));
        const bool observes = config.kind != ObserverKind::Placeholder
                              && config.kind != ObserverKind::FixedQParams
                              && config.kind != ObserverKind::Derived;
        if (observes && !m_cache.finished(run.key)) {
            if (hasBatches)
                PT2E_TRY(requireTensors(names, places[i], config));
            PT2E_ASSIGN(run.observer, makeObserver(config));
        }
        for (const auto& [place, times] : run.places) {
            if (run.observer)
                m_runsAt[place].push_back(i);
        }
    }
    return {};
}

/// As torchao's default observer would see it.
Result<void> ObserverRuns::watch(Run& run, const ObserverConfig& config,
                                 const std::vector<NodeId>& places)
{
    if (m_cache.keepsNothing())
        return {}; // nobody edits what comes of it
    ObserverConfig histogram;
    histogram.dtype = config.dtype;
    histogram.quantMin = config.quantMin;
    histogram.quantMax = config.quantMax;
    run.isWatched = true;
    run.key = "watched " + keyOf(histogram, places);
    if (!m_cache.finished(run.key)) {
        PT2E_ASSIGN(run.observer, makeObserver(histogram));
    }
    return {};
}

const ObserverResult* ObserverRuns::finished(std::size_t run) const
{
    const Run& one = m_runs[run];
    return one.isWatched || one.observer ? nullptr : m_cache.finished(one.key);
}

ObserverStatePtr ObserverRuns::watched(std::size_t run) const
{
    const Run& one = m_runs[run];
    if (!one.isWatched || one.isLost)
        return {};
    if (one.observer)
        return std::make_shared<const ObserverState>(one.observer->state());
    const ObserverResult* before = m_cache.finished(one.key);
    return before ? before->state : nullptr;
}

void ObserverRuns::setFinished(std::size_t run, const ObserverResult& result)
{
    m_cache.setFinished(m_runs[run].key,
                        m_runs[run].isWatched ? ObserverResult{watched(run), {}, {}} : result);
}

std::vector<std::size_t> ObserverRuns::fedOnes() const
{
    std::vector<std::size_t> fed;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        if (m_runs[i].observer)
            fed.push_back(i);
    }
    return fed;
}

bool ObserverRuns::giveUpWatching(const std::vector<std::size_t>& runs)
{
    const bool areAllWatched = std::all_of(runs.begin(), runs.end(),
                                           [this](std::size_t i) { return m_runs[i].isWatched; });
    for (const std::size_t i : runs)
        m_runs[i].isLost = areAllWatched;
    return areAllWatched;
}

Result<void> ObserverRuns::feed(std::size_t run, NodeId place, const Tensor& tensor)
{
    Run& fed = m_runs[run];
    const auto times = fed.places.find(place);
    if (times == fed.places.end())
        return {};
    PT2E_TRY(m_context.checkpoint());
    if (fed.isIdempotent && m_cache.isConstant(tensor.storage().get())
        && !fed.seenConstants.insert(place).second)
        return {}; // a weight, seen in an earlier batch
    for (int i = 0; i < times->second && !fed.isLost; ++i) {
        auto done = fed.observer->observe(tensor);
        fed.isLost = fed.isWatched && !done;
        if (!fed.isLost)
            PT2E_TRY(std::move(done));
    }
    return {};
}

std::vector<ObserverStatePtr> ObserverRuns::states() const
{
    const auto nothing = std::make_shared<const ObserverState>();
    std::vector<ObserverStatePtr> states;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const Run& run = m_runs[i];
        const ObserverResult* before = finished(i);
        if (run.observer && !run.isWatched)
            states.push_back(std::make_shared<const ObserverState>(run.observer->state()));
        else
            states.push_back(before ? before->state : nothing);
    }
    return states;
}

} // namespace pt2e
