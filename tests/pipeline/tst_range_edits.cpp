// Ranges chosen otherwise than the observers do: as edits that torchao understands, from what was seen, without a run
// of the model.
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/RangeEdits.h"
#include "core/pipeline/StageDump.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>

#include <cmath>

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// The instance that observes the node's output.
ObserverId instanceAt(const Snapshot& snapshot, const char* node)
{
    const Node* found = snapshot.annotated->folded.graph->findByName(node);
    const auto& instances = snapshot.prepared->instanceOf;
    const auto it = found ? instances.find(Point::output(found->id)) : instances.end();
    return it == instances.end() ? ObserverId{} : it->second;
}

} // namespace

class TestRangeEdits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }

    void methodAfterMethodFromOneCalibration()
    {
        const auto model = openModel({"residual", {}, 8, 2, 0}, {});
        Pipeline pipeline(*model);
        SnapshotPtr snapshot = pipeline.run({}, StageKind::Converted, {});
        QVERIFY(!snapshot->error);
        const ObserverId first = instanceAt(*snapshot, "relu");
        QVERIFY(first);
        const ObserverState seen = seenBy(*snapshot, first);
        const std::int64_t runs = pipeline.modelRuns();
        for (const RangeMethod method : rangeMethods()) {
            const auto edits = rangeEdits(*snapshot, instanceAt(*snapshot, "relu"), method);
            QVERIFY2(edits, edits ? "" : edits.error().message().c_str());
            QVERIFY(!edits->empty());
            snapshot = pipeline.run(withEdits(snapshot->recipe, *edits), StageKind::Converted, {});
            QVERIFY2(!snapshot->error, snapshot->error->message().c_str());
            // What was seen is there for the next choice, though a fixed observer sees nothing.
            const ObserverId fixed = instanceAt(*snapshot, "relu");
            QVERIFY(snapshot->prepared->instances[fixed.value].config.kind
                    == ObserverKind::FixedQParams);
            QCOMPARE(seenBy(*snapshot, fixed).histogram, seen.histogram);
            QVERIFY(snapshot->calibrated->states[fixed.value]->histogram.empty());
            const QParams wanted =
                qparamsOfRange(
                    snapshot->prepared->instances[fixed.value].config,
                    chooseRange(method, snapshot->prepared->instances[fixed.value].config, seen)
                        .value())
                    .value();
            QCOMPARE(snapshot->calibrated->qparams[fixed.value].qparams->scale, wanted.scale);
            QCOMPARE(snapshot->calibrated->qparams[fixed.value].qparams->zeroPoint,
                     wanted.zeroPoint);
        }
        QCOMPARE(pipeline.modelRuns(), runs);
    }

    void allAtOnceAndBack()
    {
        const auto model = openModel({"residual", {}, 8, 2, 0}, {});
        Pipeline pipeline(*model);
        const SnapshotPtr before = pipeline.run({}, StageKind::Converted, {});
        const Recipe all = withRanges(*before, RangeMethod::Percentile999);
        const SnapshotPtr after = pipeline.run(all, StageKind::Converted, {});
        QVERIFY(!after->error);
        int fixed = 0;
        for (const ObserverInstance& instance : after->prepared->instances) {
            const bool isWeight = isPerChannel(instance.config.qscheme);
            const bool isFixed = instance.config.kind == ObserverKind::FixedQParams;
            QVERIFY(isWeight != isFixed);
            fixed += isFixed ? 1 : 0;
        }
        QVERIFY(fixed >= 3);
        const SnapshotPtr again = pipeline.run({}, StageKind::Converted, {});
        QCOMPARE(*dumpStages(*again), *dumpStages(*before));
    }

    // Every point of a shared observer that asks for it gets the edit; those that share go on sharing.
    void sharedObserversStayShared()
    {
        const auto model = openModel({"cat_pool", {}, 8, 2, 0}, {});
        Recipe recipe;
        recipe.quantizer.flavor = QuantizerFlavor::ExecuTorch;
        Pipeline pipeline(*model);
        const SnapshotPtr before = pipeline.run(recipe, StageKind::Converted, {});
        QVERIFY(!before->error);
        for (const ObserverInstance& instance : before->prepared->instances) {
            const auto edits = rangeEdits(*before, instance.id, RangeMethod::SquaredError);
            if (!edits || edits->empty())
                continue;
            const SnapshotPtr after =
                pipeline.run(withEdits(recipe, *edits), StageKind::Converted, {});
            QVERIFY2(!after->error, after->error ? after->error->message().c_str() : "");
            QCOMPARE(after->prepared->instances.size(), before->prepared->instances.size());
            QCOMPARE(after->prepared->sharing.groups(), before->prepared->sharing.groups());
        }
    }

    // The scales that calibration on so many batches has, without a run of the model.
    void convergenceIsCalibrationOnFewer()
    {
        const auto model = openModel({"residual", {}, 8, 2, 0}, {});
        Pipeline pipeline(*model);
        const SnapshotPtr whole = pipeline.run({}, StageKind::Converted, {});
        const std::int64_t runs = pipeline.modelRuns();
        for (const ObserverInstance& instance : whole->prepared->instances) {
            const auto found = pipeline.convergence(*whole, instance.id, {});
            if (isPerChannel(instance.config.qscheme)) {
                QVERIFY(!found);
                continue;
            }
            QVERIFY2(found, found ? "" : found.error().message().c_str());
            QCOMPARE(found->points.size(), std::size_t(8));
            QVERIFY(found->enough >= 1 && found->enough <= 8);
            for (const std::int64_t batches : {1, 3, 8}) {
                Recipe recipe;
                recipe.calibration.batches = batches;
                const SnapshotPtr fewer = Pipeline(*model).run(recipe, StageKind::Calibrated, {});
                QCOMPARE(found->points[static_cast<std::size_t>(batches) - 1].qparams,
                         *fewer->calibrated->qparams[instance.id.value].qparams);
            }
            const double last = static_cast<double>(found->points[7].qparams.scale[0]);
            for (std::size_t i = found->enough - 1; i < 8; ++i)
                QVERIFY(std::fabs(static_cast<double>(found->points[i].qparams.scale[0]) / last - 1)
                        <= Convergence::kTolerance);
            QVERIFY(found->points[7].sqnrDb > 30 && found->points[7].sqnrDb < 60);
            QVERIFY(found->points[7].low < found->points[7].high);
        }
        QCOMPARE(pipeline.modelRuns(), runs);
    }

    void weightsHaveNone()
    {
        const auto model = openModel({"residual", {}, 8, 2, 0}, {});
        const SnapshotPtr snapshot = Pipeline(*model).run({}, StageKind::Converted, {});
        for (const ObserverInstance& instance : snapshot->prepared->instances) {
            if (isPerChannel(instance.config.qscheme))
                QVERIFY(!rangeEdits(*snapshot, instance.id, RangeMethod::MinMax));
        }
    }
};

QTEST_GUILESS_MAIN(TestRangeEdits)
#include "tst_range_edits.moc"
