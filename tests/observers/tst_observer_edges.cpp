// Observers against what torchao's made of edge cases (tests/data/observers/edges.txt): never fed, empty tensors, zeros,
// constants, infinities, NaN. Where torchao raises, ours fail at the same place.
#include "core/kernels/Kernels.h"
#include "core/observers/Observer.h"
#include "tests/observers/Recorded.h"

#include <QtTest/QtTest>

#include <bit>
#include <cmath>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

bool sameReals(const std::vector<float>& ours, const std::vector<float>& theirs)
{
    return ours.size() == theirs.size()
           && std::equal(ours.begin(), ours.end(), theirs.begin(), [](float a, float b) {
                  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b)
                         || (std::isnan(a) && std::isnan(b)) || (a == 0 && b == 0);
              });
}

std::string textOf(const std::vector<float>& values)
{
    std::string text;
    for (float value : values)
        text += (text.empty() ? "" : ",") + std::to_string(value);
    return text;
}

QString zeroPointsOf(const QParams& qparams)
{
    QStringList texts;
    for (std::int64_t zeroPoint : qparams.zeroPoint)
        texts += QString::number(zeroPoint);
    return texts.join(u',');
}

} // namespace

class TestObserverEdges : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto loaded = kernels();
        QVERIFY2(loaded, loaded ? "" : loaded.error().message().c_str());
        (*loaded)->setThreads(1);
    }

    void edges_data()
    {
        QTest::addColumn<QString>("line");
        QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/observers/edges.txt"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        int number = 0;
        std::map<QString, int> kinds;
        for (const QString& line :
             QString::fromUtf8(file.readAll()).split(u'\n', Qt::SkipEmptyParts)) {
            ++number;
            ++kinds[line.section(u'|', 0, 0)];
            QTest::addRow("%d %s", number, qUtf8Printable(line.section(u'|', 0, 0))) << line;
        }
        QCOMPARE(number, 510);
        QCOMPARE(kinds.size(), std::size_t(7));
    }
    void edges()
    {
        QFETCH(QString, line);
        const QStringList fields = line.split(u'|');
        if (fields.size() == 6)
            withoutStatistics(fields);
        else
            withStatistics(fields);
    }

private:
    static void withStatistics(const QStringList& fields)
    {
        QCOMPARE(fields.size(), 14);
        const QString outcome = fields[13];
        const auto config = observerConfig(specOf(fields));
        QVERIFY2(config, config ? "" : config.error().message().c_str());
        auto observer = makeObserver(*config).value();
        int index = 0;
        for (const QString& batch : fields[7].split(u' ', Qt::SkipEmptyParts)) {
            const auto done = observer->observe(batchOf(batch));
            if (outcome.startsWith(QStringLiteral("observe %1:").arg(index++))) {
                QVERIFY(!done);
                return;
            }
            QVERIFY2(done, done ? "" : done.error().message().c_str());
        }
        const auto result = calculateQParams(*config, observer->state());
        if (outcome != u"ok") {
            QVERIFY(outcome.startsWith(u"qparams:"));
            QVERIFY(!result);
            return;
        }
        QVERIFY2(result, result ? "" : result.error().message().c_str());
        compareState(observer->state(), fields);
        const QParams& qparams = *result->qparams;
        QVERIFY2(sameReals(qparams.scale, floatsOf(fields[10])), textOf(qparams.scale).c_str());
        QCOMPARE(zeroPointsOf(qparams), fields[11]);
        QCOMPARE(QString::fromStdString(std::string(dtypeName(qparams.zeroPointDtype))),
                 fields[12]);
    }

    /// Nothing seen is nothing here; torchao's buffers then hold inf and -inf, or are empty per channel.
    static void compareState(const ObserverState& state, const QStringList& fields)
    {
        if (state.minVal.empty()) {
            QVERIFY(fields[8].isEmpty() || fields[8] == u"inf");
            QVERIFY(fields[9].isEmpty() || fields[9] == u"-inf");
            return;
        }
        QVERIFY2(sameReals(state.minVal, floatsOf(fields[8])), textOf(state.minVal).c_str());
        QVERIFY2(sameReals(state.maxVal, floatsOf(fields[9])), textOf(state.maxVal).c_str());
    }

    static void withoutStatistics(const QStringList& fields)
    {
        ObserverConfig config;
        config.kind = *observerKindFromName(fields[0].toStdString());
        if (config.kind == ObserverKind::FixedQParams) {
            FixedSpec spec;
            spec.scale = fields[1].section(u',', 0, 0).toDouble();
            spec.zeroPoint = fields[1].section(u',', 1, 1).toLongLong();
            config = observerConfig(Spec(spec)).value();
        }
        auto observer = makeObserver(config).value();
        QVERIFY(observer->observe(batchOf(QStringLiteral("10,1,0,10,3,1:nan"))));
        const auto result = calculateQParams(config, observer->state());
        QVERIFY2(result, result ? "" : result.error().message().c_str());
        QCOMPARE(result->qparams.has_value(), fields[2] == u"ok"); // a placeholder has none
        if (!result->qparams)
            return;
        QVERIFY(sameReals(result->qparams->scale, floatsOf(fields[3])));
        QCOMPARE(zeroPointsOf(*result->qparams), fields[4]);
        QCOMPARE(QString::fromStdString(std::string(dtypeName(result->qparams->zeroPointDtype))),
                 fields[5]);
    }
};

QTEST_GUILESS_MAIN(TestObserverEdges)
#include "tst_observer_edges.moc"
