// Scenes: what is shown and where, for hand-built stages. Sizes come from a plain measurer, so no Qt GUI is needed.
#include "core/view/Correspondence.h"
#include "core/view/Labels.h"
#include "core/view/Scene.h"
#include "tests/support/PlainMeasurer.h"
#include "tests/support/SampleStages.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <set>

using namespace pt2e;
using namespace pt2e::test;
using namespace pt2e::testing;

namespace {

const std::vector<StageKind> kThree{StageKind::Exported, StageKind::Prepared, StageKind::Converted};

std::vector<Scene> scenesOf(const SnapshotPtr& snapshot, const ViewOptions& options,
                            const std::vector<StageKind>& stages = kThree)
{
    auto scenes = buildScenes(*snapshot, stages, options, PlainMeasurer(), {});
    return scenes ? *scenes : std::vector<Scene>();
}

ViewOptions focus(std::vector<std::string> nodes, int hops)
{
    ViewOptions options;
    options.focus = std::move(nodes);
    options.hops = hops;
    return options;
}

std::string nameOf(const SceneItem& item) { return item.name.empty() ? item.title : item.name; }

/// Names of the items of a kind, sorted; observers by their number.
QStringList namesOf(const Scene& scene, std::initializer_list<ItemKind> kinds)
{
    QStringList names;
    for (const auto& item : scene.items)
        if (std::find(kinds.begin(), kinds.end(), item.kind) != kinds.end())
            names += QString::fromStdString(item.number.empty() ? nameOf(item) : item.number);
    names.sort();
    return names;
}
QStringList ops(const Scene& scene)
{
    return namesOf(scene, {ItemKind::Op, ItemKind::Placeholder, ItemKind::Output});
}
QStringList stubs(const Scene& scene) { return namesOf(scene, {ItemKind::Stub}); }

QStringList list(std::initializer_list<const char*> words)
{
    QStringList result;
    for (const char* word : words)
        result += QString::fromUtf8(word);
    return result;
}

NodeId idOf(const SnapshotPtr& snapshot, StageKind stage, const char* name)
{
    const Node* node = snapshot->graph(stage)->findByName(name);
    return node ? node->id : NodeId{};
}

const SceneItem& itemNamed(const Scene& scene, const char* name)
{
    const auto it = std::find_if(scene.items.begin(), scene.items.end(),
                                 [&](const SceneItem& item) { return nameOf(item) == name; });
    static const SceneItem kNone;
    return it == scene.items.end() ? kNone : *it;
}

double axisOf(const SceneItem& item) { return item.rect.x + item.rect.width / 2; }

} // namespace

class TestView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everythingWithoutFocus();
    void hopsCountOpsOnly_data();
    void hopsCountOpsOnly();
    void directionLimitsTheWalk();
    void focusOnWhatHangsOnAnEdge();
    void stubsCanBeRevealed();
    void unknownFocus();
    void hubIsNotWalkedThrough();
    void manyHiddenNeighboursShareAStub();
    void hubStandsBesideItsConsumers();
    void sameNodeSamePlace();
    void mainChainIsStraight();
    void ghostsSayWhy();
    void weightsStandBesideTheirConsumers();
    void batchNormParametersAreOneTag();
    void observersCarryNumbers();
    void int8EdgesRunFromQuantizeToDequantize();
    void unquantizedOpsAreMarked();
    void foldedOntoEdges();
    void edgesJoinTheirItems();
    void stagesNotReachedAreEmpty();
    void deterministic();
    void cancelled();
    void tenThousandNodes();
    void correspondence();
    void counterpartsOfMany();
    void numbers();
};

void TestView::everythingWithoutFocus()
{
    const auto snapshot = residualStages();
    const auto scenes = scenesOf(snapshot, {});
    QCOMPARE(scenes.size(), std::size_t{3});
    QCOMPARE(ops(scenes[0]), list({"add", "batch_norm", "batch_norm_1", "conv2d", "conv2d_1",
                                   "output", "relu", "relu_1", "x"}));
    QCOMPARE(ops(scenes[1]), list({"add", "conv2d", "conv2d_1", "output", "relu", "relu_1", "x"}));
    QCOMPARE(namesOf(scenes[1], {ItemKind::Observer}), list({"0", "1", "2", "3", "4", "5"}));
    QCOMPARE(namesOf(scenes[2], {ItemKind::Quantize}).size(), 4);
    QCOMPARE(namesOf(scenes[2], {ItemKind::Dequantize}).size(), 7);
    for (const auto& scene : scenes) {
        QCOMPARE(stubs(scene), QStringList());
        QCOMPARE(scene.bounds, scenes[0].bounds);
        // Every node of the graph has an item, its own or one that stands for it.
        for (const Node& node : *snapshot->graph(scene.stage))
            QVERIFY2(scene.itemOf(node.id) >= 0, node.name.c_str());
    }
}

