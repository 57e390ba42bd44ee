// Sensitivity in the real window: bars that grow, cancel and resume, selection, mixed precision as one edit.
#include "core/analysis/EvaluationData.h"
#include "tests/ui/UiTest.h"
#include "ui/charts/TradeChart.h"
#include "ui/panels/MixedPrecisionPart.h"
#include "ui/panels/SensitivityPanel.h"
#include "ui/panels/TablesPanel.h"

#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace pt2e;
using namespace pt2e::ui;

class TestSensitivity : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void barsAreWhatCoreSays()
    {
        open("residual");
        QCOMPARE(button("sensitivityRun")->text(), QStringLiteral("Run  F7"));
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        const auto& report = run().report();
        QVERIFY(report && run().isComplete());
        const auto expected = fromCore(SensitivityMode::OneOn);
        QVERIFY(expected);
        const auto order = worstFirst(*expected, SensitivityMetric::Sqnr);
        const auto& rows = panel().bars().rows();
        QCOMPARE(rows.size(), order.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const GroupResult& result = expected->results[order[i]];
            QCOMPARE(rows[i].name,
                     QString::fromStdString(run().groups()->groups()[result.group].name));
            QCOMPARE(rows[i].text,
                     QStringLiteral("%1 dB").arg(result.score.output.sqnrDb, 0, 'f', 2));
            QVERIFY(i == 0 || rows[i].length <= rows[i - 1].length);
        }
        QCOMPARE(rows.front().length, 1.0);
        QVERIFY(label("sensitivityProgress")->toolTip().contains("everything quantized"));

        choose("sensitivityMode", 1);
        QVERIFY(panel().bars().rows().empty());
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(run().report()->results.size(), expected->results.size());
        choose("sensitivityMetric", 2);
        QVERIFY(panel().bars().rows().front().details.contains("mean squared error"));
        choose("sensitivityMode", 0);
        QCOMPARE(panel().bars().rows().size(), rows.size());
    }

    void aBarSelectsItsNodes()
    {
        open("residual");
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        CostBars& bars = panel().bars();
        QTest::mouseClick(&bars, Qt::LeftButton, {}, bars.rowRect(1).center());
        QCOMPARE(bars.chosen(), bars.rows()[1].name);
        QCOMPARE(selectedNames(), bars.rows()[1].name);
        // The keyboard does the same.
        bars.setFocus();
        QTest::keyClick(&bars, Qt::Key_Home);
        QTest::keyClick(&bars, Qt::Key_Return);
        QCOMPARE(selectedNames(), bars.rows()[0].name);
        // And a node that is selected elsewhere shows its bar.
        const NodeId relu =
            m_window->session().snapshot()->prepared->graph->findByName("relu_1")->id;
        m_window->session().lookAt(StageKind::Prepared, {relu});
        QVERIFY2(bars.chosen().contains("relu_1"), qPrintable(bars.chosen()));
    }

    void cancelAndResume()
    {
        open("mobilenet_v2");
        click("sensitivityRun");
        QTRY_VERIFY_WITH_TIMEOUT(run().report() && run().report()->results.size() >= 3, 60000);
        QVERIFY(!run().isComplete());
        QCOMPARE(button("sensitivityRun")->text(), QStringLiteral("Cancel"));
        QVERIFY(!panel().bars().rows().empty());
        QElapsedTimer timer;
        timer.start();
        click("sensitivityRun");
        QVERIFY2(timer.elapsed() <= 2000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(button("sensitivityRun")->text(), QStringLiteral("Resume  F7"));
        QVERIFY(waitUntilIdle(*m_window));
        const std::size_t before = run().report()->results.size();
        QVERIFY(before < run().report()->wanted);
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(run().isComplete());
        std::size_t known = 0;
        for (const GroupResult& result : run().report()->results)
            known += result.isFromStore ? 1 : 0;
        QVERIFY(known >= before);
        QCOMPARE(button("sensitivityRun")->text(), QStringLiteral("Run  F7"));
    }

    void anEditMakesItStale()
    {
        open("residual");
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(label("sensitivityStale")->isHidden());
        QCOMPARE(m_window->tables().titleOf("sensitivity"), QStringLiteral("Sensitivity"));
        Recipe recipe = m_window->session().recipe();
        Edit edit;
        edit.at = {"relu_1", ""};
        recipe = withEdit(recipe, edit);
        m_window->session().changeRecipe(recipe, QStringLiteral("an edit"));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!label("sensitivityStale")->isHidden());
        QCOMPARE(m_window->tables().titleOf("sensitivity"), QStringLiteral("Sensitivity (stale)"));
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(label("sensitivityStale")->isHidden());
        // Groups that the edit did not touch are known.
        const auto& results = run().report()->results;
        QVERIFY(std::any_of(results.begin(), results.end(),
                            [](const GroupResult& result) { return result.isFromStore; }));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!label("sensitivityStale")->isHidden());

        m_window->session().hideResults();
        QVERIFY(panel().bars().rows().empty());
    }

    void mixedPrecisionIsOneEdit()
    {
        open("residual");
        auto* target = m_window->findChild<QDoubleSpinBox*>("mixedTarget");
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        target->setValue(50);
        click("mixedFind");
        QVERIFY(waitUntilIdle(*m_window));
        const auto search = run().search();
        QVERIFY(search && search->isMet);
        TradeChart& chart = panel().mixedPrecision().chart();
        QCOMPARE(chart.data().dots.size(), search->path.size());
        QVERIFY(label("mixedResult")->text().contains("groups in float"));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeOf(chart.data().result).toPoint());
        QVERIFY(m_window->session().selection().nodes().size() > 1);

        const Recipe before = m_window->session().recipe();
        const int steps = m_window->session().undoStack().count();
        QVERIFY(button("mixedApply")->isEnabled());
        click("mixedApply");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().undoStack().count(), steps + 1);
        QVERIFY(m_window->session().undoStack().undoText().contains("Mixed precision"));
        QCOMPARE(m_window->session().recipe().edits.size(), search->edits.size());
        QVERIFY(!button("mixedApply")->isEnabled());
        // What the window now has is what was promised.
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(run().report()->quantized->output.sqnrDb, search->result.score.output.sqnrDb);

        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->session().recipe() == before);
        target->setValue(200);
        click("mixedFind");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!run().search()->isMet);
        QVERIFY(label("mixedResult")->text().contains("not met"));
        QVERIFY(!button("mixedApply")->isEnabled());
    }

    void labelledDataGiveMoreMetrics()
    {
        const ShippedModel* model = findShippedModel("fashion_cnn");
        QVERIFY2(model && model->data.isInstalled(), "the package dataset-fashion-mnist is needed");
        open("fashion_cnn");
        choose("sensitivityMetric", 4);
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(panel().bars().rows().front().text.endsWith(" %"));
        QVERIFY(label("sensitivityProgress")->toolTip().contains("256"));
        auto* target = m_window->findChild<QDoubleSpinBox*>("mixedTarget");
        QCOMPARE(target->suffix(), QStringLiteral(" %"));
        target->setValue(100 * *run().report()->floats.accuracy - 1);
        click("mixedFind");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(run().search() && run().search()->isMet);
        // Without labels there is none.
        open("residual");
        choose("sensitivityMetric", 4);
        QSignalSpy failed(&run(), &SensitivityRun::failed);
        click("mixedFind");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("accuracy"));
    }

    void copied()
    {
        open("residual");
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        QToolButton* copy = nullptr;
        for (QToolButton* candidate : m_window->tables().findChildren<QToolButton*>()) {
            if (candidate->text() == QLatin1String("Copy"))
                copy = candidate;
        }
        QVERIFY(copy);
        const QList<QAction*> actions = copy->menu()->actions();
        actions[0]->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains("conv2d + relu"));
        actions[1]->trigger();
        QVERIFY(QGuiApplication::clipboard()->text().contains("group,SQNR dB"));
        actions[2]->trigger();
        const auto json = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8());
        QCOMPARE(json.array().last()[u"table"].toString(), QStringLiteral("sensitivity"));
        // The filter leaves the bars that have the word.
        panel().setWords(QStringLiteral("relu"));
        for (const CostBars::Row& row : panel().bars().rows())
            QVERIFY(row.name.contains("relu"));
        panel().setWords({});
    }

    void scoresInFiles_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("json") << "scores.json";
        QTest::newRow("csv") << "scores.csv";
    }
    void scoresInFiles()
    {
        QFETCH(QString, name);
        QTemporaryDir folder;
        const QString path = folder.filePath(name);
        open("residual");
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        panel().saveScoresTo(path);
        open("stem");
        open("residual");
        QVERIFY(!run().report());
        QCOMPARE(run().store().size(), std::size_t(0));
        panel().loadScoresFrom(path);
        click("sensitivityRun");
        QVERIFY(waitUntilIdle(*m_window));
        for (const GroupResult& result : run().report()->results)
            QVERIFY(result.isFromStore);
        QSignalSpy failed(&run(), &SensitivityRun::failed);
        panel().loadScoresFrom(folder.filePath(QStringLiteral("missing.json")));
        panel().saveScoresTo(folder.filePath(QStringLiteral("no/such/folder.json")));
        QCOMPARE(failed.count(), 2);
    }

