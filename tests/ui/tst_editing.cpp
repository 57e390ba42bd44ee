// Annotations edited in the real window, by clicks.
#include "core/pipeline/StageDump.h"
#include "tests/ui/UiTest.h"
#include "ui/charts/ConvergenceChart.h"
#include "ui/charts/Histogram.h"
#include "ui/panels/ObservedPart.h"
#include "ui/panels/SpecDialog.h"
#include "ui/panels/TablesPanel.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

class TestEditing : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    // From the list of what is not quantized to both ops quantized, and back.
    void catAndPoolByClicksOnly()
    {
        QVERIFY(openAndWait(*m_window, "cat_pool"));
        const std::string before = dump();
        for (const int row : {0, 0}) { // what is quantized leaves the list
            QTableView* table = m_window->findChild<QTableView*>("table.unannotated");
            QVERIFY(table);
            m_window->tables().showTable("unannotated");
            const QRect cell = table->visualRect(table->model()->index(row, 0));
            QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
            QVERIFY(waitUntilIdle(*m_window));
            auto* button = last<QPushButton>("asOther");
            QVERIFY(button && button->isVisible());
            QCOMPARE(button->text(), QStringLiteral("As ExecuTorch"));
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY(waitUntilIdle(*m_window));
        }
        QCOMPARE(m_window->tables().model("unannotated").table().rows.size(), std::size_t(0));
        QCOMPARE(m_window->session().undoStack().count(), 2);

        Recipe theirs;
        theirs.quantizer.flavor = QuantizerFlavor::ExecuTorch;
        const SnapshotPtr snapshot =
            Pipeline(m_window->session().model()).run(theirs, StageKind::Converted, {});
        QCOMPARE(withoutQuantizer(dump()), withoutQuantizer(*dumpStages(*snapshot)));

        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(dump() == before);
    }

    void aFixedScale()
    {
        SpecDialog* dialog = openDialog("residual", "relu", "spec.relu");
        QVERIFY(dialog);
        dialog->findChild<QComboBox*>("specKind")->setCurrentIndex(2);
        auto* scale = dialog->findChild<QLineEdit*>("specScale");
        auto* apply = dialog->findChild<QPushButton*>("specApply");
        scale->setText("0");
        QVERIFY(settle());
        QVERIFY(!apply->isEnabled());
        scale->setText("0.0625");
        QVERIFY(settle());
        QVERIFY2(apply->isEnabled(), qPrintable(found(*dialog)));
        QTest::mouseClick(apply, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        const auto& edits = m_window->session().recipe().edits;
        QCOMPARE(edits.size(), std::size_t(1));
        QVERIFY(edits[0].spec.kind == EditSpec::Kind::Fixed && edits[0].spec.fixed.scale == 0.0625);
        QCOMPARE(m_window->session().undoStack().undoText(), QStringLiteral("Annotate relu"));
        QVERIFY(m_window->session().snapshot()->converted);
    }

    void conflictsAreToldBefore()
    {
        SpecDialog* dialog = openDialog("residual", "conv2d", "spec.x->conv2d");
        QVERIFY(dialog);
        auto* apply = dialog->findChild<QPushButton*>("specApply");
        auto* kind = dialog->findChild<QComboBox*>("specKind");
        QVERIFY(settle());
        QVERIFY(apply->isEnabled());
        QCOMPARE(found(*dialog), QStringLiteral("Nothing speaks against it."));
        kind->setCurrentIndex(3);
        auto* shared = dialog->findChild<QComboBox*>("specShared");
        QVERIFY(shared->isVisible() && !dialog->findChild<QComboBox*>("specDtype")->isVisible());
        for (const auto& [point, message] :
             {std::pair("relu", "is made later"), std::pair("relu_9", "there is no node 'relu_9'"),
              std::pair("", "must be 'node' or 'node->user'")}) {
            shared->setCurrentText(QString::fromUtf8(point));
            QVERIFY(settle());
            QVERIFY(!apply->isEnabled());
            QVERIFY2(found(*dialog).contains(QString::fromUtf8(message)),
                     qPrintable(found(*dialog)));
        }
        kind->setCurrentIndex(1);
        dialog->findChild<QComboBox*>("specDtype")->setCurrentIndex(2);
        dialog->findChild<QLineEdit*>("specLow")->clear();
        dialog->findChild<QLineEdit*>("specHigh")->clear();
        QVERIFY(settle());
        QVERIFY(apply->isEnabled());
        QVERIFY2(found(*dialog).contains("XNNPACK has no kernels"), qPrintable(found(*dialog)));
        dialog->reject();
        QVERIFY(m_window->session().recipe().edits.empty());
    }

    // By a method, by hand, for all, and back.
    void rangesAreChosen()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const std::string before = dump();
        select("relu");
        auto* method = last<QComboBox>("rangeMethod");
        QVERIFY(method);
        QTest::mouseClick(last<QPushButton>("findConvergence"), Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        auto* convergence = last<ConvergenceChart>("convergence");
        QVERIFY(convergence);
        QCOMPARE(convergence->data().low.size(), std::size_t(8));
        QVERIFY(last<QLabel>("convergenceText")->text().contains("SQNR"));
        QCOMPARE(method->currentText(), QStringLiteral("HistogramObserver"));
        const int percentile = method->findText("percentile 99.9");
        QVERIFY(percentile > 0);
        method->setCurrentIndex(percentile);
        Q_EMIT method->activated(percentile);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().undoStack().undoText(),
                 QStringLiteral("Range of relu: percentile 99.9"));
        method = last<QComboBox>("rangeMethod");
        QVERIFY2(method, "what was seen is still there");
        QCOMPARE(method->currentText(), QStringLiteral("fixed"));

        auto* histogram = last<Histogram>("observedHistogram");
        const double high = *histogram->data().clipHigh;
        const QPoint end(qRound(histogram->clipX(true)), histogram->height() / 2);
        const QPoint there = end - QPoint(40, 0);
        QTest::mousePress(histogram, Qt::LeftButton, {}, end);
        QMouseEvent move(QEvent::MouseMove, there, histogram->mapToGlobal(there), Qt::NoButton,
                         Qt::LeftButton, {});
        QApplication::sendEvent(histogram, &move);
        QVERIFY(*histogram->data().clipHigh < high);
        QTest::mouseRelease(histogram, Qt::LeftButton, {}, there);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().undoStack().undoText(),
                 QStringLiteral("Range of relu: by hand"));
        const auto& edits = m_window->session().recipe().edits;
        QVERIFY(edits.back().spec.kind == EditSpec::Kind::Fixed);
        const double shown = *last<Histogram>("observedHistogram")->data().clipHigh;
        QVERIFY(shown < high && shown > high / 4);

        ObservedPart::chooseForAll(m_window->session(), RangeMethod::SquaredError);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->session().snapshot()->converted);
        QVERIFY(m_window->session().recipe().edits.size() > 3);
        while (m_window->session().undoStack().canUndo())
            m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(dump() == before);
        // A weight has a scale for each channel: nothing to choose.
        select("conv1_weight");
        QVERIFY(!last<QComboBox>("rangeMethod"));
    }

