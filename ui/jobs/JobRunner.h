// The only place of the user interface that makes threads.
//
// Two lanes beside the GUI thread: interactive (load, edit → converted, layout, search index) and batch (calibration,
// comparison). A lane runs one job after the other and gives way to the GUI thread. Each job has a tag; a new job with
// the same tag, on either lane, replaces the older one: that is stopped, and nothing it still delivers is seen.
#pragma once

#include "core/base/JobContext.h"

#include <QObject>
#include <QString>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>

namespace pt2e::ui {

enum class Lane : std::uint8_t { Interactive, Batch };

/// Runs on the GUI thread, where it may touch widgets; empty: nothing to deliver.
using Delivery = std::function<void()>;

/// What a job's work is given, on its lane's thread.
class JobPort
{
public:
    virtual ~JobPort() = default;
    virtual const JobContext& context() const = 0;
    /// Hands an intermediate result over; it is dropped if the job was replaced or cancelled meanwhile.
    virtual void publish(Delivery delivery) = 0;
};

/// Does the work and returns what is to happen on the GUI thread with its result. It must hold what it needs by
/// value or shared pointer: the objects that asked may be gone.
using Work = std::function<Delivery(JobPort&)>;

struct JobState
{
    std::uint64_t id = 0; ///< 0: no job
    QString tag;
    QString title; ///< as shown, translated
    Lane lane = Lane::Interactive;
    QString step; ///< what the work reported last, in core's words
    std::int64_t done = 0;
    std::int64_t total = 0; ///< 0: not known
};

/// GUI thread only. The destructor stops all work and waits for its end.
class JobRunner : public QObject
{
    Q_OBJECT
public:
    explicit JobRunner(QObject* parent = nullptr);
    ~JobRunner() override;

    /// Queues a job and returns its id.
    std::uint64_t start(Lane lane, const QString& tag, const QString& title, Work work);
    /// Stops the job with this tag. Its controls are free at once (finished() is emitted before this returns); the
    /// work itself ends at its next checkpoint, told by workEnded().
    void cancel(const QString& tag);
    void cancelAll();
    /// What is given up is freed on the interactive lane, behind the work that waits there, if nobody else has it by then:
    /// for a large graph that takes longer than the GUI thread may be blocked. Null is allowed.
    void letGo(std::shared_ptr<const void> last);

    bool isRunning(const QString& tag) const;
    /// True while any work is queued or still running, cancelled work that has not ended included.
    bool isBusy() const;
    /// The job to show in a status bar: the oldest unfinished one of the batch lane, else of the interactive lane.
    JobState shownJob() const;
    void setThreads(int threads) { m_threads = threads; }

Q_SIGNALS:
    void started(const pt2e::ui::JobState& job);
    void progressed(const pt2e::ui::JobState& job);
    /// After the result was delivered, or at once when the job is cancelled or replaced.
    void finished(const pt2e::ui::JobState& job, bool wasCancelled);
    /// The work has left its thread.
    void workEnded(std::uint64_t id);
    /// An exception ended the work: a fault of this program.
    void crashed(const pt2e::ui::JobState& job, const QString& what);

private:
    struct Job;
    struct LaneThread;
    using JobPtr = std::shared_ptr<Job>;

    JobPtr findByTag(const QString& tag) const;
    JobPtr makeJob(Work work);
    void enqueue(Lane lane, const JobPtr& job);
    void retire(const JobPtr& job, bool wasCancelled);
    void runJob(const JobPtr& job); // on the lane's thread
    void onProgress(const JobPtr& job, const Progress& progress); // on the lane's thread
    /// Runs the task on the GUI thread, after those posted before it. Any thread.
    void post(std::function<void()> task);
    Q_INVOKABLE void runPosted(); // the next task

    struct Posted;
    std::unique_ptr<Posted> m_posted; ///< outlives the lanes' threads
    std::array<std::unique_ptr<LaneThread>, 2> m_lanes;
    std::vector<JobPtr> m_current; ///< not yet finished, oldest first
    int m_workLeft = 0; ///< jobs whose work has not ended
    std::uint64_t m_lastId = 0;
    int m_threads = 2;
};

} // namespace pt2e::ui