void TestView::hopsCountOpsOnly_data()
{
    QTest::addColumn<int>("hops");
    QTest::addColumn<QStringList>("exported");
    QTest::addColumn<QStringList>("exportedStubs");
    QTest::addColumn<QStringList>("prepared");
    QTest::addColumn<QStringList>("preparedStubs");
    QTest::addColumn<QStringList>("observers");
    QTest::newRow("0") << 0 << list({"relu"}) << list({"batch_norm", "conv2d_1"}) << list({"relu"})
                       << list({"conv2d", "conv2d_1"}) << list({"2"});
    // Neighbours in any stage: batch_norm of the exported, conv2d of the others.
    QTest::newRow("1") << 1 << list({"batch_norm", "conv2d", "conv2d_1", "relu"})
                       << list({"batch_norm_1", "x"}) << list({"conv2d", "conv2d_1", "relu"})
                       << list({"add", "x"}) << list({"0", "1", "2", "3", "4"});
    QTest::newRow("2") << 2
                       << list({"add", "batch_norm", "batch_norm_1", "conv2d", "conv2d_1", "relu",
                                "x"})
                       << list({"relu_1"}) << list({"add", "conv2d", "conv2d_1", "relu", "x"})
                       << list({"relu_1"}) << list({"0", "1", "2", "3", "4"});
}

void TestView::hopsCountOpsOnly()
{
    QFETCH(int, hops);
    const auto scenes = scenesOf(residualStages(), focus({"relu"}, hops));
    QCOMPARE(scenes.size(), std::size_t{3});
    QTEST(ops(scenes[0]), "exported");
    QTEST(stubs(scenes[0]), "exportedStubs");
    QTEST(ops(scenes[1]), "prepared");
    QTEST(stubs(scenes[1]), "preparedStubs");
    QTEST(namesOf(scenes[1], {ItemKind::Observer}), "observers");
    QTEST(ops(scenes[2]), "prepared"); // converted has the same ops
    QTEST(stubs(scenes[2]), "preparedStubs");
    QVERIFY(itemNamed(scenes[0], "relu").isFocus);
}

void TestView::directionLimitsTheWalk()
{
    auto options = focus({"relu"}, 1);
    options.direction = Direction::Down;
    const auto snapshot = residualStages();
    QCOMPARE(ops(scenesOf(snapshot, options)[1]), list({"conv2d_1", "relu"}));
    QCOMPARE(stubs(scenesOf(snapshot, options)[1]), list({"add", "conv2d"}));
    options.direction = Direction::Up;
    QCOMPARE(ops(scenesOf(snapshot, options)[1]), list({"conv2d", "relu"}));
}

void TestView::focusOnWhatHangsOnAnEdge()
{
    const auto snapshot = residualStages();
    // An observer stands for the two ends of its edge.
    QCOMPARE(ops(scenesOf(snapshot, focus({"activation_post_process_2"}, 0))[1]),
             list({"conv2d_1", "relu"}));
    // A weight for its consumer.
    const auto scenes = scenesOf(snapshot, focus({"conv2_weight"}, 0));
    QCOMPARE(ops(scenes[1]), list({"conv2d_1"}));
    QVERIFY(itemNamed(scenes[1], "conv2_weight").isFocus);
}

void TestView::stubsCanBeRevealed()
{
    const auto snapshot = residualStages();
    auto options = focus({"relu"}, 0);
    const auto before = scenesOf(snapshot, options)[1];
    const auto stub =
        std::find_if(before.items.begin(), before.items.end(), [](const SceneItem& i) {
            return i.kind == ItemKind::Stub && i.title == "conv2d";
        });
    QVERIFY(stub != before.items.end());
    options.revealed.push_back(stub->node);
    const auto after = scenesOf(snapshot, options)[1];
    QCOMPARE(ops(after), list({"conv2d", "relu"}));
    QCOMPARE(stubs(after), list({"conv2d_1", "x"}));
}

