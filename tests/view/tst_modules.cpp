// Collapsed modules: over all reference cases no node and no line is lost, expanding everything gives the flat picture
// back, and what a box hides can be revealed. Modules alike that follow each other are one box.
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/ModuleTree.h"
#include "core/view/Scene.h"
#include "tests/support/Cases.h"
#include "tests/support/PlainMeasurer.h"

#include <QtTest/QtTest>

#include <algorithm>
#include <set>

using namespace pt2e;
using namespace pt2e::test;

namespace {

const std::vector<StageKind> kThree{StageKind::Exported, StageKind::Prepared, StageKind::Converted};

ViewOptions folded(int depth, std::vector<std::string> collapsed = {}, bool qdqOnEdges = false)
{
    ViewOptions options;
    options.modules.depth = depth;
    options.modules.collapsed = std::move(collapsed);
    options.qdqOnEdges = qdqOnEdges;
    return options;
}

std::vector<Scene> scenesOf(const SnapshotPtr& snapshot, const ViewOptions& options)
{
    auto scenes = buildScenes(*snapshot, kThree, options, PlainMeasurer(), {});
    return scenes ? *scenes : std::vector<Scene>();
}

SnapshotPtr stagesOf(const std::string& what, std::int64_t layers, StageKind upTo)
{
    ModelRequest request;
    request.what = what;
    request.layers = layers;
    const auto model = openModel(request, {});
    return model ? Pipeline(*model).run({}, upTo, {}) : nullptr;
}

std::vector<const SceneItem*> boxesOf(const Scene& scene)
{
    std::vector<const SceneItem*> boxes;
    for (const SceneItem& item : scene.items)
        if (item.kind == ItemKind::Module)
            boxes.push_back(&item);
    return boxes;
}

QStringList titlesOf(const Scene& scene)
{
    QStringList titles;
    for (const SceneItem* box : boxesOf(scene))
        titles += QString::fromStdString(box->title);
    return titles;
}

/// Items that stand for a node or hold it on an edge; ghosts and stubs that only name it are none.
std::set<int> placesOf(const Scene& scene, NodeId node)
{
    std::set<int> places;
    for (const int item : scene.itemsOf(node))
        if (scene.items[static_cast<std::size_t>(item)].kind != ItemKind::Ghost)
            places.insert(item);
    return places;
}

bool isOnAnEdge(const Scene& scene, NodeId node)
{
    return std::any_of(scene.edges.begin(), scene.edges.end(), [&](const SceneEdge& edge) {
        return std::find(edge.folded.begin(), edge.folded.end(), node) != edge.folded.end();
    });
}

bool isShown(const Scene& scene, NodeId node)
{
    return !placesOf(scene, node).empty() || isOnAnEdge(scene, node);
}

/// First loss of a scene against its graph; empty: every node has its place, and every value that one node takes from
/// another is either inside one item or a line.
QString loss(const Scene& scene, const Graph& graph)
{
    std::set<std::pair<int, int>> lines;
    for (const SceneEdge& edge : scene.edges) {
        if (edge.from == edge.to)
            return "a line from an item to itself";
        lines.emplace(edge.from, edge.to);
    }
    for (const Node& node : graph) {
        const auto places = placesOf(scene, node.id);
        if (places.empty() && !node.users.empty())
            return QString::fromStdString(node.name + " has no item");
        for (const NodeId input : node.inputs()) {
            bool isJoined = false;
            for (const int from : placesOf(scene, input))
                for (const int to : places)
                    isJoined = isJoined || from == to || lines.contains({from, to});
            if (!isJoined)
                return QString::fromStdString("no line from " + graph.node(input).name + " to "
                                              + node.name);
        }
    }
    return {};
}

/// A line that runs upwards: a box that closed a cycle.
QString upward(const Scene& scene)
{
    for (const SceneEdge& edge : scene.edges) {
        const SceneItem& from = scene.items[static_cast<std::size_t>(edge.from)];
        const SceneItem& to = scene.items[static_cast<std::size_t>(edge.to)];
        if (!from.inWing && from.rect.y + from.rect.height > to.rect.y + 0.5)
            return QString::fromStdString(from.title + " to " + to.title);
    }
    return {};
}

QString difference(const Scene& a, const Scene& b)
{
    if (a.items.size() != b.items.size() || a.edges.size() != b.edges.size())
        return "another number of items or lines";
    for (std::size_t i = 0; i < a.items.size(); ++i)
        if (a.items[i].node != b.items[i].node || a.items[i].kind != b.items[i].kind
            || a.items[i].title != b.items[i].title || a.items[i].rect != b.items[i].rect)
            return QString::fromStdString("item " + a.items[i].title);
    for (std::size_t i = 0; i < a.edges.size(); ++i)
        if (a.edges[i].points != b.edges[i].points || a.edges[i].isInt8 != b.edges[i].isInt8)
            return QString("line %1").arg(i);
    return {};
}

/// Every module of more than one op, as its outermost calls come.
std::vector<std::string> allModules(const SnapshotPtr& snapshot)
{
    const ModuleTree tree(*snapshot->model->exported);
    std::vector<std::string> paths;
    for (const ModuleCall& call : tree.calls())
        if (call.size() > 1 && std::find(paths.begin(), paths.end(), call.path) == paths.end())
            paths.push_back(call.path);
    return paths;
}

/// All ways to collapse that a case is tried with: each depth, and each module by itself.
std::vector<ViewOptions> foldingsOf(const SnapshotPtr& snapshot)
{
    std::vector<ViewOptions> all;
    for (int depth = moduleDepth(*snapshot->model->exported); depth > 0; --depth)
        for (const bool qdqOnEdges : {false, true})
            all.push_back(folded(depth, {}, qdqOnEdges));
    for (const std::string& path : allModules(snapshot))
        all.push_back(folded(0, {path}));
    return all;
}

} // namespace

