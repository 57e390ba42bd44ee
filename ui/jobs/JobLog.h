// What was run when and how long it took, with what was said meanwhile; and how long the running job will still take.
#pragma once

#include "ui/jobs/JobRunner.h"

#include <QDateTime>
#include <QElapsedTimer>

#include <deque>
#include <map>
#include <optional>

namespace pt2e::ui {

/// The rest of a step from how fast it went so far.
class Remaining
{
public:
    /// The state of a job as it is now; `nowMs` grows. Another job or step begins anew.
    void add(const JobState& job, qint64 nowMs);
    /// Milliseconds; nothing where the total is not known, or before a second of the step has gone by with something
    /// done in it.
    std::optional<qint64> left(qint64 nowMs) const;

private:
    std::uint64_t m_job = 0;
    QString m_step;
    qint64 m_start = 0;
    std::int64_t m_first = 0; ///< what was done when the step was first seen
    std::int64_t m_done = 0, m_total = 0;
    qint64 m_last = 0; ///< when m_done became what it is
};

/// "8 s", "2 min 05 s", "1 h 03 min"; below a second "320 ms".
QString durationText(qint64 milliseconds);

/// GUI thread only.
class JobLog : public QObject
{
    Q_OBJECT
public:
    explicit JobLog(JobRunner& jobs, QObject* parent = nullptr);

    struct Entry
    {
        enum class Kind { Job, Stopped, Stage, Message };
        Kind kind = Kind::Message;
        QDateTime at; ///< when it began, or was said
        QString what;
        qint64 milliseconds = -1; ///< −1: it took no time
    };
    /// The newest last; the oldest go once there are too many.
    const std::deque<Entry>& entries() const { return m_entries; }
    void addMessage(const QString& text);
    /// A part of the job that has just ended.
    void addStage(const QString& stage, qint64 milliseconds);

    static constexpr std::size_t kMaxEntries = 2000;

Q_SIGNALS:
    void changed();
    /// A job with a title has come to its end by itself.
    void ended(const QString& title, qint64 milliseconds);

private:
    void add(Entry entry);

    struct Running
    {
        QDateTime at;
        QElapsedTimer timer;
    };
    std::map<std::uint64_t, Running> m_running;
    std::deque<Entry> m_entries;
};

} // namespace pt2e::ui
