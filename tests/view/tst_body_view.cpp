// Looking into sub-graphs: a loop's body as a graph of its own, in all stages.
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/BodyView.h"
#include "core/view/Correspondence.h"
#include "core/view/Scene.h"
#include "core/view/Tables.h"
#include "tests/support/Cases.h"
#include "tests/support/PlainMeasurer.h"

#include <QtTest/QtTest>

#include <algorithm>

using namespace pt2e;
using namespace pt2e::test;

namespace {

SnapshotPtr stagesOf(const std::string& caseName, const std::vector<Edit>& edits = {})
{
    const auto model = openModel({casePath(caseName, "model.pt2"), {}, 8, 2, 0}, {});
    if (!model)
        return nullptr;
    Recipe recipe = recipeFor(caseName, {});
    recipe.edits = edits;
    return Pipeline(*model).run(recipe, StageKind::Converted, {});
}

NodeId idOf(const SnapshotPtr& snapshot, StageKind stage, const char* name)
{
    return NodeNames(*snapshot->graph(stage)).find(name);
}

const std::string kBody = "while_loop_body_graph_0";

} // namespace

class TestBodyView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
        m_loop = stagesOf("while_loop");
        QVERIFY(m_loop && m_loop->converted);
        m_nested = stagesOf("scan_in_scan");
        QVERIFY(m_nested && m_nested->prepared && m_nested->error);
    }

    void pathsLeadToBodies()
    {
        const GraphPtr graph = m_loop->graph(StageKind::Prepared);
        QCOMPARE(bodyAt(graph, ""), graph);
        const GraphPtr body = bodyAt(graph, kBody);
        QVERIFY(body && body->findByName("tanh"));
        QVERIFY(!bodyAt(graph, kBody + "/more"));
        QVERIFY(!bodyAt(graph, "nothing"));
        QCOMPARE(bodyOf(*graph, body->findByName("tanh")->id), std::optional(kBody));
        QCOMPARE(bodyOf(*graph, graph->findByName("linear")->id), std::optional(std::string()));
        QVERIFY(!bodyOf(*graph, NodeId{999999}));
        const std::vector<std::string> both = {"while_loop_cond_graph_0", kBody};
        QCOMPARE(bodiesOf(*graph, *graph->findByName("while_loop")), both);
        QCOMPARE(bodiesOf(*graph, *graph->findByName(kBody)), std::vector<std::string>{kBody});
        QVERIFY(bodiesOf(*graph, *graph->findByName("linear")).empty());
        QCOMPARE(parentOf("a/b/c"), std::string("a/b"));
        QCOMPARE(parentOf("a"), std::string());
    }

    /// Bodies in bodies, too; ids are unique over all of them.
    void bodiesInBodies()
    {
        const GraphPtr graph = m_nested->graph(StageKind::Prepared);
        const std::string inner = "scan_combine_graph_0/scan_combine_graph_0";
        const GraphPtr body = bodyAt(graph, inner);
        QVERIFY(body && body->findByName("activation_post_process_0"));
        const NodeId observer = body->findByName("activation_post_process_0")->id;
        QCOMPARE(bodyOf(*graph, observer), std::optional(inner));
        std::vector<NodeId> ids;
        const NodeNames names(*graph);
        for (const NodeNames::Entry& entry : names.entries())
            ids.push_back(entry.node->id);
        std::sort(ids.begin(), ids.end(), [](NodeId a, NodeId b) { return a.value < b.value; });
        QVERIFY(std::adjacent_find(ids.begin(), ids.end()) == ids.end());
    }

    void scenesOfABody()
    {
        QCOMPARE(snapshotOfBody(m_loop, ""), m_loop);
        QVERIFY(!snapshotOfBody(m_loop, "nothing"));
        const SnapshotPtr inside = snapshotOfBody(m_loop, kBody);
        QVERIFY(inside && inside->annotated && inside->prepared && inside->converted);
        const auto scenes =
            buildScenes(*inside, {StageKind::Exported, StageKind::Prepared, StageKind::Converted},
                        {}, PlainMeasurer(), {});
        QVERIFY2(scenes, scenes ? "" : scenes.error().message().c_str());
        const auto count = [&](std::size_t stage, ItemKind kind) {
            const auto& items = (*scenes)[stage].items;
            return std::count_if(items.begin(), items.end(),
                                 [&](const SceneItem& item) { return item.kind == kind; });
        };
        QCOMPARE(count(0, ItemKind::Op), 3);
        QCOMPARE(count(1, ItemKind::Observer), 3);
        QCOMPARE(count(2, ItemKind::Quantize), 3);
        QCOMPARE(count(2, ItemKind::Dequantize), 3);
    }

    void correspondenceInABody()
    {
        const SnapshotPtr inside = snapshotOfBody(m_loop, kBody);
        const NodeId linear = idOf(inside, StageKind::Exported, "linear");
        const auto same =
            correspond(*inside, StageKind::Exported, linear, StageKind::Converted).nodes;
        QVERIFY(!same.empty());
        QCOMPARE(same.front().node, linear);
        const NodeId observer = idOf(inside, StageKind::Prepared, "activation_post_process_2");
        const auto made =
            correspond(*inside, StageKind::Prepared, observer, StageKind::Converted).nodes;
        QVERIFY(!made.empty());
        QCOMPARE(inside->converted->graph->node(made.front().node).name,
                 std::string("quantize_per_tensor_default_1"));
        // The passes of the top graph have nothing to say about the body, nor the other way round.
        QVERIFY(!m_loop->graph(StageKind::Prepared)->contains(observer));
        for (const PassRecord& record : inside->prepared->passes)
            QVERIFY(record.after->contains(linear));
    }

    void tablesHaveTheBodiesRows()
    {
        const auto has = [](const Table& table, const std::string& name) {
            return std::any_of(table.rows.begin(), table.rows.end(),
                               [&](const TableRow& row) { return row.cells.front().text == name; });
        };
        QVERIFY(has(observerTable(*m_loop), kBody + "/activation_post_process_2"));
        QVERIFY(has(annotationTable(*m_loop), kBody + "/linear"));
        QVERIFY(!has(observerTable(*snapshotOfBody(m_loop, kBody)),
                     kBody + "/activation_post_process_2"));
        QVERIFY(has(observerTable(*snapshotOfBody(m_loop, kBody)), "activation_post_process_2"));
    }

    /// An edit names a node in a body by its path; seen from inside it has the name it has there.
    void editsInABody()
    {
        Edit edit;
        edit.at.node = kBody + "/linear";
        edit.spec.kind = EditSpec::Kind::None;
        const SnapshotPtr edited = stagesOf("while_loop", {edit});
        QVERIFY(edited && edited->converted);
        const GraphPtr body = bodyAt(edited->graph(StageKind::Prepared), kBody);
        QVERIFY(!body->findByName("activation_post_process_2"));
        QVERIFY(body->findByName("activation_post_process_1"));
        const SnapshotPtr inside = snapshotOfBody(edited, kBody);
        QCOMPARE(inside->recipe.edits.size(), std::size_t(1));
        QCOMPARE(inside->recipe.edits.front().at.node, std::string("linear"));
        QVERIFY(snapshotOfBody(edited, "while_loop_cond_graph_0")->recipe.edits.empty());
    }

private:
    SnapshotPtr m_loop;
    SnapshotPtr m_nested;
};

QTEST_GUILESS_MAIN(TestBodyView)
#include "tst_body_view.moc"