private:
    void select(const char* node)
    {
        const GraphPtr graph = m_window->session().snapshot()->model->exported;
        m_window->session().selection().select(StageKind::Exported, {graph->findByName(node)->id});
        QVERIFY(waitUntilIdle(*m_window));
    }

    std::string dump() const
    {
        const auto text = dumpStages(*m_window->session().snapshot());
        return text ? *text : text.error().message();
    }

    static std::string withoutQuantizer(std::string text)
    {
        const std::size_t begin = text.find("\"quantizer\"");
        return text.erase(begin, text.find('\n', begin) - begin);
    }

    /// Of those with the name the one that is not about to be deleted.
    template<typename W>
    W* last(const QString& name) const
    {
        const auto all = m_window->findChildren<W*>(name);
        for (W* widget : all) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }

    SpecDialog* openDialog(const char* model, const char* node, const char* row)
    {
        if (!openAndWait(*m_window, QString::fromUtf8(model)))
            return nullptr;
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        m_window->session().selection().select(StageKind::Exported,
                                               {snapshot->model->exported->findByName(node)->id});
        if (!waitUntilIdle(*m_window))
            return nullptr;
        auto* combo = last<QComboBox>(QString::fromUtf8(row));
        if (!combo)
            return nullptr;
        const int index = combo->count() - 1;
        combo->setCurrentIndex(index);
        Q_EMIT combo->activated(index);
        return m_window->findChild<SpecDialog*>();
    }

    /// The pause behind typing, then the check.
    bool settle()
    {
        QTest::qWait(200);
        return waitUntilIdle(*m_window);
    }

    static QString found(SpecDialog& dialog)
    {
        return dialog.findChild<QLabel*>("specFound")->text();
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestEditing test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_editing.moc"
