#include "ui/session/SensitivityRun.h"

#include "core/pipeline/NodeNames.h"

#include <chrono>

namespace pt2e::ui {

const QString SensitivityRun::kTag = QStringLiteral("sensitivity");

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kPause = std::chrono::milliseconds(40); ///< between pictures

} // namespace

struct SensitivityRun::Shared
{
    std::mutex mutex;
    SensitivityStore store;
    // The analysis of the last job, for the next one of the same graph and data; the lane runs one job at a time.
    std::shared_ptr<pt2e::Sensitivity> analysis;
    std::shared_ptr<const ConvertedGraph> converted;
    EvaluationChoice choice;

    SensitivityStore copy()
    {
        const std::lock_guard lock(mutex);
        return store;
    }
    void add(const SensitivityStore& more)
    {
        const std::lock_guard lock(mutex);
        store.merge(more);
    }

    /// On the lane.
    Result<std::shared_ptr<pt2e::Sensitivity>> analysisOf(const SnapshotPtr& snapshot,
                                                          const EvaluationChoice& wanted,
                                                          const JobContext& context)
    {
        if (analysis && converted == snapshot->converted && choice == wanted)
            return analysis;
        analysis.reset();
        context.report("sensitivity", 0, 0);
        PT2E_ASSIGN(const auto data,
                    evaluationData(*snapshot->model, snapshot->recipe.calibration, wanted,
                                   kSensitivitySamples, kSensitivityBatches));
        PT2E_ASSIGN(SensitivityData read, sensitivityData(*data, context));
        PT2E_ASSIGN(auto made, pt2e::Sensitivity::make(snapshot, std::move(read), context));
        analysis = std::move(made);
        converted = snapshot->converted;
        choice = wanted;
        return analysis;
    }
};

