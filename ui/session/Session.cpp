#include "ui/session/Session.h"

#include "core/kernels/Kernels.h"
#include "core/view/BodyView.h"
#include "core/view/Paths.h"
#include "ui/session/BothQuantizers.h"
#include "ui/session/SecondRecipe.h"
#include "ui/session/SensitivityRun.h"
#include "ui/session/SharedPipeline.h"

#include <QFileInfo>

#include <array>
#include <chrono>
#include <mutex>

namespace pt2e::ui {

namespace {

/// Lets a partial snapshot through when it has another stage, or when enough time has passed to see a difference.
class PartialFilter
{
public:
    bool lets(const SnapshotPtr& snapshot)
    {
        const auto now = std::chrono::steady_clock::now();
        const auto isSameStage = [&](const Snapshot& before) {
            return before.annotated == snapshot->annotated && before.prepared == snapshot->prepared
                   && before.converted == snapshot->converted
                   && (before.calibrated != nullptr) == (snapshot->calibrated != nullptr);
        };
        if (m_last && isSameStage(*m_last) && now - m_when < kInterval)
            return false;
        m_last = snapshot;
        m_when = now;
        return true;
    }

private:
    static constexpr auto kInterval = std::chrono::milliseconds(100);
    SnapshotPtr m_last;
    std::chrono::steady_clock::time_point m_when;
};

} // namespace

const QString Session::kOpenTag = QStringLiteral("open");
const QString Session::kRunTag = QStringLiteral("run");
const QString Session::kCompareTag = QStringLiteral("compare");

Session::Session(QObject* parent)
    : QObject(parent),
      m_quantizers(std::make_shared<BothQuantizers>())
{
    // Before all panels: they read entered() when the view changes.
    connect(&m_view, &ViewState::changed, this, [this] {
        if (m_view.body() == m_enteredPath)
            return;
        m_selection.clear(); // names mean other nodes there
        updateEntered();
    });
}

Session::~Session() = default;

void Session::warmUp()
{
    m_jobs.start(Lane::Batch, QStringLiteral("warm-up"), {}, [this](JobPort&) -> Delivery {
        const Result<const Kernels*> loaded = kernels();
        if (!loaded)
            return [this, message = QString::fromStdString(loaded.error().message())] {
                Q_EMIT torchFailed(message);
            };
        const TorchInfo info = (*loaded)->info();
        const QString text = QString::fromStdString(info.version + " · " + info.cpuCapability);
        return [this, text] { Q_EMIT torchReady(text); };
    });
}

void Session::open(const ModelRequest& request)
{
    const QString what = QString::fromStdString(request.what);
    m_jobs.start(Lane::Interactive, kOpenTag, tr("Opening %1").arg(QFileInfo(what).fileName()),
                 [this, request, what](JobPort& port) -> Delivery {
                     Result<ModelPtr> opened = openModel(request, port.context());
                     if (!opened) {
                         if (opened.error().code == ErrorCode::Cancelled)
                             return {};
                         const auto message = QString::fromStdString(opened.error().message());
                         return [this, what, message] { Q_EMIT openFailed(what, message); };
                     }
                     return [this, request, model = *opened,
                             modules = startFolding(*(*opened)->exported)] {
                         m_request = request;
                         setModel(model, modules);
                     };
                 });
}

void Session::close()
{
    m_jobs.cancelAll();
    setModel(nullptr);
}

QString Session::nameOf(const ModelPtr& model)
{
    if (!model)
        return {};
    return model->path.empty() ? QString::fromStdString(model->name)
                               : QFileInfo(QString::fromStdString(model->path)).fileName();
}

Recipe Session::defaultRecipe() const
{
    Recipe recipe;
    // A float model with annotations stands for a prepared one.
    if (m_model && m_model->form.kind == ProgramKind::Annotated)
        recipe.quantizer.flavor = QuantizerFlavor::None;
    recipe.calibration.seed = m_request.seed;
    if (m_model && m_model->data && m_model->data->isInstalled()) {
        recipe.calibration = calibrationOnOwnData(*m_model->data);
        return recipe;
    }
    const bool hasExamples = m_model && !m_model->path.empty() && !m_model->examples.empty();
    if (hasExamples)
        recipe.calibration.source = CalibrationChoice::Source::Examples;
    else
        recipe.calibration.batches = 8;
    return recipe;
}

void Session::setModel(ModelPtr model, const ModuleFolding& modules)
{
    auto before = held();
    forgetModel();
    m_model = std::move(model);
    m_recipe = defaultRecipe();
    m_marks = {};
    m_undoStack.clear();
    m_view.reset(modules);
    startModel();
    m_jobs.letGo(std::move(before));
}

/// What the window looked at is gone.
void Session::forgetModel()
{
    m_hadNoStages = isQuantizedFile();
    m_model = nullptr;
    m_snapshot = m_shown = m_entered = m_previous = nullptr;
    m_selection.clear();
}

/// All that is shown now, to be let go of once others have heard of what comes after it.
std::shared_ptr<const void> Session::held() const
{
    struct Held
    {
        ModelPtr model;
        std::array<SnapshotPtr, 4> snapshots;
        std::shared_ptr<SharedPipeline> pipeline;
    };
    return std::make_shared<Held>(
        Held{m_model, {m_snapshot, m_shown, m_entered, m_previous}, m_pipeline});
}

/// All that follows from m_model and m_recipe begins anew.
void Session::startModel()
{
    m_jobs.cancel(kRunTag);
    SnapshotPtr first;
    if (m_model) {
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->model = m_model;
        snapshot->recipe = m_recipe;
        snapshot->diagnostics = m_model->diagnostics;
        first = snapshot;
    }
    m_pipeline = m_model ? std::make_shared<SharedPipeline>(m_model) : nullptr;
    m_previous = nullptr;
    m_wanted = StageKind::Converted;
    m_snapshot = first;
    m_shownUpTo = StageKind::Converted;
    m_isEditRunning = false;
    updateShown();
    if (isQuantizedFile() && !m_hadNoStages) {
        m_floatStages = m_view.stages();
        m_view.setStages({StageKind::Exported});
    } else if (!isQuantizedFile() && m_hadNoStages) {
        m_view.setStages(m_floatStages);
    }
    Q_EMIT modelChanged();
    Q_EMIT recipeChanged();
    Q_EMIT marksChanged();
    Q_EMIT snapshotChanged();
    if (m_model)
        run(StageKind::Converted);
}

StageKind Session::reached() const
{
    if (!m_snapshot || !m_snapshot->annotated)
        return StageKind::Exported;
    if (!m_snapshot->prepared)
        return StageKind::Annotated;
    const auto& calibrated = m_snapshot->calibrated;
    if (!calibrated || calibrated->batches < calibrated->total)
        return StageKind::Prepared;
    return m_snapshot->converted ? StageKind::Converted : StageKind::Calibrated;
}

void Session::runAll()
{
    if (!m_model)
        return;
    setShownUpTo(StageKind::Converted);
    if (reached() != StageKind::Converted || m_snapshot->recipe != m_recipe)
        run(StageKind::Converted);
}

void Session::runNext()
{
    if (!m_model || isRunning() || m_shownUpTo == StageKind::Converted) {
        if (m_model && !isRunning() && reached() != StageKind::Converted)
            run(static_cast<StageKind>(static_cast<int>(reached()) + 1));
        return;
    }
    const auto next = static_cast<StageKind>(static_cast<int>(m_shownUpTo) + 1);
    setShownUpTo(next);
    if (reached() < next)
        run(next);
}

void Session::cancelRun()
{
    m_jobs.cancel(kOpenTag);
    m_jobs.cancel(kRunTag);
    m_jobs.cancel(kCompareTag);
    m_jobs.cancel(SensitivityRun::kTag);
    m_jobs.cancel(SecondRecipe::kRunTag);
    Q_EMIT snapshotChanged(); // what was reached stays; the strip shows it as stopped
    m_jobs.cancel(SecondRecipe::kTag); // last, as another snapshot starts it
}

bool Session::isRunning() const { return m_jobs.isRunning(kRunTag); }

void Session::hideResults()
{
    if (m_model)
        setShownUpTo(StageKind::Exported);
}

void Session::setShownUpTo(StageKind stage)
{
    if (stage == m_shownUpTo)
        return;
    m_shownUpTo = stage;
    updateShown();
    Q_EMIT snapshotChanged();
}

void Session::updateShown()
{
    if (!m_snapshot || m_shownUpTo == StageKind::Converted) {
        m_shown = m_snapshot;
    } else {
        auto shown = std::make_shared<Snapshot>(*m_snapshot);
        shown->converted = nullptr;
        if (m_shownUpTo < StageKind::Calibrated)
            shown->calibrated = nullptr;
        if (m_shownUpTo < StageKind::Prepared)
            shown->prepared = nullptr;
        if (m_shownUpTo < StageKind::Annotated) {
            shown->annotated = nullptr;
            shown->diagnostics = m_model->diagnostics;
        }
        m_shown = shown;
    }
    updateEntered();
}

void Session::updateEntered()
{
    m_enteredPath = m_view.body();
    m_entered = snapshotOfBody(m_shown, m_enteredPath);
    if (!m_entered)
        m_entered = m_shown;
    m_selection.setSnapshot(m_entered);
}

void Session::lookAt(StageKind stage, std::vector<NodeId> nodes)
{
    const GraphPtr graph = graphOf(m_shown, stage);
    const auto path = graph && !nodes.empty() ? bodyOf(*graph, nodes.front()) : std::nullopt;
    if (path)
        m_view.enter(*path);
    m_selection.select(stage, std::move(nodes));
}

void Session::find(StageKind stage, std::vector<NodeId> nodes)
{
    lookAt(stage, nodes);
    if (nodes.size() == 1 && m_entered)
        m_view.setModules(revealed(m_view.options().modules, *m_entered, stage, nodes));
}

std::vector<std::string> Session::selectedPath() const
{
    const GraphPtr graph = graphOf(m_entered, m_selection.stage());
    const std::vector<NodeId>& chosen = m_selection.nodes();
    std::vector<std::string> names;
    if (!graph || chosen.size() != 2)
        return names;
    for (const NodeId id : nodesBetween(*graph, chosen[0], chosen[1]))
        names.push_back(graph->node(id).name);
    return names;
}

void Session::run(StageKind upTo)
{
    if (isQuantizedFile())
        return; // nothing to make: it is what it is
    m_wanted = upTo;
    m_isEditRunning = false;
    m_jobs.start(
        Lane::Batch, kRunTag, tr("Running stages"),
        [this, shared = m_pipeline, recipe = m_recipe, upTo](JobPort& port) -> Delivery {
            const std::lock_guard lock(shared->mutex);
            PartialFilter filter;
            SnapshotPtr done = shared->pipeline.run(
                recipe, upTo, port.context(), [this, &port, &filter](const SnapshotPtr& partial) {
                    if (filter.lets(partial))
                        port.publish([this, partial] { setSnapshot(partial, m_previous); });
                });
            return [this, done] { setSnapshot(done); };
        });
    Q_EMIT snapshotChanged();
}

void Session::rerun()
{
    if (reached() != StageKind::Converted || (isRunning() && !m_isEditRunning)) {
        run(m_wanted);
        return;
    }
    m_isEditRunning = true;
    m_jobs.start(Lane::Interactive, kRunTag, tr("Applying the change"),
                 [this, shared = m_pipeline, recipe = m_recipe,
                  before = m_snapshot](JobPort& port) -> Delivery {
                     const std::lock_guard lock(shared->mutex);
                     SnapshotPtr done = shared->pipeline.rerun(recipe, before, port.context());
                     return [this, before, done] { setSnapshot(done, before); };
                 });
}

void Session::setSnapshot(SnapshotPtr snapshot, SnapshotPtr previous)
{
    auto before = held();
    m_snapshot = std::move(snapshot);
    m_previous = std::move(previous);
    updateShown();
    Q_EMIT snapshotChanged();
    m_jobs.letGo(std::move(before));
    if (m_snapshot && m_snapshot->error && m_snapshot->error->code != ErrorCode::Cancelled)
        Q_EMIT runFailed(QString::fromStdString(m_snapshot->error->message()));
}

} // namespace pt2e::ui