class TestModules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void referenceCases_data()
    {
        QTest::addColumn<QString>("name");
        std::set<std::string> names;
        for (const Golden& golden : goldens())
            if (names.insert(golden.caseName).second)
                QTest::newRow(golden.caseName.c_str()) << QString::fromStdString(golden.caseName);
        QVERIFY(names.size() > 50);
    }

    void referenceCases()
    {
        QFETCH(QString, name);
        const SnapshotPtr snapshot = convertedCase(name.toStdString(), {});
        QVERIFY(snapshot);
        const auto flat = scenesOf(snapshot, {});
        QVERIFY(!flat.empty());
        const auto flatOnEdges = scenesOf(snapshot, folded(0, {}, true));
        int boxes = 0;
        auto model = makeSceneModel(snapshot, kThree);
        for (const ViewOptions& options : foldingsOf(snapshot)) {
            const auto scenes = scenesOf(snapshot, options);
            // Folded anew from what was folded in another way before, it is the same picture.
            model = makeSceneModel(*model, options.modules);
            const auto again = buildScenes(*model, options, PlainMeasurer(), {});
            QVERIFY(again && again->size() == scenes.size());
            for (std::size_t i = 0; i < scenes.size(); ++i)
                QCOMPARE(difference((*again)[i], scenes[i]), QString());
            QCOMPARE(scenes.size(), flat.size());
            for (const Scene& scene : scenes) {
                const GraphPtr graph = snapshot->graph(scene.stage);
                if (!graph)
                    continue;
                boxes += static_cast<int>(boxesOf(scene).size());
                QCOMPARE(upward(scene), QString());
                if (!options.qdqOnEdges) {
                    QCOMPARE(loss(scene, *graph), QString());
                    continue;
                }
                const Scene& before =
                    *std::find_if(flatOnEdges.begin(), flatOnEdges.end(),
                                  [&](const Scene& other) { return other.stage == scene.stage; });
                for (const Node& node : *graph)
                    QVERIFY2(isShown(scene, node.id) || !isShown(before, node.id),
                             node.name.c_str());
            }
        }
        m_boxes += boxes;
        expandingGivesTheFlatPicture(snapshot, flat);
        revealing(snapshot);
    }

    void enoughWasCollapsed() { QVERIFY2(m_boxes > 50, qPrintable(QString::number(m_boxes))); }

    void sameBoxInAllPanes()
    {
        const SnapshotPtr snapshot = stagesOf("encoder", 2, StageKind::Converted);
        QVERIFY(snapshot && snapshot->converted);
        ViewOptions options = folded(1);
        options.modules.expand("layers.1");
        const auto scenes = scenesOf(snapshot, options);
        const QStringList titles{"layers.0", "layers.2 … layers.3 × 2"};
        for (const Scene& scene : scenes) {
            QCOMPARE(titlesOf(scene), titles);
            for (std::size_t i = 0; i < 2; ++i) {
                const RectF& here = boxesOf(scene)[i]->rect;
                const RectF& there = boxesOf(scenes[0])[i]->rect;
                QCOMPARE(here.y, there.y);
                QCOMPARE(here.x + here.width / 2, there.x + there.width / 2);
            }
        }
        // What is open is all there.
        for (const char* name : {"linear_6", "softmax_1", "gelu_1"})
            QCOMPARE(scenes[2]
                         .items[static_cast<std::size_t>(
                             scenes[2].itemOf(snapshot->converted->graph->findByName(name)->id))]
                         .kind,
                     ItemKind::Op);
    }

    void numbersAreSums()
    {
        const SnapshotPtr snapshot = stagesOf("encoder", 2, StageKind::Converted);
        const auto all = scenesOf(snapshot, folded(1));
        ViewOptions oneByOne = folded(1);
        oneByOne.modules.repeats = false;
        const auto single = scenesOf(snapshot, oneByOne);
        for (std::size_t s = 0; s < all.size(); ++s) {
            QCOMPARE(titlesOf(all[s]), QStringList{"layers.0 … layers.3 × 4"});
            QCOMPARE(boxesOf(single[s]).size(), std::size_t{4});
            const ModuleItem& run = *boxesOf(all[s]).front()->module;
            QCOMPARE(run.paths.size(), std::size_t{4});
            int ops = 0;
            int quantized = 0;
            for (const SceneItem* box : boxesOf(single[s])) {
                ops += box->module->ops;
                quantized += box->module->quantized;
            }
            QCOMPARE(run.ops, ops);
            QCOMPARE(run.ops, 96);
            if (s > 0)
                QCOMPARE(run.quantized, quantized);
            else
                QCOMPARE(run.quantized, -1);
        }
        // As the coverage counts: all ops of the model are in the layers but six.
        const Coverage& coverage = snapshot->annotated->coverage;
        const ModuleItem& run = *boxesOf(all[1]).front()->module;
        QCOMPARE(coverage.ops - run.ops, 5);
        QVERIFY(run.quantized > 0 && run.quantized < run.ops);
    }

    void repeatedBlocksOfTheDecoder()
    {
        const SnapshotPtr snapshot = stagesOf("decoder", 24, StageKind::Exported);
        QVERIFY(snapshot);
        const auto titles = [&](const ViewOptions& options) {
            return titlesOf(scenesOf(snapshot, options)[0]);
        };
        QCOMPARE(titles(folded(1)), QStringList{"layers.0 … layers.23 × 24"});
        ViewOptions options = folded(1);
        options.modules.expand("layers.0");
        QCOMPARE(titles(options).last(), QStringLiteral("layers.1 … layers.23 × 23"));
        options.modules.expand("layers.7");
        QVERIFY(titles(options).contains("layers.1 … layers.6 × 6"));
        QVERIFY(titles(options).contains("layers.8 … layers.23 × 16"));
        options.modules.collapse("layers.0");
        options.modules.collapse("layers.7");
        QCOMPARE(titles(options), titles(folded(1)));
        options.modules.repeats = false;
        QCOMPARE(titles(options).size(), 24);
    }

    void startIsReadable()
    {
        QVERIFY(
            startFolding(*stagesOf("residual", 2, StageKind::Exported)->model->exported).isFlat());
        QVERIFY(startFolding(*stagesOf("mobilenet_v2", 2, StageKind::Exported)->model->exported)
                    .isFlat());
        const SnapshotPtr large = stagesOf("decoder", 80, StageKind::Exported);
        const ModuleFolding folding = startFolding(*large->model->exported);
        QVERIFY(!folding.isFlat());
        ViewOptions options;
        options.modules = folding;
        const Scene scene = scenesOf(large, options)[0];
        QVERIFY(scene.items.size() <= 100);
        QCOMPARE(titlesOf(scene), QStringList{"layers.0 … layers.79 × 80"});
    }

    /// A module called twice has two boxes: one would close a cycle.
    void calledTwice()
    {
        GraphEditor editor;
        const auto meta = [](const char* key, const char* path) {
            auto made = std::make_shared<FileMeta>();
            made->moduleStack = {{"L__self__", "", "Net"}, {key, path, "pkg.Block"}};
            return made;
        };
        const auto call = [&](NodeId input, std::shared_ptr<const FileMeta> where) {
            NewNode node;
            node.target = "aten.relu.default";
            node.args = {input};
            node.fileMeta = std::move(where);
            return editor.append(node);
        };
        NewNode input;
        input.kind = OpKind::Placeholder;
        input.target = "x";
        NodeId at = editor.append(input);
        for (const char* key : {"block", "block@1"}) {
            at = call(at, meta(key, "block"));
            at = call(at, meta(key, "block"));
            at = call(at, meta("other", "other"));
        }
        NewNode output;
        output.kind = OpKind::Output;
        output.target = "output";
        output.args = {Argument::tuple({at})};
        editor.append(output);
        auto model = std::make_shared<Model>();
        model->exported = std::move(editor).publish();
        auto snapshot = std::make_shared<Snapshot>();
        snapshot->model = model;
        const Scene scene = scenesOf(snapshot, folded(0, {"block"}))[0];
        QCOMPARE(titlesOf(scene), (QStringList{"block", "block"}));
        QCOMPARE(loss(scene, *model->exported), QString());
        QCOMPARE(upward(scene), QString());
    }

    void focusOnWhatIsInABox()
    {
        const SnapshotPtr snapshot = stagesOf("encoder", 2, StageKind::Converted);
        ViewOptions options = folded(1);
        options.modules.repeats = false;
        options.focus = {"gelu_1"};
        options.hops = 1;
        for (const Scene& scene : scenesOf(snapshot, options)) {
            // The box it is in has the focus, and a box is one hop.
            QCOMPARE(titlesOf(scene), (QStringList{"layers.0", "layers.1", "layers.2"}));
            QVERIFY(boxesOf(scene)[1]->isFocus && !boxesOf(scene)[0]->isFocus);
        }
    }

