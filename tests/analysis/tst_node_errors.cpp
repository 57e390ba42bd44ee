// The questions about errors, each held against another way to answer it.
#include "core/analysis/Compare.h"
#include "core/analysis/EvaluationData.h"
#include "core/analysis/GraphVariants.h"
#include "core/data/DataSet.h"
#include "core/data/Npz.h"
#include "core/ir/GraphEditor.h"
#include "core/ir/Lint.h"
#include "core/pipeline/Pipeline.h"
#include "tests/support/ConvertedModel.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pt2e;
using pt2e::test::convertedModel;

namespace {

Result<CompareReport> comparison(const Snapshot& snapshot)
{
    PT2E_ASSIGN(const Batches data,
                evaluationBatches(*snapshot.model, snapshot.recipe.calibration));
    return compareEngines(snapshot, data, 1, {});
}

const NodeError* errorOf(const CompareReport& report, const std::string& name)
{
    for (const NodeError& node : report.nodes.nodes) {
        if (node.name == name)
            return &node;
    }
    return nullptr;
}

/// The values of two nodes over the evaluation batches, compared.
Result<TensorError> compareValues(const GraphPtr& reference, NodeId wanted, const GraphPtr& other,
                                  NodeId got, const Batches& data)
{
    const auto valueOf = [](const GraphPtr& graph, NodeId id,
                            const Values& inputs) -> Result<Tensor> {
        GraphEditor editor{Graph(*graph)};
        editor.setArgs(graph->output()->id, {Argument::tuple({Argument(id)})});
        PT2E_ASSIGN(const auto program, makeReferenceProgram(std::move(editor).publish()));
        PT2E_ASSIGN(const RunReport report, program->run(inputs, {}, {}));
        return *report.outputs.at(0).tensor();
    };
    RunningError error;
    for (const Values& inputs : data.batches) {
        PT2E_ASSIGN(const Tensor a, valueOf(reference, wanted, inputs));
        PT2E_ASSIGN(const Tensor b, valueOf(other, got, inputs));
        PT2E_TRY(error.add(a, b, a.shape().front()));
    }
    return error.error();
}

bool isSame(const TensorError& a, const TensorError& b)
{
    return (a.sqnrDb == b.sqnrDb || std::abs(a.sqnrDb - b.sqnrDb) < 1e-9) && a.maxAbs == b.maxAbs
           && a.count == b.count && std::abs(a.cosine - b.cosine) < 1e-12;
}

/// The graph with only those quantizations that the operators read or that stand behind the last of them.
GraphPtr onlyAround(const Graph& unfolded, const std::vector<std::string>& names)
{
    std::vector<NodeId> group;
    for (const std::string& name : names)
        group.push_back(unfolded.findByName(name)->id);
    GraphEditor editor{Graph(unfolded)};
    for (const QuantizePair& pair : quantizePairs(unfolded)) {
        if (pair.value == group.back())
            continue;
        for (const NodeId dequantize : pair.dequantizes)
            editor.replaceAllUses(dequantize, pair.value, [&](NodeId user) {
                return std::find(group.begin(), group.end(), user) != group.end();
            });
    }
    return std::move(editor).publish();
}

} // namespace

