// Observers against torchao's own numbers (tests/data/observers) and against ATen's operators.
#include "core/ir/Text.h"
#include "core/kernels/Kernels.h"
#include "core/observers/Histogram.h"
#include "core/observers/HistogramSearch.h"
#include "core/observers/Observer.h"
#include "tests/observers/Recorded.h"

#include <QtTest/QtTest>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

using namespace pt2e;
using namespace pt2e::test;

namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kEps = 0.000244140625f;

ObserverConfig histogramConfig()
{
    ObserverConfig config;
    config.kind = ObserverKind::Histogram;
    config.eps = kEps;
    return config;
}

Tensor tensorOf(const std::vector<float>& values)
{
    return Tensor::fromValues<float>(DType::Float32, {static_cast<std::int64_t>(values.size())},
                                     std::span<const float>(values));
}

std::vector<float> readFloats(const Tensor& tensor)
{
    const Tensor contiguous = tensor.contiguous().value();
    const auto values = contiguous.values<float>().value();
    return {values.begin(), values.end()};
}

/// Values of very different sizes with a few specials among them.
std::vector<float> randomValues(std::mt19937& random, std::size_t count)
{
    std::normal_distribution<float> normal;
    const float spread = std::exp2(std::uniform_real_distribution<float>(-20, 20)(random));
    std::vector<float> values(count);
    for (float& v : values)
        v = random() % 7 == 0 ? 0.0f : normal(random) * spread;
    return values;
}

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](float x, float y) {
               return std::bit_cast<std::uint32_t>(x) == std::bit_cast<std::uint32_t>(y);
           });
}

} // namespace

class TestObservers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void recorded_data();
    void recorded();
    void searchTraces_data();
    void searchTraces();
    void histcIsAtens();
    void minMaxIsAtens();
    void floorDivideIsAtens();
    void upscaleIsAtens();
    void nanFails();
    void otherDTypes();
    void stridedTensors();
    void statesCanBeRestored();
    void channelsMustStay();
    void oneChannelGoesWithAny();

private:
    const Kernels* m_kernels = nullptr;
    bool m_isExact = false; ///< the recording's regime: torch 2.13 with fused multiply-add
};

void TestObservers::initTestCase()
{
    const auto loaded = kernels();
    QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
    m_kernels = *loaded;
    m_kernels->setThreads(1);
    const TorchInfo info = m_kernels->info();
    m_isExact = info.version.starts_with("2.13.") && info.cpuCapability.starts_with("AVX");
    qInfo("LibTorch %s, %s: %s", info.version.c_str(), info.cpuCapability.c_str(),
          m_isExact ? "bit for bit" : "within 1e-5");
}

void TestObservers::recorded_data()
{
    QTest::addColumn<QString>("line");
    QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/observers/recorded.txt"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    int number = 0;
    for (const QString& line : QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts)) {
        ++number;
        QTest::addRow("%d %s", number, qUtf8Printable(line.section(u'|', 0, 0))) << line;
    }
    QCOMPARE(number, 245);
}

void TestObservers::recorded()
{
    QFETCH(QString, line);
    const QStringList fields = line.split(u'|');
    const auto config = observerConfig(specOf(fields));
    QVERIFY2(config, config ? "" : config.error().message().c_str());
    auto observer = makeObserver(*config).value();
    for (const QString& batch : fields[7].split(u' ', Qt::SkipEmptyParts)) {
        const auto done = observer->observe(batchOf(batch));
        QVERIFY2(done, done ? "" : done.error().message().c_str());
    }
    const ObserverState state = observer->state();
    if (!state.minVal.empty()) {
        QVERIFY(state.minVal == floatsOf(fields[8]));
        QVERIFY(state.maxVal == floatsOf(fields[9]));
    }
    const auto result = calculateQParams(*config, state);
    QVERIFY2(result, result ? "" : result.error().message().c_str());
    QCOMPARE(result->hasData, !state.minVal.empty());
    const QParams& qparams = *result->qparams;
    const std::vector<float> scale = floatsOf(fields[10]);
    QCOMPARE(qparams.scale.size(), scale.size());
    for (std::size_t i = 0; i < scale.size(); ++i)
        QVERIFY(qparams.scale[i] == scale[i]
                || (!m_isExact && std::abs(qparams.scale[i] - scale[i]) <= 1e-5f * scale[i]));
    QStringList zeroPoints;
    for (std::int64_t zeroPoint : qparams.zeroPoint)
        zeroPoints += QString::number(zeroPoint);
    QCOMPARE(zeroPoints.join(u','), fields[11]);
    QCOMPARE(QString::fromStdString(std::string(dtypeName(qparams.zeroPointDtype))), fields[12]);
    if (m_isExact && fields[13] != u"-" && !state.histogram.empty())
        QCOMPARE(QString::fromStdString(sha256(std::as_bytes(std::span(state.histogram)))),
                 fields[13]);
}

