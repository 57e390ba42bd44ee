#include "core/base/OrderedMap.h"
#include "core/base/ParallelFor.h"

#include <QtTest/QtTest>

#include <atomic>

using namespace pt2e;

class TestBase : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void errorsSayWhereAndWhat();
    void orderedMapKeepsOrder();
    void parallelForCoversEachIndexOnce();
    void parallelForGivesTheLowestError();
    void parallelForStopsWhenAsked();
};

void TestBase::errorsSayWhereAndWhat()
{
    QCOMPARE((Error{ErrorCode::BadInput, "model.json", "is empty"}).message(),
             std::string("model.json: is empty"));
    QCOMPARE((Error{ErrorCode::BadInput, {}, "is empty"}).message(), std::string("is empty"));
    const auto half = [](int v) -> Result<int> {
        if (v % 2)
            return badInput("half", "odd number");
        return v / 2;
    };
    const auto quarter = [&](int v) -> Result<int> {
        PT2E_ASSIGN(const int h, half(v));
        return half(h);
    };
    QCOMPARE(quarter(8).value(), 2);
    QCOMPARE(quarter(6).error().message(), std::string("half: odd number"));
}

void TestBase::orderedMapKeepsOrder()
{
    OrderedMap<int> map;
    map.set("b", 1);
    map.set("a", 2);
    map.set("c", 3);
    map.set("b", 4);
    QVERIFY(map.erase("a"));
    QVERIFY(!map.erase("a"));
    map.set("a", 5);
    std::string keys;
    for (const auto& [key, value] : map)
        keys += key + std::to_string(value);
    QCOMPARE(keys, std::string("b4c3a5"));
    QCOMPARE(*map.find("c"), 3);
    QVERIFY(!map.find("x"));
}

void TestBase::parallelForCoversEachIndexOnce()
{
    for (const int threads : {1, 2, 7}) {
        for (const std::size_t count : {0u, 1u, 100u}) {
            std::vector<std::atomic<int>> hits(count);
            JobContext context;
            context.threads = threads;
            QVERIFY(parallelFor(context, count, [&](std::size_t i) -> Result<void> {
                ++hits[i];
                return {};
            }));
            for (const auto& hit : hits)
                QCOMPARE(hit.load(), 1);
        }
    }
}

void TestBase::parallelForGivesTheLowestError()
{
    JobContext context;
    context.threads = 4;
    const auto result = parallelFor(context, 50, [](std::size_t i) -> Result<void> {
        if (i % 2 == 1)
            return badInput({}, std::to_string(i));
        return {};
    });
    QVERIFY(!result);
    // Every odd index fails; whichever threads ran first, index 1 was among the first four.
    QCOMPARE(result.error().what, std::string("1"));
}

void TestBase::parallelForStopsWhenAsked()
{
    std::stop_source source;
    JobContext context;
    context.stop = source.get_token();
    context.threads = 2;
    std::atomic<int> ran = 0;
    const auto result = parallelFor(context, 1000, [&](std::size_t) -> Result<void> {
        if (++ran == 5)
            source.request_stop();
        return {};
    });
    QVERIFY(!result);
    QVERIFY(result.error().code == ErrorCode::Cancelled);
    QVERIFY(ran < 1000);
}

QTEST_APPLESS_MAIN(TestBase)
#include "tst_base.moc"