class TestNodeErrors : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aloneAgainstAGraphOfItsOwn_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QStringList>("names");
        QTest::newRow("first") << "residual" << QStringList{"conv2d", "relu"};
        QTest::newRow("second") << "residual" << QStringList{"conv2d_1"};
        QTest::newRow("sum") << "residual" << QStringList{"add", "relu_1"};
        QTest::newRow("mean") << "cat_pool" << QStringList{"mean"};
    }
    void aloneAgainstAGraphOfItsOwn()
    {
        QFETCH(QString, model);
        QFETCH(QStringList, names);
        const SnapshotPtr snapshot = convertedModel(model.toStdString());
        QVERIFY(snapshot && snapshot->converted);
        const auto report = comparison(*snapshot);
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        std::vector<std::string> group;
        for (const QString& name : names)
            group.push_back(name.toStdString());
        const NodeError* mine = errorOf(*report, group.back());
        QVERIFY(mine && mine->alone);

        const auto unfolded = unfoldedGraph(*snapshot, {});
        QVERIFY(unfolded);
        const GraphPtr around = onlyAround(**unfolded, group);
        const NodeId last = (*unfolded)->findByName(group.back())->id;
        const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
        const auto expected = compareValues(snapshot->annotated->folded.graph, last, around,
                                            valueNodeOf(*around, last), *data);
        QVERIFY2(expected, expected ? "" : expected.error().message().c_str());
        QVERIFY2(
            isSame(*mine->alone, *expected),
            qPrintable(
                QString("%1 dB instead of %2").arg(mine->alone->sqnrDb).arg(expected->sqnrDb)));
    }

    void otherQuestions()
    {
        const SnapshotPtr snapshot = convertedModel("residual");
        const auto report = comparison(*snapshot);
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        QCOMPARE(report->nodes.batches, 2);
        const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
        const GraphPtr& folded = snapshot->annotated->folded.graph;
        const NodeId last = folded->findByName("relu_1")->id;
        const NodeError* mine = errorOf(*report, "relu_1");
        // The folded converted graph gives the same numbers as the one with its weights' quantize nodes.
        const GraphPtr& converted = snapshot->converted->graph;
        const auto cumulative =
            compareValues(folded, last, converted, valueNodeOf(*converted, last), *data);
        QVERIFY(isSame(*mine->cumulative, *cumulative));
        // The last operator's value is the output.
        QVERIFY2(isSame(*mine->kernels, report->outputs[0].kernels),
                 qPrintable(QString("%1 dB instead of %2")
                                .arg(mine->kernels->sqnrDb)
                                .arg(report->outputs[0].kernels.sqnrDb)));
        QVERIFY(std::abs(mine->xnnpack->sqnrDb - report->outputs[0].xnnpack.sqnrDb) < 0.01);
        QVERIFY(report->outputs[0].weightsOnly && report->outputs[0].activationsOnly);
        // Each part costs less than all of it.
        QVERIFY(report->outputs[0].weightsOnly->sqnrDb > report->outputs[0].simulated.sqnrDb);
        QVERIFY(report->outputs[0].activationsOnly->sqnrDb > report->outputs[0].simulated.sqnrDb);
        // What is fused into its successor has no value of its own in int8.
        QVERIFY(!errorOf(*report, "conv2d")->kernels);
        QVERIFY(errorOf(*report, "conv2d")->alone);
    }

    void variants()
    {
        const SnapshotPtr snapshot = convertedModel("cat_pool");
        const auto unfolded = unfoldedGraph(*snapshot, {});
        QVERIFY(unfolded);
        const auto count = [](const GraphPtr& graph, bool isConstant) {
            int found = 0;
            for (const QuantizePair& pair : quantizePairs(*graph))
                found += pair.isConstant == isConstant ? 1 : 0;
            return found;
        };
        const GraphPtr weights = onlyQuantized(**unfolded, Quantized::Weights);
        const GraphPtr activations = onlyQuantized(**unfolded, Quantized::Activations);
        QCOMPARE(count(weights, true), 3);
        QCOMPARE(count(weights, false), 0);
        QCOMPARE(count(activations, true), 0);
        QCOMPARE(count(activations, false), count(*unfolded, false));
        const EachAlone alone = eachAlone(**unfolded);
        for (const GraphPtr& graph : {weights, activations, alone.graph}) {
            const auto clean = lint(*graph);
            QVERIFY2(clean, clean ? "" : clean.error().message().c_str());
        }
        // cat reads what is quantized but is none of the quantizer's: it stands alone all the same.
        QVERIFY(alone.resultOf.contains((*unfolded)->findByName("cat")->id));
    }

    void quantizations()
    {
        const SnapshotPtr snapshot = convertedModel("residual");
        const auto report = comparison(*snapshot);
        QVERIFY(report);
        int weights = 0;
        for (const PairError& pair : report->nodes.pairs) {
            weights += pair.isConstant ? 1 : 0;
            const QuantizationLoss& loss = pair.loss;
            QVERIFY2(std::abs(loss.roundingMse + loss.clippingMse - loss.error.mse)
                         <= 1e-9 * loss.error.mse,
                     pair.name.c_str());
            QVERIFY2(loss.stepRmse > 0.1 && loss.usedCodes > 10, pair.name.c_str());
            // A symmetric weight is in range by construction, up to half a step.
            QVERIFY2(!pair.isConstant || loss.stepRmse < 0.3, pair.name.c_str());
        }
        QCOMPARE(weights, 2);
    }

    /// Bad batches are left out; what fills up the last batch does not count; hashes are told.
    void dataOnDisk()
    {
        const SnapshotPtr snapshot = convertedModel("stem");
        const auto shape =
            snapshot->model->examples.at(0)[0].tensor()->shape(); // a fixed batch of several
        const auto random = snapshot->model->randomBatches(2, 0);
        QVERIFY(random);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("raw").toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        std::size_t written = 0;
        const std::size_t sample =
            random->batches[0][0].tensor()->byteCount() / static_cast<std::size_t>(shape[0]);
        for (const Values& batch : random->batches) {
            const auto bytes = *batch[0].tensor()->bytes();
            // The first batch, and one sample of the second.
            const std::size_t size = written == 0 ? bytes.size() : sample;
            file.write(reinterpret_cast<const char*>(bytes.data()), qint64(size));
            written += size;
        }
        file.close();
        DataFormat format;
        format.rawShape.assign(shape.begin() + 1, shape.end());
        const auto data = openData({path, format}, *snapshot->model->exported);
        QVERIFY2(data, data ? "" : data.error().message().c_str());
        const auto report = compareEngines(*snapshot, **data, {}, {});
        QVERIFY2(report, report ? "" : report.error().message().c_str());
        QCOMPARE(report->samples, shape[0] + 1);
        QCOMPARE(report->batchHashes.size(), std::size_t(2));
        QCOMPARE(report->batchHashes[0], *hashOf(random->batches[0]));
        const std::int64_t each = report->outputs[0].simulated.count / report->samples;
        QCOMPARE(each * report->samples, report->outputs[0].simulated.count);
        QCOMPARE(report->outputs[0].steps->count, report->outputs[0].simulated.count);

        // Labels go with rows of class scores only.
        QFile labels(folder.filePath("labels.csv"));
        QVERIFY(labels.open(QIODevice::WriteOnly));
        labels.write(QByteArray("0\n").repeated(static_cast<int>(report->samples)));
        labels.close();
        QVERIFY((*data)->readLabels(labels.fileName().toStdString()));
        const auto noScores = compareEngines(*snapshot, **data, {}, {});
        QVERIFY(!noScores);
        QVERIFY2(noScores.error().message().find("has no row of class scores") != std::string::npos,
                 noScores.error().message().c_str());
    }

    void classifier()
    {
        Classifier classifier({1, 0, 2, 2}, {"a", "b", "c"});
        const auto scores = [](std::vector<float> values) {
            return Tensor::fromValues<float>(DType::Float32, {2, 3}, values);
        };
        const Tensor f1 = scores({0, 1, 0, 1, 0, 0}), f2 = scores({0, 0, 1, 1, 0, 0});
        const Tensor s2 = scores({0, 0, 1, 0, 0, 1}), x2 = scores({1, 0, 0, 0, 0, 1});
        QVERIFY(classifier.add({0, 1}, {&f1, &f1, &f1}));
        QVERIFY(classifier.add({2, 3}, {&f2, &s2, &x2}));
        const Classified result = classifier.result();
        QCOMPARE(result.samples, 4);
        QCOMPARE(result.accuracy[0].right, 3);
        QCOMPARE(result.accuracy[1].right, 4);
        QCOMPARE(result.accuracy[2].right, 3);
        QCOMPARE(result.flips.size(), std::size_t(2));
        QCOMPARE(result.flips[0].sample, 2);
        QCOMPARE(result.comparisons[0].difference.fixed, 1);
        QCOMPARE(result.comparisons[1].difference.broken, 1);
        QCOMPARE(result.comparisons[1].agreeing, 2);
        QCOMPARE(result.confusion[2].counts[2][0], 1);
        Classifier wrong({7, 0}, {});
        const auto outside = wrong.add({0, 1}, {&f1, &f1, &f1});
        QVERIFY(!outside);
        QCOMPARE(outside.error().message(),
                 std::string("labels: sample 0 has label 7, the first output has 3 classes"));
    }
};

QTEST_GUILESS_MAIN(TestNodeErrors)
#include "tst_node_errors.moc"
