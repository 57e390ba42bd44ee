// Labelled data in the real window: the comparison of the trained classifier on its test images.
#include "core/view/CompareTables.h"
#include "tests/ui/UiTest.h"
#include "ui/canvas/SceneSource.h"
#include "ui/canvas/StageBoard.h"
#include "ui/charts/ConfusionMatrix.h"
#include "ui/charts/IntervalChart.h"
#include "ui/charts/Legend.h"
#include "ui/charts/SamplePicture.h"
#include "ui/charts/ValueChart.h"
#include "ui/panels/AccuracyPage.h"
#include "ui/panels/ComparisonPanel.h"
#include "ui/panels/EvaluationDialog.h"
#include "ui/panels/OverlayBar.h"
#include "ui/panels/SampleTable.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"
#include "ui/panels/ValuesPart.h"
#include "ui/session/Comparison.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRadioButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

class TestAccuracy : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void labelledDataGiveAccuracy()
    {
        openFashion();
        QVERIFY(compare());
        const CompareReport& report = *m_window->comparison().report();
        QCOMPARE(report.samples, std::int64_t(1000));
        QCOMPARE(report.samplesInAll, std::int64_t(10000));
        QVERIFY(report.classified);
        // What the core says of the same data, run by itself.
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        const auto data = evaluationData(*snapshot->model, snapshot->recipe.calibration);
        QVERIFY(data);
        const auto again = compareEngines(*snapshot, **data, {}, JobContext());
        QVERIFY(again);
        for (std::size_t run = 0; run < kRunKinds; ++run)
            QCOMPARE(report.classified->accuracy[run].right,
                     again->classified->accuracy[run].right);
        AccuracyPage& page = m_window->comparisonPanel().accuracy();
        QVERIFY(page.isVisible());
        QCOMPARE(page.chart().rows().size(), kRunKinds);
        QCOMPARE(page.chart().rows()[0].value, report.classified->accuracy[0].share);
        QVERIFY(page.chart().rows()[0].value > 0.88);
        QCOMPARE(page.samples().samples().samples().size(), report.classified->flips.size());
        QVERIFY(m_window->findChild<QLabel*>("comparisonData")->text().contains("first 1000"));
    }

    void aCellShowsItsSamplesWithPictures()
    {
        openFashion();
        QVERIFY(compare());
        AccuracyPage& page = m_window->comparisonPanel().accuracy();
        const Classified& data = *m_window->comparison().report()->classified;
        const auto& counts = data.confusion[static_cast<std::size_t>(RunKind::Xnnpack)].counts;
        QCOMPARE(page.run(), RunKind::Xnnpack);
        QCOMPARE(page.matrix().counts(), counts);
        // Shirts (6) that are taken for T-shirts (0).
        const ConfusionMatrix::Cell cell(6, 0);
        QVERIFY(counts[6][0] > 0);
        QTest::mouseClick(&page.matrix(), Qt::LeftButton, {},
                          page.matrix().cellRect(cell).center());
        const SampleModel& samples = page.samples().samples();
        QCOMPARE(samples.rowCount(), static_cast<int>(counts[6][0]));
        for (const Flip& sample : samples.samples()) {
            QCOMPARE(sample.label, 6);
            QCOMPARE(sample.predicted[static_cast<std::size_t>(RunKind::Xnnpack)], 0);
        }
        QVERIFY(waitUntilIdle(*m_window));
        const QVariant first = samples.index(0, 0).data(Qt::DecorationRole);
        QVERIFY(!first.isNull());
        QCOMPARE(first.value<QPixmap>().width(), 28);
        // The pixels are the file's: the reader's values with the normalisation taken back.
        const auto& source = m_window->comparison().samples();
        const auto values = source->reader.read(samples.samples()[0].sample);
        QVERIFY(values);
        const QImage own = samplePicture(*values, source->format, 28, Qt::black);
        QCOMPARE(first.value<QPixmap>().toImage().pixel(14, 14), own.pixel(14, 14));
        // Once more: the flipped ones.
        QTest::mouseClick(&page.matrix(), Qt::LeftButton, {},
                          page.matrix().cellRect(cell).center());
        QCOMPARE(samples.rowCount(), static_cast<int>(data.flips.size()));
        // By keys.
        page.matrix().setFocus();
        QTest::keyClick(&page.matrix(), Qt::Key_Up);
        QTest::keyClick(&page.matrix(), Qt::Key_Return);
        QVERIFY(page.matrix().chosen() == ConfusionMatrix::Cell(5, 0));
        QTest::mouseClick(m_window->findChild<QPushButton*>("showFlips"), Qt::LeftButton);
        QVERIFY(!page.matrix().chosen());
        m_window->findChild<QComboBox*>("confusionRun")->setCurrentIndex(0);
        QCOMPARE(page.matrix().counts(), data.confusion[0].counts);
    }

    void modelsOfSamplesAndTablesHold()
    {
        const auto mode = QAbstractItemModelTester::FailureReportingMode::QtTest;
        ComparisonPanel& panel = m_window->comparisonPanel();
        QList<QAbstractItemModelTester*> testers;
        testers << new QAbstractItemModelTester(panel.accuracy().samples().model(), mode, this);
        for (const char* id : {"comparison", "operators", "quantizations", "left-out"})
            testers << new QAbstractItemModelTester(panel.table(id)->model(), mode, this);
        openFashion();
        QVERIFY(compare());
        panel.accuracy().chooseCell(6, 0);
        QVERIFY(waitUntilIdle(*m_window));
        m_application.preferences().setLanguage("zh_TW");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(panel.accuracy().matrix().chosen(), std::optional(ConfusionMatrix::Cell(6, 0)));
        qDeleteAll(testers);
    }

    void operatorsStandUnderEachQuestion()
    {
        openFashion();
        QVERIFY(compare());
        ComparisonPanel& panel = m_window->comparisonPanel();
        m_window->tables().showTable("operators");
        auto* question = m_window->findChild<QComboBox*>("question");
        QVERIFY(question->isVisible());
        const CompareReport& report = *m_window->comparison().report();
        QCOMPARE(question->count(), 1 + static_cast<int>(kErrorQuestions.size()));
        for (std::size_t i = 0; i < kErrorQuestions.size(); ++i) {
            question->setCurrentIndex(static_cast<int>(i) + 1);
            const Table& table = panel.table("operators")->table();
            QVERIFY(!table.rows.empty());
            double before = -std::numeric_limits<double>::infinity();
            for (const TableRow& row : table.rows) { // worst first
                QVERIFY(!row.cells[2].number || *row.cells[2].number >= before);
                before = row.cells[2].number.value_or(before);
            }
            const auto worst = std::find_if(
                report.nodes.nodes.begin(), report.nodes.nodes.end(),
                [&](const NodeError& node) { return node.node == table.rows[0].nodes[0]; });
            QCOMPARE(*table.rows[0].cells[2].number, errorOf(*worst, kErrorQuestions[i])->sqnrDb);
        }
        panel.table("operators")->selectRow(0);
        const Selection& selection = m_window->session().selection();
        QCOMPARE(selection.nodes().size(), std::size_t(1));
        QVERIFY(!selection.nodesIn(StageKind::Exported).empty());
    }

    void whatIsSeenIsCopied()
    {
        openFashion();
        QVERIFY(compare());
        const auto copied = [this](const char* entry) {
            for (auto* button : m_window->tables().findChildren<QToolButton*>()) {
                for (QAction* action :
                     button->menu() ? button->menu()->actions() : QList<QAction*>())
                    if (action->text() == QLatin1String(entry))
                        action->trigger();
            }
            return QGuiApplication::clipboard()->text();
        };
        const QString text = copied("As text");
        QVERIFY2(text.contains("McNemar p") && text.contains("ankle boot"), qPrintable(text));
        const QString csv = copied("As CSV");
        QVERIFY(csv.contains("run,right,samples,accuracy"));
        QVERIFY(csv.contains("label,T-shirt,trouser"));
        QVERIFY(copied("As JSON").startsWith("[{"));
    }

    void allSamplesOnRequestAndCancelled()
    {
        openFashion();
        QVERIFY(compare());
        const auto before = m_window->comparison().report();
        auto* all = m_window->findChild<QPushButton*>("compareAll");
        QVERIFY(all->isVisible() && all->isEnabled());
        QTest::mouseClick(all, Qt::LeftButton);
        JobRunner& jobs = m_window->session().jobs();
        QTRY_VERIFY_WITH_TIMEOUT(jobs.shownJob().done > 5, 60000);
        QElapsedTimer timer;
        timer.start();
        QTest::mouseClick(m_window->statusLine().cancelButton(), Qt::LeftButton);
        QVERIFY(!m_window->comparison().isRunning());
        const auto freed = timer.elapsed();
        QVERIFY(waitUntilIdle(*m_window));
        const auto ended = timer.elapsed();
        QVERIFY2(freed <= 2000 && ended <= 10000,
                 qPrintable(QString("%1 %2").arg(freed).arg(ended)));
        QCOMPARE(m_window->comparison().report(), before); // it is kept
        QVERIFY(!m_window->comparison().isStale());
        // And run to the end.
        QTest::mouseClick(all, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->comparison().report() != before, 300000);
        QVERIFY(waitUntilIdle(*m_window));
        const auto& report = m_window->comparison().report();
        QCOMPARE(report->samples, std::int64_t(10000));
        QCOMPARE(report->classified->samples, std::int64_t(10000));
        for (const RunKind run : {RunKind::Float, RunKind::Simulated, RunKind::Xnnpack}) {
            const double share = report->classified->accuracy[static_cast<std::size_t>(run)].share;
            QVERIFY2(share > 0.90 && share < 0.93, qPrintable(QString::number(share)));
        }
        QVERIFY(!all->isVisible());
    }

    void otherDataAreChosen()
    {
        openFashion();
        QTemporaryDir folder;
        // Two folders of pictures are two classes; one file is no picture.
        const ModelPtr model = m_window->session().model();
        auto own = evaluationData(*model, m_window->session().recipe().calibration);
        QVERIFY(own);
        SampleReader reader(model, std::move(*own));
        for (int i = 0; i < 12; ++i) {
            const QString inside = folder.filePath(i % 2 == 0 ? "ankle" : "bag");
            QVERIFY(QDir().mkpath(inside));
            const QImage picture = samplePicture(*reader.read(i), DataFormat(), 28, Qt::black);
            QVERIFY(picture.save(QString("%1/%2.png").arg(inside).arg(i)));
        }
        QFile bad(folder.filePath("bag/bad.png"));
        QVERIFY(bad.open(QIODevice::WriteOnly) && bad.write("no picture") > 0);
        bad.close();

        EvaluationDialog* dialog = openDialog();
        QVERIFY(dialog);
        auto* found = dialog->findChild<QLabel*>("dataFound");
        auto* compareButton = dialog->findChild<QPushButton*>("dataCompare");
        dialog->findChild<QRadioButton*>("dataOther")->setChecked(true);
        auto* path = dialog->findChild<QLineEdit*>("dataPath");
        path->setText(folder.filePath("nothing.npz"));
        QTRY_VERIFY(found->text().contains("nothing.npz"));
        QVERIFY(!compareButton->isEnabled());
        path->setText(folder.path());
        dialog->findChild<QLineEdit*>("dataMean")->setText("half");
        QTRY_VERIFY(found->text().contains("half"));
        QVERIFY(!compareButton->isEnabled());
        dialog->findChild<QLineEdit*>("dataMean")->clear();
        QTRY_VERIFY(dialog->isGood());
        QVERIFY2(found->text().contains("13 samples") && found->text().contains("2 classes"),
                 qPrintable(found->text()));
        QTest::mouseClick(compareButton, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        const auto& report = m_window->comparison().report();
        QVERIFY(report);
        QCOMPARE(report->samples, std::int64_t(12)); // the good rest
        QCOMPARE(report->problems.size(), std::size_t(1));
        QVERIFY(report->problems[0].place.find("bad.png") != std::string::npos);
        QVERIFY(m_window->statusLine().message().contains("bad.png"));
        auto* leftOut = m_window->findChild<QToolButton*>("comparisonView.left-out");
        QVERIFY(leftOut->isVisible());
        QTest::mouseClick(leftOut, Qt::LeftButton);
        QCOMPARE(m_window->comparisonPanel().table("left-out")->table().rows.size(),
                 std::size_t(1));
        // Labels of another number are said to be.
        QFile labels(folder.filePath("labels.csv"));
        QVERIFY(labels.open(QIODevice::WriteOnly) && labels.write("0\n1\n") > 0);
        labels.close();
        dialog = openDialog();
        dialog->findChild<QLineEdit*>("dataLabels")->setText(labels.fileName());
        found = dialog->findChild<QLabel*>("dataFound");
        QTRY_VERIFY2(found->text().contains("holds 2 labels"), qPrintable(found->text()));
        QVERIFY(!dialog->isGood());
        dialog->findChild<QRadioButton*>("dataOwn")->setChecked(true);
        QTRY_VERIFY(dialog->isGood());
        dialog->reject();
        // Another model: its own data again.
        QVERIFY(openAndWait(*m_window, "residual"));
        QVERIFY(m_window->comparison().choice().path.empty());
    }

    void figuresLieOverTheOperators()
    {
        openFashion();
        const auto item = [this](StageKind stage, const char* node) {
            const auto& content = m_window->board().paneOf(stage)->view().content();
            const GraphPtr graph = graphOf(m_window->session().entered(), stage);
            const int at = content->scene.itemOf(graph->findByName(node)->id);
            return content->scene.items[static_cast<std::size_t>(at)];
        };
        auto* bar = m_window->findChild<OverlayBar*>();
        QVERIFY(!bar->isVisible());
        m_window->findChild<QAction*>("Overlay: error")->trigger();
        QVERIFY(waitUntilIdle(*m_window));
        // Nothing is known yet: the bar has the button that changes this.
        QVERIFY(bar->isVisible() && bar->legend().entries().empty());
        auto* run = m_window->findChild<QPushButton*>("overlayRun");
        QVERIFY(run->isVisible());
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!run->isVisible());
        QCOMPARE(bar->legend().entries().size(), std::size_t(kOverlayScale));
        const CompareReport& report = *m_window->comparison().report();
        for (const ErrorQuestion question : {ErrorQuestion::Alone, ErrorQuestion::Cumulative}) {
            m_window->overlays().setQuestion(question);
            QVERIFY(waitUntilIdle(*m_window));
            for (const NodeError& node : report.nodes.nodes) {
                const SceneItem shown = item(StageKind::Converted, node.name.c_str());
                const auto& error = errorOf(node, question);
                QCOMPARE(shown.overlay >= 0, error.has_value());
                if (error && std::isfinite(error->sqnrDb))
                    QCOMPARE(QString::fromStdString(shown.overlayText),
                             QString::number(error->sqnrDb, 'f', 1) + " dB");
            }
        }
        m_window->overlays().show(OverlayKind::Engine);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(item(StageKind::Exported, "conv2d").overlayText, std::string("int8"));
        QCOMPARE(item(StageKind::Exported, "relu").overlayText, std::string("absorbed"));
        QCOMPARE(item(StageKind::Exported, "batch_norm").overlay, -1);
        m_window->overlays().show(OverlayKind::Time);
        QVERIFY(waitUntilIdle(*m_window));
        const std::string time = item(StageKind::Converted, "conv2d").overlayText;
        QVERIFY2(time.find("s · ") != std::string::npos, time.c_str());
        QCOMPARE(item(StageKind::Exported, "conv2d").overlayText, time);
        QCOMPARE(item(StageKind::Exported, "relu").overlay, -1); // part of conv2d
        m_window->overlays().show(OverlayKind::Bytes);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(item(StageKind::Converted, "linear").overlayText.find('%') != std::string::npos);
        QCOMPARE(item(StageKind::Converted, "add").overlay, -1);
        // A figure has the legend as long as the panes have it.
        QVERIFY(!m_window->scenes().scenes().front().legend.empty());
        m_window->session().hideResults();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->scenes().scenes().front().legend.empty());
        m_window->session().runAll();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!m_window->scenes().scenes().front().legend.empty());
        QTest::mouseClick(m_window->findChild<QToolButton*>("overlayClose"), Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!bar->isVisible());
        QVERIFY(m_window->scenes().scenes().front().legend.empty());
        QCOMPARE(item(StageKind::Exported, "conv2d").overlay, -1);
    }

    void valuesOfTheSelectedNode()
    {
        openFashion();
        Session& session = m_window->session();
        const SnapshotPtr snapshot = session.snapshot();
        const auto idOf = [&](StageKind stage, const char* name) {
            return graphOf(snapshot, stage)->findByName(name)->id;
        };
        auto* part = m_window->findChild<ValuesPart*>();
        auto* button = m_window->findChild<QPushButton*>("measureValues");
        session.selection().select(StageKind::Exported, {idOf(StageKind::Exported, "relu")});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(part->isVisible() && button->isVisible()); // only on request
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!button->isVisible());
        const ValueChart::Data& data = part->chart().data();
        QCOMPARE(data.series.size(), kRunKinds);
        // The clip lines are the int8 range of the quantize behind the value.
        const Node* quantize = nullptr;
        for (const Node& node : *snapshot->converted->graph) {
            if (node.calls("quantized_decomposed.quantize_per_tensor.default")
                && node.arg(0).node() == idOf(StageKind::Converted, "relu"))
                quantize = &node;
        }
        QVERIFY(quantize && data.clipLow && data.clipHigh);
        const double scale = *quantize->arg(1).get<double>();
        const auto zero = static_cast<double>(*quantize->arg(2).get<std::int64_t>());
        QCOMPARE(*data.clipLow, (-128 - zero) * scale);
        QCOMPARE(*data.clipHigh, (127 - zero) * scale);
        QVERIFY(m_window->findChild<QLabel*>("valueLoss")->text().contains("of 256"));
        // The observer of the value and its quantize node stand for it.
        const double high = data.high;
        session.selection().select(StageKind::Converted, {quantize->id});
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(part->chart().data().high, high);
        // A node of the folded batch norm is not in the model that runs.
        session.selection().select(StageKind::Exported, {idOf(StageKind::Exported, "batch_norm")});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!part->chart().isVisible());
        // The convolution is fused with its ReLU in int8: there is no value of its own.
        session.selection().select(StageKind::Exported, {idOf(StageKind::Exported, "conv2d")});
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(part->chart().data().series.size(), std::size_t(2));
    }

    void partitionsAreListed()
    {
        openFashion();
        QVERIFY(compare());
        m_window->tables().showTable("partitions");
        auto* overview = m_window->findChild<NodeTable*>("table.partition-overview");
        auto* all = m_window->findChild<NodeTable*>("table.partitions");
        QVERIFY(overview->isVisible() && all->isVisible());
        QCOMPARE(overview->table().rows.size(), std::size_t(1));
        const TableRow& row = overview->table().rows[0];
        QCOMPARE(row.nodes.size(), all->table().rows.size()); // all in the one partition
        QCOMPARE(row.cells[2].number, std::optional(double(row.nodes.size())));
        QVERIFY(row.cells[6].text.find("7 × convolution_2d qcint8") != std::string::npos);
        overview->selectRow(0);
        QCOMPARE(m_window->session().selection().nodes().size(), row.nodes.size());
        // What the quantizer left float has its reason.
        QVERIFY(openAndWait(*m_window, qEnvironmentVariable("PT2E_TEST_DATA")
                                           + "/why-not/source_partitions.pt2"));
        QVERIFY(compare());
        QVERIFY(!all->table().rows.empty());
        for (const TableRow& one : all->table().rows)
            QVERIFY2(one.cells[5].text.size() > 10, one.cells[0].text.c_str());
    }

    void hiddenResultsStayHidden()
    {
        openFashion();
        QVERIFY(compare());
        m_window->session().hideResults();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!m_window->comparisonPanel().accuracy().isVisible());
        QVERIFY(m_window->comparisonPanel().shownTables().empty());
        m_window->session().runAll();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->comparisonPanel().accuracy().isVisible());
    }

private:
    EvaluationDialog* openDialog()
    {
        m_window->findChild<QAction*>("Compare on other &data…")->trigger();
        const auto dialogs = m_window->findChildren<EvaluationDialog*>();
        return dialogs.isEmpty() ? nullptr : dialogs.last();
    }

    void openFashion()
    {
        const ShippedModel* model = findShippedModel("fashion_cnn");
        QVERIFY2(model && model->data.isInstalled(), "the package dataset-fashion-mnist is needed");
        QVERIFY(openAndWait(*m_window, "fashion_cnn"));
    }

    bool compare()
    {
        QTest::mouseClick(m_window->findChild<QPushButton*>("compare"), Qt::LeftButton);
        return waitUntilIdle(*m_window) && m_window->comparison().report();
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    TestAccuracy test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_accuracy.moc"
