// Scenes of two recipes side by side: the same node at the same place, each with its own observers and figures.
#include "core/view/TwoRecipeScenes.h"
#include "tests/support/PlainMeasurer.h"

#include "core/passes/Qdq.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/Overlay.h"

#include <QTest>
#include <algorithm>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

const SceneItem* itemCalled(const Scene& scene, const Graph& graph, const std::string& name)
{
    const Node* node = graph.findByName(name);
    const int item = node ? scene.itemOf(node->id) : -1;
    return item < 0 ? nullptr : &scene.items[static_cast<std::size_t>(item)];
}

int countOf(const Scene& scene, ItemKind kind)
{
    return static_cast<int>(std::count_if(scene.items.begin(), scene.items.end(),
                                          [kind](const auto& item) { return item.kind == kind; }));
}

double centerOf(const SceneItem& item) { return item.rect.y + item.rect.height / 2; }

} // namespace

class TestTwoRecipeScenes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void sameNodesStandAtTheSamePlace();
    void eachHasItsOwn();
    void aloneAndBeside();
    void modulesCollapsed();
    void counterparts();

private:
    std::vector<Scene> scenes(const ViewOptions& options = {}) const
    {
        const auto model = makeSceneModel({m_first.get(), m_stages, m_first},
                                          {m_second.get(), m_stages, m_second}, options.modules);
        const auto built = buildScenes(*model, options, m_measurer, {});
        return built ? *built : std::vector<Scene>();
    }

    const std::vector<StageKind> m_stages{StageKind::Prepared, StageKind::Converted};
    PlainMeasurer m_measurer;
    SnapshotPtr m_first;
    SnapshotPtr m_second;
};

void TestTwoRecipeScenes::initTestCase()
{
    ModelRequest request;
    request.what = "cat_pool";
    const auto model = openModel(request, {});
    QVERIFY(model.has_value());
    Recipe recipe;
    recipe.calibration.batches = 2;
    m_first = Pipeline(*model).run(recipe, StageKind::Converted, {});
    m_second = Pipeline(*model).run(withQuantizer(recipe, QuantizerFlavor::ExecuTorch),
                                    StageKind::Converted, {});
    QVERIFY(m_first->converted && m_second->converted);
}

void TestTwoRecipeScenes::sameNodesStandAtTheSamePlace()
{
    const auto built = scenes();
    QCOMPARE(built.size(), std::size_t(4));
    int compared = 0;
    for (const Node& node : *m_first->model->exported) {
        std::vector<const SceneItem*> items;
        for (std::size_t i = 0; i < built.size(); ++i) {
            QCOMPARE(built[i].bounds, built[0].bounds);
            const Snapshot& snapshot = i < 2 ? *m_first : *m_second;
            const SceneItem* item =
                node.is(OpKind::GetAttr)
                    ? nullptr
                    : itemCalled(built[i], *snapshot.graph(built[i].stage), node.name);
            if (item)
                items.push_back(item);
        }
        for (const SceneItem* item : items) {
            QVERIFY(std::abs(centerOf(*item) - centerOf(*items[0])) < 1);
            compared += item != items[0] ? 1 : 0;
        }
    }
    QVERIFY(compared > 20);
    // The observer of the input is one place in both, as is the q made from it.
    const auto observerOf = [&](const Scene& scene, const Snapshot& snapshot) -> const SceneItem* {
        return itemCalled(scene, *snapshot.prepared->graph, "activation_post_process_0");
    };
    const SceneItem* first = observerOf(built[0], *m_first);
    const SceneItem* second = observerOf(built[2], *m_second);
    QVERIFY(first && second);
    QCOMPARE(first->rect.x, second->rect.x);
    QCOMPARE(first->rect.y, second->rect.y);
    // So is the dq of what both quantize: the convolution reads it at one place.
    const auto dqOf = [&](const Scene& scene, const Snapshot& snapshot) {
        const Graph& graph = *snapshot.converted->graph;
        const NodeId dq = graph.findByName("conv2d")->arg(0).node();
        return isDequantize(graph.node(dq))
                   ? scene.items[static_cast<std::size_t>(scene.itemOf(dq))]
                   : SceneItem();
    };
    QCOMPARE(dqOf(built[1], *m_first).kind, ItemKind::Dequantize);
    QCOMPARE(dqOf(built[1], *m_first).rect, dqOf(built[3], *m_second).rect);
}

void TestTwoRecipeScenes::eachHasItsOwn()
{
    const auto built = scenes();
    QCOMPARE(built.size(), std::size_t(4));
    // torchao leaves cat and the pooling float, ExecuTorch does not.
    const auto cat = [&](std::size_t i) {
        const Snapshot& snapshot = i < 2 ? *m_first : *m_second;
        return itemCalled(built[i], *snapshot.graph(built[i].stage), "cat");
    };
    QVERIFY(cat(0) && cat(2));
    QVERIFY(cat(0)->isUnquantized);
    QVERIFY(!cat(2)->isUnquantized);
    // Badges are those of its own calibration.
    for (const std::size_t i : {std::size_t(0), std::size_t(2)}) {
        const Snapshot& snapshot = i < 2 ? *m_first : *m_second;
        const auto alone = buildScenes(snapshot, {StageKind::Prepared}, {}, m_measurer, {});
        QVERIFY(alone.has_value());
        std::map<NodeId, std::string> badges;
        for (const SceneItem& item : alone->front().items)
            badges[item.node] = item.badge;
        for (const SceneItem& item : built[i].items) {
            if (item.kind == ItemKind::Observer)
                QCOMPARE(item.badge, badges[item.node]);
        }
    }
    // Nothing of one recipe is a ghost of the other.
    const auto ownGhosts = [&](const Snapshot& snapshot) {
        const auto alone = buildScenes(snapshot, m_stages, {}, m_measurer, {});
        return countOf(alone->at(1), ItemKind::Ghost);
    };
    QCOMPARE(countOf(built[2], ItemKind::Ghost), 0);
    QCOMPARE(countOf(built[3], ItemKind::Ghost), ownGhosts(*m_second));
    // Figures are about the first.
    ViewOptions options;
    auto overlay = std::make_shared<Overlay>();
    overlay->title = "bytes";
    overlay->levels = {{0, "few"}};
    overlay->marks[m_first->model->exported->findByName("cat")->id] = {0, "12"};
    options.overlay = overlay;
    const auto laid = scenes(options);
    QCOMPARE(laid[1].legendTitle, std::string("bytes"));
    QVERIFY(laid[3].legendTitle.empty());
    const auto* plain = itemCalled(laid[3], *m_second->converted->graph, "cat");
    QVERIFY(plain && plain->overlay < 0);
    QCOMPARE(itemCalled(laid[1], *m_first->converted->graph, "cat")->overlayText,
             std::string("12"));
}

