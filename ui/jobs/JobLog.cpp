#include "ui/jobs/JobLog.h"

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace pt2e::ui {

namespace {
constexpr qint64 kSecond = 1000;
}

void Remaining::add(const JobState& job, qint64 nowMs)
{
    // A step may start over, as for another mode of the same work.
    const bool isOther = job.id != m_job || job.step != m_step || job.done < m_done;
    if (isOther) {
        m_job = job.id;
        m_step = job.step;
        m_start = nowMs;
        m_first = job.done;
        m_last = nowMs;
    } else if (job.done != m_done) {
        m_last = nowMs;
    }
    m_done = job.done;
    m_total = job.total;
}

std::optional<qint64> Remaining::left(qint64 nowMs) const
{
    const std::int64_t made = m_done - m_first;
    if (m_job == 0 || m_total <= 0 || made <= 0 || nowMs - m_start < kSecond)
        return std::nullopt;
    // The rate is that between things done; what has gone by since the last one is taken off.
    const double each = static_cast<double>(m_last - m_start) / static_cast<double>(made);
    const double rest = each * static_cast<double>(m_total - m_done);
    return std::max<qint64>(0, static_cast<qint64>(rest) - (nowMs - m_last));
}

QString durationText(qint64 milliseconds)
{
    const auto words = [](const char* text) {
        return QCoreApplication::translate("Duration", text);
    };
    if (milliseconds < kSecond)
        return words(QT_TRANSLATE_NOOP("Duration", "%1 ms")).arg(milliseconds);
    const qint64 seconds = (milliseconds + kSecond / 2) / kSecond;
    if (seconds < 60)
        return words(QT_TRANSLATE_NOOP("Duration", "%1 s")).arg(seconds);
    const auto two = [](qint64 number) {
        return QStringLiteral("%1").arg(number, 2, 10, QChar('0'));
    };
    if (seconds < 3600)
        return words(QT_TRANSLATE_NOOP("Duration", "%1 min %2 s"))
            .arg(QString::number(seconds / 60), two(seconds % 60));
    return words(QT_TRANSLATE_NOOP("Duration", "%1 h %2 min"))
        .arg(QString::number(seconds / 3600), two(seconds / 60 % 60));
}

JobLog::JobLog(JobRunner& jobs, QObject* parent) : QObject(parent)
{
    connect(&jobs, &JobRunner::started, this, [this](const JobState& job) {
        Running& running = m_running[job.id];
        running.at = QDateTime::currentDateTime();
        running.timer.start();
    });
    connect(&jobs, &JobRunner::finished, this, [this](const JobState& job, bool wasCancelled) {
        const auto it = m_running.find(job.id);
        if (it == m_running.end())
            return;
        const Running running = it->second;
        m_running.erase(it);
        if (job.title.isEmpty())
            return;
        const qint64 took = running.timer.elapsed();
        add({wasCancelled ? Entry::Kind::Stopped : Entry::Kind::Job, running.at, job.title, took});
        if (!wasCancelled)
            Q_EMIT ended(job.title, took);
    });
}

void JobLog::addMessage(const QString& text)
{
    if (!text.isEmpty())
        add({Entry::Kind::Message, QDateTime::currentDateTime(), text, -1});
}

void JobLog::addStage(const QString& stage, qint64 milliseconds)
{
    const QDateTime now = QDateTime::currentDateTime();
    add({Entry::Kind::Stage, now.addMSecs(-milliseconds), stage, milliseconds});
}

void JobLog::add(Entry entry)
{
    m_entries.push_back(std::move(entry));
    if (m_entries.size() > kMaxEntries)
        m_entries.pop_front();
    Q_EMIT changed();
}

} // namespace pt2e::ui
