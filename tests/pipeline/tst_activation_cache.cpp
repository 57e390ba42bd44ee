// The cache of activations: what it keeps in memory, in its file, and not at all.
#include "core/ir/GraphEditor.h"
#include "core/pipeline/ActivationCache.h"

#include <QtTest/QtTest>

using namespace pt2e;

namespace {

Tensor counted(float first, std::int64_t count)
{
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(first + static_cast<float>(i));
    return Tensor::fromValues<float>(DType::Float32, {count}, std::span<const float>(values));
}

std::vector<float> floats(const Tensor& tensor)
{
    const auto whole = tensor.contiguous();
    const auto values = whole->values<float>();
    return {values->begin(), values->end()};
}

GraphPtr graphWithConstant(const Tensor& value)
{
    GraphEditor editor;
    editor.setAttribute("w", {value, AttributeKind::Parameter});
    return std::move(editor).publish();
}

} // namespace

class TestActivationCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStorageCountsOnce()
    {
        const Tensor base = counted(0, 256); // 1 KiB
        const Tensor view(base.storage(), DType::Float32, {16, 16}, {1, 16}, 0);
        const Tensor weight = counted(5, 1000);
        ActivationCache cache({1024, 0});
        cache.bind(graphWithConstant(weight), "data");
        QVERIFY(cache.keep(0, {{NodeId{1}, base}, {NodeId{2}, view}, {NodeId{3}, weight}}));
        QCOMPARE(cache.bytesInMemory(), 1024u);
        QVERIFY(!cache.keep(1, {{NodeId{1}, counted(1, 1)}}));
        QVERIFY(!cache.has(1));
    }

    void whatDoesNotFitGoesToTheFile()
    {
        const Tensor base = counted(0, 256);
        const Tensor view(base.storage(), DType::Float32, {16, 15}, {1, 16}, 16);
        const Tensor empty = Tensor::fromBytes(DType::Float32, {0, 4}, {});
        const Tensor weight = counted(5, 8);
        ActivationCache cache({0, 1 << 20});
        cache.bind(graphWithConstant(weight), "data");
        const BatchValues values = {
            {NodeId{3}, empty}, {NodeId{1}, base}, {NodeId{2}, view}, {NodeId{4}, weight}};
        QVERIFY(cache.keep(0, values));
        QVERIFY(cache.keep(1, {{NodeId{1}, counted(7, 4)}}));
        QCOMPARE(cache.bytesInMemory(), 0u);
        const auto read = cache.values(0);
        QVERIFY(read);
        QCOMPARE(read->size(), 4u);
        for (std::size_t i = 0; i < values.size(); ++i) {
            QCOMPARE((*read)[i].first, values[i].first);
            QCOMPARE((*read)[i].second.shape(), values[i].second.shape());
            QCOMPARE(floats((*read)[i].second), floats(values[i].second));
        }
        QVERIFY((*read)[1].second.storage() == (*read)[2].second.storage());
        QVERIFY((*read)[3].second.storage() == weight.storage());
        QCOMPARE(floats(cache.values(1)->front().second), (std::vector<float>{7, 8, 9, 10}));
    }

    void otherDataEmptiesIt()
    {
        const GraphPtr graph = graphWithConstant(counted(0, 1));
        ActivationCache cache({1 << 20, 0});
        cache.bind(graph, "data");
        QVERIFY(cache.keep(0, {{NodeId{1}, counted(0, 4)}}));
        cache.setFinished("key", {});
        cache.setStateAfter(0, [] {
            RunState state;
            state.attributes.set("buffer", counted(3, 1));
            return state;
        }());
        cache.bind(graph, "data");
        QVERIFY(cache.has(0));
        QVERIFY(cache.finished("key"));
        QVERIFY(cache.stateBefore(1).attributes.contains("buffer"));
        cache.bind(graph, "other data");
        QVERIFY(!cache.has(0));
        QVERIFY(!cache.finished("key"));
        QVERIFY(cache.stateBefore(1).attributes.empty());
        QCOMPARE(cache.bytesInMemory(), 0u);
    }
};

QTEST_GUILESS_MAIN(TestActivationCache)
#include "tst_activation_cache.moc"
