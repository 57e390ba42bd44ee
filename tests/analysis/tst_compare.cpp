// The notebook's models from seed to int8: what the comparison says, that residual is one partition,
// the data it is judged on.
#include "core/analysis/Compare.h"
#include "core/analysis/EvaluationData.h"
#include "core/data/Npz.h"
#include "core/engine/xnnpack/Plan.h"
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Pipeline.h"
#include "tests/support/ConvertedModel.h"

#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <map>

using namespace pt2e;
using pt2e::test::convertedModel;

namespace {

std::map<std::string, Assignment> byName(const CompareReport& report)
{
    std::map<std::string, Assignment> result;
    for (const Assignment& assignment : report.assignments)
        result[report.converted->node(assignment.node).name] = assignment;
    return result;
}

} // namespace

class TestCompare : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void residual();
    void catPool();
    void floatOutputHasNoSteps();
    void whatIsMissing();
    void evaluationData();
};

void TestCompare::residual()
{
    const SnapshotPtr snapshot = convertedModel("residual");
    QVERIFY(snapshot && snapshot->converted);
    const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
    QVERIFY(data.has_value());
    const int threadsBefore = (*kernels())->info().threads;
    const auto report = compareEngines(*snapshot, *data, 2, {});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    QCOMPARE(report->data, std::string("2 random batches after the 8 of calibration"));
    QCOMPARE(report->batches, std::int64_t(2));
    // A small model's runs have one thread each; LibTorch has its own again behind it.
    QVERIFY(snapshot->annotated->coverage.macs < kSmallModelMacs);
    QCOMPARE(report->threads, 1);
    QCOMPARE(report->torchInfo.threads, 1);
    QCOMPARE((*kernels())->info().threads, threadsBefore);
    QVERIFY(report->xnnpackInfo.snapshot.starts_with("20"));
    QVERIFY(!report->torchInfo.version.empty());
    QCOMPARE(report->outputs.size(), std::size_t(1));
    const OutputComparison& output = report->outputs[0];
    QCOMPARE(output.name, std::string("relu_1"));
    QCOMPARE(output.shape, (std::vector<std::int64_t>{4, 8, 16, 16}));
    QVERIFY2(output.simulated.sqnrDb > 30 && output.simulated.sqnrDb < 60,
             qPrintable(QString::number(output.simulated.sqnrDb)));
    QVERIFY(std::fabs(output.xnnpack.sqnrDb - output.simulated.sqnrDb) < 1);
    QVERIFY(output.kernels.sqnrDb > 45);
    QVERIFY(output.steps.has_value());
    QVERIFY(output.steps->maxSteps <= 1);
    QCOMPARE(output.steps->count, std::int64_t(2 * 4 * 8 * 16 * 16));

    const auto assigned = byName(*report);
    int partitions = 0;
    for (const auto& [name, assignment] : assigned) {
        QVERIFY2(assignment.where != Assignment::Where::LibTorch, name.c_str());
        partitions = std::max(partitions, assignment.partition + 1);
    }
    QCOMPARE(partitions, 1);
    QCOMPARE(xnn::makePlan(report->converted, {xnn::opTable(), {}}).steps.size(), std::size_t(1));
}

void TestCompare::catPool()
{
    const SnapshotPtr snapshot = convertedModel("cat_pool");
    QVERIFY(snapshot && snapshot->converted);
    const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
    const auto report = compareEngines(*snapshot, *data, 1, {});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    const auto assigned = byName(*report);
    for (const char* name : {"conv2d", "conv2d_1", "conv2d_2", "mean", "add"})
        QCOMPARE(assigned.at(name).where, Assignment::Where::XnnpackInt8);
    // Not annotated by the quantizer, but what they move is int8 on both sides.
    QCOMPARE(assigned.at("cat").kernel, std::string("concatenate qs8"));
    QCOMPARE(assigned.at("max_pool2d").kernel, std::string("max_pooling_2d s8"));
    for (const auto& [name, assignment] : assigned)
        QVERIFY2(assignment.partition <= 0, name.c_str());
    // Four roundings in a row: where the mean's falls on a tie, which the simulation's float32 sum
    // breaks at random, and the convolution's is off as well, their sum can be two steps off.
    const OutputComparison& output = report->outputs.at(0);
    QVERIFY(output.steps.has_value());
    QVERIFY(output.steps->maxSteps <= 2);
    QVERIFY(static_cast<double>(output.steps->farApart)
            <= 0.001 * static_cast<double>(output.steps->count));
    QVERIFY(output.kernels.sqnrDb > 40);
    QVERIFY(output.simulated.sqnrDb > 30);
}

