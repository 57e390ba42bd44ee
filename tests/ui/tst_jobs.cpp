// JobRunner: lanes, tags, generations, progress, cancel.
#include "ui/jobs/JobRunner.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QtTest>

#include <atomic>
#include <stdexcept>
#include <thread>

#ifdef Q_OS_LINUX
#include <sys/resource.h>
#endif

using namespace pt2e;
using namespace pt2e::ui;

namespace {

/// Works until it is stopped.
Work endlessWork(std::atomic<bool>& hasStarted)
{
    return [&hasStarted](JobPort& port) -> Delivery {
        hasStarted = true;
        while (!port.context().isCancelled())
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return [] { QFAIL("a stopped job must not deliver"); };
    };
}

} // namespace

class TestJobs : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void delivers()
    {
        JobRunner runner;
        QThread* workThread = nullptr;
        QThread* deliveryThread = nullptr;
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        runner.start(Lane::Interactive, "a", "A", [&](JobPort&) -> Delivery {
            workThread = QThread::currentThread();
            return [&] { deliveryThread = QThread::currentThread(); };
        });
        QVERIFY(runner.isRunning("a"));
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(deliveryThread, QThread::currentThread());
        QVERIFY(workThread != deliveryThread);
        QVERIFY(!runner.isBusy());
    }

    void whatIsLetGoIsFreedOnALane()
    {
        JobRunner runner;
        QThread* freedOn = nullptr;
        struct Large
        {
            QThread** freedOn;
            ~Large() { *freedOn = QThread::currentThread(); }
        };
        QSignalSpy started(&runner, &JobRunner::started);
        QSignalSpy finished(&runner, &JobRunner::finished);
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        auto large = std::make_shared<Large>(Large{&freedOn});
        std::shared_ptr<Large> kept = large;
        freedOn = nullptr; // of the temporary above
        runner.letGo(std::move(large));
        QVERIFY(runner.isBusy());
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(!runner.isBusy() && !freedOn); // somebody else had it
        runner.letGo(std::move(kept));
        QTRY_COMPARE(ended.count(), 2);
        QVERIFY(freedOn && freedOn != QThread::currentThread());
        runner.letGo(nullptr);
        QVERIFY(!runner.isBusy());
        QCOMPARE(started.count() + finished.count(), qsizetype(0)); // nothing is to be seen of it
    }

#ifdef Q_OS_LINUX
    /// Kernels start their own threads from a lane's; those inherit.
    void lanesGiveWay()
    {
        JobRunner runner;
        const int own = getpriority(PRIO_PROCESS, 0);
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        for (const Lane lane : {Lane::Interactive, Lane::Batch}) {
            int nice = own;
            int inherited = own;
            runner.start(lane, "nice", {}, [&](JobPort&) -> Delivery {
                nice = getpriority(PRIO_PROCESS, 0);
                std::thread([&] { inherited = getpriority(PRIO_PROCESS, 0); }).join();
                return {};
            });
            QTRY_VERIFY(!runner.isBusy());
            QVERIFY2(nice > own || own >= 12, qPrintable(QString::number(nice)));
            QCOMPARE(inherited, nice);
        }
        QCOMPARE(getpriority(PRIO_PROCESS, 0), own);
    }
#endif

    void newestWithATagWins()
    {
        JobRunner runner;
        std::atomic<bool> hasStarted = false;
        QSignalSpy finished(&runner, &JobRunner::finished);
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        runner.start(Lane::Batch, "run", "old", endlessWork(hasStarted));
        QTRY_VERIFY(hasStarted);
        bool isDelivered = false;
        runner.start(Lane::Interactive, "run", "new",
                     [&](JobPort&) -> Delivery { return [&] { isDelivered = true; }; });
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finished[0][1].toBool(), true);
        QTRY_COMPARE(ended.count(), 2);
        QVERIFY(isDelivered);
        QCOMPARE(finished.count(), 2);
        QCOMPARE(finished[1][1].toBool(), false);
    }

    void cancelFreesAtOnce()
    {
        JobRunner runner;
        std::atomic<bool> hasStarted = false;
        QSignalSpy finished(&runner, &JobRunner::finished);
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        runner.start(Lane::Batch, "run", "work", endlessWork(hasStarted));
        QTRY_VERIFY(hasStarted);
        runner.cancel("run");
        QCOMPARE(finished.count(), 1);
        QVERIFY(!runner.isRunning("run"));
        QTRY_COMPARE(ended.count(), 1);
    }

    void publishesInOrderAndDropsAfterCancel()
    {
        JobRunner runner;
        std::vector<int> seen;
        std::atomic<bool> mayGoOn = false;
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        runner.start(Lane::Batch, "run", "work", [&](JobPort& port) -> Delivery {
            for (int i = 0; i < 3; ++i)
                port.publish([&seen, i] { seen.push_back(i); });
            while (!mayGoOn)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            port.publish([&seen] { seen.push_back(99); });
            return {};
        });
        QTRY_COMPARE(seen.size(), std::size_t(3));
        runner.cancel("run");
        mayGoOn = true;
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(seen, (std::vector<int>{0, 1, 2}));
    }

    void tellsProgress()
    {
        JobRunner runner;
        QSignalSpy progressed(&runner, &JobRunner::progressed);
        QSignalSpy ended(&runner, &JobRunner::workEnded);
        runner.start(Lane::Batch, "run", "work", [](JobPort& port) -> Delivery {
            for (int i = 0; i <= 100; ++i)
                port.context().report("counting", i, 100);
            return {};
        });
        QTRY_COMPARE(ended.count(), 1);
        QVERIFY(progressed.count() >= 1);
        const auto last = progressed.last()[0].value<JobState>();
        QCOMPARE(last.done, 100);
        QCOMPARE(last.step, QString("counting"));
    }

    void anExceptionIsAFaultNotACrash()
    {
        JobRunner runner;
        QSignalSpy crashed(&runner, &JobRunner::crashed);
        runner.start(Lane::Interactive, "run", "work",
                     [](JobPort&) -> Delivery { throw std::runtime_error("out of cheese"); });
        QTRY_COMPARE(crashed.count(), 1);
        QCOMPARE(crashed[0][1].toString(), QString("out of cheese"));
    }

    void destructionStopsWork()
    {
        std::atomic<bool> hasStarted = false;
        QElapsedTimer timer;
        {
            JobRunner runner;
            runner.start(Lane::Batch, "run", "work", endlessWork(hasStarted));
            runner.start(Lane::Batch, "later", "work", [](JobPort&) -> Delivery { return {}; });
            QTRY_VERIFY(hasStarted);
            timer.start();
        }
        QVERIFY(timer.elapsed() < 2000);
        QCoreApplication::processEvents();
    }
};

QTEST_GUILESS_MAIN(TestJobs)
#include "tst_jobs.moc"
