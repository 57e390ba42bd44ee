// What makes long work bearable: where Tab goes, how long a job still takes, being told of its end, the log.
#include "core/view/Tables.h"
#include "tests/ui/UiTest.h"
#include "ui/jobs/JobLog.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/JobNotice.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TabOrder.h"
#include "ui/panels/TablesPanel.h"
#include "ui/session/Comparison.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include <numeric>
#include <set>
#include <thread>

using namespace pt2e;
using namespace pt2e::ui;

class TestComfort : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    /// Every part that is built anew keeps its place in the order of Tab: after another language, another selection,
    /// another focus, an edit, a comparison.
    void tabGoesAsOneReads()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        select("relu");
        walk("selected");
        m_application.preferences().setLanguage("zh_TW");
        QVERIFY(waitUntilIdle(*m_window));
        walk("another language");
        m_window->session().view().setFocus({"relu"});
        QVERIFY(waitUntilIdle(*m_window));
        walk("focused");
        m_application.preferences().setLanguage("en");
        QVERIFY(waitUntilIdle(*m_window));
        m_window->comparison().run();
        QVERIFY(waitUntilIdle(*m_window));
        walk("compared");
        select("conv2d_1");
        m_application.preferences().setTheme(ThemeChoice::Dark);
        m_application.preferences().setLanguage("zh_TW");
        QVERIFY(waitUntilIdle(*m_window));
        walk("another theme and language");
        m_window->session().close();
        QVERIFY(waitUntilIdle(*m_window));
        walk("start page");
    }

    /// What a narrow table had to cut is whole again where there is room; a width chosen by hand stays.
    void columnsTakeTheRoomThereIs()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        NodeTable table(m_window->session(), "observers", nullptr);
        table.resize(1100, 200);
        table.show();
        table.setTable(observerTable(*m_window->session().snapshot()));
        const auto widths = [&table] {
            std::vector<int> all;
            for (int column = 0; column + 1 < table.horizontalHeader()->count(); ++column)
                all.push_back(table.columnWidth(column));
            return all;
        };
        const std::vector<int> roomy = widths();
        const int all = std::accumulate(roomy.begin(), roomy.end(), 0);
        QVERIFY(roomy.size() > 3 && all < 1100);
        table.resize(all * 2 / 3, 200);
        const std::vector<int> narrow = widths();
        QVERIFY(std::accumulate(narrow.begin(), narrow.end(), 0) < all);
        table.resize(1100, 200);
        QCOMPARE(widths(), roomy);
        table.setColumnWidth(1, roomy[1] + 40);
        table.resize(1000, 200);
        QCOMPARE(table.columnWidth(1), roomy[1] + 40);
        QCOMPARE(table.columnWidth(0), roomy[0]);
        // A narrow last column is not the one that makes people scroll.
        table.setTable(m_window->tables().model("diff-ops").table());
        table.resize(760, 200);
        QCOMPARE(table.horizontalHeader()->length(), table.viewport()->width());
    }

    void theRestIsTold()
    {
        Remaining remaining;
        JobState job;
        job.id = 7;
        job.step = "calibrating";
        job.total = 10;
        remaining.add(job, 0);
        QVERIFY(!remaining.left(500));
        job.done = 2;
        remaining.add(job, 4000);
        QCOMPARE(*remaining.left(4000), qint64(16000)); // two seconds each
        QCOMPARE(*remaining.left(5000), qint64(15000));
        job.done = 4;
        remaining.add(job, 6000);
        QCOMPARE(*remaining.left(6000), qint64(9000));
        QCOMPARE(*remaining.left(60000), qint64(0));
        job.step = "converting"; // a step of its own, of unknown length
        job.done = job.total = 0;
        remaining.add(job, 7000);
        QVERIFY(!remaining.left(9000));
        job = {};
        job.id = 8; // resumed half-way: what was there took no time
        job.done = 50;
        job.total = 100;
        remaining.add(job, 10000);
        QVERIFY(!remaining.left(12000));
        job.done = 60;
        remaining.add(job, 20000);
        QCOMPARE(*remaining.left(20000), qint64(40000));
    }

    void durations()
    {
        QCOMPARE(durationText(320), QStringLiteral("320 ms"));
        QCOMPARE(durationText(8400), QStringLiteral("8 s"));
        QCOMPARE(durationText(59700), QStringLiteral("1 min 00 s"));
        QCOMPARE(durationText(125000), QStringLiteral("2 min 05 s"));
        QCOMPARE(durationText(3780000), QStringLiteral("1 h 03 min"));
    }

    /// A real job of the window, in the status line.
    void statusLineTellsTheRest()
    {
        std::atomic<int> done = 1;
        m_window->session().jobs().start(
            Lane::Batch, "slow", "Slow work", [&](JobPort& port) -> Delivery {
                while (!port.context().isCancelled()) {
                    port.context().report("calibrating", done, 100);
                    std::this_thread::sleep_for(std::chrono::milliseconds(60));
                    if (done < 100)
                        ++done;
                }
                return {};
            });
        auto* text = m_window->statusLine().findChild<QLabel*>("statusText");
        QVERIFY(QTest::qWaitFor([&] { return text->text().contains("left"); }, 20000));
        QVERIFY2(text->text().startsWith("Slow work: calibrating "), qPrintable(text->text()));
        m_window->session().jobs().cancel("slow");
        QVERIFY(waitUntilIdle(*m_window));
    }

    /// Ten seconds, and another window in front: neither alone is told of.
    void endsOfLongJobsAreTold()
    {
        auto* notice = m_window->findChild<JobNotice*>();
        QVERIFY(notice);
        QSignalSpy told(notice, &JobNotice::told);
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(work(JobNotice::kLongMs + 200)); // the window is looked at
        QCOMPARE(told.count(), 0);
        QWidget other;
        other.resize(200, 100);
        other.show();
        other.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&other));
        QVERIFY(work(100));
        QCOMPARE(told.count(), 0);
        QVERIFY(work(JobNotice::kLongMs + 200));
        QCOMPARE(told.count(), 1);
        QCOMPARE(told[0][0].toString(), QStringLiteral("Long work"));
        QCOMPARE(told[0][1].toString(), QStringLiteral("Done after 10 s"));
        auto* action = m_window->findChild<QAction*>("Tell when a long job ends");
        QVERIFY(action && action->isChecked());
        action->trigger();
        QVERIFY(!m_application.preferences().tellsOfLongJobs());
        QVERIFY(work(JobNotice::kLongMs + 200));
        QCOMPARE(told.count(), 1);
        action->trigger();
        QVERIFY(Preferences().tellsOfLongJobs());
    }

    void theLogSaysWhatWasRun()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        m_window->tables().show();
        m_window->tables().showTable("log");
        QCOMPARE(m_window->tables().shownTable(), QStringLiteral("log"));
        QCOMPARE(m_window->tables().tabIds().last(), QStringLiteral("log"));
        m_window->statusLine().showMessage("something was said");
        const auto rows = [&] {
            QStringList texts;
            auto* view = m_window->findChild<QTableView*>("table.log");
            for (int row = 0; view && row < view->model()->rowCount(); ++row)
                texts << view->model()->index(row, 1).data().toString().trimmed();
            return texts;
        };
        QVERIFY(QTest::qWaitFor([&] { return rows().contains("something was said"); }, 5000));
        for (const char* text : {"Opening residual", "Running stages", "Annotated", "Prepared",
                                 "Calibrated", "Converted"})
            QVERIFY2(rows().contains(QString::fromUtf8(text)), text);
        QVERIFY(rows().indexOf("Running stages") < rows().indexOf("Calibrated"));
    }

