// Batches for a graph: from files, from the random stream, and outputs to files.
#include "core/data/Batches.h"
#include "core/data/Npz.h"
#include "tests/data/DataTest.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pt2e;

namespace {

std::string arrays(const char* name)
{
    return (qEnvironmentVariable("PT2E_TEST_DATA") + "/arrays/" + name).toStdString();
}

} // namespace

class TestBatches : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string write(const NamedTensors& tensors)
    {
        const std::string path = m_folder.filePath("given.npz").toStdString();
        const auto written = writeNpz(path, tensors);
        return written ? path : std::string();
    }

private Q_SLOTS:
    void batchesOfAnArchive()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({2, 3})}, {"y", tensorMeta({2, 3})}});
        const auto batches = readBatches(arrays("batches.npz"), *graph);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        QCOMPARE(batches->description, std::string("batches.npz"));
        // By number, not by name: b10 comes after b9.
        QCOMPARE(batches->batches.size(), std::size_t(12));
        QCOMPARE((*batches->batches[10][1].tensor()->toDoubles())[0], 101.0);
        const auto limited = readBatches(arrays("deflated.npz"), *graph, 3);
        QCOMPARE(limited->batches.size(), std::size_t(3));
        QVERIFY(limited->hash != batches->hash);
        QCOMPARE(readBatches(arrays("deflated.npz"), *graph)->hash, batches->hash);
        QVERIFY(readBatches(arrays("none.npz"), *graph)->batches.empty());
    }

    void firstAxisOfAnArray()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({3, 4})}});
        const auto batches = readBatches(arrays("plain_f4.npy"), *graph);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        QCOMPARE(batches->batches.size(), std::size_t(2));
        const Tensor& second = *batches->batches[1][0].tensor();
        QCOMPARE(second.shape(), (std::vector<Whole>{3, 4}));
        QCOMPARE(second.toDoubles()->front(), 12.0);
        QCOMPARE(readBatches(arrays("plain_f4.npy"), *graph, 1)->batches.size(), std::size_t(1));
        const GraphPtr two = graphWith({{"x", tensorMeta({3, 4})}, {"y", tensorMeta({3, 4})}});
        QVERIFY(messageOf(readBatches(arrays("plain_f4.npy"), *two))
                    .contains("holds one input, the graph has 2"));
        QVERIFY(
            messageOf(readBatches(arrays("plain_scalar.npy"), *graph)).contains("no dimensions"));
        const GraphPtr other = graphWith({{"x", tensorMeta({4, 3})}});
        QVERIFY(
            messageOf(readBatches(arrays("plain_f4.npy"), *other))
                .contains(
                    "each batch (the first axis runs over the batches) has shape 3×4, input 'x' needs 4×3"));
    }

    void symbolsAndNumbers()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({SymInt("s0"), 2})},
                                          {"y", tensorMeta({SymInt("s0")})},
                                          {"n", {ValueMeta::Scalar{"SymInt", "s1"}}},
                                          {"k", {ValueMeta::Scalar{"int", "3"}}},
                                          {"none", {}}});
        const Whole seven = 7;
        const Tensor number = Tensor::fromValues<Whole>(DType::Int64, {}, std::span(&seven, 1));
        const auto batches = readBatches(
            write({{"b0_i0", floats({5, 2})}, {"b0_i1", floats({5})}, {"b0_i2", number}}), *graph);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        const Values& batch = batches->batches[0];
        QVERIFY(std::get<Whole>(batch[2].data) == 7);
        QVERIFY(std::get<Whole>(batch[3].data) == 3);
        QVERIFY(batch[4].isNone());
        const auto unequal = readBatches(
            write({{"b0_i0", floats({5, 2})}, {"b0_i1", floats({4})}, {"b0_i2", number}}), *graph);
        QVERIFY2(messageOf(unequal).contains(
                     "array 'b0_i1': has size 4 where another input has 5 for s0"),
                 qPrintable(messageOf(unequal)));
    }

    void wrongArraysAreNamed_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("part");
        QTest::newRow("shape") << 0 << "array 'b0_i0': has shape 3×2, input 'x' needs 2×3";
        QTest::newRow("rank") << 1 << "array 'b0_i0': has shape 6, input 'x' needs 2×3";
        QTest::newRow("dtype") << 2 << "array 'b0_i0': has dtype int64, input 'x' needs float32";
        QTest::newRow("missing") << 3 << "array 'b1_i0' for input 'x' is missing";
        QTest::newRow("gap") << 4 << "not numbered from 0 without gaps (highest is b1000000000)";
        QTest::newRow("input") << 5 << "array 'b0_i1': the graph has 1 inputs";
        QTest::newRow("name") << 6 << "array 'images' is not named b<batch>_i<input>";
        QTest::newRow("leading zero") << 7 << "array 'b00_i0' is not named";
        QTest::newRow("sign") << 8 << "array 'b-1_i0' is not named";
    }
    void wrongArraysAreNamed()
    {
        QFETCH(int, which);
        QFETCH(QString, part);
        const Whole six[] = {1, 2, 3, 4, 5, 6};
        const std::vector<NamedTensors> files{
            {{"b0_i0", floats({3, 2})}},
            {{"b0_i0", floats({6})}},
            {{"b0_i0", Tensor::fromValues<Whole>(DType::Int64, {2, 3}, six)}},
            {{"b0_i0", floats({2, 3})}, {"b0_i1", floats({2, 3})}, {"b1_i1", floats({2, 3})}},
            {{"b1000000000_i0", floats({2, 3})}},
            {{"b0_i1", floats({2, 3})}},
            {{"images", floats({2, 3})}},
            {{"b00_i0", floats({2, 3})}},
            {{"b-1_i0", floats({2, 3})}}};
        const GraphPtr one = graphWith({{"x", tensorMeta({2, 3})}});
        const GraphPtr two = graphWith({{"x", tensorMeta({2, 3})}, {"y", tensorMeta({2, 3})}});
        const std::string path = write(files[static_cast<std::size_t>(which)]);
        const QString message = messageOf(readBatches(path, which == 3 ? *two : *one));
        QVERIFY2(message.contains(part), qPrintable(message));
        QVERIFY2(message.contains("given.npz"), qPrintable(message));
    }

    void randomBatchesGoOnInOneStream()
    {
        const GraphPtr graph = graphWith({{"x", tensorMeta({2, 8})}, {"y", tensorMeta({16})}});
        const auto batches = randomBatches(*graph, 2, 5);
        QVERIFY2(batches, qPrintable(messageOf(batches)));
        QCOMPARE(batches->description, std::string("2 random batches"));
        const auto stream = (*kernels())->randomStream(5);
        for (const Values& batch : batches->batches) {
            QCOMPARE(*sha256(*batch[0].tensor()),
                     *sha256(*stream->randn(std::vector<Whole>{2, 8})));
            QCOMPARE(*sha256(*batch[1].tensor()), *sha256(*stream->randn(std::vector<Whole>{16})));
        }
        QCOMPARE(randomBatches(*graph, 2, 5)->hash, batches->hash);
        QVERIFY(randomBatches(*graph, 2, 6)->hash != batches->hash);
        QCOMPARE(randomBatches(*graph, 1, 5)->description, std::string("1 random batch"));
        QVERIFY(randomBatches(*graph, 0, 5)->batches.empty());
    }

    void randomBatchesNeedFloatsAndSizes()
    {
        const GraphPtr tokens = graphWith({{"tokens", tensorMeta({2}, DType::Int64)}});
        const QString message = messageOf(randomBatches(*tokens, 1, 0));
        QVERIFY2(message.contains("input 'tokens'") && message.contains("int64")
                     && message.contains(".npz"),
                 qPrintable(message));
        const GraphPtr open = graphWith({{"x", tensorMeta({SymInt("s0"), 3})}});
        QVERIFY(messageOf(randomBatches(*open, 1, 0)).contains("no fixed size s0"));
        const Values example{{floats({4, 3})}};
        const auto sized = randomBatches(*open, 1, 0, &example);
        QVERIFY2(sized, qPrintable(messageOf(sized)));
        QCOMPARE(sized->batches[0][0].tensor()->shape(), (std::vector<Whole>{4, 3}));
        const GraphPtr half = graphWith({{"x", tensorMeta({3}, DType::Float16)}});
        QCOMPARE(randomBatches(*half, 1, 0)->batches[0][0].tensor()->dtype(), DType::Float16);
    }

    void outputsAreWritten()
    {
        const std::string path = m_folder.filePath("out.npz").toStdString();
        const std::vector<Values> outputs{{{floats({2}, 1)}, {}, {Whole(3)}, {0.5}, {true}},
                                          {{floats({2}, 5)}}};
        const auto written = writeOutputs(path, outputs);
        QVERIFY2(written, qPrintable(messageOf(written)));
        const auto back = readArrays(path);
        QVERIFY2(back, qPrintable(messageOf(back)));
        std::vector<std::string> names;
        for (const auto& [name, tensor] : *back)
            names.push_back(name);
        QCOMPARE(names, (std::vector<std::string>{"b0_o0", "b0_o2", "b0_o3", "b0_o4", "b1_o0"}));
        QCOMPARE(back->back().second.toDoubles()->front(), 5.0);
        QCOMPARE((*back)[1].second.dtype(), DType::Int64);
        QCOMPARE((*back)[3].second.dtype(), DType::Bool);
        QVERIFY(messageOf(writeOutputs(path, {{{std::string("text")}}}))
                    .contains("b0_o0: cannot be written: str"));
    }
};

QTEST_GUILESS_MAIN(TestBatches)
#include "tst_batches.moc"