private:
    SensitivityPanel& panel() { return *m_window->findChild<SensitivityPanel*>(); }
    SensitivityRun& run() { return panel().run(); }
    QPushButton* button(const char* name) { return m_window->findChild<QPushButton*>(name); }
    QLabel* label(const char* name) { return m_window->findChild<QLabel*>(name); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }

    void choose(const char* name, int index)
    {
        auto* box = m_window->findChild<QComboBox*>(name);
        box->setCurrentIndex(index);
        Q_EMIT box->activated(index);
    }

    void open(const char* model)
    {
        QVERIFY(openAndWait(*m_window, QString::fromUtf8(model)));
        m_window->tables().showTable(QStringLiteral("sensitivity"));
    }

    Result<SensitivityReport> fromCore(SensitivityMode mode)
    {
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        PT2E_ASSIGN(const auto data, evaluationData(*snapshot->model, snapshot->recipe.calibration,
                                                    kSensitivitySamples, kSensitivityBatches));
        PT2E_ASSIGN(SensitivityData read, sensitivityData(*data, {}));
        PT2E_ASSIGN(const auto core, pt2e::Sensitivity::make(snapshot, std::move(read), {}));
        SensitivityStore store;
        return core->run(mode, store, {});
    }

    /// As a group of these nodes is called.
    QString selectedNames()
    {
        const Selection& selection = m_window->session().selection();
        QStringList names;
        for (const NodeId id : selection.nodes())
            names << QString::fromStdString(
                graphOf(m_window->session().snapshot(), selection.stage())->node(id).name);
        return names.join(QStringLiteral(" + "));
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    TestSensitivity test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_sensitivity.moc"
