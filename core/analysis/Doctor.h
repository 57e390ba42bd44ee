// What the diagnoses of Diagnosis.h have in common; only they include this.
#pragma once

#include "core/analysis/Diagnosis.h"
#include "core/pipeline/NodeNames.h"

#include <functional>
#include <optional>
#include <vector>

namespace pt2e::diagnoses {

struct Range
{
    double low = 0, high = 0;
    double width() const { return high - low; }
};

/// The snapshot under examination, and how edits are written for it.
class Doctor
{
public:
    explicit Doctor(const Snapshot& snapshot)
        : snapshot(snapshot),
          graph(*snapshot.prepared->graph),
          names(*snapshot.annotated->folded.graph)
    {}

    /// What is asked for at a point, if that is observed there: where edits can be made.
    const ObservedSpec* specAt(const Point& point) const;
    /// The instance at a point, or an invalid id.
    ObserverId instanceAt(const Point& point) const;
    /// Without a spec: leaves the point unobserved.
    Edit editAt(const Point& point, const std::optional<ObservedSpec>& spec) const;
    /// Edits that leave the points unobserved. Points that share with them get their spec where `isHeir` says so; empty
    /// if yet others share with them.
    std::vector<Edit> without(const std::function<bool(const Point&)>& isGone,
                              const std::function<bool(const Point&)>& isHeir) const;
    /// What the instance saw: one range for the whole tensor.
    std::optional<Range> seen(ObserverId id) const;
    /// What calibration saw of the value; null where it is not known.
    const SeenValue* seenAt(NodeId value) const;

    const Snapshot& snapshot;
    const Graph& graph; ///< prepared
    NodeNames names; ///< of the annotated graph
    std::vector<Diagnosis> found;
};

/// The spec with a scale for each output channel of a weight.
ObservedSpec perChannel(ObservedSpec spec);

/// What is observed, observer by observer of the prepared graph, with the configuration of its instance.
struct Observed
{
    const Node& value;
    const Node& observer;
    ObserverId instance;
    const ObserverConfig& config;
};

// Each adds what it finds to doctor.found.
void findOutlierWeights(Doctor& doctor, const Observed& weight);
void findPreClamp(Doctor& doctor, const Observed& observed);
void findOneSided(Doctor& doctor, const Observed& observed);
void findUnbalancedInputs(Doctor& doctor);
void findDeadChannels(Doctor& doctor);
void findFewBatches(Doctor& doctor);
void findPreprocessing(Doctor& doctor, const CompareReport* report);
void findBiasShift(Doctor& doctor, const CompareReport& report);

} // namespace pt2e::diagnoses
