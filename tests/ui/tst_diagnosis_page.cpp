// Diagnoses in the real window: shown, mended by one edit, undone.
#include "tests/ui/UiTest.h"
#include "ui/panels/DiagnosisPage.h"
#include "ui/panels/TablesPanel.h"

#include <QLabel>
#include <QPushButton>
#include <QtTest>

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
        QCOMPARE(m_window->tables().titleOf("diagnosis"), QStringLiteral("Diagnosis 0"));
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