void TestObservers::searchTraces_data()
{
    QTest::addColumn<QStringList>("batches");
    QTest::addColumn<QList<double>>("trace"); // iteration, first, last, norm of each candidate
    QTest::addColumn<QList<qint64>>("end"); // first, last, iterations
    const QString a = "1000,7919,0,1000,300,128", b = "1000,7919,0,1000,300,64";
    const QStringList d = {"512,37,5,211,17,16", "512,41,7,307,150,16", "512,43,9,401,390,16"};
    using Trace = QList<double>;
    using End = QList<qint64>;
    QTest::newRow("A") << QStringList{a}
                       << Trace{1, 0, 2046, 0.07749952375888824, 101, 0, 2044, 0.07792912423610687}
                       << End{0, 2046, 101};
    QTest::newRow("B") << QStringList{a, b}
                       << Trace{1, 0, 2046, 0.6184003353118896, 51, 0, 2044, 0.6193084716796875}
                       << End{0, 2046, 51};
    QTest::newRow("C") << QStringList{b, a}
                       << Trace{1, 0, 2046, 0.6183912754058838, 51, 0, 2044, 0.6191627979278564}
                       << End{0, 2046, 51};
    QTest::newRow("D") << d
                       << Trace{1,   0, 2046, 2.6000871658325195, 131, 0, 2044, 2.5907323360443115,
                                144, 0, 2043, 2.6032097339630127}
                       << End{0, 2044, 144};
    QTest::newRow("E") << QStringList{"64,0,0,1,0,1"} << Trace{1, 0, 1023, 0.0, 2, 1023, 1023, 0.0}
                       << End{1023, 1023, 100001};
    QTest::newRow("F") << QStringList{"64,0,0,1,-5,2"} << Trace{1, 0, 1023, 0.0, 2, 1023, 1023, 0.0}
                       << End{1023, 1023, 100001};
    QTest::newRow("G") << QStringList{"64,0,0,1,-5,2", a}
                       << Trace{1,   0, 2046, 0.09048153460025787,
                                94,  0, 2044, 0.08443987369537354,
                                188, 0, 2042, 0.08067493140697479,
                                282, 0, 2040, 0.08027447015047073,
                                376, 0, 2038, 0.08333008736371994}
                       << End{0, 2040, 376};
    QTest::newRow("J") << QStringList{"4000,7919,0,1000,500,512:40,-25"}
                       << Trace{1, 0, 2046, 22.245525360107422, 25, 0, 817, 1530.2418212890625}
                       << End{0, 2046, 25};
}

