// Another range for what an observer sees, as edits: fixed parameters at the points that ask for the observer.
#pragma once

#include "core/observers/RangeMethods.h"
#include "core/pipeline/Snapshot.h"

#include <vector>

namespace pt2e {

/// What the instance has seen, as a histogram; empty where it keeps none. The stage is calibrated.
const ObserverState& seenBy(const Snapshot& snapshot, ObserverId instance);

/// Edits that give the instance this scale and zero point: at each point of its group that does not just share. Dtype,
/// bounds and scheme stay. Empty for per-channel instances, which torchao cannot fix.
std::vector<Edit> fixedEdits(const Snapshot& snapshot, ObserverId instance, const QParams& qparams);

/// The same for a range by a method; BadInput where there is no histogram of what the instance has seen.
Result<std::vector<Edit>> rangeEdits(const Snapshot& snapshot, ObserverId instance,
                                     RangeMethod method);

/// The snapshot's recipe with ranges by the method for all instances that have a histogram.
Recipe withRanges(const Snapshot& snapshot, RangeMethod method);

} // namespace pt2e
