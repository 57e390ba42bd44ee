#include "ui/panels/ConvergencePage.h"

#include "core/analysis/EvaluationData.h"
#include "core/view/ConvergenceTable.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/session/SharedPipeline.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>
#include <mutex>

namespace pt2e::ui {

namespace {

const QString kTag = QStringLiteral("output-convergence");

using OnPoint = std::function<void(const OutputConvergence&)>;

Result<OutputConvergence> measure(const Snapshot& snapshot, SharedPipeline& shared,
                                  const EvaluationChoice& choice, const JobContext& context,
                                  const OnPoint& onPoint)
{
    PT2E_ASSIGN(const auto data, evaluationData(*snapshot.model, snapshot.recipe.calibration,
                                                choice, kSensitivitySamples, kSensitivityBatches));
    PT2E_ASSIGN(const SensitivityData read, sensitivityData(*data, context));
    const auto batches = static_cast<std::size_t>(snapshot.calibrated->batches);
    std::unique_lock lock(shared.mutex);
    PT2E_ASSIGN(const CalibratedStages stages,
                shared.pipeline.calibratedAfter(snapshot, convergenceCounts(batches), context));
    lock.unlock();
    return outputConvergence(snapshot, stages, read, context, onPoint);
}

} // namespace

ConvergencePage::ConvergencePage(Session& session, Comparison& comparison, QWidget* parent)
    : SingleTablePage(session, QStringLiteral("convergence"), parent),
      m_comparison(comparison),
      m_start(new QPushButton(this)),
      m_note(new QLabel(this)),
      m_chart(new ConvergenceChart(this))
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 4, 14, 0);
    head->setSpacing(8);
    m_start->setObjectName(QStringLiteral("convergenceStart"));
    m_start->setProperty("outline", true);
    m_note->setObjectName(QStringLiteral("convergenceNote"));
    m_note->setProperty("muted", true);
    m_note->setWordWrap(true);
    head->addWidget(m_start);
    head->addWidget(m_note, 1);
    m_layout->insertLayout(0, head);
    auto* body = new QHBoxLayout;
    body->setContentsMargins(0, 0, 14, 0);
    body->setSpacing(10);
    m_layout->removeWidget(m_table);
    body->addWidget(m_table, 3);
    m_chart->setObjectName(QStringLiteral("convergenceCurve"));
    body->addWidget(m_chart, 2, Qt::AlignTop);
    m_layout->addLayout(body, 1);
    m_layout->addStretch(0);
    connect(m_start, &QPushButton::clicked, this, [this] { isRunning() ? cancel() : run(); });
    connect(&session, &Session::modelChanged, this, [this] {
        cancel();
        m_found = nullptr;
        m_error.clear();
        refresh();
    });
    // It holds the pipeline while it looks at the kept values: an edit must not wait for it.
    connect(&session, &Session::recipeChanged, this, &ConvergencePage::cancel);
    connect(&session, &Session::snapshotChanged, this, &ConvergencePage::refresh);
    connect(&session.jobs(), &JobRunner::finished, this, [this](const JobState& job) {
        if (job.tag == kTag || job.tag == Session::kRunTag)
            refresh();
    });
    retranslate();
}

bool ConvergencePage::isStale() const
{
    const SnapshotPtr& full = m_session.fullSnapshot();
    return m_found && (!full || full->converted != m_about || full->recipe != m_session.recipe());
}

bool ConvergencePage::isRunning() const { return m_session.jobs().isRunning(kTag); }

bool ConvergencePage::canRun() const
{
    const SnapshotPtr& snapshot = m_session.snapshot();
    return snapshot && snapshot->converted && !m_session.isRunning()
           && snapshot->calibrated->batches > 1;
}

void ConvergencePage::cancel() { m_session.jobs().cancel(kTag); }

void ConvergencePage::run()
{
    if (!canRun())
        return;
    m_error.clear();
    m_session.jobs().start(
        Lane::Batch, kTag, tr("Convergence"),
        [this, snapshot = m_session.snapshot(), shared = m_session.pipeline(),
         choice = m_comparison.choice()](JobPort& port) -> Delivery {
            const auto shown = [this, snapshot](const OutputConvergence& found) -> Delivery {
                return [this, snapshot, found] {
                    m_about = snapshot->converted;
                    show(found);
                };
            };
            const auto found =
                measure(*snapshot, *shared, choice, port.context(),
                        [&](const OutputConvergence& so) { port.publish(shown(so)); });
            if (found)
                return shown(*found);
            if (found.error().code == ErrorCode::Cancelled)
                return {};
            return [this, message = QString::fromStdString(found.error().message())] {
                m_error = message;
                refresh();
            };
        });
    refresh();
}

void ConvergencePage::show(const OutputConvergence& found)
{
    m_found = std::make_shared<const OutputConvergence>(found);
    refresh();
}

QString ConvergencePage::title() const
{
    return isStale() ? tr("Convergence (stale)") : tr("Convergence");
}

QString ConvergencePage::noteText() const
{
    if (!m_error.isEmpty())
        return m_error;
    if (!m_found)
        return m_session.snapshot() && m_session.snapshot()->calibrated
                       && m_session.snapshot()->calibrated->batches < 2
                   ? tr("Calibration has one batch; there is nothing to compare it with.")
                   : tr("The SQNR of the outputs after the first, the second, the fourth … batch "
                        "of calibration, against the float model: whether more data would help.");
    if (m_found->points.size() < m_found->wanted)
        return tr("%1 of %2").arg(m_found->points.size()).arg(m_found->wanted);
    const auto all = static_cast<int>(m_found->points.back().batches);
    return m_found->enough < m_found->points.back().batches
               ? tr("%n batches are enough: from there on the SQNR stays within 0.5 dB.", nullptr,
                    static_cast<int>(m_found->enough))
               : tr("The SQNR still moves with the last of the %n batches.", nullptr, all);
}

void ConvergencePage::refresh()
{
    const bool isCovered = m_session.isCovered(StageKind::Converted);
    const bool hasResults = m_found && !isCovered;
    m_start->setText(isRunning() ? tr("Cancel") : tr("Measure"));
    m_start->setEnabled(isRunning() || canRun());
    m_note->setText(isCovered ? QString() : noteText());
    m_table->setTable(hasResults ? convergenceTable(*m_found) : Table{});
    ConvergenceChart::Data data;
    for (const OutputConvergence::Point& point :
         hasResults ? m_found->points : std::vector<OutputConvergence::Point>{}) {
        const double decibel = point.score.output.sqnrDb;
        if (!std::isfinite(decibel))
            continue;
        data.low.push_back(decibel);
        data.batches.push_back(static_cast<int>(point.batches));
    }
    data.enough = hasResults ? static_cast<int>(m_found->enough) : 0;
    const bool hasCurve = data.low.size() > 1;
    m_chart->setData(std::move(data));
    m_chart->setAccessibleName(tr("SQNR in dB against batches of calibration")
                               + QStringLiteral("; ") + m_note->text());
    m_chart->setToolTip(tr("SQNR in dB against batches of calibration"));
    m_table->setVisible(hasResults);
    m_chart->setVisible(hasCurve);
    Q_EMIT titleChanged();
}

void ConvergencePage::retranslate()
{
    m_table->setAccessibleName(tr("Convergence"));
    refresh();
}

} // namespace pt2e::ui
