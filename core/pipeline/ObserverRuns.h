// The observer instances of a prepared graph on their way through the calibration batches.
#pragma once

#include "core/passes/Prepare.h"
#include "core/pipeline/ActivationCache.h"

#include <functional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace pt2e {

class NodeNames;

/// For each instance the nodes whose values it sees, one entry per place, in execution order.
std::vector<std::vector<NodeId>> observedPlaces(const PreparedGraph& prepared);

/// What the instances end with, index = ObserverId.value: `known` where it is not null, else the parameters that follow
/// from the state, and from those of the instances that a derived one names.
Result<std::vector<ObserverResult>> resultsOf(
    const PreparedGraph& prepared, const std::vector<ObserverStatePtr>& states,
    const std::function<const ObserverResult*(std::size_t)>& known, const JobContext& context);

/// Instances go by their number, ObserverId.value. One that ended before with the same settings at the same places, or
/// observes nothing, is not fed again. Instances with fixed parameters are watched where the cache keeps anything: a
/// histogram is made of what they see, by which another range can be chosen, and nothing else follows from it.
/// Different instances may be fed side by side.
class ObserverRuns
{
public:
    ObserverRuns(const PreparedGraph& prepared, ActivationCache& cache, const JobContext& context);

    /// Fails where torchao's constructors do, and for an observer of what is no tensor once there are batches.
    Result<void> make(bool hasBatches);

    std::size_t size() const { return m_runs.size(); }
    bool isWanted(NodeId place) const { return m_runsAt.contains(place); }
    /// Instances that are fed at the place.
    const std::vector<std::size_t>& at(NodeId place) const { return m_runsAt.at(place); }
    /// The last place of the instance in execution order.
    NodeId lastPlace(std::size_t run) const { return m_runs[run].lastPlace; }
    bool isFed(std::size_t run) const { return m_runs[run].observer != nullptr; }
    std::vector<std::size_t> fedOnes() const;

    /// Nothing where the instance does not stand at the place.
    Result<void> feed(std::size_t run, NodeId place, const Tensor& tensor);
    /// The batches cannot be run, and none of these is needed for more than to be looked at: true, and they end empty.
    bool giveUpWatching(const std::vector<std::size_t>& runs);

    /// Statistics as they are now; none of instances that are watched.
    std::vector<ObserverStatePtr> states() const;
    /// What the instance itself ended with before; null if it is fed now.
    const ObserverResult* finished(std::size_t run) const;
    /// Null if it is not watched, or was lost.
    ObserverStatePtr watched(std::size_t run) const;
    /// For the next calibration with this cache.
    void setFinished(std::size_t run, const ObserverResult& result);

private:
    struct Run
    {
        std::string key; ///< settings and places: equal keys end with equal results
        std::unordered_map<NodeId, int> places; ///< observed node → how often
        NodeId lastPlace; ///< in execution order
        bool isIdempotent = false; ///< seeing the same values again changes nothing
        std::unique_ptr<Observer> observer; ///< null: finished before, or observes nothing
        std::unordered_set<NodeId> seenConstants;
        bool isWatched = false;
        bool isLost = false; ///< watched values that no histogram can be made of
    };
    Result<void> requireTensors(const NodeNames& names, const std::vector<NodeId>& places,
                                const ObserverConfig& config) const;
    Result<void> watch(Run& run, const ObserverConfig& config, const std::vector<NodeId>& places);

    const PreparedGraph& m_prepared;
    ActivationCache& m_cache;
    const JobContext& m_context;
    std::vector<Run> m_runs;
    std::unordered_map<NodeId, std::vector<std::size_t>> m_runsAt; ///< that have an observer
};

} // namespace pt2e
