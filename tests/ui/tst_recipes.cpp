// Two recipes in the real window: what stands beside, differences, edits, keeping one, running both, their panes.
#include "tests/ui/UiTest.h"
#include "ui/canvas/StageBoard.h"
#include "ui/panels/RecipesPage.h"
#include "ui/panels/StatusLine.h"
#include "ui/panels/TablesPanel.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

class TestRecipes : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    void theOtherQuantizer()
    {
        open("cat_pool");
        QCOMPARE(tabTitle(), QStringLiteral("Recipes"));
        QVERIFY(!button("recipeRun")->isEnabled());
        chooseBeside(Beside::ExecuTorch);
        QVERIFY(second().comparison());
        QVERIFY(label("recipeStale")->isHidden());
        QVERIFY(label("recipeNote")
                    ->toolTip()
                    .startsWith(QStringLiteral("%1 differences")
                                    .arg(second().comparison()->differences.size())));
        QCOMPARE(headers(page().differences()), QStringLiteral("place|op|what|torchao|executorch"));
        const int cat = rowOf(page().differences(), {"cat", "cat", "operator"});
        QVERIFY(cat >= 0);
        QCOMPARE(text(page().differences(), cat, 4), QStringLiteral("quantized: cat"));
        QVERIFY(rowOf(page().differences(), {"max_pool2d", "max_pool2d", "operator"}) >= 0);
        QCOMPARE(rowOf(page().differences(), {"conv2d"}), -1);
        // Both annotate the same graph: the second one calibrates on what is known.
        QCOMPARE(difference("operators quantized"), QStringLiteral("+2"));
        // A row selects its node in all panes.
        clickRow(page().differences(), cat);
        QCOMPARE(selectedName(), std::string("cat"));
        for (StagePane* pane : m_window->board().panes()) {
            GraphView& view = pane->view();
            QVERIFY(!view.selectedItems().empty() || !view.relatedItems().empty());
        }
        // And a selected node its rows.
        m_window->session().lookAt(StageKind::Exported, {nodeCalled("max_pool2d")});
        const auto rows = page().differences().selectionModel()->selectedRows();
        QVERIFY(!rows.isEmpty());
        for (const QModelIndex& row : rows)
            QVERIFY(text(page().differences(), row.row(), 1) == "max_pool2d");
    }

    void inANarrowWindow()
    {
        open("cat_pool");
        chooseBeside(Beside::ExecuTorch);
        m_window->resize(2200, 1000);
        QTRY_VERIFY(page().summary().isVisible() && page().differences().isVisible());
        m_window->resize(1280, 800);
        QTRY_VERIFY(!page().summary().isVisible() && page().differences().isVisible());
        auto* inAll = m_window->findChild<QToolButton*>(QStringLiteral("recipeSummary"));
        QTest::mouseClick(inAll, Qt::LeftButton);
        QVERIFY(page().summary().isVisible() && !page().differences().isVisible());
        m_window->tables().showTable(QStringLiteral("recipe-differences"));
        QVERIFY(page().differences().isVisible());
    }

    void equalRecipesHaveNoRows()
    {
        open("residual");
        chooseBeside(Beside::TorchAo);
        QCOMPARE(second().comparison()->differences.size(), std::size_t(0));
        QVERIFY(label("recipeNote")->text().contains("the same"));
        QCOMPARE(page().differences().model()->rowCount(), 0);
        QCOMPARE(difference("operators quantized"), QStringLiteral("0"));
        // No edit yet, nothing kept: these cannot be chosen.
        QVERIFY(!isOffered(Beside::Before));
        QVERIFY(!isOffered(Beside::Kept));
        second().choose(Beside::Before);
        QCOMPARE(second().beside(), Beside::TorchAo);
    }

    void anEdit()
    {
        open("residual");
        edit("relu_1");
        QVERIFY(isOffered(Beside::Before));
        chooseBeside(Beside::Before);
        QCOMPARE(headers(page().differences()), QStringLiteral("place|op|what|now|before"));
        const int rows = page().differences().model()->rowCount();
        QVERIFY(rows > 0);
        for (int row = 0; row < rows; ++row)
            QVERIFY(text(page().differences(), row, 0).startsWith("relu_1"));
        // Another edit: it is compared with the recipe before that.
        edit("add");
        QVERIFY(!second().isStale());
        QVERIFY(rowOf(page().differences(), {"relu_1"}) < 0);
        // Undo is a change, too.
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!second().isStale());
        QVERIFY(second().snapshot()->recipe.edits.size()
                == m_window->session().recipe().edits.size() + 1);
    }

    void keepThisOne()
    {
        open("residual");
        click("recipeKeep");
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(second().beside(), Beside::Kept);
        QCOMPARE(second().comparison()->differences.size(), std::size_t(0));
        edit("relu_1");
        QVERIFY(page().differences().model()->rowCount() > 0);
        QCOMPARE(headers(page().summary()), QStringLiteral("what|now|kept|difference"));
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(page().differences().model()->rowCount(), 0);
    }

    void runBoth()
    {
        open("residual");
        edit("relu_1");
        chooseBeside(Beside::TorchAo);
        QVERIFY(difference("time in int8, ms").isEmpty());
        click("recipeRun");
        QCOMPARE(button("recipeRun")->text(), QStringLiteral("Cancel"));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(second().comparison()->runs.compared[1]);
        QVERIFY(!difference("time in int8, ms").isEmpty());
        QVERIFY(difference("SQNR of relu_1 simulated, dB").startsWith('-'));
        QVERIFY(rowOf(page().differences(), {"add", "add", "runs on"}) >= 0);
        QVERIFY(label("recipeNote")->toolTip().contains("both run on"));
        // Another recipe: the figures were not about it. Undo brings them back.
        edit("add");
        QVERIFY(difference("time in int8, ms").isEmpty());
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!difference("time in int8, ms").isEmpty());
    }

    void cancelled()
    {
        open("mobilenet_v2");
        chooseBeside(Beside::ExecuTorch);
        click("recipeRun");
        QTRY_VERIFY(m_window->session().jobs().isBusy());
        QElapsedTimer timer;
        timer.start();
        click("recipeRun");
        QVERIFY2(timer.elapsed() <= 2000, qPrintable(QString::number(timer.elapsed())));
        QCOMPARE(button("recipeRun")->text(), QStringLiteral("Run both"));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(second().comparison() && !second().comparison()->runs.compared[0]);
    }

    void aFile()
    {
        open("residual");
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("other.json"));
        Recipe recipe = m_window->session().recipe();
        recipe.quantizer.global->perChannel = false;
        recipe.calibration.source = CalibrationChoice::Source::File; // not what it is judged by
        recipe.calibration.path = "/nowhere.npz";
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(writeRecipe(recipe)));
        file.close();
        second().chooseFile(path);
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(headers(page().summary()), QStringLiteral("what|now|other.json|difference"));
        QVERIFY(rowOf(page().differences(), {"conv1_weight->conv2d"}) >= 0);
        QSignalSpy failed(&second(), &SecondRecipe::failed);
        second().chooseFile(folder.filePath(QStringLiteral("missing.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{}");
        file.close();
        second().chooseFile(path);
        QCOMPARE(failed.count(), 2);
        QCOMPARE(second().beside(), Beside::File);
        QVERIFY(rowOf(page().differences(), {"conv1_weight->conv2d"}) >= 0);
    }

    /// An edit that leaves the second recipe as it is makes it no work.
    void staleWhileWorking()
    {
        open("cat_pool");
        chooseBeside(Beside::ExecuTorch);
        const SnapshotPtr before = second().snapshot();
        Recipe recipe = m_window->session().recipe();
        recipe = withEdit(recipe, {{"relu_1", ""}, {}});
        m_window->session().changeRecipe(recipe, QStringLiteral("an edit"));
        QVERIFY(second().isStale());
        QVERIFY(!label("recipeStale")->isHidden());
        QCOMPARE(tabTitle(), QStringLiteral("Recipes (stale)"));
        QVERIFY(!button("recipeRun")->isEnabled());
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!second().isStale());
        QVERIFY(second().snapshot()->converted == before->converted);
        // Covered stages are not told.
        m_window->session().hideResults();
        QCOMPARE(tabTitle(), QStringLiteral("Recipes"));
        QVERIFY(!page().differences().isVisible());
        QVERIFY(page().shownTables().empty());
        m_window->session().runAll();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(page().differences().isVisible());
        QCOMPARE(page().shownTables().size(), std::size_t(2));
        // Another model has nothing beside.
        open("stem");
        QCOMPARE(second().beside(), Beside::Nothing);
        QCOMPARE(tabTitle(), QStringLiteral("Recipes"));
        QVERIFY(!second().has(Beside::Before));
    }

    void panesOfBoth()
    {
        open("cat_pool");
        StageBoard& board = m_window->board();
        QVERIFY(!offersSecond(board.panes().front()));
        chooseBeside(Beside::ExecuTorch);
        // The last pane shows the other recipe's converted graph; the first recipe's stays.
        StagePane* last = board.paneOf(StageKind::Exported);
        QVERIFY(offersSecond(last));
        chooseStage(last, QStringLiteral("Converted · ExecuTorch"));
        QCOMPARE(board.panes().size(), std::size_t(3));
        StagePane* here = board.paneOf(StageKind::Converted);
        StagePane* there = board.paneOf(StageKind::Converted, true);
        QVERIFY(here && there && !board.paneOf(StageKind::Exported));
        QCOMPARE(there->findChild<QToolButton*>()->text(),
                 QStringLiteral("Converted · ExecuTorch"));
        QVERIFY(there->view().content());
        // Same node, same height; what is made differently is highlighted in both.
        const auto item = [](StagePane* pane, NodeId node) {
            return pane->view().content()->scene.items.at(
                static_cast<std::size_t>(pane->view().content()->scene.itemOf(node)));
        };
        const NodeId cat = nodeCalled("cat");
        QCOMPARE(item(here, cat).rect.y, item(there, cat).rect.y);
        QVERIFY(item(here, cat).isUnquantized);
        QVERIFY(!item(there, cat).isUnquantized);
        for (StagePane* pane : {here, there}) {
            const PaneContentPtr& content = pane->view().content();
            const auto isHighlighted = [&](const char* name) {
                const int at = content->scene.itemOf(nodeCalled(name));
                return std::find(content->changed.begin(), content->changed.end(), at)
                       != content->changed.end();
            };
            QVERIFY(isHighlighted("cat") && isHighlighted("max_pool2d"));
            QVERIFY(!isHighlighted("conv2d"));
        }
        // A click in the second one selects what the node came from, here and there.
        const int at = there->view().content()->scene.itemOf(cat);
        QTest::mouseClick(&there->view(), Qt::LeftButton, {},
                          there->view().itemRect(at).center().toPoint());
        QCOMPARE(selectedName(), std::string("cat"));
        QCOMPARE(m_window->session().selection().stage(), StageKind::Converted);
        QVERIFY(here->view().selectedItems().size() == 1);
        QVERIFY(there->view().relatedItems() == std::vector<int>{at});
        // An edit: both follow.
        edit("relu_1");
        QVERIFY(!second().isStale());
        there = board.paneOf(StageKind::Converted, true);
        QVERIFY(there->view().content());
        // What must not be told yet is covered.
        m_window->session().hideResults();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!there->view().content());
        m_window->session().runAll();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(there->view().content());
        // Back to a stage of this recipe, and away with the last one of the other.
        chooseStage(there, QStringLiteral("Exported"));
        QVERIFY(!board.paneOf(StageKind::Converted, true) && board.paneOf(StageKind::Exported));
        chooseStage(board.paneOf(StageKind::Exported), QStringLiteral("Prepared · ExecuTorch"));
        QVERIFY(board.paneOf(StageKind::Prepared, true));
        chooseBeside(Beside::Nothing);
        QVERIFY(!board.paneOf(StageKind::Prepared, true));
        QCOMPARE(board.panes().size(), std::size_t(2));
    }

    void copied()
    {
        open("cat_pool");
        chooseBeside(Beside::ExecuTorch);
        for (QToolButton* candidate : m_window->tables().findChildren<QToolButton*>()) {
            if (candidate->text() == QLatin1String("Copy"))
                candidate->menu()->actions()[2]->trigger();
        }
        const auto json = QJsonDocument::fromJson(QGuiApplication::clipboard()->text().toUtf8());
        QCOMPARE(json.array().size(), 2);
        QCOMPARE(json.array()[0][u"table"].toString(), QStringLiteral("recipes"));
        QCOMPARE(json.array()[1][u"table"].toString(), QStringLiteral("recipe-differences"));
    }

