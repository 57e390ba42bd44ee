// Diagnoses and the convergence of the outputs in the real window: shown, mended by one edit, undone.
#include "core/data/Npz.h"
#include "tests/ui/UiTest.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/panels/ConvergencePage.h"
#include "ui/panels/DiagnosisPage.h"
#include "ui/panels/TablesPanel.h"

#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace pt2e;
using namespace pt2e::ui;

class TestDiagnosisPage : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void aDiagnosisIsMendedByOneEdit()
    {
        QVERIFY(openAndWait(*m_window, QStringLiteral("residual")));
        auto* page = m_window->findChild<DiagnosisPage*>();
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 0"));
        QVERIFY(label("diagnosisNote")->text().contains("None was found"));
        Edit edit;
        edit.at = {"relu_1", ""};
        edit.spec.kind = EditSpec::Kind::Observed;
        edit.spec.observed.qscheme = QScheme::PerTensorSymmetric;
        edit.spec.observed.quantMin = -127;
        edit.spec.observed.quantMax = 127;
        m_window->session().changeRecipe(withEdit(m_window->session().recipe(), edit),
                                         QStringLiteral("symmetric"));
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 1"));
        m_window->tables().showTable(QStringLiteral("diagnosis"));
        QVERIFY(!button("diagnosisMend")->isEnabled());
        const QModelIndex first = page->table().model()->index(0, 0);
        QTest::mouseClick(page->table().viewport(), Qt::LeftButton, {},
                          page->table().visualRect(first).center());
        QCOMPARE(selectedName(), QStringLiteral("relu_1"));
        QVERIFY(label("diagnosisNote")->text().contains("relu_1"));
        const int steps = m_window->session().undoStack().count();
        click("diagnosisMend");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().undoStack().count(), steps + 1);
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 0"));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 1"));
        m_window->session().hideResults();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis"));
    }

    void qualityByBatches()
    {
        QVERIFY(openAndWait(*m_window, QStringLiteral("residual")));
        auto* page = m_window->findChild<ConvergencePage*>();
        m_window->tables().showTable(QStringLiteral("convergence"));
        QVERIFY(!page->found());
        QVERIFY(page->table().isHidden());
        QVERIFY(label("convergenceNote")->text().contains("fourth"));
        click("convergenceStart");
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(page->found() && page->found()->points.size() == 4); // 1, 2, 4, 8
        QVERIFY(page->found()->enough > 0);
        QVERIFY(page->table().isVisible());
        QCOMPARE(page->table().tableModel().rowCount(), 4);
        auto* chart = m_window->findChild<ConvergenceChart*>("convergenceCurve");
        QVERIFY(chart && chart->isVisible());
        QCOMPARE(chart->data().batches, std::vector<int>({1, 2, 4, 8}));
        QCOMPARE(chart->data().low.back(), page->found()->points.back().score.output.sqnrDb);
        QVERIFY(!label("convergenceNote")->text().isEmpty());
        QVERIFY(page->shownTables().front().rows.size() == 4);
        // An edit stops it, and what was found before it is stale.
        click("convergenceStart");
        QVERIFY(page->isRunning());
        QCOMPARE(button("convergenceStart")->text(), QStringLiteral("Cancel"));
        Edit edit;
        edit.at = {"relu_1", ""};
        edit.spec.kind = EditSpec::Kind::None;
        m_window->session().changeRecipe(withEdit(m_window->session().recipe(), edit),
                                         QStringLiteral("float"));
        QVERIFY(!page->isRunning());
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->tables().titleOf("convergence").contains("stale"));
        m_window->session().hideResults();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(page->table().isHidden());
    }

    /// Two more batches than one: the mend is another calibration, and undone as any edit.
    void aCalibrationIsMended()
    {
        QVERIFY(openAndWait(*m_window, QStringLiteral("residual")));
        QTemporaryDir folder;
        const std::string path = folder.filePath("growing.npz").toStdString();
        NamedTensors arrays;
        for (int i = 0; i < 4; ++i) {
            std::vector<float> values(4 * 8 * 16 * 16);
            for (std::size_t k = 0; k < values.size(); ++k)
                values[k] = (i == 0 ? 0.2f : 1.0f) * std::sin(0.37f * static_cast<float>(k + 1));
            arrays.emplace_back("b" + std::to_string(i) + "_i0",
                                Tensor::fromValues<float>(DType::Float32, {4, 8, 16, 16},
                                                          std::span<const float>(values)));
        }
        QVERIFY(writeNpz(path, arrays));
        Recipe recipe = m_window->session().recipe();
        recipe.calibration.source = CalibrationChoice::Source::File;
        recipe.calibration.path = path;
        recipe.calibration.batches = 2;
        m_window->session().changeRecipe(recipe, QStringLiteral("two batches"));
        QVERIFY(waitUntilIdle(*m_window));
        auto* page = m_window->findChild<DiagnosisPage*>();
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 1"));
        m_window->tables().showTable(QStringLiteral("diagnosis"));
        page->table().selectRow(0);
        QVERIFY2(label("diagnosisNote")->text().contains("4 batches"),
                 qPrintable(label("diagnosisNote")->text()));
        click("diagnosisMend");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().snapshot()->calibrated->batches, std::int64_t(4));
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 0"));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().snapshot()->calibrated->batches, std::int64_t(2));
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 1"));
    }

private:
    QPushButton* button(const char* name) { return m_window->findChild<QPushButton*>(name); }
    QLabel* label(const char* name) { return m_window->findChild<QLabel*>(name); }
    void click(const char* name)
    {
        QVERIFY(button(name) && button(name)->isEnabled());
        QTest::mouseClick(button(name), Qt::LeftButton);
    }
    QString selectedName()
    {
        const Selection& selection = m_window->session().selection();
        return selection.nodes().size() != 1
                   ? QString()
                   : QString::fromStdString(
                       graphOf(m_window->session().snapshot(), selection.stage())
                           ->node(selection.nodes().front())
                           .name);
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    TestDiagnosisPage test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_diagnosis_page.moc"
