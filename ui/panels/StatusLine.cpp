#include "ui/panels/StatusLine.h"

#include "ui/models/CoreText.h"
#include "ui/models/SentenceText.h"

#include <QEvent>
#include <QFile>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QTimer>

#include <algorithm>
#include <unistd.h>

namespace pt2e::ui {

namespace {

constexpr int kMemoryInterval = 3000; ///< ms
constexpr int kTick = 500; ///< ms
constexpr int kTellElapsedAfter = 3000; ///< ms: where the rest is not known
constexpr int kShowProgressAfter = 300; ///< ms: shorter work shows no bar

/// Resident memory of this process in MB, or -1 where the system does not tell.
int residentMegabytes()
{
    QFile file(QStringLiteral("/proc/self/statm"));
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    const QList<QByteArray> fields = file.readAll().split(' ');
    return fields.size() < 2
               ? -1
               : static_cast<int>(fields[1].toLongLong() * sysconf(_SC_PAGESIZE) / (1024 * 1024));
}

} // namespace

StatusLine::StatusLine(Session& session, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_text(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QPushButton(this)),
      m_engine(new QLabel(this)),
      m_memory(new QLabel(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(18, 2, 18, 4);
    layout->setSpacing(10);
    for (QLabel* label : {m_text, m_engine, m_memory})
        label->setProperty("muted", true);
    m_text->setObjectName(QStringLiteral("statusText"));
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(180);
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setProperty("flat", true);
    layout->addWidget(m_progress);
    layout->addWidget(m_cancel);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_engine);
    layout->addWidget(m_memory);
    setFixedHeight(fontMetrics().height() + 20);

    connect(m_cancel, &QPushButton::clicked, &session, &Session::cancelRun);
    JobRunner& jobs = session.jobs();
    connect(&jobs, &JobRunner::started, this, &StatusLine::refresh);
    connect(&jobs, &JobRunner::progressed, this, &StatusLine::refresh);
    connect(&jobs, &JobRunner::finished, this, [this](const JobState& job, bool wasCancelled) {
        // What a job said itself, such as why it failed, is worth more than how long it took.
        if (!job.title.isEmpty() && job.id == m_timedJob && !m_hasSpoken)
            m_message = wasCancelled
                            ? tr("%1: stopped").arg(job.title)
                            : tr("%1: %2").arg(job.title, durationText(m_sinceStart.elapsed()));
        refresh();
    });
    connect(&jobs, &JobRunner::crashed, this, [this](const JobState& job, const QString& what) {
        showMessage(tr("%1 ended by a fault of this program: %2").arg(job.title, what));
    });
    m_tick.setInterval(kTick);
    connect(&m_tick, &QTimer::timeout, this, &StatusLine::refresh);
    startTimer(kMemoryInterval);
    retranslate();
}

void StatusLine::showMessage(const QString& message)
{
    m_message = sentenceText(message); // what went wrong is told in core's words
    m_hasSpoken = true;
    refresh();
    Q_EMIT said(m_message);
}

QString StatusLine::message() const { return m_message; }

void StatusLine::setEngine(const QString& text) { m_engine->setText(text); }

void StatusLine::refresh()
{
    const JobState job = m_session.jobs().shownJob();
    if (job.id != 0 && job.id != m_timedJob) {
        m_timedJob = job.id;
        m_hasSpoken = false;
        m_sinceStart.restart();
        QTimer::singleShot(kShowProgressAfter, this,
                           &StatusLine::refresh); // it may have become a long one
    }
    const bool isLong = job.id != 0 && m_sinceStart.elapsed() >= kShowProgressAfter;
    m_progress->setVisible(isLong);
    // Cancel is there as soon as there is work, so that nothing moves under the pointer later.
    m_cancel->setVisible(job.id != 0);
    if (job.id == 0) {
        m_tick.stop();
        m_text->setText(m_message.isEmpty() ? tr("Ready") : m_message);
        m_text->setToolTip(m_message);
        return;
    }
    m_progress->setRange(0, static_cast<int>(job.total));
    m_progress->setValue(static_cast<int>(job.done));
    QString text = job.title;
    if (!job.step.isEmpty())
        text += QStringLiteral(": ") + coreText(job.step.toStdString());
    if (job.total > 0)
        text += QStringLiteral(" %1 / %2").arg(job.done).arg(job.total);
    m_remaining.add(job, m_sinceStart.elapsed());
    if (const auto left = m_remaining.left(m_sinceStart.elapsed()))
        text += QStringLiteral(" · ")
                + tr("about %1 left").arg(durationText(std::max<qint64>(*left, 1000)));
    else if (m_sinceStart.elapsed() >= kTellElapsedAfter)
        text += QStringLiteral(" · ") + tr("for %1").arg(durationText(m_sinceStart.elapsed()));
    if (!m_tick.isActive())
        m_tick.start();
    m_text->setText(text);
}

void StatusLine::refreshMemory()
{
    const int megabytes = residentMegabytes();
    m_memory->setText(megabytes < 0 ? QString() : tr("%1 MB").arg(megabytes));
    m_memory->setToolTip(tr("Memory of this program"));
}

void StatusLine::timerEvent(QTimerEvent* event)
{
    Q_UNUSED(event);
    refreshMemory();
}

void StatusLine::retranslate()
{
    m_cancel->setText(tr("Cancel"));
    refreshMemory();
    refresh();
}

void StatusLine::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::LanguageChange) {
        m_message.clear(); // what stands there was said in the other language
        retranslate();
    }
    if (event->type() == QEvent::FontChange)
        setFixedHeight(fontMetrics().height() + 20);
    QWidget::changeEvent(event);
}

} // namespace pt2e::ui
