// One point dragged onto another in a pane, by the real mouse; and the same by keys alone.
#include "core/pipeline/StageDump.h"
#include "tests/ui/UiTest.h"
#include "ui/canvas/ShareDrag.h"
#include "ui/canvas/StageBoard.h"
#include "ui/panels/SpecDialog.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <cmath>

using namespace pt2e;
using namespace pt2e::ui;

class TestSharing : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    /// From badge to badge: the same recipe and stages as the dialog's edit, one step of undo.
    void observerOntoObserver()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const std::string before = dump();
        const auto [from, to] = badges("relu_1", "x");
        QVERIFY(from >= 0 && to >= 0);
        dragTo(from, to);
        QVERIFY(drag().isDragging());
        QVERIFY(waitUntilIdle(*m_window));
        for (int place = 0; place < static_cast<int>(drag().places().size()); ++place) {
            if (place != from) // each other place is told apart
                QVERIFY(drag().markOf(place) != ShareDrag::Mark::Unknown);
        }
        QCOMPARE(drag().markOf(to), ShareDrag::Mark::Possible);
        QVERIFY2(drag().hint().startsWith("relu_1 shares the observer of x \u2192 conv2d"),
                 qPrintable(drag().hint()));
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        const auto& edits = session().recipe().edits;
        QCOMPARE(edits.size(), std::size_t(1));
        QCOMPARE(edits[0].at.text(), std::string("relu_1"));
        QVERIFY(edits[0].spec.kind == EditSpec::Kind::Shared);
        QCOMPARE(edits[0].spec.sharedWith.text(), std::string("x->conv2d"));
        QCOMPARE(session().undoStack().undoText(),
                 QStringLiteral("Share relu_1 with x \u2192 conv2d"));
        const auto& prepared = *session().snapshot()->prepared;
        const Graph& graph = *session().snapshot()->model->exported;
        QVERIFY(prepared.instanceOf.at(Point::output(graph.findByName("relu_1")->id))
                == prepared.instanceOf.at(
                    Point::edge(graph.findByName("x")->id, graph.findByName("conv2d")->id)));
        session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(dump() == before);
    }

    /// The reasons are the dialog's, and nothing happens where there is one.
    void whatCannotBeSharedSaysWhy()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        m_stage = StageKind::Exported;
        view().fit();
        const int from = placeOfEdge("x", "conv2d"), to = placeOfOutput("relu");
        QVERIFY(from >= 0 && to >= 0);
        dragTo(from, to);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(drag().markOf(to), ShareDrag::Mark::Impossible);
        QVERIFY2(drag().hint().contains("is made later"), qPrintable(drag().hint()));
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(session().recipe().edits.empty());
        QCOMPARE(session().undoStack().count(), 0);
        // Another dtype: weights are per channel and have no zero point, but the points can be named.
        const int weight = placeOfEdge("conv1_weight", "conv2d");
        QVERIFY(weight >= 0);
        dragTo(from, weight);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!drag().hint().isEmpty());
        cancel();
    }

    /// In the exported pane points are spots at an operator's edges: what the quantizer left out is shared, too.
    void edgeOntoOutput()
    {
        QVERIFY(openAndWait(*m_window, "cat_pool"));
        m_stage = StageKind::Exported;
        const Graph& graph = *session().snapshot()->model->exported;
        const Node* cat = graph.findByName("cat");
        QVERIFY(cat);
        const std::string source = graph.node(cat->inputs()[1]).name;
        const std::string first = graph.node(cat->inputs()[0]).name;
        const int from = placeOfEdge(source, "cat");
        const int to = placeOfOutput(first);
        QVERIFY(from >= 0 && to >= 0);
        // The spots are seen once the pointer is on the operator.
        QWidget* overlay = view().findChild<QWidget*>("shareOverlay");
        QVERIFY(!overlay->isVisible());
        moveMouse(drag().positionOf(from), Qt::NoButton);
        QVERIFY(overlay->isVisible());
        dragTo(from, to);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(drag().markOf(to) == ShareDrag::Mark::Possible, qPrintable(drag().hint()));
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(session().recipe().edits.size(), std::size_t(1));
        QCOMPARE(session().recipe().edits[0].at.text(), source + "->cat");
        QCOMPARE(session().recipe().edits[0].spec.sharedWith.text(), first);
        QVERIFY(session().snapshot()->converted);
    }

    /// Let go before it is known whether it is possible: it is done as soon as that is known.
    void lettingGoAtOnce()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const auto [from, to] = badges("relu_1", "x");
        dragTo(from, to);
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(session().recipe().edits.size(), std::size_t(1));
    }

    void escapeGivesUp()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const auto [from, to] = badges("relu_1", "x");
        session().selection().select(
            StageKind::Prepared, {session().snapshot()->prepared->graph->findByName("relu")->id});
        const auto chosen = session().selection().nodes();
        dragTo(from, to);
        cancel();
        QVERIFY(!drag().isDragging());
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(session().recipe().edits.empty());
        QVERIFY(session().selection().nodes() == chosen);
    }

    /// A click on an observer selects it, a drag of an operator or of the ground pans.
    void selectingAndPanningStay()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const auto [from, to] = badges("relu_1", "x");
        const int item = drag().places()[static_cast<std::size_t>(from)].item;
        QTest::mouseClick(&view(), Qt::LeftButton, {}, drag().positionOf(from).toPoint());
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(session().selection().nodes().size(), std::size_t(1));
        QVERIFY(session().selection().current()
                == view().content()->scene.items[static_cast<std::size_t>(item)].node);
        // No drag is left behind.
        QVERIFY(!drag().isDragging());
        const QPointF center = view().look().center;
        moveMouse(drag().positionOf(from) + QPointF(30, 30), Qt::NoButton);
        QCOMPARE(view().look().center, center);
        const QPoint body = placeOf(*m_window, StageKind::Prepared, "conv2d");
        QTest::mousePress(&view(), Qt::LeftButton, {}, body);
        moveMouse(body + QPointF(0, 40), Qt::LeftButton);
        QVERIFY(!drag().isDragging());
        QVERIFY(std::abs(view().look().center.y() - center.y()) > 10);
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, body + QPoint(0, 40));
        QVERIFY(session().recipe().edits.empty());
    }

    /// Behind covered results there is nothing to drag, and an edit that comes in ends a drag.
    void nothingWhereNothingIsShown()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        const auto [from, to] = badges("relu_1", "x");
        dragTo(from, to);
        session().hideResults();
        QVERIFY(!drag().isDragging());
        letGo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(drag().places().empty());
        m_stage = StageKind::Exported;
        QVERIFY(drag().places().empty());
        QVERIFY(session().recipe().edits.empty());
    }

    /// The same by keys alone, from the field of the annotation.
    void byKeys()
    {
        QVERIFY(openAndWait(*m_window, "residual"));
        session().selection().select(
            StageKind::Exported, {session().snapshot()->model->exported->findByName("relu_1")->id});
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        auto* choice = visible<QComboBox>("spec.relu_1");
        QVERIFY(choice);
        for (int i = 0; i < 200 && !choice->hasFocus(); ++i)
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QVERIFY(choice->hasFocus());
        QTest::keyClick(choice, Qt::Key_End); // "other…"
        QTRY_VERIFY(m_window->findChild<SpecDialog*>());
        auto* dialog = m_window->findChild<SpecDialog*>();
        dialog->activateWindow(); // without a window manager nobody else does
        QTRY_COMPARE(QApplication::activeWindow(), dialog);
        auto* kind = dialog->findChild<QComboBox*>("specKind");
        kind->setFocus(); // the first field
        QTest::keyClick(kind, Qt::Key_S); // "shared with another point"
        QCOMPARE(kind->currentIndex(), 3);
        auto* shared = dialog->findChild<QComboBox*>("specShared");
        QStringList passed;
        for (int i = 0; i < 10 && !shared->hasFocus(); ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            passed << QApplication::focusWidget()->objectName();
        }
        QVERIFY2(shared->hasFocus(), qPrintable(passed.join(QLatin1Char(' '))));
        shared->lineEdit()->selectAll();
        QTest::keyClicks(shared->lineEdit(), "x->conv2d");
        QTest::qWait(200);
        QVERIFY(waitUntilIdle(*m_window));
        auto* apply = dialog->findChild<QPushButton*>("specApply");
        QTRY_VERIFY(apply->isEnabled());
        if (QWidget* completions = QApplication::activePopupWidget())
            completions->close();
        QTest::keyClick(shared->lineEdit(), Qt::Key_Return);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(session().recipe().edits.size(), std::size_t(1));
        QCOMPARE(session().recipe().edits[0].spec.sharedWith.text(), std::string("x->conv2d"));
    }

