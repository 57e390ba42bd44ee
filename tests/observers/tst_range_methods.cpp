// Ranges chosen from a histogram: figures of a NumPy computation of the same formulas on the same histogram.
#include "core/observers/RangeMethods.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace pt2e;

namespace {

ObserverConfig int8Affine()
{
    ObserverConfig config;
    config.eps = 0;
    return config;
}

/// A bell around zero between -3 and 5, and three values far out.
ObserverState bell()
{
    ObserverState state;
    state.minVal = {-3};
    state.maxVal = {5};
    for (int bin = 0; bin < 256; ++bin) {
        const double x = (bin - 96) / 30.0;
        state.histogram.push_back(static_cast<float>(
            std::floor(2000 * std::exp(-x * x) + (bin == 255 ? 3 : 0) + (bin % 37 == 0 ? 1 : 0))));
    }
    return state;
}

} // namespace

class TestRangeMethods : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void percentiles()
    {
        const auto range = [](RangeMethod method) {
            return chooseRange(method, int8Affine(), bell()).value();
        };
        QCOMPARE(range(RangeMethod::MinMax).low, -3.0F);
        QCOMPARE(range(RangeMethod::MinMax).high, 5.0F);
        QVERIFY(std::fabs(range(RangeMethod::Percentile999).low - -2.130834F) < 1e-5F);
        QVERIFY(std::fabs(range(RangeMethod::Percentile999).high - 2.174584F) < 1e-5F);
        QVERIFY(std::fabs(range(RangeMethod::Percentile9999).low - -2.432605F) < 1e-5F);
        QVERIFY(std::fabs(range(RangeMethod::Percentile9999).high - 2.583959F) < 1e-5F);
    }

    void leastSquaredError()
    {
        const auto range = chooseRange(RangeMethod::SquaredError, int8Affine(), bell());
        QVERIFY(range.has_value());
        const auto error = [](ValueRange r) {
            return squaredError(int8Affine(), qparamsOfRange(int8Affine(), r).value(), bell());
        };
        // The smallest over all pairs of 128ths is 6.954e-5.
        QVERIFY2(error(*range) <= 1.03 * 6.953740e-5, qPrintable(QString::number(error(*range))));
        QVERIFY(error(*range) < error({-3, 5}));
        QVERIFY(error({-3 * 101 / 128.F, 5 * 118 / 128.F}) - 6.953740e-5 < 1e-9);
    }

    void leastDivergence()
    {
        const auto range = chooseRange(RangeMethod::Divergence, int8Affine(), bell());
        QVERIFY(range.has_value());
        const float threshold = 131 * 0.01953125F; // 131 bins of absolute values are kept
        QCOMPARE(range->low, -threshold);
        QCOMPARE(range->high, threshold);
        // Of values that are never negative all codes are on one side.
        ObserverState positive = bell();
        positive.minVal = {0};
        const auto oneSided = chooseRange(RangeMethod::Divergence, int8Affine(), positive);
        QCOMPARE(oneSided->low, 0.0F);
        QVERIFY(oneSided->high > 0 && oneSided->high <= 5);
    }

    void qparamsAreTheObservers()
    {
        ObserverConfig config = int8Affine();
        config.kind = ObserverKind::MinMax;
        ObserverState seen;
        seen.minVal = {-0.7F};
        seen.maxVal = {1.9F};
        QCOMPARE(qparamsOfRange(int8Affine(), {-0.7F, 1.9F}).value(),
                 *calculateQParams(config, seen).value().qparams);
        config.qscheme = QScheme::PerChannelSymmetric;
        QVERIFY(!qparamsOfRange(config, {-1, 1}));
    }

    void withoutAHistogram()
    {
        for (const RangeMethod method : rangeMethods()) {
            QVERIFY(!rangeMethodName(method).empty());
            QVERIFY(!chooseRange(method, int8Affine(), {}));
            ObserverState zeros;
            zeros.minVal = {0};
            zeros.maxVal = {0};
            zeros.histogram.assign(2048, 0);
            QVERIFY(!chooseRange(method, int8Affine(), zeros));
            zeros.histogram[0] = 8; // all values are the same
            const auto range = chooseRange(method, int8Affine(), zeros);
            QVERIFY(range.has_value() && range->low == 0 && range->high == 0);
            ObserverState endless = bell();
            endless.maxVal = {INFINITY};
            QVERIFY(!chooseRange(method, int8Affine(), endless) || method == RangeMethod::MinMax);
        }
    }
};

QTEST_GUILESS_MAIN(TestRangeMethods)
#include "tst_range_methods.moc"