void TestView::unknownFocus()
{
    const auto snapshot = residualStages();
    const auto none = buildScenes(*snapshot, kThree, focus({"foo"}, 1), PlainMeasurer(), {});
    QVERIFY(!none.has_value());
    QVERIFY(none.error().message().find("'foo'") != std::string::npos);
    const auto some = scenesOf(snapshot, focus({"batch_norm"}, 0));
    QVERIFY(some[0].notes.empty());
    QCOMPARE(QString::fromStdString(some[1].notes.at(0)),
             QStringLiteral("focus node 'batch_norm' is not in this stage"));
}

/// neg feeds the mask into all 40 layers: shown where the walk meets it, not walked through.
void TestView::hubIsNotWalkedThrough()
{
    const auto snapshot = decoderExported(40);
    for (const int hops : {3, 6, 10}) {
        const auto scene = scenesOf(snapshot, focus({"softmax_3"}, hops), {StageKind::Exported})[0];
        QVERIFY(ops(scene).contains(QStringLiteral("neg")));
        QVERIFY2(ops(scene).size() < 20 * hops, qPrintable(QString::number(ops(scene).size())));
        QVERIFY(!ops(scene).contains(QStringLiteral("softmax_20")));
    }
    // As a focus node of its own it is.
    QVERIFY(ops(scenesOf(snapshot, focus({"neg"}, 1), {StageKind::Exported})[0]).size() > 40);
}

void TestView::manyHiddenNeighboursShareAStub()
{
    const auto scene = scenesOf(decoderExported(40), focus({"neg"}, 0), {StageKind::Exported})[0];
    QCOMPARE(stubs(scene), list({"+38 more", "add", "add_3", "mask"}));
    const auto& more = itemNamed(scene, "+38 more");
    QCOMPARE(more.folded.size(), std::size_t{38});
}

void TestView::hubStandsBesideItsConsumers()
{
    const auto snapshot = decoderExported(20);
    const auto scene = scenesOf(snapshot, {}, {StageKind::Exported})[0];
    const auto neg = idOf(snapshot, StageKind::Exported, "neg");
    const auto items = scene.itemsOf(neg);
    QCOMPARE(scene.items[static_cast<std::size_t>(scene.itemOf(neg))].kind, ItemKind::Op);
    QCOMPARE(items.size(), std::size_t{22}); // itself, "20 uses", and one beside each consumer
    for (const auto& edge : scene.edges)
        if (scene.items[static_cast<std::size_t>(edge.from)].node == neg
            && scene.items[static_cast<std::size_t>(edge.from)].kind == ItemKind::Op)
            QCOMPARE(scene.items[static_cast<std::size_t>(edge.to)].title, std::string("20 uses"));
}

void TestView::sameNodeSamePlace()
{
    for (const auto& snapshot : {residualStages(), catPoolStages()}) {
        const auto scenes = scenesOf(snapshot, {});
        int compared = 0;
        for (const auto& item : scenes[0].items)
            for (const std::size_t s : {1, 2}) {
                const int other = scenes[s].itemOf(item.node);
                if (other < 0 || item.inWing)
                    continue;
                const auto& there = scenes[s].items[static_cast<std::size_t>(other)];
                QCOMPARE(axisOf(there), axisOf(item));
                QCOMPARE(there.rect.y + there.rect.height / 2, item.rect.y + item.rect.height / 2);
                ++compared;
            }
        QVERIFY(compared >= 14);
    }
}

void TestView::mainChainIsStraight()
{
    const auto scenes = scenesOf(residualStages(), {});
    const double axis = axisOf(itemNamed(scenes[0], "x"));
    for (const auto& scene : scenes) {
        double above = -1;
        for (const char* name : {"x", "conv2d", "batch_norm", "relu", "conv2d_1", "batch_norm_1",
                                 "add", "relu_1", "output"}) {
            const auto& item = itemNamed(scene, name);
            if (!item.node.isValid())
                continue;
            QCOMPARE(axisOf(item), axis);
            QVERIFY(item.rect.y > above);
            above = item.rect.y + item.rect.height;
        }
        for (const auto& item : scene.items) // observers, q and dq of the chain as well
            if (item.kind == ItemKind::Observer && !item.inWing)
                QCOMPARE(axisOf(item), axis);
    }
    // The observer hangs below the place of the batch norm that the convolution took over.
    QVERIFY(itemNamed(scenes[1], "activation_post_process_4").rect.y
            > itemNamed(scenes[0], "batch_norm_1").rect.y);
}

