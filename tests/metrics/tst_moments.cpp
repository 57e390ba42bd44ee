// Mean, spread and range against closed forms; a channel's mean that moves, and one that does so by chance.
#include "core/metrics/Moments.h"

#include <QTest>

#include <cmath>
#include <limits>
#include <random>

using namespace pt2e;

namespace {

Tensor tensor(const std::vector<std::int64_t>& shape, const std::vector<float>& values)
{
    return Tensor::fromValues<float>(DType::Float32, shape, std::span<const float>(values));
}

} // namespace

class TestMoments : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void overSeveralTensors()
    {
        RunningMoments running;
        QCOMPARE(running.moments().count, std::int64_t(0));
        QVERIFY(running.add(tensor({3}, {1, 2, 3})));
        QVERIFY(running.add(tensor({2}, {4, std::numeric_limits<float>::quiet_NaN()})));
        const Moments moments = running.moments();
        QCOMPARE(moments.count, std::int64_t(4));
        QCOMPARE(moments.mean, 2.5);
        QCOMPARE(moments.deviation, std::sqrt(1.25));
        QCOMPARE(moments.low, 1.0);
        QCOMPARE(moments.high, 4.0);
    }

    /// Only the rows that are samples.
    void filledUpRows()
    {
        RunningMoments running;
        QVERIFY(running.add(tensor({3, 2}, {1, 1, 3, 3, 100, 100}), 2));
        QCOMPARE(running.moments().mean, 2.0);
        QCOMPARE(running.moments().high, 3.0);
    }

    /// The sum of squares of 1e6 ± 1 in double loses nothing.
    void farFromZero()
    {
        RunningMoments running;
        QVERIFY(running.add(tensor({4}, {1e6f - 1, 1e6f + 1, 1e6f - 1, 1e6f + 1})));
        QCOMPARE(running.moments().deviation, 1.0);
    }

    void shiftedChannel()
    {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> reference(2 * 3 * 64), actual;
        for (float& value : reference)
            value = 2 * normal(random);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            const bool isSecond = i / 64 % 3 == 1;
            actual.push_back(reference[i] + 0.01f * normal(random) + (isSecond ? -0.5f : 0));
        }
        RunningShift running(1);
        QVERIFY(running.add(tensor({2, 3, 64}, reference), tensor({2, 3, 64}, actual)));
        const auto worst = running.worst();
        QVERIFY(worst.has_value());
        QCOMPARE(worst->channel, std::int64_t(1));
        QVERIFY(std::abs(worst->meanError + 0.5) < 0.01);
        QVERIFY(std::abs(worst->deviation - 2) < 0.3);
    }

    /// Errors without a mean, too few values, a constant channel and an axis that is not there: nothing.
    void nothingMoved()
    {
        std::mt19937 random(2);
        std::normal_distribution<float> normal;
        std::vector<float> reference(256), actual, moved;
        for (float& value : reference)
            value = normal(random);
        for (const float value : reference) {
            actual.push_back(value + 0.3f * normal(random));
            moved.push_back(value + 1);
        }
        RunningShift chance(0), few(1), constant(0), none(-1);
        QVERIFY(chance.add(tensor({2, 128}, reference), tensor({2, 128}, actual)));
        QVERIFY(few.add(tensor({2, 128}, reference), tensor({2, 128}, moved)));
        const std::vector<float> same(256, 3.0f), other(256, 3.5f);
        QVERIFY(constant.add(tensor({2, 128}, same), tensor({2, 128}, other)));
        QVERIFY(none.add(tensor({2, 128}, reference), tensor({2, 128}, moved)));
        for (const RunningShift* shift : {&chance, &few, &constant, &none})
            QVERIFY(!shift->worst());
    }
};

QTEST_GUILESS_MAIN(TestMoments)
#include "tst_moments.moc"