private:
    RecipesPage& page() { return *m_window->findChild<RecipesPage*>(); }
    SecondRecipe& second() { return m_window->secondRecipe(); }
    QPushButton* button(const char* name) { return m_window->findChild<QPushButton*>(name); }
    QLabel* label(const char* name) { return m_window->findChild<QLabel*>(name); }
    void click(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
    QString tabTitle() { return m_window->tables().titleOf(QStringLiteral("recipes")); }

    void open(const char* model)
    {
        QVERIFY(openAndWait(*m_window, QString::fromUtf8(model)));
        m_window->tables().showTable(QStringLiteral("recipes"));
    }

    QModelIndex itemOf(Beside beside)
    {
        auto* box = m_window->findChild<QComboBox*>(QStringLiteral("recipeBeside"));
        return box->model()->index(box->findData(static_cast<int>(beside)), 0);
    }
    bool isOffered(Beside beside) { return itemOf(beside).flags() & Qt::ItemIsEnabled; }

    void chooseBeside(Beside beside)
    {
        auto* box = m_window->findChild<QComboBox*>(QStringLiteral("recipeBeside"));
        box->showPopup();
        QAbstractItemView* view = box->view();
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {},
                          view->visualRect(itemOf(beside)).center());
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(second().beside(), beside);
        QCOMPARE(second().comparison() != nullptr, beside != Beside::Nothing);
    }

    static QAction* stageAction(StagePane* pane, const QString& text)
    {
        QMenu* menu = pane->findChild<QToolButton*>()->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->actions()) {
            if (action->text() == text)
                return action;
        }
        return nullptr;
    }
    static bool offersSecond(StagePane* pane)
    {
        return stageAction(pane, QStringLiteral("Converted · ExecuTorch")) != nullptr;
    }
    void chooseStage(StagePane* pane, const QString& text)
    {
        QAction* action = stageAction(pane, text);
        QVERIFY(action);
        action->trigger();
        QVERIFY(waitUntilIdle(*m_window));
    }

    /// The point's observer is taken away.
    void edit(const char* point)
    {
        const Recipe recipe = withEdit(m_window->session().recipe(), {{point, ""}, {}});
        m_window->session().changeRecipe(recipe, QStringLiteral("an edit"));
        QVERIFY(waitUntilIdle(*m_window));
    }

    static QString text(const NodeTable& table, int row, int column)
    {
        return table.model()->index(row, column).data().toString();
    }
    static QString headers(const NodeTable& table)
    {
        QStringList all;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            all << table.model()->headerData(column, Qt::Horizontal).toString();
        return all.join(QLatin1Char('|'));
    }
    /// The first row whose columns start with these; −1 if there is none.
    static int rowOf(const NodeTable& table, const std::vector<const char*>& wanted)
    {
        for (int row = 0; row < table.model()->rowCount(); ++row) {
            bool isIt = true;
            for (std::size_t column = 0; column < wanted.size(); ++column)
                isIt = isIt && text(table, row, static_cast<int>(column)) == wanted[column];
            if (isIt)
                return row;
        }
        return -1;
    }
    /// Last column of the summary; empty where there is no such row.
    QString difference(const char* what)
    {
        const int row = rowOf(page().summary(), {what});
        return row < 0 ? QString() : text(page().summary(), row, 3);
    }
    static void clickRow(NodeTable& table, int row)
    {
        const QModelIndex index = table.model()->index(row, 0);
        table.scrollTo(index);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
    }
    NodeId nodeCalled(const char* name)
    {
        return graphOf(m_window->session().snapshot(), StageKind::Exported)->findByName(name)->id;
    }
    std::string selectedName()
    {
        const Selection& selection = m_window->session().selection();
        const GraphPtr graph = graphOf(m_window->session().snapshot(), selection.stage());
        return selection.isEmpty() ? "" : graph->node(selection.current()).name;
    }
};

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    UiApplication application(argc, argv);
    TestRecipes test(application);
    return QTest::qExec(&test, argc, argv);
}

#include "tst_recipes.moc"
