#include "core/pipeline/Pipeline.h"

#include "core/pipeline/ActivationCache.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/Stages.h"

#include <chrono>
#include <filesystem>

namespace pt2e {

/// What was computed last. Each part is valid for the recipe parts noted with it and for the parts before it;
/// when one is replaced, all after it are dropped.
struct Pipeline::State
{
    explicit State(const ActivationLimits& limits) : cache(limits) {}

    std::optional<FoldedGraph> folded;
    QuantizerSettings foldedFor; ///< of folded
    QuantizerSettings quantizer; ///< of annotated
    std::vector<RecipeRule> rules; ///< of annotated
    std::vector<Edit> edits; ///< of annotated
    std::shared_ptr<const AnnotatedStage> annotated;
    std::shared_ptr<const PreparedGraph> prepared;

    std::optional<Batches> batches;
    CalibrationChoice choice; ///< of batches
    std::filesystem::file_time_type fileTime; ///< of the batches' file
    std::shared_ptr<const CalibratedStage> calibrated; ///< complete, of prepared and batches
    ActivationCache cache;

    ConvertOptions convert; ///< of converted
    std::shared_ptr<const ConvertedGraph> converted;
};

namespace {

/// When the file was written; the earliest time for anything that is no file.
std::filesystem::file_time_type fileTimeOf(const CalibrationChoice& choice)
{
    std::error_code ignored;
    if (choice.source != CalibrationChoice::Source::File)
        return {};
    return std::filesystem::last_write_time(choice.path, ignored);
}

double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void append(Diagnostics& all, const Diagnostics& more)
{
    all.insert(all.end(), more.begin(), more.end());
}

} // namespace

/// One walk through the stages.
class Pipeline::Walk
{
public:
    Walk(const ModelPtr& model, State& state, const Recipe& recipe, const JobContext& context,
         const std::function<void(SnapshotPtr)>& onPartial)
        : m_model(model),
          m_state(state),
          m_recipe(recipe),
          m_context(context),
          m_onPartial(onPartial)
    {}

    SnapshotPtr to(StageKind upTo)
    {
        using Step = Result<void> (Walk::*)();
        constexpr std::pair<StageKind, Step> kSteps[] = {
            {StageKind::Annotated, &Walk::annotate},
            {StageKind::Prepared, &Walk::prepare},
            {StageKind::Calibrated, &Walk::calibrate},
            {StageKind::Converted, &Walk::convert},
        };
        if (upTo > StageKind::Exported && m_model->form.isQuantized())
            return snapshot(alreadyQuantized());
        for (const auto& [stage, step] : kSteps) {
            if (stage > upTo)
                break;
            Result<void> done = m_context.checkpoint();
            const auto start = std::chrono::steady_clock::now();
            if (done)
                done = (this->*step)();
            m_times.push_back({stage, secondsSince(start)});
            if (!done)
                return snapshot(done.error());
            if (m_onPartial && stage < upTo)
                m_onPartial(snapshot({}));
        }
        return snapshot({});
    }

private:
    Error alreadyQuantized() const
    {
        return {
            ErrorCode::BadInput, m_model->path.empty() ? m_model->name : m_model->path,
            "is a " + m_model->form.text()
                + " already: there is nothing left to quantize (info, print, draw, run and diff "
                  "take it as it is)"};
    }
    Result<void> annotate();
    Result<void> prepare();
    Result<void> calibrate();
    Result<void> convert();
    Result<void> fold();
    Result<void> loadData();
    SnapshotPtr snapshot(std::optional<Error> error) const;

