// From specs to observers: constructor rules, without LibTorch.
#include "core/kernels/Kernels.h"
#include "core/observers/Observer.h"

#include <QtTest/QtTest>

using namespace pt2e;

namespace {

ObservedSpec spec(ObserverKind kind, std::optional<std::int64_t> low,
                  std::optional<std::int64_t> high, QScheme scheme = QScheme::PerTensorAffine,
                  DType dtype = DType::Int8)
{
    ObservedSpec result;
    result.dtype = dtype;
    result.observer.kind = kind;
    result.quantMin = low;
    result.quantMax = high;
    result.qscheme = scheme;
    return result;
}

std::string errorOf(const Spec& spec)
{
    const auto config = observerConfig(spec);
    return config ? "" : config.error().message();
}

} // namespace

class TestObserverConfig : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranges();
    void refusals();
    void fixedAndDerived();
    void derivedQParams();
    void neverLoadsLibTorch();
};

void TestObserverConfig::ranges()
{
    const auto range = [](const ObservedSpec& s) {
        const ObserverConfig config = observerConfig(s).value();
        return std::pair(config.quantMin, config.quantMax);
    };
    using Pair = std::pair<std::int64_t, std::int64_t>;
    QVERIFY(range(spec(ObserverKind::MinMax, -127, 127)) == Pair(-127, 127));
    // One bound alone does not count.
    QVERIFY(range(spec(ObserverKind::MinMax, -5, {})) == Pair(-128, 127));
    QVERIFY(range(spec(ObserverKind::MinMax, {}, {}, QScheme::PerTensorAffine, DType::UInt16))
            == Pair(0, 65535));
    ObservedSpec reduced = spec(ObserverKind::MinMax, -7, 7);
    reduced.observer.reduceRange = true;
    QVERIFY(range(reduced) == Pair(-4, 3)); // Python's floor division
    QCOMPARE(observerConfig(reduced)->hasCustomRange, true);
    QCOMPARE(observerConfig(spec(ObserverKind::Histogram, -128, 127))->chAxis, std::int64_t(-1));
    QCOMPARE(observerConfig(spec(ObserverKind::Histogram, -128, 127))->eps, 1.1920929e-07f);
}

void TestObserverConfig::refusals()
{
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    QVERIFY(has(errorOf(spec(ObserverKind::MinMax, 1, 5)), "must contain 0"));
    QVERIFY(has(errorOf(spec(ObserverKind::MinMax, 0, 0)), "less than quant_max"));
    QVERIFY(has(errorOf(spec(ObserverKind::MinMax, -200, 127)), "does not fit int8"));
    QVERIFY(has(errorOf(spec(ObserverKind::MinMax, 0, 5, QScheme::PerTensorAffine, DType::Bool)),
                "dtype bool"));
    QVERIFY(has(errorOf(spec(ObserverKind::MinMax, 0, 5, QScheme::PerChannelAffine)),
                "needs a per-channel observer"));
    QVERIFY(has(errorOf(spec(ObserverKind::PerChannelMinMax, 0, 5)), "per-channel qscheme"));
    ObservedSpec channel = spec(ObserverKind::PerChannelMinMax, 0, 5, QScheme::PerChannelAffine);
    QVERIFY(has(errorOf(channel), "needs an axis"));
    channel.chAxis = 1;
    QCOMPARE(errorOf(channel), std::string());
    channel.isDynamic = true;
    QVERIFY(has(errorOf(channel), "dynamic"));
    ObservedSpec dynamic = spec(ObserverKind::Histogram, -128, 127);
    dynamic.isDynamic = true;
    QVERIFY(has(errorOf(dynamic), "cannot be dynamic"));
    QVERIFY(!errorOf(SharedSpec{}).empty());
    QVERIFY(!errorOf(Spec{}).empty());
}

void TestObserverConfig::fixedAndDerived()
{
    FixedSpec fixed;
    fixed.dtype = DType::UInt8;
    fixed.scale = 1.0 / 256;
    fixed.zeroPoint = 3;
    const ObserverConfig config = observerConfig(fixed).value();
    const QParams qparams = *calculateQParams(config, {})->qparams;
    QCOMPARE(qparams.scale, std::vector<float>{1.0f / 256});
    QCOMPARE(qparams.zeroPoint, std::vector<std::int64_t>{3});
    QCOMPARE(qparams.zeroPointDtype, DType::Int32);
    DerivedSpec derived;
    derived.qscheme = QScheme::PerChannelSymmetric;
    QVERIFY(!errorOf(derived).empty());
}

void TestObserverConfig::derivedQParams()
{
    ObserverConfig config;
    config.kind = ObserverKind::Derived;
    config.derivedFrom = {ObserverId{0}, ObserverId{1}};
    const auto given = [](ObserverId id) -> Result<QParams> {
        return id.value == 0 ? QParams{{0.1f}, {3}, DType::Int32}
                             : QParams{{0.5f, 0.25f}, {0, 0}, DType::Int64};
    };
    const QParams qparams = *calculateQParams(config, {}, given)->qparams;
    QCOMPARE(qparams.scale, (std::vector<float>{0.1f * 0.5f, 0.1f * 0.25f}));
    QCOMPARE(qparams.zeroPoint, (std::vector<std::int64_t>{0, 0}));
    QCOMPARE(qparams.zeroPointDtype, DType::Int64);
    config.derivedFrom.pop_back();
    QVERIFY(!calculateQParams(config, {}, given));
}

void TestObserverConfig::neverLoadsLibTorch()
{
    ObserverConfig config = observerConfig(spec(ObserverKind::Placeholder, -128, 127)).value();
    QVERIFY(!calculateQParams(config, {})->qparams);
    QVERIFY(makeObserver(config));
    QVERIFY(!kernelsAreLoaded());
}

QTEST_GUILESS_MAIN(TestObserverConfig)
#include "tst_observer_config.moc"
