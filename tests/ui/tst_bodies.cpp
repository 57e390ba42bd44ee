// Looking into sub-graphs in the window, and programs with something in them that cannot run.
#include "tests/ui/UiTest.h"
#include "ui/canvas/StageBoard.h"
#include "ui/panels/Breadcrumb.h"
#include "ui/panels/Inspector.h"
#include "ui/panels/TablesPanel.h"

#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace pt2e;
using namespace pt2e::ui;

namespace {

QString dataFile(const QString& name)
{
    return qEnvironmentVariable("PT2E_TEST_DATA") + u'/' + name;
}

const std::string kBody = "while_loop_body_graph_0";

} // namespace

class TestBodies : public WindowTest
{
    Q_OBJECT
public:
    using WindowTest::WindowTest;

private Q_SLOTS:
    /// A double click on the tag of a body enters it in all panes; the breadcrumb and Back leave it.
    void aBodyIsEntered()
    {
        QVERIFY(openAndWait(*m_window, dataFile(QStringLiteral("cases/while_loop/model.pt2"))));
        auto* breadcrumb = m_window->findChild<Breadcrumb*>();
        QVERIFY(breadcrumb && !breadcrumb->isVisible());
        enterBody();
        QCOMPARE(m_window->session().view().body(), kBody);
        QVERIFY(breadcrumb->isVisible());
        for (const StageKind stage :
             {StageKind::Exported, StageKind::Prepared, StageKind::Converted})
            QVERIFY(!placeOf(*m_window, stage, "tanh").isNull());
        QVERIFY(placeOf(*m_window, StageKind::Exported, "while_loop").isNull());

        // What is selected in it is known to the inspector, with the edits' names.
        GraphView& view = m_window->board().paneOf(StageKind::Exported)->view();
        QTest::mouseClick(&view, Qt::LeftButton, {},
                          placeOf(*m_window, StageKind::Exported, "linear"));
        const NodeFacts& facts = m_window->inspector().facts();
        QCOMPARE(facts.name, QStringLiteral("linear"));
        QVERIFY(!facts.points.empty());
        for (const PointFact& fact : facts.points)
            QVERIFY2(fact.point.text().find(kBody + "/") == 0, fact.point.text().c_str());
        QCOMPARE(facts.across.size(), std::size_t(4));

        auto* top = breadcrumb->findChild<QPushButton*>(QStringLiteral("step."));
        QVERIFY(top);
        QTest::mouseClick(top, Qt::LeftButton);
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(m_window->session().view().body().empty());
        QVERIFY(!breadcrumb->isVisible());
        QVERIFY(!placeOf(*m_window, StageKind::Exported, "while_loop").isNull());
        m_window->session().view().goBack();
        QVERIFY(waitUntilIdle(*m_window));
        QCOMPARE(m_window->session().view().body(), kBody);
        QVERIFY(openAndWait(*m_window, QStringLiteral("residual")));
        QVERIFY(m_window->session().view().body().empty());
    }

    /// A row of an observer in the body shows it where it stands; a row of the top graph leads out again.
    void aRowLeadsIntoItsBody()
    {
        QVERIFY(openAndWait(*m_window, dataFile(QStringLiteral("cases/while_loop/model.pt2"))));
        m_window->tables().showTable(QStringLiteral("observers"));
        selectRow(QStringLiteral("observers"), kBody + "/activation_post_process_2");
        QCOMPARE(m_window->session().view().body(), kBody);
        QCOMPARE(m_window->inspector().facts().name, QStringLiteral("activation_post_process_2"));
        selectRow(QStringLiteral("observers"), "activation_post_process_1");
        QVERIFY(m_window->session().view().body().empty());
    }

    void anEditInABody()
    {
        QVERIFY(openAndWait(*m_window, dataFile(QStringLiteral("cases/while_loop/model.pt2"))));
        enterBody();
        Recipe recipe = m_window->session().recipe();
        Edit edit;
        edit.at.node = kBody + "/linear";
        edit.spec.kind = EditSpec::Kind::None;
        recipe.edits.push_back(edit);
        m_window->session().changeRecipe(recipe, QStringLiteral("none"));
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(placeOf(*m_window, StageKind::Prepared, "activation_post_process_2").isNull());
        QVERIFY(!placeOf(*m_window, StageKind::Prepared, "activation_post_process_1").isNull());
        m_window->session().undoStack().undo();
        QVERIFY(waitUntilIdle(*m_window));
        QVERIFY(!placeOf(*m_window, StageKind::Prepared, "activation_post_process_2").isNull());
    }

    void oddProgramsOpen_data()
    {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("node");
        QTest::addColumn<bool>("runs");
        QTest::newRow("custom op") << "custom_op.pt2"
                                   << "wobble" << false;
        QTest::newRow("unknown op") << "unknown_op.pt2"
                                    << "sigmoid" << false;
        QTest::newRow("opaque sub-graph") << "opaque_body.pt2"
                                          << "map_impl" << false;
        QTest::newRow("unknown dtype") << "unknown_dtype.pt2"
                                       << "sigmoid" << true;
    }
    void oddProgramsOpen()
    {
        QFETCH(QString, file);
        QFETCH(QString, node);
        QFETCH(bool, runs);
        m_window->session().open(
            {dataFile(QStringLiteral("pt2/odd/") + file).toStdString(), {}, 8, 2, 0});
        QVERIFY(waitUntilIdle(*m_window));
        const SnapshotPtr& snapshot = m_window->session().snapshot();
        QVERIFY(snapshot && snapshot->annotated && snapshot->prepared);
        QCOMPARE(snapshot->error.has_value(), !runs);
        QCOMPARE(snapshot->converted != nullptr, runs);
        if (!runs)
            QVERIFY2(snapshot->error->message().find("node '" + node.toStdString() + "'")
                         != std::string::npos,
                     snapshot->error->message().c_str());
        QVERIFY(!placeOf(*m_window, StageKind::Exported, node.toStdString()).isNull());
        QVERIFY(!placeOf(*m_window, StageKind::Prepared, "activation_post_process_0").isNull());
    }

private:
    void enterBody()
    {
        const QPoint at = placeOf(*m_window, StageKind::Exported, kBody);
        QVERIFY(!at.isNull());
        QTest::mouseDClick(&m_window->board().paneOf(StageKind::Exported)->view(), Qt::LeftButton,
                           {}, at);
        QVERIFY(waitUntilIdle(*m_window));
    }

    void selectRow(const QString& table, const std::string& name)
    {
        QTableView* view = m_window->tables().viewOf(table);
        for (int row = 0; row < view->model()->rowCount(); ++row) {
            if (view->model()->index(row, 0).data().toString().toStdString() != name)
                continue;
            view->selectRow(row);
            QVERIFY(waitUntilIdle(*m_window));
            return;
        }
        QFAIL(("there is no row " + name).c_str());
    }
};

int main(int argc, char** argv)
{
    UiApplication application(argc, argv);
    TestBodies test(application);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_bodies.moc"
