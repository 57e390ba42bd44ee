// What the stages produced: immutable, derived from model + recipe + data, recomputable.
#pragma once

#include "core/passes/Convert.h"
#include "core/passes/Prepare.h"
#include "core/pipeline/Model.h"
#include "core/pipeline/Recipe.h"
#include "core/pipeline/SeenValues.h"

#include <memory>
#include <optional>
#include <vector>

namespace pt2e {

enum class StageKind : std::uint8_t { Exported, Annotated, Prepared, Calibrated, Converted };
std::string_view stageName(StageKind stage); ///< "exported", …

struct Coverage
{
    int ops = 0, opsQuantized = 0;
    std::int64_t macs = 0, macsQuantized = 0;
    std::int64_t weightBytes = 0, weightBytesQuantized = 0;
};

struct AnnotatedStage
{
    FoldedGraph folded;
    AnnotationTable annotations; ///< with the recipe's edits applied
    AnnotationTable quantizerSaid; ///< with the recipe's rules, before the edits
    std::vector<WhyNot> unannotated;
    Coverage coverage;
    Diagnostics diagnostics;
};

/// Observer statistics after `batches` batches of `total`, by instance.
struct CalibratedStage
{
    std::vector<ObserverStatePtr> states; ///< index = ObserverId.value
    std::vector<QParamsResult> qparams; ///< index = ObserverId.value
    /// Why there are no qparams (a NaN was seen), index = ObserverId.value; convert then fails with it.
    std::vector<std::optional<Error>> errors;
    /// index = ObserverId.value; the values at instances with fixed parameters as a HistogramObserver sees them, so that
    /// another range can be chosen. Null elsewhere, and where calibration keeps nothing.
    std::vector<ObserverStatePtr> watched;
    /// Of the observed values and of the inputs of real numbers; both empty as long as batches are missing.
    SeenValues seen;
    std::vector<SeenInput> inputs;
    Diagnostics diagnostics;
    OrderedMap<Tensor>
        buffers; ///< attributes that the model updates while it runs, as they stand now
    std::int64_t batches = 0;
    std::int64_t total = 0;
    std::string data; ///< description of the batches
    std::uint64_t keptBytes = 0; ///< of activations, in memory, so that an edit needs no model run
};

/// How long the walk that made a snapshot worked on a stage; what was still valid took no time.
struct StageTime
{
    StageKind stage;
    double seconds = 0;
};

/// A stage that was not reached is null.
struct Snapshot
{
    ModelPtr model;
    Recipe recipe;
    std::shared_ptr<const AnnotatedStage> annotated;
    std::shared_ptr<const PreparedGraph> prepared;
    std::shared_ptr<const CalibratedStage> calibrated;
    std::shared_ptr<const ConvertedGraph> converted;
    std::optional<Error> error; ///< why the next stage was not reached
    Diagnostics diagnostics; ///< of all stages, in stage order
    std::vector<StageTime> times; ///< of the stages the walk went through, in order

    /// The graph of a stage (Calibrated shows the prepared graph), or null.
    GraphPtr graph(StageKind stage) const;
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

} // namespace pt2e
