// Distances between two tensors, against numbers worked out by hand.
#include "core/metrics/Metrics.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace pt2e;

namespace {

Tensor floats(const std::vector<float>& values)
{
    return Tensor::fromValues<float>(DType::Float32, {static_cast<std::int64_t>(values.size())},
                                     values);
}

TensorError compare(const std::vector<float>& reference, const std::vector<float>& actual)
{
    const auto error = compareTensors(floats(reference), floats(actual));
    return error ? *error : TensorError{};
}

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

class TestMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byHand()
    {
        // reference (3, 4): norm 5; difference (0, 0.5): norm 0.5.
        const TensorError e = compare({3, 4}, {3, 4.5f});
        QCOMPARE(e.sqnrDb, 20.0);
        QCOMPARE(e.mse, 0.125);
        QCOMPARE(e.maxAbs, 0.5);
        QCOMPARE(e.meanError, 0.25);
        QCOMPARE(e.cosine, 27 / (5 * std::sqrt(29.25)));
        QCOMPARE(e.count, 2);
        QCOMPARE(e.nonFinite, 0);
        // The signal is the reference: the other way round is another number.
        QVERIFY(
            std::abs(compare({3, 4.5f}, {3, 4}).sqnrDb - 20 * std::log10(std::sqrt(29.25) / 0.5))
            < 1e-12);
        QCOMPARE(compare({1, -1}, {-1, 1}).cosine, -1.0);
        QCOMPARE(compare({1, 0}, {0, 1}).cosine, 0.0);
        QCOMPARE(compare({0, 0, 0, 1}, {0, 0, 0, 0}).meanError, -0.25);
    }

    void edges()
    {
        QCOMPARE(compare({1, 2}, {1, 2}).sqnrDb, kInfinity);
        QCOMPARE(compare({1, 2}, {1, 2}).cosine, 1.0);
        QCOMPARE(compare({0, 0}, {0, 0}).cosine, 1.0);
        QCOMPARE(compare({0, 0}, {0, 0}).sqnrDb, kInfinity);
        QCOMPARE(compare({0, 0}, {1, 0}).sqnrDb, -kInfinity);
        QCOMPARE(compare({0, 0}, {1, 0}).cosine, 0.0);
        QCOMPARE(compare({}, {}).count, 0);
        QCOMPARE(compare({}, {}).mse, 0.0);
    }

    void whatIsNotFiniteIsLeftOut()
    {
        const TensorError e = compare({NAN, INFINITY, 3, 4}, {1, INFINITY, 3, NAN});
        QCOMPARE(e.nonFinite, 3);
        QCOMPARE(e.count, 1);
        QCOMPARE(e.sqnrDb, kInfinity);
        QCOMPARE(e.maxAbs, 0.0);
    }

    void largeAndSmallValues()
    {
        // Squares leave float32 but not double; quotients of sums must not overflow.
        const TensorError e = compare({3e38f}, {2.7e38f});
        QVERIFY(std::abs(e.sqnrDb - 20) < 1e-5);
        const double tiny = std::numeric_limits<float>::denorm_min();
        QCOMPARE(compare({3e38f, 0}, {3e38f, static_cast<float>(tiny)}).sqnrDb,
                 20 * std::log10(static_cast<double>(3e38f)) - 20 * std::log10(tiny));
    }

    void viewsAndOtherTypes()
    {
        // A transposed view against its contiguous copy; integers against floats.
        const Tensor plain =
            Tensor::fromValues<float>(DType::Float32, {2, 2}, std::vector<float>{1, 2, 3, 4});
        const Tensor turned(plain.storage(), DType::Float32, {2, 2}, {1, 2});
        const Tensor expected =
            Tensor::fromValues<float>(DType::Float32, {2, 2}, std::vector<float>{1, 3, 2, 4});
        QCOMPARE(compareTensors(expected, turned)->maxAbs, 0.0);
        const std::int8_t bytes[] = {1, 3, 2, 5};
        const Tensor small = Tensor::fromValues<std::int8_t>(DType::Int8, {2, 2}, bytes);
        QCOMPARE(compareTensors(expected, small)->maxAbs, 1.0);
    }

    void shapesMustBeEqual()
    {
        const auto error = compareTensors(floats({1, 2}), floats({1, 2, 3}));
        QVERIFY(!error);
        QCOMPARE(error.error().message(), std::string("shapes differ: 2 and 3"));
        QVERIFY(!compareTensors(Tensor(), floats({1})));
    }
};

QTEST_GUILESS_MAIN(TestMetrics)
#include "tst_metrics.moc"