private:
    void expandingGivesTheFlatPicture(const SnapshotPtr& snapshot, const std::vector<Scene>& flat)
    {
        ViewOptions options = folded(1);
        for (const std::string& path : allModules(snapshot))
            options.modules.expand(path);
        QVERIFY(allModules(snapshot).empty() || !options.modules.isFlat());
        const auto expanded = scenesOf(snapshot, options);
        for (std::size_t s = 0; s < flat.size(); ++s)
            QCOMPARE(difference(expanded[s], flat[s]), QString());
        ModuleFolding modules;
        for (const std::string& path : allModules(snapshot)) {
            modules.collapse(path);
            QVERIFY(modules.isBox(path, 1));
        }
        for (const std::string& path : allModules(snapshot))
            modules.expand(path);
        QCOMPARE(modules, ModuleFolding());
    }

    /// Every node, alone or with others in the same modules: what is expanded for it takes it out of every box.
    void revealing(const SnapshotPtr& snapshot)
    {
        for (const StageKind stage : kThree) {
            const GraphPtr graph = snapshot->graph(stage);
            const auto nodes = graph ? graph->order() : std::vector<NodeId>();
            std::map<std::vector<std::string>, std::vector<NodeId>> expandedFor;
            for (const NodeId node : nodes)
                expandedFor[revealed(folded(1).modules, *snapshot, stage, {node}).expanded]
                    .push_back(node);
            for (const auto& [paths, members] : expandedFor) {
                ViewOptions options = folded(1);
                options.modules.expanded = paths;
                const auto scenes = scenesOf(snapshot, options);
                const auto& scene = scenes[static_cast<std::size_t>(
                    std::find(kThree.begin(), kThree.end(), stage) - kThree.begin())];
                for (const NodeId node : members)
                    QVERIFY2(isOutside(scene, *graph, node), graph->node(node).name.c_str());
            }
        }
    }

    /// A constant is shown beside one of its readers; the others may be collapsed.
    static bool isOutside(const Scene& scene, const Graph& graph, NodeId node)
    {
        const auto isBox = [&](int item) {
            return scene.items[static_cast<std::size_t>(item)].kind == ItemKind::Module;
        };
        const auto places = placesOf(scene, node);
        if (graph.node(node).users.empty() || graph.node(node).inputs().empty())
            return places.empty() || !std::all_of(places.begin(), places.end(), isBox);
        return std::none_of(places.begin(), places.end(), isBox);
    }

    int m_boxes = 0;
};

QTEST_APPLESS_MAIN(TestModules)
#include "tst_modules.moc"
