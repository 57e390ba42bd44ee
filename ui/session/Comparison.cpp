#include "ui/session/Comparison.h"

#include "core/analysis/EvaluationData.h"

#include <algorithm>

namespace pt2e::ui {

Comparison::Comparison(Session& session, QObject* parent) : QObject(parent), m_session(session)
{
    connect(&session, &Session::modelChanged, this, [this] {
        m_session.jobs().cancel(Session::kCompareTag);
        m_report = nullptr;
        m_compared = nullptr;
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

void Comparison::run()
{
    if (!canRun())
        return;
    m_session.jobs().start(
        Lane::Batch, Session::kCompareTag, tr("Comparing"),
        [this, snapshot = m_session.snapshot()](JobPort& port) -> Delivery {
            const auto failure = [this](const Error& error) -> Delivery {
                if (error.code == ErrorCode::Cancelled)
                    return {};
                return [this, message = QString::fromStdString(error.message())] {
                    Q_EMIT failed(message);
                };
            };
            const Result<Batches> data =
                evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
            if (!data)
                return failure(data.error());
            auto compared =
                compareEngines(*snapshot, *data, port.context().threads, port.context());
            if (!compared)
                return failure(compared.error());
            return [this, snapshot,
                    report = std::make_shared<const CompareReport>(std::move(*compared))] {
                m_report = report;
                m_compared = snapshot->converted;
                Q_EMIT changed();
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