void TestObservers::searchTraces()
{
    QFETCH(QStringList, batches);
    QFETCH(QList<double>, trace);
    QFETCH(QList<qint64>, end);
    auto observer = makeObserver(histogramConfig()).value();
    for (const QString& batch : batches)
        QVERIFY(observer->observe(batchOf(batch)));
    HistogramTrace seen;
    std::int64_t iterations = 0;
    QElapsedTimer timer;
    timer.start();
    QVERIFY(searchHistogramRange(histogramConfig(), observer->state(), &seen, &iterations));
    QVERIFY(timer.elapsed() < 10000);
    QCOMPARE(qint64(seen.size()), trace.size() / 4);
    std::pair<std::int64_t, std::int64_t> kept;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const qsizetype at = static_cast<qsizetype>(i) * 4;
        QCOMPARE(double(seen[i].iteration), trace[at]);
        QCOMPARE(double(seen[i].first), trace[at + 1]);
        QCOMPARE(double(seen[i].last), trace[at + 2]);
        // The last digits depend on the vector width of ATen's sum.
        QVERIFY(std::abs(seen[i].norm - trace[at + 3]) <= 2e-6 * trace[at + 3]);
        if (seen[i].isAccepted)
            kept = {seen[i].first, seen[i].last};
    }
    QCOMPARE(kept.first, end[0]);
    QCOMPARE(kept.second, end[1]);
    QCOMPARE(iterations, end[2]);
}

void TestObservers::histcIsAtens()
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        const std::vector<float> values = randomValues(random, 1 + random() % 3000);
        MinMaxPair range = minMaxOf(values);
        if (round % 3 == 0) // wider or narrower than the values
            range = {range.min * 1.25f, range.max * 0.5f};
        if (range.min > range.max)
            continue;
        const std::int64_t bins = round % 2 ? 2048 : 7;
        const auto theirs = m_kernels->callTensor(
            "aten.histc.default", {Value{tensorOf(values)}, Value{bins}, Value{double(range.min)},
                                   Value{double(range.max)}});
        QVERIFY2(theirs, theirs ? "" : theirs.error().message().c_str());
        QVERIFY(sameBits(histc(values, bins, range.min, range.max).value(), readFloats(*theirs)));
    }
    const std::vector<float> same(100, 2.5f);
    QCOMPARE(histc(same, 2048, 2.5f, 2.5f).value()[1024], 100.0f);
}

void TestObservers::minMaxIsAtens()
{
    std::mt19937 random(2);
    for (int round = 0; round < 300; ++round) {
        std::vector<float> values = randomValues(random, 1 + random() % 100);
        if (round % 5 == 1)
            values[random() % values.size()] = kInf;
        if (round % 5 == 2)
            values[random() % values.size()] = -kInf;
        if (round % 5 == 3)
            values[random() % values.size()] = std::nanf("");
        const auto kernel = m_kernels->find("aten.aminmax.default").value();
        const Values theirs = kernel->call(Values{Value{tensorOf(values)}}, {}).value();
        const MinMaxPair ours = minMaxOf(values);
        const float low = readFloats(*theirs[0].tensor())[0];
        const float high = readFloats(*theirs[1].tensor())[0];
        QVERIFY(std::isnan(low) ? std::isnan(ours.min) : ours.min == low);
        QVERIFY(std::isnan(high) ? std::isnan(ours.max) : ours.max == high);
    }
}

void TestObservers::floorDivideIsAtens()
{
    std::mt19937 random(3);
    for (int round = 0; round < 100; ++round) {
        const std::vector<float> a = randomValues(random, 500);
        std::vector<float> b = randomValues(random, 500);
        if (round % 2) { // as in the search: a multiple of the bin width over the level width
            for (std::size_t i = 0; i < b.size(); ++i)
                b[i] = std::abs(b[0]) + 1e-20f;
        }
        const auto theirs = m_kernels->callTensor("aten.floor_divide.default",
                                                  {Value{tensorOf(a)}, Value{tensorOf(b)}});
        const std::vector<float> expected = readFloats(theirs.value());
        for (std::size_t i = 0; i < a.size(); ++i) {
            const float ours = floorDivide(a[i], b[i]);
            QVERIFY2(ours == expected[i] || (std::isnan(ours) && std::isnan(expected[i])),
                     qPrintable(QStringLiteral("%1 / %2: %3, not %4")
                                    .arg(a[i])
                                    .arg(b[i])
                                    .arg(ours)
                                    .arg(expected[i])));
        }
    }
}

