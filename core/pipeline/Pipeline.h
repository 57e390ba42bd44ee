// The walk of the whole program; read this first.
//
//   openModel ─▸ annotateStage ─▸ prepareStage ─▸ calibrateStage ─▸ convertStage
//
// Each step is a function of what came before and of the recipe; Pipeline keeps what an edit does not change.
#pragma once

#include "core/pipeline/ActivationLimits.h"
#include "core/pipeline/Convergence.h"
#include "core/pipeline/Snapshot.h"

#include <functional>
#include <memory>

namespace pt2e {

Result<std::shared_ptr<const AnnotatedStage>> annotateStage(const Model& model,
                                                            const Recipe& recipe,
                                                            const JobContext& context);
Result<std::shared_ptr<const PreparedGraph>> prepareStage(const AnnotatedStage& annotated,
                                                          const JobContext& context);
/// Publishes intermediate states every few batches through onPartial (may be empty), on the calling thread.
/// Cancelled: partial states of the batches done are in the last onPartial call.
Result<std::shared_ptr<const CalibratedStage>> calibrateStage(
    const AnnotatedStage& annotated, const PreparedGraph& prepared, const Batches& batches,
    ActivationCache& cache, const JobContext& context,
    const std::function<void(std::shared_ptr<const CalibratedStage>)>& onPartial = {});
Result<std::shared_ptr<const ConvertedGraph>> convertStage(const AnnotatedStage& annotated,
                                                           const PreparedGraph& prepared,
                                                           const CalibratedStage& calibrated,
                                                           const Recipe& recipe,
                                                           const JobContext& context);

/// Batches as the recipe chooses them.
Result<Batches> loadBatches(const Model& model, const CalibrationChoice& choice);

/// Runs stages for a model, re-using whatever a changed recipe leaves valid. One thread at a time.
class Pipeline
{
public:
    /// What the model computed is kept within the limits, so that an edit needs no model run.
    explicit Pipeline(ModelPtr model,
                      const ActivationLimits& limits = ActivationLimits::defaults());
    ~Pipeline();

    const ModelPtr& model() const { return m_model; }
    /// Runs up to and including the stage. Always returns a snapshot: what was reached, and the error if one stopped
    /// it (code Cancelled included).
    SnapshotPtr run(const Recipe& recipe, StageKind upTo, const JobContext& context,
                    const std::function<void(SnapshotPtr)>& onPartial = {});
    /// As run(), up to the stage `before` reached; never runs the model when the cache has what the recipe needs.
    SnapshotPtr rerun(const Recipe& recipe, const SnapshotPtr& before, const JobContext& context);
    /// What the instance's scale was after each batch, for a snapshot of this pipeline that is calibrated.
    Result<Convergence> convergence(const Snapshot& snapshot, ObserverId instance,
                                    const JobContext& context);
    /// Takes over what another pipeline of the same model has loaded and computed, so that the next recipe needs no model
    /// run here either: where it is on the same data and both annotate the same graph. The other one must not be at work.
    void startFrom(const Pipeline& other, const Recipe& next);
    /// What calibration had made of the first `counts` batches each (calibratedAfter in Convergence.h).
    Result<std::vector<std::shared_ptr<const CalibratedStage>>> calibratedAfter(
        const Snapshot& snapshot, std::span<const std::size_t> counts, const JobContext& context);
    /// Batches run through the model so far: an edit leaves it as it was (unless the cache was too small).
    std::int64_t modelRuns() const;

private:
    struct State;
    class Walk;
    ModelPtr m_model;
    std::unique_ptr<State> m_state;
};

} // namespace pt2e