private:
    void select(const char* node)
    {
        const GraphPtr graph = m_window->session().snapshot()->model->exported;
        m_window->session().selection().select(StageKind::Exported, {graph->findByName(node)->id});
        QVERIFY(waitUntilIdle(*m_window));
    }

    bool work(int milliseconds)
    {
        m_window->session().jobs().start(
            Lane::Batch, "long", "Long work", [milliseconds](JobPort&) -> Delivery {
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                return {};
            });
        return waitUntilIdle(*m_window);
    }

    /// Once around by Tab: all that takes it comes, once, and within a panel from top to bottom.
    void walk(const char* when)
    {
        m_window->activateWindow();
        QTest::qWait(60); // layouts settle in several rounds
        std::set<QWidget*> wanted;
        for (QWidget* widget : m_window->findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && !widget->focusProxy()
                && widget->window() == m_window.get() && (widget->focusPolicy() & Qt::TabFocus))
                wanted.insert(widget);
        }
        std::vector<QWidget*> passed;
        tabOrder(*m_window).front()->setFocus(Qt::TabFocusReason);
        QWidget* first = QApplication::focusWidget();
        QVERIFY(first);
        do {
            // A label takes one Tab more for the link in it.
            if (passed.empty() || passed.back() != QApplication::focusWidget())
                passed.push_back(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        } while (QApplication::focusWidget() != first && passed.size() < 500);
        std::set<QWidget*> seen(passed.begin(), passed.end());
        QCOMPARE(seen.size(), passed.size());
        for (QWidget* widget : wanted) // of an exclusive group one takes the Tab, by Qt's rules
            QVERIFY2(seen.contains(widget) || !(widget->focusPolicy() & Qt::TabFocus),
                     qPrintable(
                         QString("%1: %2 %3 is passed over")
                             .arg(when, widget->metaObject()->className(), widget->objectName())));
        int lowest = -1;
        const QWidget& panel = *m_window->inspector().findChild<QScrollArea*>()->widget();
        for (QWidget* widget : passed) {
            if (!panel.isAncestorOf(widget))
                continue;
            const int bottom = widget->mapTo(&panel, QPoint(0, widget->height())).y();
            QVERIFY2(bottom >= lowest - 4,
                     qPrintable(QString("%1: %2 comes too late").arg(when, widget->objectName())));
            lowest = std::max(lowest, bottom);
        }
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestComfort test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_comfort.moc"