/// The chain of tensor operations in HistogramObserver, done by ATen.
std::vector<float> upscaledByAten(const Kernels& all, const std::vector<float>& histogram,
                                  MinMaxPair old, ValueRange range)
{
    const std::int64_t bins = static_cast<std::int64_t>(histogram.size());
    const auto call = [&](const char* target, Values args, NamedValues kwargs = {}) {
        auto result = all.callTensor(target, args, kwargs);
        if (!result)
            qFatal("%s", result.error().message().c_str());
        return *result;
    };
    const float width = (old.max - old.min) / static_cast<float>(bins * 16);
    Tensor mid = call("aten.linspace.default",
                      {Value{double(old.min)}, Value{double(old.max)}, Value{bins * 16 + 1}});
    mid = call("aten.slice.Tensor",
               {Value{mid}, Value{std::int64_t(0)}, Value{std::int64_t(0)}, Value{bins * 16}});
    mid = call("aten.add.Scalar", {Value{mid}, Value{double(0.5f * width)}});
    const Tensor boundaries =
        call("aten.linspace.default", {Value{range.min}, Value{range.max}, Value{bins + 1}});
    Tensor place =
        call("aten.bucketize.Tensor", {Value{mid}, Value{boundaries}}, {{"right", Value{true}}});
    place = call("aten.sub.Scalar", {Value{place}, Value{std::int64_t(1)}});
    place = call("aten.clamp.default", {Value{place}, Value{std::int64_t(0)}, Value{bins - 1}});
    Tensor weights = call("aten.repeat_interleave.self_int",
                          {Value{tensorOf(histogram)}, Value{std::int64_t(16)}});
    weights = call("aten.div.Scalar", {Value{weights}, Value{16.0}});
    return readFloats(call("aten.bincount.default", {Value{place}, Value{weights}, Value{bins}}));
}

void TestObservers::upscaleIsAtens()
{
    std::mt19937 random(4);
    for (int round = 0; round < 60; ++round) {
        const std::vector<float> values = randomValues(random, 3000);
        const MinMaxPair old = minMaxOf(values);
        const std::vector<float> histogram = histc(values, 2048, old.min, old.max).value();
        const double size = double(old.max) - double(old.min);
        const ValueRange range{
            double(static_cast<float>(old.min - size * (random() % 100) / 80.0)),
            double(static_cast<float>(old.max + size * (random() % 100) / 90.0))};
        const auto ours = upscaleHistogram(histogram, old, range);
        QVERIFY(ours);
        QVERIFY(sameBits(*ours, upscaledByAten(*m_kernels, histogram, old, range)));
    }
}

void TestObservers::nanFails()
{
    auto histogram = makeObserver(histogramConfig()).value();
    const auto failed = histogram->observe(tensorOf({1, std::nanf(""), 2}));
    QVERIFY(!failed);
    QCOMPARE(failed.error().message(),
             std::string("torch.histc: range of [nan, nan] is not finite"));
    QVERIFY(histogram->observe(tensorOf({1, 2})));
    QVERIFY(!histogram->observe(tensorOf({std::nanf("")})));

    ObserverConfig config;
    config.kind = ObserverKind::MinMax;
    auto minMax = makeObserver(config).value();
    QVERIFY(minMax->observe(tensorOf({1, std::nanf(""), 2})));
    QVERIFY(minMax->observe(tensorOf({1, 2})));
    QVERIFY(!calculateQParams(config, minMax->state())); // asserted on in the original
}

/// What torch has no histogram for fails as there; half precision and double work.
void TestObservers::otherDTypes()
{
    const Tensor floats = tensorOf({-1.5f, 0.25f, 3.0f, 2.5f});
    for (DType dtype : {DType::Float16, DType::BFloat16, DType::Float64}) {
        const Tensor converted =
            m_kernels->callTensor("aten.to.dtype", {Value{floats}, Value{dtype}}).value();
        auto observer = makeObserver(histogramConfig()).value();
        const auto done = observer->observe(converted);
        QVERIFY2(done, done ? "" : done.error().message().c_str());
        QVERIFY(observer->observe(converted));
        const ObserverState state = observer->state();
        QCOMPARE(state.minVal[0], -1.5f);
        QCOMPARE(state.maxVal[0], 3.0f);
        QCOMPARE(std::accumulate(state.histogram.begin(), state.histogram.end(), 0.0f), 8.0f);
    }
    const Tensor integers =
        m_kernels->callTensor("aten.to.dtype", {Value{floats}, Value{DType::Int64}}).value();
    QVERIFY(!makeObserver(histogramConfig()).value()->observe(integers));
    ObserverConfig minMax;
    minMax.kind = ObserverKind::MinMax;
    auto observer = makeObserver(minMax).value();
    QVERIFY(observer->observe(integers));
    QCOMPARE(observer->state().maxVal[0], 3.0f);
}

