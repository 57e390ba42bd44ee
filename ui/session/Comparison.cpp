#include "ui/session/Comparison.h"

#include <algorithm>

namespace pt2e::ui {

Comparison::Comparison(Session& session, QObject* parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::modelChanged, this, [this] {
        m_session.jobs().cancel(Session::kCompareTag);
        m_report = nullptr;
        m_samples = nullptr;
        m_compared = nullptr;
        m_choice = {};
        Q_EMIT changed();
    });
    connect(&session, &Session::snapshotChanged, this, [this] {
        if (m_report)
            Q_EMIT changed();
    });
}

bool Comparison::canRun() const
{
    return m_session.snapshot() && m_session.snapshot()->converted && !m_session.isRunning();
}

bool Comparison::isStale() const
{
    const SnapshotPtr& full = m_session.fullSnapshot();
    return m_report
           && (!full || full->converted != m_compared || full->recipe != m_session.recipe());
}

void Comparison::setChoice(EvaluationChoice choice)
{
    m_choice = std::move(choice);
    Q_EMIT choiceChanged();
    run();
}

void Comparison::restoreChoice(EvaluationChoice choice) { m_choice = std::move(choice); }

std::int64_t Comparison::samplesInAll() const
{
    return m_report && m_isPart ? m_report->samplesInAll : 0;
}

namespace {

struct Compared
{
    CompareReport report;
    std::shared_ptr<ComparedSamples> samples;
    bool isPart = false; ///< the data have more
};

Result<Compared> compareOn(const Snapshot& snapshot, const EvaluationChoice& choice,
                           std::int64_t samples, const JobContext& context)
{
    const CalibrationChoice& calibration = snapshot.recipe.calibration;
    context.report("comparing", 0, 0);
    PT2E_ASSIGN(std::shared_ptr<const DataSet> data,
                evaluationData(*snapshot.model, calibration, choice, samples));
    PT2E_TRY(context.checkpoint());
    CompareOptions options;
    options.hasTimes = true;
    options.threads = context.threads;
    PT2E_ASSIGN(CompareReport report, compareEngines(snapshot, *data, options, context));
    return Compared{
        std::move(report),
        std::make_shared<ComparedSamples>(snapshot.model, data,
                                          choice.path.empty() ? calibration.format : choice.format),
        data->sampleCount() < data->samplesInAll()};
}

} // namespace

void Comparison::start(std::int64_t samples)
{
    if (!canRun())
        return;
    Q_EMIT started();
    m_session.jobs().start(
        Lane::Batch, Session::kCompareTag, tr("Comparing"),
        [this, samples, choice = m_choice,
         snapshot = m_session.snapshot()](JobPort& port) -> Delivery {
            auto compared = compareOn(*snapshot, choice, samples, port.context());
            if (!compared && compared.error().code == ErrorCode::Cancelled)
                return {};
            if (!compared)
                return [this, message = QString::fromStdString(compared.error().message())] {
                    Q_EMIT failed(message);
                };
            return [this, snapshot, samples = compared->samples, isPart = compared->isPart,
                    report = std::make_shared<const CompareReport>(std::move(compared->report))] {
                m_report = report;
                m_samples = samples;
                m_isPart = isPart;
                m_compared = snapshot->converted;
                Q_EMIT changed();
                if (!report->problems.empty()) {
                    const Diagnostic& first = report->problems.front();
                    Q_EMIT told(tr("%n left out of the data:", nullptr,
                                   static_cast<int>(report->problems.size()))
                                + QLatin1Char(' ')
                                + QString::fromStdString(first.place + ": " + first.message));
                }
            };
        });
}

QString Comparison::placeOf(const std::vector<NodeId>& nodes) const
{
    if (!m_report)
        return {};
    for (const Assignment& assignment : m_report->assignments) {
        if (assignment.kernel.empty()
            || std::find(nodes.begin(), nodes.end(), assignment.node) == nodes.end())
            continue;
        const QString kernel = QString::fromStdString(assignment.kernel);
        return assignment.reason.empty() ? kernel
                                         : QStringLiteral("%1 (%2)").arg(
                                             kernel, QString::fromStdString(assignment.reason));
    }
    return {};
}

int Comparison::partitionCount() const
{
    int count = 0;
    if (m_report) {
        for (const Assignment& assignment : m_report->assignments)
            count = std::max(count, assignment.partition + 1);
    }
    return count;
}

} // namespace pt2e::ui
