// prepare_pt2e in two steps: what the quantizer needs before it annotates, and observer placement after.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/JobContext.h"
#include "core/observers/Observer.h"
#include "core/passes/Pass.h"
#include "core/quant/Quantizer.h"
#include "core/quant/Sharing.h"

#include <optional>
#include <unordered_map>

namespace pt2e {

/// The graph that annotate works on: batch norms folded (conv, then linear), scalars made attributes.
struct FoldedGraph
{
    GraphPtr graph;
    PassRecords passes;
    Diagnostics diagnostics;
    /// Why a body could not be folded: torchao comes to it when the graph around is prepared, so prepare fails.
    std::optional<Error> bodyError;
    std::unordered_map<std::string, std::string>
        scopeOf; ///< node name ("body/name" in a body) → last module-path component (3.1 step 2)
};
Result<FoldedGraph> foldForAnnotation(const GraphPtr& exported, const QuantizerSettings& settings,
                                      const JobContext& context);

/// One observer instance and where it came from.
struct ObserverInstance
{
    ObserverId id;
    Spec spec; ///< of the first key of its group
    ObserverConfig config;
};

struct PreparedGraph
{
    GraphPtr graph;
    PassRecords passes;
    std::vector<ObserverInstance> instances; ///< index = id.value
    SharingGroups sharing;
    std::unordered_map<Point, ObserverId> instanceOf; ///< at each point that is observed
    Diagnostics diagnostics;
};
/// Observer placement and numbering (3.4 to 3.7).
Result<PreparedGraph> insertObservers(const GraphPtr& folded, const AnnotationTable& annotations,
                                      const JobContext& context);

} // namespace pt2e