void TestObservers::stridedTensors()
{
    const Tensor full = batchOf("24,7919,0,1000,300,128,4x6");
    const Tensor transposed(full.storage(), DType::Float32, {6, 2}, {1, 6}, 6); // rows 1 and 2
    auto strided = makeObserver(histogramConfig()).value();
    auto copied = makeObserver(histogramConfig()).value();
    QVERIFY(strided->observe(transposed));
    QVERIFY(copied->observe(transposed.contiguous().value()));
    QVERIFY(strided->state().histogram == copied->state().histogram);
    QVERIFY(strided->state().minVal == copied->state().minVal);
}

void TestObservers::statesCanBeRestored()
{
    auto whole = makeObserver(histogramConfig()).value();
    auto first = makeObserver(histogramConfig()).value();
    QVERIFY(whole->observe(batchOf("1000,7919,0,1000,300,128")));
    QVERIFY(first->observe(batchOf("1000,7919,0,1000,300,128")));
    auto second = makeObserver(histogramConfig()).value();
    second->restore(first->state());
    QVERIFY(whole->observe(batchOf("1000,7919,0,1000,300,64")));
    QVERIFY(second->observe(batchOf("1000,7919,0,1000,300,64")));
    QVERIFY(whole->state().histogram == second->state().histogram);
    QCOMPARE(second->state().valuesSeen, std::int64_t(2000));
}

void TestObservers::channelsMustStay()
{
    ObserverConfig config;
    config.kind = ObserverKind::PerChannelMinMax;
    config.qscheme = QScheme::PerChannelSymmetric;
    config.chAxis = 0;
    auto observer = makeObserver(config).value();
    QVERIFY(observer->observe(batchOf("12,1,0,12,0,1,3x4")));
    QVERIFY(!observer->observe(batchOf("12,1,0,12,0,1,4x3")));
    config.chAxis = 2;
    QVERIFY(!makeObserver(config).value()->observe(batchOf("12,1,0,12,0,1,3x4")));
    config.chAxis = 0;
    QVERIFY(!makeObserver(config).value()->observe(batchOf("12,1,0,12,0,1,12")));
}

void TestObservers::oneChannelGoesWithAny()
{
    ObserverConfig config;
    config.kind = ObserverKind::PerChannelMinMax;
    config.qscheme = QScheme::PerChannelSymmetric;
    config.chAxis = 0;
    const Tensor one = batchOf("12,1,0,12,0,1,1x12"), three = batchOf("12,1,0,12,0,2,3x4");
    const auto after = [&](const Tensor& first, const Tensor& second) {
        auto observer = makeObserver(config).value();
        if (!observer->observe(first) || !observer->observe(second))
            return ObserverState();
        return observer->state();
    };
    auto single = makeObserver(config).value(), several = makeObserver(config).value();
    QVERIFY(single->observe(one) && several->observe(three));
    for (const ObserverState& state : {after(one, three), after(three, one)}) {
        QCOMPARE(state.minVal.size(), std::size_t(3));
        for (std::size_t i = 0; i < 3; ++i) {
            QCOMPARE(state.minVal[i],
                     std::min(single->state().minVal[0], several->state().minVal[i]));
            QCOMPARE(state.maxVal[i],
                     std::max(single->state().maxVal[0], several->state().maxVal[i]));
        }
    }
}

QTEST_GUILESS_MAIN(TestObservers)
#include "tst_observers.moc"