void TestView::ghostsSayWhy()
{
    const auto scenes = scenesOf(residualStages(), {});
    QCOMPARE(namesOf(scenes[0], {ItemKind::Ghost}), QStringList());
    QCOMPARE(namesOf(scenes[1], {ItemKind::Ghost}), list({"batch_norm", "batch_norm_1"}));
    QCOMPARE(namesOf(scenes[2], {ItemKind::Ghost}), QStringList()); // gone since the stage before
    QCOMPARE(itemNamed(scenes[1], "batch_norm").detail, std::string("folded: batch_norm"));
    ViewOptions none;
    none.ghosts = false;
    QCOMPARE(namesOf(scenesOf(residualStages(), none)[1], {ItemKind::Ghost}), QStringList());
}

void TestView::weightsStandBesideTheirConsumers()
{
    const auto snapshot = catPoolStages();
    const auto scenes = scenesOf(snapshot, {});
    for (const auto& scene : scenes)
        for (const auto& edge : scene.edges) {
            const auto& from = scene.items[static_cast<std::size_t>(edge.from)];
            const auto& to = scene.items[static_cast<std::size_t>(edge.to)];
            if (!from.inWing)
                continue;
            QVERIFY(from.rect.x + from.rect.width < to.rect.x);
            const auto& consumer = to.inWing ? from : to;
            QVERIFY(std::abs(from.rect.y + from.rect.height / 2 - consumer.rect.y
                             - consumer.rect.height / 2)
                    < 24);
        }
    QCOMPARE(itemNamed(scenes[0], "a_weight").title, std::string("a.weight"));
    QCOMPARE(itemNamed(scenes[2], "quantize_per_channel_default").title,
             std::string("int8 8×3×3×3"));
    // Scale and zero point stand with the dq that reads them.
    const int dq = scenes[2].itemOf(idOf(snapshot, StageKind::Converted, "_scale_0"));
    QVERIFY(dq >= 0);
    QCOMPARE(scenes[2].items[static_cast<std::size_t>(dq)].kind, ItemKind::Dequantize);
    ViewOptions bare;
    bare.weights = false;
    for (const auto& scene : scenesOf(snapshot, bare))
        QCOMPARE(namesOf(scene, {ItemKind::Weight}), QStringList());
}

void TestView::batchNormParametersAreOneTag()
{
    const auto snapshot = residualStages();
    const auto scene = scenesOf(snapshot, {})[0];
    const int tag = scene.itemOf(idOf(snapshot, StageKind::Exported, "bn1_running_var"));
    QVERIFY(tag >= 0);
    QCOMPARE(scene.items[static_cast<std::size_t>(tag)].title, std::string("bn1 ×4"));
    QCOMPARE(scene.items[static_cast<std::size_t>(tag)].folded.size(), std::size_t{3});
}

void TestView::observersCarryNumbers()
{
    const auto scenes = scenesOf(residualStages(), {});
    const auto& observer = itemNamed(scenes[1], "activation_post_process_0");
    QCOMPARE(observer.number, std::string("0"));
    QCOMPARE(observer.badge, std::string("0.03299 −5"));
    QCOMPARE(observer.title, std::string("HistogramObserver"));
    QCOMPARE(itemNamed(scenes[2], "quantize_per_tensor_default").badge,
             std::string("q 0.03299 −5"));
}

void TestView::int8EdgesRunFromQuantizeToDequantize()
{
    const auto scenes = scenesOf(residualStages(), {});
    int thick = 0;
    for (const auto& edge : scenes[2].edges) {
        const auto& from = scenes[2].items[static_cast<std::size_t>(edge.from)];
        const auto& to = scenes[2].items[static_cast<std::size_t>(edge.to)];
        const bool carries =
            from.kind == ItemKind::Quantize || (from.kind == ItemKind::Weight && from.isInt8);
        QCOMPARE(edge.isInt8, carries);
        QVERIFY(!edge.isInt8 || to.kind == ItemKind::Dequantize);
        thick += edge.isInt8 ? 1 : 0;
    }
    QCOMPARE(thick, 7);
    for (const std::size_t s : {0, 1})
        QVERIFY(std::none_of(scenes[s].edges.begin(), scenes[s].edges.end(),
                             [](const SceneEdge& e) { return e.isInt8; }));
}

