// The metrics against NumPy's (tests/data/record_metrics.py), to 1e-5.
#include "core/data/Npz.h"
#include "core/metrics/Classification.h"
#include "core/metrics/Metrics.h"
#include "core/metrics/QuantizationError.h"

#include <QTest>

#include <cmath>

using namespace pt2e;

namespace {

const Tensor& recorded(const std::string& name)
{
    static const NamedTensors all = *readArrays(
        (qEnvironmentVariable("PT2E_TEST_DATA") + "/metrics/expected.npz").toStdString());
    for (const auto& [known, tensor] : all) {
        if (known == name)
            return tensor;
    }
    qFatal("nothing is recorded for %s", name.c_str());
}

std::vector<double> numbers(const std::string& name) { return *recorded(name).toDoubles(); }

bool isClose(double a, double b) { return std::abs(a - b) <= 1e-5 * std::max(1.0, std::abs(b)); }

/// The first that is not close, or −1.
int firstDifference(const std::vector<double>& mine, const std::vector<double>& wanted)
{
    if (mine.size() != wanted.size())
        return 99;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        if (!isClose(mine[i], wanted[i]))
            return static_cast<int>(i);
    }
    return -1;
}

std::vector<double> asList(const TensorError& error)
{
    return {error.sqnrDb, error.worstDb, error.cosine, error.mse, error.maxAbs, error.meanError};
}

std::vector<double> asList(const QuantizationLoss& loss)
{
    return {loss.roundingMse, loss.clippingMse, loss.clipRate, loss.stepRmse,
            static_cast<double>(loss.usedCodes)};
}

} // namespace

class TestRecordedMetrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scores()
    {
        RunningError running;
        for (const char* batch : {"0", "1"})
            QVERIFY(running.add(recorded(std::string("scores_reference_") + batch),
                                recorded(std::string("scores_actual_") + batch), 32));
        QCOMPARE(firstDifference(asList(running.error()), numbers("scores_errors")), -1);
    }

    void classes()
    {
        std::vector<std::int64_t> before, after, labels;
        for (const char* batch : {"0", "1"}) {
            const auto a = predictedClasses(recorded(std::string("scores_reference_") + batch), 32);
            const auto b = predictedClasses(recorded(std::string("scores_actual_") + batch), 32);
            before.insert(before.end(), a->begin(), a->end());
            after.insert(after.end(), b->begin(), b->end());
        }
        for (const double label : numbers("scores_labels"))
            labels.push_back(static_cast<std::int64_t>(label));
        std::int64_t right = 0, broken = 0, fixed = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            right += after[i] == labels[i];
            broken += before[i] == labels[i] && after[i] != labels[i];
            fixed += before[i] != labels[i] && after[i] == labels[i];
        }
        const Proportion accuracy = wilson(right, 64);
        QCOMPARE(firstDifference({accuracy.share, accuracy.low, accuracy.high},
                                 numbers("scores_accuracy")),
                 -1);
        const PairedDifference difference = pairedDifference(broken, fixed, 64);
        QCOMPARE(firstDifference({double(broken), double(fixed), difference.difference,
                                  difference.low, difference.high, difference.p},
                                 numbers("scores_paired")),
                 -1);
        std::vector<double> counts;
        for (const auto& row : confusion(labels, after, 10).counts)
            counts.insert(counts.end(), row.begin(), row.end());
        QCOMPARE(counts, numbers("scores_confusion"));
    }

    void activation()
    {
        QuantizationGrid grid;
        grid.scales = {0.0125f};
        grid.zeroPoints = {-7};
        RunningLoss running(grid);
        QVERIFY(running.add(recorded("activation_values"), recorded("activation_back"), 4));
        const QuantizationLoss loss = running.loss();
        QCOMPARE(firstDifference(asList(loss.error), numbers("activation_errors")), -1);
        QCOMPARE(firstDifference(asList(loss), numbers("activation_losses")), -1);
        QVERIFY(loss.clippingMse > 0);
        QVERIFY(isClose(loss.roundingMse + loss.clippingMse, loss.error.mse));
        QCOMPARE(loss.codes, 256);
    }

    void weight()
    {
        QuantizationGrid grid;
        grid.scales = numbers("weight_scales");
        grid.zeroPoints.assign(grid.scales.size(), 0);
        grid.quantMin = -127;
        grid.axis = 1;
        RunningLoss running(grid);
        QVERIFY(running.add(recorded("weight_values"), recorded("weight_back"), 5));
        QCOMPARE(firstDifference(asList(running.loss().error), numbers("weight_errors")), -1);
        QCOMPARE(firstDifference(asList(running.loss()), numbers("weight_losses")), -1);
        grid.axis = 2;
        grid.scales.pop_back();
        grid.zeroPoints.pop_back();
        QVERIFY(!RunningLoss(grid).add(recorded("weight_values"), recorded("weight_back")));
    }

    void intervals()
    {
        const auto rows = [](const std::string& name, std::size_t columns) {
            const std::vector<double> all = numbers(name);
            std::vector<std::vector<double>> result;
            for (std::size_t i = 0; i < all.size(); i += columns)
                result.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(i),
                                    all.begin() + static_cast<std::ptrdiff_t>(i + columns));
            return result;
        };
        for (const auto& row : rows("wilson", 4)) {
            const Proportion mine = wilson(std::int64_t(row[0]), std::int64_t(row[1]));
            QVERIFY(std::abs(mine.low - row[2]) < 1e-12 && std::abs(mine.high - row[3]) < 1e-12);
        }
        for (const auto& row : rows("paired", 7)) {
            const auto mine =
                pairedDifference(std::int64_t(row[0]), std::int64_t(row[1]), std::int64_t(row[2]));
            QVERIFY(std::abs(mine.difference - row[3]) < 1e-12);
            QVERIFY(std::abs(mine.low - row[4]) < 1e-12 && std::abs(mine.high - row[5]) < 1e-12);
            QVERIFY(std::abs(mine.p - row[6]) < 1e-9);
        }
        QCOMPARE(wilson(0, 0).high, 1.0);
        QCOMPARE(pairedDifference(0, 0, 0).p, 1.0);
    }

    void oddScores()
    {
        const float values[] = {1, 2, 2, NAN, 0, 0};
        const Tensor rows = Tensor::fromValues<float>(DType::Float32, {2, 3}, values);
        QCOMPARE(*predictedClasses(rows, 2), (std::vector<std::int64_t>{1, -1}));
        QCOMPARE(predictedClasses(rows, 1)->size(), std::size_t(1));
        QVERIFY(!predictedClasses(rows, 3));
        QVERIFY(!predictedClasses(Tensor::fromValues<float>(DType::Float32, {6}, values), 6));
        QVERIFY(!predictedClasses(Tensor::fromValues<float>(DType::Float32, {1, 2, 3}, values), 1));
        const Confusion counts = confusion({0, 1, 7}, {0, -1, 0}, 2);
        QCOMPARE(counts.leftOut, 2);
        QCOMPARE(counts.counts[0][0], 1);
    }
};

QTEST_GUILESS_MAIN(TestRecordedMetrics)
#include "tst_recorded_metrics.moc"
