#include "ui/jobs/JobRunner.h"

#include <QMetaObject>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#endif

namespace pt2e::ui {

namespace {
using Clock = std::chrono::steady_clock;
constexpr auto kProgressInterval = std::chrono::milliseconds(40);

/// Of the calling thread, and of those that it starts, as the kernels' workers. On Linux a thread has a nice value of its
/// own (setpriority(2), "C library/kernel differences").
void giveWay([[maybe_unused]] Lane lane)
{
#ifdef Q_OS_LINUX
    setpriority(PRIO_PROCESS, 0, lane == Lane::Interactive ? 8 : 12);
#endif
}
} // namespace

struct JobRunner::Job : public JobPort
{
    JobState state; ///< GUI thread
    bool isFinished = false; ///< GUI thread: nothing is delivered any more
    Work work;
    std::stop_source stop;
    JobContext jobContext;
    JobRunner* runner = nullptr;
    std::weak_ptr<Job> self;
    Clock::time_point lastProgress; ///< lane's thread

    const JobContext& context() const override { return jobContext; }
    void publish(Delivery delivery) override
    {
        if (!delivery || stop.stop_requested())
            return;
        auto job = self.lock();
        runner->post([job, delivery = std::move(delivery)] {
            if (!job->isFinished)
                delivery();
        });
    }
};

/// Tasks on their way to the GUI thread. Their own mutex orders what a lane wrote before what the GUI thread reads, so
/// that ThreadSanitizer can see it too; runPosted is called once for each.
struct JobRunner::Posted
{
    std::mutex mutex;
    std::deque<std::function<void()>> tasks;
};

struct JobRunner::LaneThread
{
    std::mutex mutex;
    std::condition_variable_any wake;
    std::deque<JobPtr> queue;
    std::jthread thread; // last: joined before the queue goes
};

JobRunner::JobRunner(QObject* parent) : QObject(parent), m_posted(std::make_unique<Posted>())
{
    for (const Lane which : {Lane::Interactive, Lane::Batch}) {
        auto& lane = m_lanes[static_cast<std::size_t>(which)];
        lane = std::make_unique<LaneThread>();
        lane->thread = std::jthread([this, which, lane = lane.get()](const std::stop_token& quit) {
            giveWay(which);
            while (true) {
                JobPtr job;
                {
                    std::unique_lock lock(lane->mutex);
                    if (!lane->wake.wait(lock, quit, [lane] { return !lane->queue.empty(); }))
                        return;
                    job = std::move(lane->queue.front());
                    lane->queue.pop_front();
                }
                runJob(job);
            }
        });
    }
}

JobRunner::~JobRunner()
{
    for (const JobPtr& job : m_current)
        job->stop.request_stop();
    for (auto& lane : m_lanes) {
        {
            const std::lock_guard lock(lane->mutex);
            for (const JobPtr& job : lane->queue)
                job->stop.request_stop();
            lane->queue.clear();
        }
        lane->thread.request_stop();
    }
    for (auto& lane : m_lanes)
        lane->thread.join();
}

std::uint64_t JobRunner::start(Lane lane, const QString& tag, const QString& title, Work work)
{
    if (const JobPtr older = findByTag(tag)) {
        older->stop.request_stop();
        retire(older, true);
    }
    const JobPtr job = makeJob(std::move(work));
    job->state = {++m_lastId, tag, title, lane, {}, 0, 0};
    job->jobContext.stop = job->stop.get_token();
    job->jobContext.threads = m_threads;
    job->jobContext.onProgress = [this, weak = std::weak_ptr(job)](const Progress& progress) {
        if (const JobPtr strong = weak.lock())
            onProgress(strong, progress);
    };
    m_current.push_back(job);
    Q_EMIT started(job->state);
    enqueue(lane, job);
    return job->state.id;
}

JobRunner::JobPtr JobRunner::makeJob(Work work)
{
    auto job = std::make_shared<Job>();
    job->self = job;
    job->runner = this;
    job->work = std::move(work);
    return job;
}

void JobRunner::enqueue(Lane lane, const JobPtr& job)
{
    ++m_workLeft;
    LaneThread& thread = *m_lanes[static_cast<std::size_t>(lane)];
    {
        const std::lock_guard lock(thread.mutex);
        thread.queue.push_back(job);
    }
    thread.wake.notify_one();
}

void JobRunner::letGo(std::shared_ptr<const void> last)
{
    if (!last)
        return;
    // Freed with the work, on the lane.
    const JobPtr job = makeJob([last = std::move(last)](JobPort&) -> Delivery { return {}; });
    job->state.id = ++m_lastId;
    job->isFinished = true; // nothing is heard of it but its end
    enqueue(Lane::Interactive, job);
}

void JobRunner::cancel(const QString& tag)
{
    if (const JobPtr job = findByTag(tag)) {
        job->stop.request_stop();
        retire(job, true);
    }
}

void JobRunner::cancelAll()
{
    const auto jobs = m_current;
    for (const JobPtr& job : jobs)
        cancel(job->state.tag);
}

bool JobRunner::isRunning(const QString& tag) const { return findByTag(tag) != nullptr; }

bool JobRunner::isBusy() const { return m_workLeft > 0; }

JobState JobRunner::shownJob() const
{
    for (const Lane lane : {Lane::Batch, Lane::Interactive}) {
        for (const JobPtr& job : m_current) {
            if (job->state.lane == lane && !job->state.title.isEmpty())
                return job->state;
        }
    }
    return {};
}

JobRunner::JobPtr JobRunner::findByTag(const QString& tag) const
{
    const auto it = std::find_if(m_current.begin(), m_current.end(),
                                 [&tag](const JobPtr& job) { return job->state.tag == tag; });
    return it == m_current.end() ? nullptr : *it;
}

void JobRunner::retire(const JobPtr& job, bool wasCancelled)
{
    if (job->isFinished)
        return;
    job->isFinished = true;
    std::erase(m_current, job);
    Q_EMIT finished(job->state, wasCancelled);
}

void JobRunner::runJob(const JobPtr& job)
{
    Delivery delivery;
    QString fault;
    try {
        if (!job->stop.stop_requested())
            delivery = job->work(*job);
    } catch (const std::exception& exception) {
        fault = QString::fromUtf8(exception.what());
    } catch (...) {
        fault = QStringLiteral("unknown exception");
    }
    // What the work captured is let go here, on its own thread: a large model takes a while to free.
    job->work = {};
    post([this, job, delivery = std::move(delivery), fault] {
        --m_workLeft;
        if (!job->isFinished) {
            if (!fault.isEmpty())
                Q_EMIT crashed(job->state, fault);
            else if (delivery)
                delivery();
            retire(job, false);
        }
        Q_EMIT workEnded(job->state.id);
    });
}

void JobRunner::onProgress(const JobPtr& job, const Progress& progress)
{
    const auto now = Clock::now();
    const bool isLast = progress.total > 0 && progress.done >= progress.total;
    if (!isLast && now - job->lastProgress < kProgressInterval)
        return;
    job->lastProgress = now;
    post([this, job, progress] {
        if (job->isFinished)
            return;
        job->state.step = QString::fromStdString(progress.step);
        job->state.done = progress.done;
        job->state.total = progress.total;
        Q_EMIT progressed(job->state);
    });
}

void JobRunner::post(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_posted->mutex);
        m_posted->tasks.push_back(std::move(task));
    }
    // By name: Qt's queue is not built for ThreadSanitizer, so nothing of ours may travel through it.
    QMetaObject::invokeMethod(this, "runPosted", Qt::QueuedConnection);
}

void JobRunner::runPosted()
{
    std::function<void()> task;
    {
        const std::lock_guard lock(m_posted->mutex);
        task = std::move(m_posted->tasks.front());
        m_posted->tasks.pop_front();
    }
    task();
}

} // namespace pt2e::ui