void TestView::unquantizedOpsAreMarked()
{
    const auto scenes = scenesOf(catPoolStages(), {});
    for (const std::size_t s : {1, 2})
        for (const auto& item : scenes[s].items) {
            const bool expected =
                item.kind == ItemKind::Op && (item.title == "cat" || item.title == "max_pool2d");
            QCOMPARE(item.isUnquantized, expected);
            QCOMPARE(item.mark, std::string(expected ? "float" : ""));
        }
}

void TestView::foldedOntoEdges()
{
    ViewOptions options;
    options.qdqOnEdges = true;
    const auto snapshot = residualStages();
    const auto scenes = scenesOf(snapshot, options);
    for (const auto& scene : scenes)
        QCOMPARE(namesOf(scene, {ItemKind::Observer, ItemKind::Quantize, ItemKind::Dequantize}),
                 QStringList());
    // Converted then shows the exported graph's ops, joined as the prepared ones are.
    QCOMPARE(ops(scenes[2]), ops(scenes[1]));
    QCOMPARE(scenes[2].edges.size(), scenes[1].edges.size());
    std::multiset<std::string> badges;
    std::size_t folded = 0;
    for (const auto& edge : scenes[2].edges) {
        if (!edge.badge.empty())
            badges.insert(edge.badge);
        folded += edge.folded.size();
    }
    QCOMPARE(badges, (std::multiset<std::string>{"0.008239 18", "0.008802 −128", "0.01745 −128",
                                                 "0.03299 −5"}));
    QCOMPARE(folded, std::size_t{10}); // x's q on both of its edges
}

void TestView::edgesJoinTheirItems()
{
    for (const auto& scene : scenesOf(catPoolStages(), {}))
        for (const auto& edge : scene.edges) {
            QVERIFY(edge.points.size() >= 2);
            const auto& from = scene.items[static_cast<std::size_t>(edge.from)];
            const auto& to = scene.items[static_cast<std::size_t>(edge.to)];
            const auto& a = edge.points.front();
            const auto& b = edge.points.back();
            if (from.inWing) {
                QCOMPARE(a.x, from.rect.x + from.rect.width);
                QCOMPARE(b.x, to.rect.x);
                continue;
            }
            QCOMPARE(a.y, from.rect.y + from.rect.height);
            QCOMPARE(b.y, to.rect.y);
            QVERIFY(b.x > to.rect.x && b.x < to.rect.x + to.rect.width);
            for (std::size_t i = 1; i < edge.points.size(); ++i) // downwards only
                QVERIFY(edge.points[i].y >= edge.points[i - 1].y);
        }
}

void TestView::stagesNotReachedAreEmpty()
{
    const auto scenes = scenesOf(decoderExported(1), {});
    QCOMPARE(scenes.size(), std::size_t{3});
    QVERIFY(!scenes[0].items.empty());
    QVERIFY(scenes[1].items.empty());
    QCOMPARE(scenes[1].notes.size(), std::size_t{1});
}

void TestView::deterministic()
{
    const auto a = scenesOf(catPoolStages(), focus({"cat"}, 2));
    const auto b = scenesOf(catPoolStages(), focus({"cat"}, 2));
    for (std::size_t s = 0; s < a.size(); ++s) {
        QCOMPARE(a[s].items.size(), b[s].items.size());
        for (std::size_t i = 0; i < a[s].items.size(); ++i) {
            QCOMPARE(a[s].items[i].rect, b[s].items[i].rect);
            QCOMPARE(a[s].items[i].node, b[s].items[i].node);
        }
        QCOMPARE(a[s].edges.size(), b[s].edges.size());
        for (std::size_t i = 0; i < a[s].edges.size(); ++i)
            QCOMPARE(a[s].edges[i].points, b[s].edges[i].points);
    }
}

void TestView::cancelled()
{
    std::stop_source stop;
    stop.request_stop();
    JobContext context;
    context.stop = stop.get_token();
    const auto scenes = buildScenes(*residualStages(), kThree, {}, PlainMeasurer(), context);
    QVERIFY(!scenes.has_value());
    QCOMPARE(scenes.error().code, ErrorCode::Cancelled);
}

