// Collapsed modules in the window, by clicks and keys: boxes are the same in all panes, what is searched for comes out
// of its box, a large graph opens collapsed; and the overview in the corner of a pane.
#include "tests/ui/UiTest.h"
#include "ui/canvas/StageBoard.h"
#include "ui/models/SearchModel.h"
#include "ui/panels/CommandPalette.h"
#include "ui/panels/OutlinePanel.h"
#include "ui/panels/StatusLine.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <set>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

constexpr std::array kThree{StageKind::Exported, StageKind::Prepared, StageKind::Converted};

} // namespace

class TestFolding : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void collapsesFromTheBar()
    {
        QVERIFY(openAndWait(*m_window, "encoder"));
        QCOMPARE(button()->text(), QStringLiteral("Modules: all open"));
        QCOMPARE(titles(StageKind::Exported), QStringList());
        const std::size_t flat = itemCount();
        choose("depth.1");
        for (const StageKind stage : kThree)
            QCOMPARE(titles(stage), QStringList{"layers.0 … layers.3 × 4"});
        QCOMPARE(button()->text(), QStringLiteral("Modules: 4 collapsed"));
        QVERIFY(button()->toolTip().contains("96"));
        choose("repeats");
        QCOMPARE(titles(StageKind::Converted),
                 (QStringList{"layers.0", "layers.1", "layers.2", "layers.3"}));
        choose("expandAll");
        QCOMPARE(itemCount(), flat);
        // Each step can be taken back.
        press(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(titles(StageKind::Converted).size(), 4);
        press(Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(titles(StageKind::Converted).size(), 1);
    }

    /// A double click opens the first of a run, the plus sign a box, in all panes; what is clicked stays in its place.
    void expandsByMouse()
    {
        QVERIFY(openAndWait(*m_window, "encoder"));
        choose("depth.1");
        const QStringList opened{"layers.1 … layers.3 × 3"};
        GraphView& view = viewOf(StageKind::Prepared);
        const int run = boxes(StageKind::Prepared).front();
        const QPointF before = view.itemRect(run).center();
        QTest::mouseDClick(&view, Qt::LeftButton, {}, before.toPoint());
        QVERIFY(waitUntilIdle(*m_window));
        for (const StageKind stage : kThree)
            QCOMPARE(titles(stage), opened);
        sameHeights();
        view.setLook({view.content()->list.bounds.center(), 1});
        view.ensureVisible(
            {view.content()->scene.items[at(boxes(StageKind::Prepared).front())].node});
        const SceneItem& box = view.content()->scene.items[at(boxes(StageKind::Prepared).front())];
        const RectF sign = Scene::expanderOf(box);
        const QRectF rect = view.itemRect(boxes(StageKind::Prepared).front());
        const QPointF plus =
            rect.topLeft()
            + QPointF(sign.x + sign.width / 2 - box.rect.x, sign.y + sign.height / 2 - box.rect.y)
                  * view.look().zoom;
        QTest::mouseClick(&view, Qt::LeftButton, {}, plus.toPoint());
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(titles(StageKind::Converted), QStringList{"layers.2 … layers.3 × 2"});
    }

    void selectsABox()
    {
        QVERIFY(openAndWait(*m_window, "encoder"));
        choose("depth.1");
        GraphView& view = viewOf(StageKind::Exported);
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          view.itemRect(boxes(StageKind::Exported).front()).center().toPoint());
        const Selection& selection = m_window->session().selection();
        QCOMPARE(selection.nodes().size(), std::size_t{96}); // all ops in it
        QCOMPARE(view.selectedItems(), boxes(StageKind::Exported));
        for (const StageKind stage : {StageKind::Prepared, StageKind::Converted}) {
            const auto& related = viewOf(stage).relatedItems();
            QVERIFY(std::find(related.begin(), related.end(), boxes(stage).front())
                    != related.end());
        }
        // One of its members, chosen elsewhere, is shown by the box.
        const GraphPtr graph = m_window->session().snapshot()->converted->graph;
        m_window->session().selection().select(StageKind::Converted,
                                               {graph->findByName("softmax_2")->id});
        QCOMPARE(viewOf(StageKind::Converted).selectedItems(), boxes(StageKind::Converted));
        QCOMPARE(titles(StageKind::Converted).size(), 1);
    }

    void keysCollapseAndExpand()
    {
        QVERIFY(openAndWait(*m_window, "encoder"));
        GraphView& view = viewOf(StageKind::Exported);
        view.setFocus();
        click(StageKind::Exported, "gelu_2");
        press(Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(titles(StageKind::Converted), QStringList{"layers.2"});
        // The box is chosen in its place: it can be opened again, by either key.
        QCOMPARE(view.selectedItems(), boxes(StageKind::Exported));
        press(Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(titles(StageKind::Converted), QStringList());
        press(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(titles(StageKind::Converted), QStringList{"layers.0 … layers.3 × 4"});
        QCOMPARE(view.currentItem(), boxes(StageKind::Exported).front());
        press(Qt::Key_Return, {});
        QCOMPARE(titles(StageKind::Converted), QStringList{"layers.1 … layers.3 × 3"});
        press(Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(titles(StageKind::Converted), QStringList());
        // Nothing in a module is chosen: the status says what to do.
        click(StageKind::Exported, "x");
        press(Qt::Key_Up, Qt::ControlModifier);
        QVERIFY(m_window->statusLine().message().contains("Select a node in a module"));
    }

    void searchOpensTheBox()
    {
        QVERIFY(openAndWait(*m_window, "encoder"));
        choose("depth.1");
        press(Qt::Key_K, Qt::ControlModifier);
        auto* entry = m_window->palette().findChild<QLineEdit*>();
        QVERIFY(entry);
        QVERIFY(waitUntilIdle(*m_window));
        QTest::keyClicks(entry, "@gelu_2");
        QTest::keyClick(entry, Qt::Key_Return);
        QVERIFY(waitUntilIdle(*m_window));
        for (const StageKind stage : kThree) {
            QCOMPARE(titles(stage), (QStringList{"layers.0 … layers.1 × 2", "layers.3"}));
            GraphView& view = viewOf(stage);
            const QPoint place = placeOf(*m_window, stage, "gelu_2");
            QVERIFY(!place.isNull());
            QVERIFY(view.rect().contains(place));
        }
        QCOMPARE(viewOf(StageKind::Exported).selectedItems().size()
                     + viewOf(StageKind::Exported).relatedItems().size(),
                 std::size_t{1});
    }

    void outlineCollapsesAndExpands()
    {
        QVERIFY(openAndWait(*m_window, "mobilenet_v2"));
        const QAbstractItemModelTester tester(
            m_window->outline().tree().model(),
            QAbstractItemModelTester::FailureReportingMode::QtTest);
        press(Qt::Key_1, Qt::ControlModifier);
        QTreeView& tree = m_window->outline().tree();
        QVERIFY(tree.isVisible());
        tree.setFocus();
        const QModelIndex features = tree.model()->index(0, 0);
        const QModelIndex block = tree.model()->index(3, 0, features);
        QCOMPARE(block.data(OutlineModel::PathRole).toString(), QStringLiteral("features.3"));
        tree.setCurrentIndex(block);
        QTest::keyClick(&tree, Qt::Key_Minus);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(titles(StageKind::Converted), QStringList{"features.3"});
        QTest::keyClick(&tree, Qt::Key_Plus);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(titles(StageKind::Converted), QStringList());
        // Choosing a module expands what hides it, not itself.
        choose("depth.1");
        QVERIFY(titles(StageKind::Converted).contains("features"));
        tree.setCurrentIndex(features);
        tree.setCurrentIndex(block);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!titles(StageKind::Converted).contains("features"));
        QVERIFY(titles(StageKind::Converted).contains("features.3"));
        QVERIFY(!viewOf(StageKind::Exported).selectedItems().empty());
    }

    void outlineOpensAsFarAsOneCanSee()
    {
        QVERIFY(openAndWait(*m_window, "mobilenet_v2"));
        press(Qt::Key_1, Qt::ControlModifier);
        QTreeView& tree = m_window->outline().tree();
        QVERIFY(tree.isVisible());
        const QModelIndex features = tree.model()->index(0, 0);
        QVERIFY(tree.isExpanded(features));
        QVERIFY(tree.model()->rowCount(features) > 10);
        ModelRequest request;
        request.layers = 40;
        QVERIFY(openAndWait(*m_window, "decoder", request));
        QVERIFY(tree.model()->rowCount() >= 40);
        for (int row = 0; row < tree.model()->rowCount(); ++row)
            QVERIFY(!tree.isExpanded(tree.model()->index(row, 0)));
        // What came while nobody looked is there once it is looked at, and follows what is selected.
        press(Qt::Key_1, Qt::ControlModifier);
        QVERIFY(!tree.isVisible());
        QVERIFY(openAndWait(*m_window, "mobilenet_v2"));
        const Graph& graph = *m_window->session().model()->exported;
        const auto op = std::find_if(graph.begin(), graph.end(), [](const Node& node) {
            return node.fileMeta && !node.fileMeta->moduleStack.empty()
                   && node.fileMeta->moduleStack.back().path.starts_with("features.3.");
        });
        QVERIFY(op != graph.end());
        m_window->session().find(StageKind::Exported, {(*op).id});
        QVERIFY(waitUntilIdle(*m_window));
        press(Qt::Key_1, Qt::ControlModifier);
        QCOMPARE(tree.model()->index(0, 0).data(OutlineModel::PathRole).toString(),
                 QStringLiteral("features"));
        QVERIFY(tree.currentIndex()
                    .data(OutlineModel::PathRole)
                    .toString()
                    .startsWith(QStringLiteral("features.3")));
    }

    void largeGraphOpensCollapsed()
    {
        ModelRequest request;
        request.layers = 40;
        QVERIFY(openAndWait(*m_window, "decoder", request));
        QVERIFY(itemCount() <= 100);
        QCOMPARE(titles(StageKind::Converted), QStringList{"layers.0 … layers.39 × 40"});
        QCOMPARE(button()->text(), QStringLiteral("Modules: 40 collapsed"));
        QVERIFY(viewOf(StageKind::Exported).look().zoom >= 0.6);
        press(Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(itemCount() > 1000);
        // A view that is not wanted any more is not waited for.
        QSignalSpy shown(&m_window->board(), &StageBoard::shown);
        for (int i = 0; i < 6; ++i) {
            keyClick(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
            keyClick(Qt::Key_Down, Qt::ControlModifier | Qt::ShiftModifier);
        }
        keyClick(Qt::Key_Up, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY2(shown.count() < 13, qPrintable(QString::number(shown.count())));
        QCOMPARE(titles(StageKind::Exported), QStringList{"layers.0 … layers.39 × 40"});
        // Another model starts afresh.
        QVERIFY(openAndWait(*m_window, "residual"));
        QCOMPARE(titles(StageKind::Exported), QStringList());
    }

    void overviewInTheCorner()
    {
        QVERIFY(openAndWait(*m_window, "mobilenet_v2"));
        GraphView& view = viewOf(StageKind::Exported);
        view.showStart();
        Minimap& map = view.minimap();
        QVERIFY(map.isVisible());
        QVERIFY(view.rect().contains(map.geometry()));
        view.grab();
        const int paints = map.paintCount();
        QVERIFY(paints > 0);
        for (int i = 0; i < 20; ++i) {
            QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
            view.grab();
        }
        QCOMPARE(map.paintCount(), paints); // panning moves the rectangle alone
        const QPointF wanted(map.width() / 2.0, map.height() * 0.8);
        QTest::mouseClick(&map, Qt::LeftButton, {}, wanted.toPoint());
        const QPointF center = map.seenRect().center();
        QVERIFY(std::abs(center.y() - wanted.y()) < 2);
        for (const StageKind stage : kThree)
            QCOMPARE(viewOf(stage).look().center, view.look().center); // in step
        QTest::mousePress(&map, Qt::LeftButton, {}, wanted.toPoint());
        QTest::mouseMove(&map, QPoint(map.width() / 2, map.height() / 4));
        QTest::mouseRelease(&map, Qt::LeftButton, {}, QPoint(map.width() / 2, map.height() / 4));
        QVERIFY(m_window->session().selection().isEmpty());
        m_application.preferences().setTheme(ThemeChoice::Dark);
        view.grab();
        QCOMPARE(map.paintCount(), paints + 1);
        view.fit();
        QVERIFY(!map.isVisible()); // all is seen
        view.showStart();
        QVERIFY(map.isVisible());
        press(Qt::Key_5, Qt::ControlModifier);
        QVERIFY(!map.isVisible());
    }

private:
    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    GraphView& viewOf(StageKind stage) { return m_window->board().paneOf(stage)->view(); }
    QToolButton* button() { return m_window->findChild<QToolButton*>("modules"); }
    std::size_t itemCount() { return viewOf(StageKind::Exported).content()->scene.items.size(); }

    std::vector<int> boxes(StageKind stage)
    {
        std::vector<int> found;
        const auto& items = viewOf(stage).content()->scene.items;
        for (std::size_t i = 0; i < items.size(); ++i)
            if (items[i].kind == ItemKind::Module)
                found.push_back(static_cast<int>(i));
        return found;
    }

    QStringList titles(StageKind stage)
    {
        QStringList titles;
        for (const int box : boxes(stage))
            titles += QString::fromStdString(viewOf(stage).content()->scene.items[at(box)].title);
        return titles;
    }

    /// Out of the menu of the bar below the panes.
    void choose(const char* action)
    {
        QMenu* menu = button()->menu();
        Q_EMIT menu->aboutToShow();
        auto* chosen = menu->findChild<QAction*>(action);
        QVERIFY(chosen && chosen->isEnabled());
        chosen->trigger();
        QVERIFY(waitUntilIdle(*m_window));
    }

    void keyClick(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        QTest::keyClick(m_window->focusWidget() ? m_window->focusWidget() : m_window.get(), key,
                        modifiers);
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers)
    {
        keyClick(key, modifiers);
        QVERIFY(waitUntilIdle(*m_window));
    }

    void click(StageKind stage, const char* node)
    {
        GraphView& view = viewOf(stage);
        const GraphPtr graph = m_window->session().snapshot()->graph(stage);
        view.ensureVisible({graph->findByName(node)->id});
        QTest::mouseClick(&view, Qt::LeftButton, {}, placeOf(*m_window, stage, node));
        QCOMPARE(m_window->session().selection().nodes().size(), std::size_t{1});
    }

    /// Every node stands at the same height in all panes that have it.
    void sameHeights()
    {
        const Scene& first = viewOf(StageKind::Exported).content()->scene;
        int compared = 0;
        for (const StageKind stage : {StageKind::Prepared, StageKind::Converted})
            for (const SceneItem& item : viewOf(stage).content()->scene.items) {
                const int there = first.itemOf(item.node);
                if (item.inWing || item.kind == ItemKind::Ghost || there < 0)
                    continue;
                const RectF& rect = first.items[at(there)].rect;
                QCOMPARE(item.rect.y + item.rect.height / 2, rect.y + rect.height / 2);
                ++compared;
            }
        QVERIFY(compared > 40);
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    TestFolding test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_folding.moc"