void TestCompare::floatOutputHasNoSteps()
{
    // An output that nobody quantized: compared all the same, but there is no step to count in.
    const SnapshotPtr snapshot = convertedModel("stem");
    QVERIFY(snapshot && snapshot->converted);
    GraphEditor editor(*snapshot->converted->graph);
    const Node* relu = editor.graph().findByName("relu");
    QVERIFY(relu);
    editor.setArgs(editor.graph().output()->id, {Argument::tuple({Argument(relu->id)})});
    editor.eliminateDeadCode();
    Snapshot changed = *snapshot;
    changed.converted =
        std::make_shared<ConvertedGraph>(ConvertedGraph{std::move(editor).publish(), {}, {}});
    const auto data = evaluationBatches(*changed.model, changed.recipe.calibration);
    const auto report = compareEngines(changed, *data, 1, {});
    QVERIFY2(report.has_value(), report ? "" : report.error().message().c_str());
    QVERIFY(!report->outputs.at(0).steps.has_value());
    QVERIFY(report->outputs.at(0).kernels.maxAbs < 1e-5); // in float on XNNPACK
    QCOMPARE(byName(*report).at("conv2d").reason,
             std::string("its output is float (read by the model's output): the quantizer did not "
                         "annotate it"));
}

void TestCompare::whatIsMissing()
{
    const SnapshotPtr snapshot = convertedModel("stem");
    QVERIFY(snapshot && snapshot->converted);
    Batches none;
    none.description = "nothing";
    auto report = compareEngines(*snapshot, none, 1, {});
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().message(), std::string("nothing: there is no batch to compare on"));

    Snapshot unreached = *snapshot;
    unreached.converted = nullptr;
    unreached.error = Error{ErrorCode::BadInput, "calib.npz", "array b0_i0 is missing"};
    report = compareEngines(unreached, none, 1, {});
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().message(), std::string("calib.npz: array b0_i0 is missing"));

    std::stop_source stop;
    stop.request_stop();
    JobContext cancelled;
    cancelled.stop = stop.get_token();
    const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration);
    report = compareEngines(*snapshot, *data, 1, cancelled);
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().code, ErrorCode::Cancelled);
}

void TestCompare::evaluationData()
{
    const SnapshotPtr snapshot = convertedModel("stem");
    QVERIFY(snapshot);
    const Model& model = *snapshot->model;
    CalibrationChoice random;
    random.source = CalibrationChoice::Source::Random;
    random.batches = 3;
    // The same stream, one further.
    const auto fresh = evaluationBatches(model, random, 1);
    random.batches = 4;
    const auto four = loadBatches(model, random);
    QVERIFY(fresh && four);
    QCOMPARE(fresh->description, std::string("1 random batch after the 3 of calibration"));
    QCOMPARE(*sha256(*fresh->batches[0][0].tensor()), *sha256(*four->batches[3][0].tensor()));

    const QTemporaryDir folder;
    const std::string path = folder.filePath("data.npz").toStdString();
    NamedTensors arrays;
    for (int i = 0; i < 4; ++i)
        arrays.emplace_back("b" + std::to_string(i) + "_i0", *four->batches[i][0].tensor());
    QVERIFY(writeNpz(path, arrays).has_value());
    CalibrationChoice file;
    file.source = CalibrationChoice::Source::File;
    file.path = path;
    file.batches = 3;
    const auto rest = evaluationBatches(model, file);
    QVERIFY(rest.has_value());
    QCOMPARE(rest->description, "1 batch after the 3 of calibration in " + path);
    QCOMPARE(*sha256(*rest->batches[0][0].tensor()), *sha256(*four->batches[3][0].tensor()));
    // Sample by sample, the same rows.
    const auto chosen = pt2e::evaluationData(model, random, {path, {}, {}}, 6);
    QVERIFY(chosen.has_value());
    const std::int64_t rows = four->batches[0][0].tensor()->shape()[0];
    SampleReader reader(snapshot->model, std::shared_ptr<const DataSet>(dataOf(*four)));
    const auto sample = reader.read(rows + 1);
    QVERIFY(sample.has_value());
    const auto whole = four->batches[1][0].tensor()->toDoubles();
    const auto values = sample->toDoubles();
    QVERIFY(whole && values);
    QCOMPARE(*values, std::vector<double>(whole->begin() + static_cast<long>(values->size()),
                                          whole->begin() + 2 * static_cast<long>(values->size())));
    QVERIFY(!reader.read(4 * rows).has_value());
    QVERIFY(!reader.read(-1).has_value());
    file.batches.reset();
    const auto all = evaluationBatches(model, file);
    QVERIFY(all.has_value());
    QCOMPARE(all->batches.size(), std::size_t(4));
    QVERIFY(all->description.ends_with(", which calibration saw too"));

    Model withExamples = model;
    withExamples.examples = {four->batches[0]};
    CalibrationChoice examples;
    examples.source = CalibrationChoice::Source::Examples;
    const auto same = evaluationBatches(withExamples, examples);
    QVERIFY(same.has_value());
    QCOMPARE(same->description,
             std::string("example inputs of the file, which calibration saw too"));
    withExamples.examples.clear();
    QVERIFY(!evaluationBatches(withExamples, examples).has_value());
}

QTEST_GUILESS_MAIN(TestCompare)
#include "tst_compare.moc"
