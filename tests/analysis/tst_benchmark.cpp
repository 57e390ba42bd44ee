// The benchmark's figures: what they are made of, not how fast this machine is.
#include "core/analysis/Benchmark.h"
#include "core/pipeline/Pipeline.h"

#include <QTest>
#include <algorithm>

using namespace pt2e;

class TestBenchmark : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figures();
    void intervals();
    void wrongOptions();
};

namespace {

SnapshotPtr convertedModel(const char* name)
{
    ModelRequest request;
    request.what = name;
    auto model = openModel(request, {});
    Recipe recipe;
    recipe.quantizer.flavor = QuantizerFlavor::TorchAo;
    return model ? Pipeline(*model).run(recipe, StageKind::Converted, {}) : nullptr;
}

} // namespace

void TestBenchmark::figures()
{
    const SnapshotPtr snapshot = convertedModel("residual");
    QVERIFY(snapshot && snapshot->converted);
    BenchmarkOptions options;
    options.rounds = 5;
    options.warmUps = 1;
    options.hasOperators = true;
    const auto report = benchmark(snapshot->model->exported, snapshot->converted->graph,
                                  snapshot->model->examples.front(), options, {});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    QCOMPARE(report->engines.size(), std::size_t(3));
    for (const EngineTimes& engine : report->engines) {
        QCOMPARE(engine.milliseconds.size(), std::size_t(5));
        QVERIFY(std::is_sorted(engine.milliseconds.begin(), engine.milliseconds.end()));
        QVERIFY(engine.milliseconds.front() > 0 && engine.compileMs > 0);
    }
    const double faster = std::min(report->engines[0].median(), report->engines[1].median());
    QVERIFY(report->speedUp.has_value());
    QCOMPARE(report->speedUp->factor, faster / report->engines[2].median());
    // Convolutions, addition, conversions at both ends.
    QVERIFY(report->operators.size() >= 5);
    QVERIFY(report->int8Bytes < report->floatBytes);
    QVERIFY(report->xnnpackInfo.snapshot.starts_with("20"));
    QVERIFY(!report->torchInfo.version.empty());
}

void TestBenchmark::intervals()
{
    EngineTimes times;
    for (int i = 1; i <= 30; ++i)
        times.milliseconds.push_back(i);
    QCOMPARE(times.median(), 15.5);
    QCOMPARE(times.spread(), 15.0);
    // 15 ± 0.98 · √30 = 9.6 … 20.4, outwards to whole ranks.
    QCOMPARE(times.medianInterval().low, 10.0);
    QCOMPARE(times.medianInterval().high, 22.0);
    times.milliseconds = {4};
    QCOMPARE(times.median(), 4.0);
    QCOMPARE(times.medianInterval().low, 4.0);
    QCOMPARE(times.medianInterval().high, 4.0);
}

void TestBenchmark::wrongOptions()
{
    const SnapshotPtr snapshot = convertedModel("stem");
    QVERIFY(snapshot && snapshot->converted);
    BenchmarkOptions options;
    options.rounds = 0;
    const auto report = benchmark(nullptr, snapshot->converted->graph,
                                  snapshot->model->examples.front(), options, {});
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().message(),
             std::string("benchmark: needs 1 to 100000 rounds and 0 to 100000 warm-up rounds"));
}

QTEST_GUILESS_MAIN(TestBenchmark)
#include "tst_benchmark.moc"