private:
    Session& session() { return m_window->session(); }
    StagePane& pane() { return *m_window->board().paneOf(m_stage); }
    GraphView& view() { return pane().view(); }
    ShareDrag& drag() { return *pane().sharing(); }

    std::string dump()
    {
        const auto text = dumpStages(*session().snapshot());
        return text ? *text : text.error().message();
    }

    int placeWith(const std::function<bool(const Point&)>& isIt)
    {
        const auto& places = drag().places();
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (std::any_of(places[i].points.begin(), places[i].points.end(), isIt))
                return static_cast<int>(i);
        }
        return -1;
    }
    NodeId idOf(const std::string& name)
    {
        const Node* node = session().snapshot()->annotated->folded.graph->findByName(name);
        return node ? node->id : NodeId{};
    }
    int placeOfOutput(const std::string& name)
    {
        return placeWith([&](const Point& point) { return point == Point::output(idOf(name)); });
    }
    int placeOfEdge(const std::string& from, const std::string& to)
    {
        return placeWith(
            [&](const Point& point) { return point == Point::edge(idOf(from), idOf(to)); });
    }
    /// The observers of two values.
    std::pair<int, int> badges(const std::string& from, const std::string& to)
    {
        m_stage = StageKind::Prepared;
        view().fit();
        const auto of = [&](const std::string& name) {
            return placeWith([&](const Point& point) { return point.node == idOf(name); });
        };
        return {of(from), of(to)};
    }

    void moveMouse(const QPointF& to, Qt::MouseButtons buttons)
    {
        QMouseEvent move(QEvent::MouseMove, to, view().mapToGlobal(to), Qt::NoButton, buttons, {});
        QApplication::sendEvent(&view(), &move);
    }
    void dragTo(int from, int to)
    {
        const QPoint start = drag().positionOf(from).toPoint();
        m_at = drag().positionOf(to);
        QTest::mousePress(&view(), Qt::LeftButton, {}, start);
        moveMouse(start + (m_at - start) / 2, Qt::LeftButton);
        moveMouse(m_at, Qt::LeftButton);
    }
    void letGo() { QTest::mouseRelease(&view(), Qt::LeftButton, {}, m_at.toPoint()); }
    void cancel() { QTest::keyClick(&view(), Qt::Key_Escape); }

    template<typename W>
    W* visible(const QString& name)
    {
        for (W* widget : m_window->findChildren<W*>(name)) {
            if (widget->isVisible())
                return widget;
        }
        return nullptr;
    }

    StageKind m_stage = StageKind::Prepared;
    QPointF m_at;
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestSharing test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_sharing.moc"