/// All items that a recipe has alone it has beside another one, too, and no others.
void TestTwoRecipeScenes::aloneAndBeside()
{
    for (const std::vector<std::string>& focus :
         {std::vector<std::string>{}, std::vector<std::string>{"cat"},
          std::vector<std::string>{"activation_post_process_3"}}) {
        ViewOptions options;
        options.focus = focus;
        options.hops = 1;
        const auto built = scenes(options);
        QCOMPARE(built.size(), std::size_t(4));
        for (std::size_t i = 0; i < 4; ++i) {
            for (const SceneItem& item : built[i].items) {
                const Snapshot& snapshot = i < 2 ? *m_first : *m_second;
                const bool isThere = snapshot.graph(built[i].stage)->contains(item.node);
                QVERIFY(isThere || item.kind == ItemKind::Ghost);
            }
        }
        if (!focus.empty())
            continue;
        for (std::size_t i = 0; i < 4; ++i) {
            const Snapshot& snapshot = i < 2 ? *m_first : *m_second;
            const auto alone = buildScenes(snapshot, m_stages, {}, m_measurer, {});
            QCOMPARE(built[i].items.size(), alone->at(i % 2).items.size());
            QCOMPARE(built[i].edges.size(), alone->at(i % 2).edges.size());
        }
    }
}

void TestTwoRecipeScenes::modulesCollapsed()
{
    ModelRequest request;
    request.what = "encoder";
    const auto model = openModel(request, {});
    QVERIFY(model.has_value());
    Recipe recipe;
    recipe.calibration.batches = 1;
    const SnapshotPtr first = Pipeline(*model).run(recipe, StageKind::Converted, {});
    const SnapshotPtr second = Pipeline(*model).run(
        withQuantizer(recipe, QuantizerFlavor::ExecuTorch), StageKind::Converted, {});
    QVERIFY(first->converted && second->converted);
    ViewOptions options;
    options.modules.depth = 1;
    const auto scenes = buildScenes(
        *makeSceneModel({first.get(), m_stages}, {second.get(), m_stages}, options.modules),
        options, m_measurer, {});
    QVERIFY(scenes.has_value());
    QCOMPARE(scenes->size(), std::size_t(4));
    const int boxes = countOf(scenes->front(), ItemKind::Module);
    QVERIFY(boxes > 0);
    for (const Scene& scene : *scenes) {
        QCOMPARE(countOf(scene, ItemKind::Module), boxes);
        for (std::size_t i = 0; i < scene.items.size(); ++i) {
            const SceneItem& item = scene.items[i];
            if (item.kind != ItemKind::Module)
                continue;
            const bool isAtThatPlace = std::any_of(
                scenes->front().items.begin(), scenes->front().items.end(), [&](const auto& other) {
                    return other.kind == ItemKind::Module && other.title == item.title
                           && std::abs(centerOf(other) - centerOf(item)) < 1;
                });
            QVERIFY(isAtThatPlace);
        }
    }
}

void TestTwoRecipeScenes::counterparts()
{
    const auto named = [](const Snapshot& snapshot, StageKind stage, const std::string& name) {
        return snapshot.graph(stage)->findByName(name)->id;
    };
    const auto names = [](const Snapshot& snapshot, StageKind stage,
                          const std::vector<NodeId>& nodes) {
        std::vector<std::string> found;
        for (const NodeId node : nodes)
            found.push_back(snapshot.graph(stage)->node(node).name);
        return found;
    };
    const auto beside = [&](StageKind stage, const std::string& name, StageKind there) {
        return names(
            *m_first, there,
            counterpartsBeside(*m_second, stage, {named(*m_second, stage, name)}, *m_first, there));
    };
    using Names = std::vector<std::string>;
    QCOMPARE(beside(StageKind::Prepared, "cat", StageKind::Prepared), Names{"cat"});
    QCOMPARE(beside(StageKind::Converted, "cat", StageKind::Exported), Names{"cat"});
    QCOMPARE(beside(StageKind::Prepared, "activation_post_process_0", StageKind::Prepared),
             Names{"activation_post_process_0"});
    // An observer that the first recipe has none of stands for what it observes.
    const Graph& graph = *m_second->prepared->graph;
    for (const NodeId user : graph.findByName("cat")->users) {
        const Node& node = graph.node(user);
        if (node.is(OpKind::CallModule))
            QCOMPARE(beside(StageKind::Prepared, node.name, StageKind::Prepared), Names{"cat"});
    }
    QVERIFY(counterpartsBeside(*m_second, StageKind::Prepared, {}, *m_first, StageKind::Prepared)
                .empty());
}

QTEST_GUILESS_MAIN(TestTwoRecipeScenes)
#include "tst_two_recipe_scenes.moc"
