#include "core/base/OrderedMap.h"
#include "core/base/ParallelFor.h"
#include "core/base/RealText.h"

#include <QtTest/QtTest>

#include <atomic>
#include <cmath>
#include <limits>

using namespace pt2e;

class TestBase : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void errorsSayWhereAndWhat();
    void orderedMapKeepsOrder();
    void realsFromText_data();
    void realsFromText();
    void whatIsNoReal();
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

void TestBase::realsFromText_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("expected");
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const QString zeros(400, '0');
    const auto row = [](const QString& text, double expected) {
        QTest::newRow(qPrintable(text.left(8) + ".." + text.right(22))) << text << expected;
    };
    row("0.1", 0.1);
    row("-2.5e-3", -2.5e-3);
    row("17", 17);
    row("9007199254740993", 9007199254740992.0);
    row("2.2250738585072011e-308", 2.2250738585072011e-308);
    row("0e58", 0);
    row("0E058", 0);
    row("-0.0e999999999999", -0.0);
    row("1e400", kInfinity);
    row("-1e99999999999999999999", -kInfinity);
    row("1e-400", 0);
    row("-1E-99999999999999999999", -0.0);
    row("0." + zeros + "1", 0);
    row("0." + zeros + "1e401", 1);
    row("0." + zeros + "1e+800", kInfinity);
    row("1" + zeros, kInfinity);
    row("1" + zeros + ".0e-1", kInfinity);
    row("1" + zeros + "e-400", 1);
    row("1" + zeros + "e-900", 0);
}

void TestBase::realsFromText()
{
    QFETCH(QString, text);
    QFETCH(double, expected);
    const std::optional<double> value = realOf(text.toStdString());
    QVERIFY(value);
    QVERIFY(*value == expected);
    QCOMPARE(std::signbit(*value), std::signbit(expected));
}

void TestBase::whatIsNoReal()
{
    for (const char* text :
         {"", "-", "+1", "1x", " 1", "1 ", "e5", "inf", "-nan", "0x10", "1e400x"})
        QVERIFY2(!realOf(text), text);
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