    const ModelPtr& m_model;
    State& m_state;
    const Recipe& m_recipe;
    const JobContext& m_context;
    const std::function<void(SnapshotPtr)>& m_onPartial;
    // What this walk has reached; the state may hold later stages of the recipe before.
    std::shared_ptr<const AnnotatedStage> m_annotated;
    std::shared_ptr<const PreparedGraph> m_prepared;
    std::shared_ptr<const CalibratedStage> m_calibrated;
    std::shared_ptr<const ConvertedGraph> m_converted;
    std::vector<StageTime> m_times;
};

Result<void> Pipeline::Walk::fold()
{
    if (m_state.folded && m_state.foldedFor == m_recipe.quantizer)
        return {};
    m_context.report("folding", 0, 0);
    PT2E_ASSIGN(FoldedGraph folded,
                foldForAnnotation(m_model->exported, foldSettings(*m_model, m_recipe.quantizer),
                                  m_context));
    // Most settings do not change the fold; keeping the old graph keeps its activations.
    if (!m_state.folded || !isSameFold(*m_state.folded, folded))
        m_state.folded = std::move(folded);
    m_state.foldedFor = m_recipe.quantizer;
    return {};
}

Result<void> Pipeline::Walk::annotate()
{
    const bool isValid = m_state.annotated && m_state.quantizer == m_recipe.quantizer
                         && m_state.rules == m_recipe.rules && m_state.edits == m_recipe.edits;
    if (!isValid) {
        m_state.annotated.reset();
        PT2E_TRY(fold());
        PT2E_ASSIGN(m_state.annotated, annotateFolded(*m_state.folded, m_recipe));
        m_state.quantizer = m_recipe.quantizer;
        m_state.rules = m_recipe.rules;
        m_state.edits = m_recipe.edits;
        m_state.prepared.reset();
    }
    m_annotated = m_state.annotated;
    return {};
}

Result<void> Pipeline::Walk::prepare()
{
    if (!m_state.prepared) {
        m_state.calibrated.reset();
        PT2E_ASSIGN(m_state.prepared, prepareStage(*m_annotated, m_context));
    }
    m_prepared = m_state.prepared;
    return {};
}

Result<void> Pipeline::Walk::loadData()
{
    const auto fileTime = fileTimeOf(m_recipe.calibration);
    if (m_state.batches && m_state.choice == m_recipe.calibration && m_state.fileTime == fileTime)
        return {};
    m_state.batches.reset();
    m_state.calibrated.reset();
    PT2E_ASSIGN(m_state.batches, loadBatches(*m_model, m_recipe.calibration));
    m_state.choice = m_recipe.calibration;
    m_state.fileTime = fileTime;
    return {};
}

Result<void> Pipeline::Walk::calibrate()
{
    PT2E_TRY(loadData());
    if (!m_state.calibrated) {
        m_state.converted.reset();
        std::function<void(std::shared_ptr<const CalibratedStage>)> onPartial;
        if (m_onPartial) {
            onPartial = [this](std::shared_ptr<const CalibratedStage> partial) {
                m_calibrated = std::move(partial);
                m_onPartial(snapshot({}));
            };
        }
        PT2E_ASSIGN(m_state.calibrated, calibrateStage(*m_annotated, *m_prepared, *m_state.batches,
                                                       m_state.cache, m_context, onPartial));
    }
    m_calibrated = m_state.calibrated;
    return {};
}

Result<void> Pipeline::Walk::convert()
{
    if (!m_state.converted || m_state.convert != m_recipe.convert) {
        m_context.report("converting", 0, 0);
        m_state.converted.reset();
        PT2E_ASSIGN(m_state.converted,
                    convertStage(*m_annotated, *m_prepared, *m_calibrated, m_recipe, m_context));
        m_state.convert = m_recipe.convert;
    }
    m_converted = m_state.converted;
    return {};
}

SnapshotPtr Pipeline::Walk::snapshot(std::optional<Error> error) const
{
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->model = m_model;
    snapshot->recipe = m_recipe;
    snapshot->annotated = m_annotated;
    snapshot->prepared = m_prepared;
    snapshot->calibrated = m_calibrated;
    snapshot->converted = m_converted;
    snapshot->error = std::move(error);
    snapshot->times = m_times;
    append(snapshot->diagnostics, m_model->diagnostics);
    if (m_annotated) {
        append(snapshot->diagnostics, m_annotated->folded.diagnostics);
        append(snapshot->diagnostics, m_annotated->diagnostics);
    }
    if (m_prepared)
        append(snapshot->diagnostics, m_prepared->diagnostics);
    if (m_calibrated) {
        append(snapshot->diagnostics, m_state.batches->problems);
        append(snapshot->diagnostics, m_calibrated->diagnostics);
    }
    if (m_converted)
        append(snapshot->diagnostics, m_converted->diagnostics);
    return snapshot;
}

Pipeline::Pipeline(ModelPtr model, const ActivationLimits& limits)
    : m_model(std::move(model)),
      m_state(std::make_unique<State>(limits))
{}

Pipeline::~Pipeline() = default;

SnapshotPtr Pipeline::run(const Recipe& recipe, StageKind upTo, const JobContext& context,
                          const std::function<void(SnapshotPtr)>& onPartial)
{
    return Walk(m_model, *m_state, recipe, context, onPartial).to(upTo);
}

SnapshotPtr Pipeline::rerun(const Recipe& recipe, const SnapshotPtr& before,
                            const JobContext& context)
{
    // As far as before, and the step that failed then: the edit may have mended it.
    StageKind reached = before->converted    ? StageKind::Converted
                        : before->calibrated ? StageKind::Calibrated
                        : before->prepared   ? StageKind::Prepared
                        : before->annotated  ? StageKind::Annotated
                                             : StageKind::Exported;
    if (before->error && reached != StageKind::Converted)
        reached = static_cast<StageKind>(static_cast<int>(reached) + 1);
    return run(recipe, reached, context);
}

namespace {

/// The batches that the snapshot was calibrated on: the loaded ones if they are those.
template<typename Use>
auto onBatchesOf(const Snapshot& snapshot, const std::optional<Batches>& loaded,
                 const CalibrationChoice& loadedFor, const Use& use)
    -> decltype(use(std::declval<const Batches&>()))
{
    const CalibrationChoice& choice = snapshot.recipe.calibration;
    if (loaded && loadedFor == choice)
        return use(*loaded);
    PT2E_ASSIGN(const Batches batches, loadBatches(*snapshot.model, choice));
    return use(batches);
}

} // namespace

Result<Convergence> Pipeline::convergence(const Snapshot& snapshot, ObserverId instance,
                                          const JobContext& context)
{
    return onBatchesOf(snapshot, m_state->batches, m_state->choice, [&](const Batches& batches) {
        return convergenceOf(snapshot, instance, batches, m_state->cache, context);
    });
}

Result<std::vector<std::shared_ptr<const CalibratedStage>>> Pipeline::calibratedAfter(
    const Snapshot& snapshot, std::span<const std::size_t> counts, const JobContext& context)
{
    return onBatchesOf(snapshot, m_state->batches, m_state->choice, [&](const Batches& batches) {
        return pt2e::calibratedAfter(snapshot, counts, batches, m_state->cache, context);
    });
}

void Pipeline::startFrom(const Pipeline& other, const Recipe& next)
{
    const State& from = *other.m_state;
    if (m_model != other.m_model || !from.folded || !from.batches
        || from.choice != next.calibration)
        return;
    if (!m_state->folded) {
        m_state->folded = from.folded;
        m_state->foldedFor = from.foldedFor;
    }
    // Bound to another graph, this cache would lose what it has.
    if (m_state->folded->graph != from.folded->graph)
        return;
    if (!m_state->batches || m_state->choice != from.choice || m_state->fileTime != from.fileTime) {
        m_state->batches = from.batches;
        m_state->choice = from.choice;
        m_state->fileTime = from.fileTime;
        m_state->calibrated.reset();
    }
    m_state->cache.shareFrom(from.cache);
}

std::int64_t Pipeline::modelRuns() const { return m_state->cache.modelRuns(); }

} // namespace pt2e