void TestView::tenThousandNodes()
{
    const auto snapshot = decoderExported(300);
    QVERIFY(snapshot->model->exported->size() >= 9000);
    std::vector<qint64> times;
    for (int i = 0; i < 3; ++i) {
        QElapsedTimer clock;
        clock.start();
        QVERIFY(!scenesOf(snapshot, {}, {StageKind::Exported})[0].items.empty());
        times.push_back(clock.elapsed());
    }
    std::sort(times.begin(), times.end());
    qInfo("%zu nodes: %lld ms", snapshot->model->exported->size(),
          static_cast<long long>(times[1]));
    QVERIFY(times[1] < 30000); // the benchmark of the window holds it to 1 s
}

void TestView::counterpartsOfMany()
{
    const auto snapshot = residualStages();
    constexpr StageKind kStages[] = {StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                                     StageKind::Converted};
    for (const StageKind from : kStages) {
        for (const StageKind to : kStages) {
            std::vector<NodeId> nodes, expected;
            for (const Node& node : *snapshot->graph(from)) {
                nodes.push_back(node.id);
                for (const Counterpart& there : correspond(*snapshot, from, node.id, to).nodes) {
                    if (std::find(expected.begin(), expected.end(), there.node) == expected.end())
                        expected.push_back(there.node);
                }
            }
            QVERIFY(!expected.empty());
            QVERIFY2(counterparts(*snapshot, from, nodes, to) == expected,
                     qPrintable(QString("%1 to %2").arg(int(from)).arg(int(to))));
        }
    }
    QVERIFY(counterparts(*snapshot, StageKind::Exported, {}, StageKind::Converted).empty());
}

void TestView::correspondence()
{
    const auto snapshot = residualStages();
    const auto go = [&](StageKind from, const char* name, StageKind to) {
        return correspond(*snapshot, from, idOf(snapshot, from, name), to);
    };
    using How = Counterpart::How;
    const auto same = go(StageKind::Exported, "add", StageKind::Converted);
    QCOMPARE(same.nodes.at(0).how, How::Same);
    QCOMPARE(same.removedBy, std::string());

    const auto fused = go(StageKind::Exported, "batch_norm", StageKind::Prepared);
    QCOMPARE(fused.nodes.at(0).node, idOf(snapshot, StageKind::Prepared, "conv2d"));
    QCOMPARE(fused.nodes.at(0).how, How::FusedInto);
    QCOMPARE(fused.removedBy, std::string("conv_bn_fold"));
    QCOMPARE(go(StageKind::Exported, "batch_norm", StageKind::Converted).nodes.at(0).node,
             idOf(snapshot, StageKind::Converted, "conv2d"));

    // x stays, and gets an observer; the observer becomes one q and two dq.
    const auto x = go(StageKind::Exported, "x", StageKind::Prepared);
    QCOMPARE(x.nodes.size(), std::size_t{2});
    QCOMPARE(x.nodes[1].how, How::Inserted);
    const auto q = go(StageKind::Prepared, "activation_post_process_0", StageKind::Converted);
    QCOMPARE(q.nodes.size(), std::size_t{3});

    // And back: a dq comes from the observer, the observer from x.
    const auto back = go(StageKind::Converted, "quantize_per_tensor_default", StageKind::Prepared);
    QCOMPARE(back.nodes.at(0).node,
             idOf(snapshot, StageKind::Prepared, "activation_post_process_0"));
    QCOMPARE(go(StageKind::Converted, "quantize_per_tensor_default", StageKind::Exported)
                 .nodes.at(0)
                 .node,
             idOf(snapshot, StageKind::Exported, "x"));
    QVERIFY(go(StageKind::Converted, "no such node", StageKind::Exported).nodes.empty());
}

void TestView::numbers()
{
    QCOMPARE(figureNumber(0.03299473226070404), std::string("0.03299"));
    QCOMPARE(figureNumber(-1.25e-7), std::string("−1.25e−07"));
    QCOMPARE(figureNumber(std::int64_t{-128}), std::string("−128"));
    QCOMPARE(qparamsText({{0.0009225F, 0.1F}, {0, 0}, DType::Int64}),
             std::string("0.0009225 … ×2"));
    QCOMPARE(elided("abcdefghij", 5), std::string("ab…ij"));
    QCOMPARE(elided("量化量化量化", 5), std::string("量化…量化"));
    QCOMPARE(observerNumber("activation_post_process_12"), std::string("12"));
}

QTEST_APPLESS_MAIN(TestView)
#include "tst_view.moc"
