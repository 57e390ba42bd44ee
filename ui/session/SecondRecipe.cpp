#include "ui/session/SecondRecipe.h"

#include "core/analysis/EvaluationData.h"
#include "core/view/BodyView.h"
#include "ui/session/SharedPipeline.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

namespace pt2e::ui {

const QString SecondRecipe::kTag = QStringLiteral("second-recipe");
const QString SecondRecipe::kRunTag = QStringLiteral("run-both");

namespace {

constexpr std::size_t kMostRuns = 6; ///< whose figures are kept

/// As many rounds as fit into the time, which is enough for a median.
BenchmarkOptions benchmarkOptions(int threads)
{
    BenchmarkOptions options;
    options.threads = threads;
    options.warmUps = 3;
    options.most = std::chrono::milliseconds(2000);
    return options;
}

Result<RecipeRuns> runBoth(const Snapshot& first, const Snapshot& second,
                           const EvaluationChoice& choice, const JobContext& context)
{
    context.report("comparing", 0, 0);
    PT2E_ASSIGN(const auto data,
                evaluationData(*first.model, first.recipe.calibration, choice, kOwnSamples));
    PT2E_TRY(context.checkpoint());
    RecipeRunOptions options;
    options.compare.threads = context.threads;
    options.benchmark = benchmarkOptions(context.threads);
    return runRecipes(first, second, *data, options, context);
}

} // namespace

SecondRecipe::SecondRecipe(Session& session, Comparison& comparison, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_evaluation(comparison)
{
    connect(&session, &Session::modelChanged, this, &SecondRecipe::forget);
    connect(&session, &Session::recipeChanged, this, &SecondRecipe::onRecipe);
    connect(&session, &Session::snapshotChanged, this, &SecondRecipe::refresh);
    connect(&comparison, &Comparison::choiceChanged, this, [this] {
        m_runs.clear(); // were about other data
        if (m_comparison)
            setRuns(m_first, m_second, {});
    });
}

SecondRecipe::~SecondRecipe() = default;

/// Another model, or the same one read again, starts with nothing beside.
void SecondRecipe::forget()
{
    cancel();
    m_session.jobs().cancel(kTag);
    m_model = m_session.model();
    m_pipeline = nullptr;
    m_first = m_second = nullptr;
    m_comparison = nullptr;
    m_runs.clear();
    m_before.reset();
    m_kept.reset();
    m_fromFile.reset();
    m_beside = Beside::Nothing;
    m_present = m_session.recipe();
    setPanes({});
    Q_EMIT changed();
}

void SecondRecipe::onRecipe()
{
    const bool isOfThisModel = m_model && m_model == m_session.model();
    if (isOfThisModel && m_present != m_session.recipe())
        m_before = m_present;
    m_present = m_session.recipe();
    Q_EMIT changed(); // stale
}

bool SecondRecipe::has(Beside beside) const
{
    switch (beside) {
    case Beside::Before: return m_before.has_value();
    case Beside::Kept: return m_kept.has_value();
    case Beside::File: return m_fromFile.has_value();
    case Beside::Nothing:
    case Beside::TorchAo:
    case Beside::ExecuTorch: break;
    }
    return true;
}

void SecondRecipe::choose(Beside beside)
{
    if (!has(beside) || beside == m_beside)
        return;
    m_beside = beside;
    if (beside == Beside::Nothing)
        setPanes({});
    refresh();
    Q_EMIT changed();
}

void SecondRecipe::keep()
{
    if (!m_session.model())
        return;
    m_kept = m_session.recipe();
    m_beside = Beside::Kept;
    refresh();
    Q_EMIT changed();
}

void SecondRecipe::chooseFile(const QString& path)
{
    QFile file(path);
    const QString name = QFileInfo(path).fileName();
    if (!file.open(QIODevice::ReadOnly)) {
        Q_EMIT failed(tr("Cannot read %1. %2").arg(name, file.errorString()));
        return;
    }
    auto recipe = readRecipe(file.readAll().toStdString(), name.toStdString());
    if (!recipe) {
        Q_EMIT failed(QString::fromStdString(recipe.error().message()));
        return;
    }
    m_fromFile = std::move(*recipe);
    m_fileName = name;
    m_beside = Beside::File;
    refresh();
    Q_EMIT changed();
}

RecipeNames SecondRecipe::names() const
{
    const QuantizerFlavor present = m_session.recipe().quantizer.flavor;
    const auto beside = [&](QuantizerFlavor flavor) -> RecipeNames {
        const std::string name(flavorName(flavor));
        return {present == flavor || present == QuantizerFlavor::None
                    ? "now"
                    : std::string(flavorName(present)),
                name};
    };
    switch (m_beside) {
    case Beside::TorchAo: return beside(QuantizerFlavor::TorchAo);
    case Beside::ExecuTorch: return beside(QuantizerFlavor::ExecuTorch);
    case Beside::Before: return {"now", "before"};
    case Beside::Kept: return {"now", "kept"};
    case Beside::File: return {"now", m_fileName.toStdString()};
    case Beside::Nothing: break;
    }
    return {"now", "-"};
}

QString SecondRecipe::title() const
{
    switch (m_beside) {
    case Beside::TorchAo: return QStringLiteral("torchao");
    case Beside::ExecuTorch: return QStringLiteral("ExecuTorch");
    case Beside::Before: return tr("before");
    case Beside::Kept: return tr("kept");
    case Beside::File: return m_fileName;
    case Beside::Nothing: break;
    }
    return {};
}

SnapshotPtr SecondRecipe::entered() const
{
    if (!m_second || m_session.isCovered(StageKind::Converted))
        return nullptr;
    const std::string& path = m_session.view().body();
    if (m_enteredFrom != m_second || m_enteredPath != path) {
        m_entered = snapshotOfBody(m_second, path);
        m_enteredFrom = m_second;
        m_enteredPath = path;
    }
    return m_entered;
}

void SecondRecipe::setPanes(std::vector<StageKind> stages)
{
    if (stages == m_panes)
        return;
    m_panes = std::move(stages);
    Q_EMIT panesChanged();
}

/// Kept and earlier recipes are as they were, data included; a file's is calibrated on the present data.
std::optional<Recipe> SecondRecipe::wanted() const
{
    const Recipe& present = m_session.recipe();
    switch (m_beside) {
    case Beside::Nothing: return std::nullopt;
    case Beside::TorchAo: return withQuantizer(present, QuantizerFlavor::TorchAo);
    case Beside::ExecuTorch: return withQuantizer(present, QuantizerFlavor::ExecuTorch);
    case Beside::Before: return m_before;
    case Beside::Kept: return m_kept;
    case Beside::File: break;
    }
    std::optional<Recipe> recipe = m_fromFile;
    if (recipe)
        recipe->calibration = present.calibration;
    return recipe;
}

bool SecondRecipe::isStale() const
{
    const SnapshotPtr& full = m_session.fullSnapshot();
    const auto second = wanted();
    return m_comparison
           && (m_first != full || m_first->recipe != m_session.recipe() || !second
               || m_second->recipe != *second);
}

QString SecondRecipe::problem() const
{
    return m_second && m_second->error ? QString::fromStdString(m_second->error->message())
                                       : QString();
}

RecipeRuns SecondRecipe::knownRuns(const Recipe& first, const Recipe& second) const
{
    for (const Run& run : m_runs) {
        if (run.recipes[0] == first && run.recipes[1] == second)
            return run.runs;
    }
    return {};
}

void SecondRecipe::setRuns(const SnapshotPtr& first, const SnapshotPtr& second,
                           const RecipeRuns& runs)
{
    if (first == m_first && second == m_second)
        m_comparison =
            std::make_shared<const RecipeComparison>(compareRecipes(*first, *second, runs));
    Q_EMIT changed();
}

/// The stages of the second recipe, once the first one's are there.
void SecondRecipe::refresh()
{
    const auto recipe = wanted();
    const SnapshotPtr& first = m_session.fullSnapshot();
    if (!recipe || !first || m_session.isQuantizedFile()) {
        m_session.jobs().cancel(kTag);
        m_first = m_second = nullptr;
        m_comparison = nullptr;
        Q_EMIT changed();
        return;
    }
    const bool isFirstThere =
        first->recipe == m_session.recipe()
        && (first->converted || (first->error && first->error->code != ErrorCode::Cancelled));
    if (!isFirstThere || (m_comparison && !isStale())) {
        Q_EMIT changed(); // covered or uncovered, or stale
        return;
    }
    if (isAtWork() && m_atWorkOn == first && m_atWorkWith == *recipe)
        return;
    m_atWorkOn = first;
    m_atWorkWith = *recipe;
    if (!m_pipeline)
        m_pipeline = std::make_shared<SharedPipeline>(m_session.model());
    const SnapshotPtr& previous = m_session.previous();
    const SnapshotPtr made = previous && previous->recipe == *recipe && previous->converted
                                 ? previous
                             : first->recipe == *recipe ? first
                                                        : nullptr;
    m_session.jobs().start(
        Lane::Batch, kTag, tr("Stages of the second recipe"),
        [this, first, made, recipe = *recipe, own = m_pipeline, others = m_session.pipeline(),
         runs = knownRuns(first->recipe, *recipe)](JobPort& port) -> Delivery {
            SnapshotPtr second = made;
            if (!second) {
                const std::lock_guard lock(own->mutex);
                // An edit must not wait for this job, which waits for the edit's.
                while (!others->mutex.try_lock()) {
                    if (port.context().isCancelled())
                        return {};
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
                }
                own->pipeline.startFrom(others->pipeline, recipe);
                others->mutex.unlock();
                second = own->pipeline.run(recipe, StageKind::Converted, port.context());
            }
            if (second->error && second->error->code == ErrorCode::Cancelled)
                return {};
            auto comparison =
                std::make_shared<const RecipeComparison>(compareRecipes(*first, *second, runs));
            return [this, first, second, comparison] {
                m_first = first;
                m_second = second;
                m_comparison = comparison;
                Q_EMIT changed();
            };
        });
    Q_EMIT changed();
}

bool SecondRecipe::canRun() const
{
    return m_comparison && !isStale() && m_first->converted && m_second->converted
           && !m_session.isRunning() && !isAtWork();
}

void SecondRecipe::run()
{
    if (!canRun())
        return;
    m_session.jobs().start(
        Lane::Batch, kRunTag, tr("Running both recipes"),
        [this, first = m_first, second = m_second,
         choice = m_evaluation.choice()](JobPort& port) -> Delivery {
            auto runs = runBoth(*first, *second, choice, port.context());
            if (!runs && runs.error().code == ErrorCode::Cancelled)
                return {};
            if (!runs)
                return [this, message = QString::fromStdString(runs.error().message())] {
                    Q_EMIT failed(message);
                };
            return [this, first, second, runs = *runs] {
                std::erase_if(m_runs, [&](const Run& run) {
                    return run.recipes == std::array{first->recipe, second->recipe};
                });
                m_runs.insert(m_runs.begin(), {{first->recipe, second->recipe}, runs});
                m_runs.resize(std::min(m_runs.size(), kMostRuns));
                setRuns(first, second, runs);
            };
        });
    Q_EMIT changed();
}

void SecondRecipe::cancel()
{
    m_session.jobs().cancel(kRunTag);
    Q_EMIT changed();
}

} // namespace pt2e::ui