SensitivityRun::SensitivityRun(Session& session, Comparison& comparison, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_comparison(comparison),
      m_shared(std::make_shared<Shared>())
{
    connect(&session, &Session::modelChanged, this, [this] {
        m_session.jobs().cancel(kTag);
        forget();
    });
    connect(&session, &Session::snapshotChanged, this, &SensitivityRun::changed);
    // Also of the stages: from then on it can be run.
    connect(&session.jobs(), &JobRunner::finished, this, [this](const JobState& job) {
        if (job.tag == kTag || job.tag == Session::kRunTag)
            Q_EMIT changed();
    });
}

void SensitivityRun::forget()
{
    m_shared = std::make_shared<Shared>();
    m_reports = {};
    m_shownGroups = nullptr;
    m_search = nullptr;
    m_searchGroups = nullptr;
    Q_EMIT changed();
}

void SensitivityRun::setMode(SensitivityMode mode)
{
    m_mode = mode;
    Q_EMIT changed();
}

void SensitivityRun::setMetric(SensitivityMetric metric)
{
    m_metric = metric;
    Q_EMIT changed();
}

const std::shared_ptr<const SensitivityReport>& SensitivityRun::report() const
{
    return m_reports[static_cast<std::size_t>(m_mode)];
}

bool SensitivityRun::canRun() const
{
    return m_session.snapshot() && m_session.snapshot()->converted && !m_session.isRunning();
}

bool SensitivityRun::isStale() const
{
    const SnapshotPtr& full = m_session.fullSnapshot();
    return m_shownGroups
           && (!full || full->converted != m_shownGroups->snapshot().converted
               || full->recipe != m_session.recipe());
}

/// Scores of another graph or data do not stand beside these.
void SensitivityRun::begin(SensitivityMode mode,
                           const std::shared_ptr<const pt2e::Sensitivity>& groups)
{
    if (groups != m_shownGroups) {
        m_reports = {};
        m_shownGroups = groups;
    }
    const auto& before = m_reports[static_cast<std::size_t>(mode)];
    m_atStart = before ? before->results.size() : 0;
    m_clock.start();
}

void SensitivityRun::show(const SensitivityReport& report)
{
    std::size_t stored = 0;
    for (const GroupResult& result : report.results)
        stored += result.isFromStore ? 1 : 0;
    m_atStart = stored;
    m_reports[static_cast<std::size_t>(report.mode)] =
        std::make_shared<const SensitivityReport>(report);
    Q_EMIT changed();
}

void SensitivityRun::run()
{
    if (!canRun())
        return;
    m_isSearching = false;
    Q_EMIT started();
    m_session.jobs().start(
        Lane::Batch, kTag, tr("Sensitivity"),
        [this, shared = m_shared, mode = m_mode, choice = m_comparison.choice(),
         snapshot = m_session.snapshot()](JobPort& port) -> Delivery {
            const auto analysis = shared->analysisOf(snapshot, choice, port.context());
            const auto say = [this](const Error& error) -> Delivery {
                if (error.code == ErrorCode::Cancelled)
                    return {};
                return [this, message = QString::fromStdString(error.message())] {
                    Q_EMIT failed(message);
                };
            };
            if (!analysis)
                return say(analysis.error());
            port.publish([this, mode, groups = *analysis] { begin(mode, groups); });
            SensitivityStore store = shared->copy();
            Clock::time_point last;
            const auto onReport = [&](const SensitivityReport& report) {
                if (report.results.size() > 1 && Clock::now() - last < kPause)
                    return;
                last = Clock::now();
                port.publish([this, report] { show(report); });
            };
            const auto report = (*analysis)->run(mode, store, port.context(), onReport);
            shared->add(store); // also what a cancelled run has scored
            if (!report)
                return say(report.error());
            return [this, done = *report] { show(done); };
        });
    Q_EMIT changed();
}

void SensitivityRun::cancel()
{
    m_session.jobs().cancel(kTag);
    Q_EMIT changed();
}

double SensitivityRun::secondsLeft() const
{
    const auto& now = report();
    if (!isRunning() || m_isSearching || !now || now->results.size() <= m_atStart)
        return -1;
    const double each = static_cast<double>(m_clock.elapsed()) / 1000
                        / static_cast<double>(now->results.size() - m_atStart);
    return each * static_cast<double>(now->wanted - now->results.size());
}

void SensitivityRun::find(double target)
{
    if (!canRun())
        return;
    m_isSearching = true;
    m_search = nullptr;
    Q_EMIT started();
    m_session.jobs().start(
        Lane::Batch, kTag, tr("Mixed precision"),
        [this, shared = m_shared, goal = MixedPrecisionGoal{m_metric, target},
         choice = m_comparison.choice(),
         snapshot = m_session.snapshot()](JobPort& port) -> Delivery {
            SensitivityStore store = shared->copy();
            const auto analysis = shared->analysisOf(snapshot, choice, port.context());
            auto found = analysis ? findMixedPrecision(
                             **analysis, goal, store, port.context(),
                             [&](const MixedPrecisionReport& report) {
                                 port.publish([this, report, groups = *analysis] {
                                     m_search =
                                         std::make_shared<const MixedPrecisionReport>(report);
                                     m_searchGroups = groups;
                                     Q_EMIT changed();
                                 });
                             })
                                  : Result<MixedPrecisionReport>(passOn(analysis));
            shared->add(store);
            if (!found && found.error().code == ErrorCode::Cancelled)
                return {};
            if (!found)
                return [this, message = QString::fromStdString(found.error().message())] {
                    Q_EMIT failed(message);
                };
            return [this, report = std::make_shared<const MixedPrecisionReport>(std::move(*found)),
                    groups = *analysis] {
                m_search = report;
                m_searchGroups = groups;
                Q_EMIT changed();
            };
        });
    Q_EMIT changed();
}

bool SensitivityRun::canApply() const
{
    const SnapshotPtr& full = m_session.fullSnapshot();
    return m_search && m_search->isMet && !m_search->edits.empty() && m_searchGroups && full
           && full->converted == m_searchGroups->snapshot().converted
           && full->recipe == m_session.recipe() && !isRunning();
}

void SensitivityRun::apply()
{
    if (!canApply())
        return;
    m_session.changeRecipe(withEdits(m_session.recipe(), m_search->edits),
                           tr("Mixed precision: %n groups in float", nullptr,
                              static_cast<int>(m_search->result.floatGroups.size())));
}

void SensitivityRun::select(const std::vector<NodeId>& nodes)
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    if (!snapshot || !snapshot->prepared)
        return;
    const NodeNames names(*snapshot->prepared->graph);
    std::vector<NodeId> known;
    for (const NodeId node : nodes) {
        if (names.entry(node))
            known.push_back(node);
    }
    if (!known.empty())
        m_session.lookAt(StageKind::Prepared, std::move(known));
}

SensitivityStore SensitivityRun::store() const { return m_shared->copy(); }

void SensitivityRun::addToStore(const SensitivityStore& store)
{
    m_shared->add(store);
    Q_EMIT changed();
}

} // namespace pt2e::ui
