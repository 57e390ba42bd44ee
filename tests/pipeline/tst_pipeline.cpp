// The walk through the stages: what an edit, an undo, a cancel and another thread count do.
#include "core/ir/Text.h"
#include "core/pipeline/ActivationCache.h"
#include "core/pipeline/ModelRuns.h"
#include "core/pipeline/StageDump.h"
#include "core/pipeline/Stages.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>
#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <thread>

using namespace pt2e;
using namespace pt2e::test;

namespace {

ModelPtr residual()
{
    const auto model = openModel({"residual", {}, 8, 2, 0}, {});
    return model ? *model : nullptr;
}

std::string dumpOf(const SnapshotPtr& snapshot)
{
    const auto dump = dumpStages(*snapshot);
    return dump ? *dump : "no dump: " + dump.error().message();
}

std::string fromScratch(const Recipe& recipe, const JobContext& context = {})
{
    return dumpOf(Pipeline(residual()).run(recipe, StageKind::Converted, context));
}

Edit noneAt(const std::string& point) { return {*NamedPoint::parse(point), {}}; }

} // namespace

class TestPipeline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(residual());
    }

    void anotherPipelineSharesTheValues()
    {
        Recipe recipe;
        recipe.calibration.batches = 3;
        const auto model = openModel({"cat_pool", {}, 8, 2, 0}, {});
        QVERIFY(model);
        Pipeline first(*model);
        const SnapshotPtr before = first.run(recipe, StageKind::Converted, {});
        QCOMPARE(first.modelRuns(), 3);
        const Recipe other = withQuantizer(recipe, QuantizerFlavor::ExecuTorch);
        const std::string alone = dumpOf(Pipeline(*model).run(other, StageKind::Converted, {}));
        Pipeline second(*model);
        second.startFrom(first, other);
        QCOMPARE(dumpOf(second.run(other, StageKind::Converted, {})), alone);
        QCOMPARE(second.modelRuns(), 0);
        // The first one has lost nothing, and what it learns later is shared, too.
        QVERIFY(first.run(recipe, StageKind::Converted, {})->calibrated == before->calibrated);
        Recipe more = recipe;
        more.calibration.batches = 5;
        QVERIFY(first.run(more, StageKind::Converted, {})->converted);
        Recipe moreOther = other;
        moreOther.calibration.batches = 5;
        second.startFrom(first, moreOther);
        QCOMPARE(dumpOf(second.run(moreOther, StageKind::Converted, {})),
                 dumpOf(Pipeline(*model).run(moreOther, StageKind::Converted, {})));
        QCOMPARE(second.modelRuns(), 0);
        // Other data than the first one has: nothing of it is taken, and it is run.
        second.startFrom(first, other);
        QCOMPARE(dumpOf(second.run(other, StageKind::Converted, {})), alone);
        QCOMPARE(second.modelRuns(), 3);
        // Another model's pipeline has nothing to give.
        Pipeline stranger(residual());
        stranger.startFrom(first, recipe);
        QVERIFY(stranger.run(recipe, StageKind::Converted, {})->converted);
        QCOMPARE(stranger.modelRuns(), 3);
    }

    void stagesAreReachedInOrder()
    {
        Pipeline pipeline(residual());
        std::vector<int> reached;
        const SnapshotPtr snapshot =
            pipeline.run({}, StageKind::Converted, {}, [&](const SnapshotPtr& partial) {
                reached.push_back(partial->calibrated ? 3 : partial->prepared ? 2 : 1);
            });
        QVERIFY(!snapshot->error);
        QVERIFY(std::is_sorted(reached.begin(), reached.end()));
        QCOMPARE(std::set<int>(reached.begin(), reached.end()), (std::set<int>{1, 2, 3}));
        QCOMPARE(snapshot->calibrated->batches, 8);
        QCOMPARE(pipeline.modelRuns(), 8);
        for (const StageKind stage :
             {StageKind::Exported, StageKind::Annotated, StageKind::Prepared, StageKind::Calibrated,
              StageKind::Converted})
            QVERIFY(snapshot->graph(stage));
    }

    void coverageOfResidual()
    {
        const SnapshotPtr snapshot = Pipeline(residual()).run({}, StageKind::Annotated, {});
        const Coverage& coverage = snapshot->annotated->coverage;
        QCOMPARE(coverage.ops, 5);
        QCOMPARE(coverage.opsQuantized, 5);
        QCOMPARE(coverage.macs, 2 * 4 * 8 * 16 * 16 * 8 * 9);
        QCOMPARE(coverage.macsQuantized, coverage.macs);
        QCOMPARE(coverage.weightBytes, 4672);
        QCOMPARE(coverage.weightBytesQuantized, 4608);
    }

    /// Output of conv2d_1 to none, undo, redo: equal to runs from scratch, without running the model, in 200 ms.
    void editUndoRedo()
    {
        const Recipe plain;
        const Recipe edited = withEdit(plain, noneAt("conv2d_1"));
        const std::string plainDump = fromScratch(plain);
        const std::string editedDump = fromScratch(edited);
        QVERIFY(plainDump != editedDump);

        Pipeline pipeline(residual());
        SnapshotPtr snapshot = pipeline.run(plain, StageKind::Converted, {});
        QVERIFY(dumpOf(snapshot) == plainDump);
        const std::int64_t runs = pipeline.modelRuns();
        const std::pair<const Recipe&, const std::string&> steps[] = {
            {edited, editedDump}, {plain, plainDump}, {edited, editedDump}, {plain, plainDump}};
        for (const auto& [recipe, expected] : steps) {
            QElapsedTimer timer;
            timer.start();
            snapshot = pipeline.rerun(recipe, snapshot, {});
            const qint64 time = timer.elapsed();
            QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
            QVERIFY(dumpOf(snapshot) == expected);
            QCOMPARE(pipeline.modelRuns(), runs);
            qInfo("rerun: %lld ms", static_cast<long long>(time));
            QVERIFY2(time <= 5000, "the benchmark of the window holds it to 200 ms");
        }
    }

    /// Edits that make new observers are fed from the kept activations, and give the real run's numbers.
    void editsOfManyKinds()
    {
        EditSpec minMax;
        minMax.kind = EditSpec::Kind::Observed;
        minMax.observed.observer.kind = ObserverKind::MinMax;
        minMax.observed.quantMin = -128;
        minMax.observed.quantMax = 127;
        minMax.observed.qscheme = QScheme::PerTensorAffine;
        EditSpec fixed;
        fixed.kind = EditSpec::Kind::Fixed;
        fixed.fixed.scale = 0.05;
        fixed.fixed.quantMin = -128;
        fixed.fixed.quantMax = 127;
        fixed.fixed.qscheme = QScheme::PerTensorAffine;
        EditSpec shared;
        shared.kind = EditSpec::Kind::Shared;
        shared.sharedWith = {"relu", ""};

        Pipeline pipeline(residual());
        SnapshotPtr snapshot = pipeline.run({}, StageKind::Converted, {});
        for (const Edit& edit : {Edit{{"relu_1", ""}, minMax}, Edit{{"add", ""}, minMax},
                                 Edit{{"relu_1", ""}, fixed}, Edit{{"conv2d_1", ""}, shared},
                                 Edit{{"x", "conv2d"}, {}}, Edit{{"conv1_weight", "conv2d"}, {}}}) {
            const Recipe recipe = withEdit({}, edit);
            snapshot = pipeline.rerun(recipe, snapshot, {});
            QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
            QVERIFY2(dumpOf(snapshot) == fromScratch(recipe), edit.at.text().c_str());
            QCOMPARE(pipeline.modelRuns(), 8);
        }
        Recipe perTensor;
        perTensor.quantizer.global->perChannel = false;
        snapshot = pipeline.rerun(perTensor, snapshot, {});
        QVERIFY(dumpOf(snapshot) == fromScratch(perTensor));
        QCOMPARE(pipeline.modelRuns(), 8);
    }

    /// Switching the quantizer there and back, settings by module and operator on the way, is as starting anew: also
    /// where ExecuTorch's removes an unused buffer from the graph that annotate sees.
    void anotherQuantizerIsAsFromScratch()
    {
        const auto model = openModel({casePath("mask_buffer", "model.pt2"), {}, 8, 2, 0}, {});
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        Recipe recipe = recipeFor("mask_buffer", {});
        std::vector<Recipe> recipes = {recipe};
        recipe.quantizer.flavor = QuantizerFlavor::ExecuTorch;
        recipes.push_back(recipe);
        recipe.quantizer.operatorType = {{"aten.linear.default", QuantizationConfig{}}};
        recipe.quantizer.global.reset();
        recipes.push_back(recipe);
        recipes.push_back(recipes.front());
        Pipeline pipeline(*model);
        SnapshotPtr snapshot = pipeline.run(recipes[0], StageKind::Converted, {});
        std::set<std::string> dumps;
        for (const Recipe& next : recipes) {
            snapshot = pipeline.rerun(next, snapshot, {});
            QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
            const std::string dump = dumpOf(snapshot);
            QVERIFY(dump == dumpOf(Pipeline(*model).run(next, StageKind::Converted, {})));
            dumps.insert(dump);
        }
        QCOMPARE(dumps.size(), std::size_t(3)); // the first and the last are the same
    }

    void threadsDoNotMatter()
    {
        JobContext many;
        many.threads = 4;
        QVERIFY(fromScratch({}) == fromScratch({}, many));
    }

    /// Values kept in memory, in the file, and not at all give the same states.
    void cacheSizesDoNotMatter()
    {
        const ModelPtr model = residual();
        const Recipe recipe;
        const auto annotated = annotateStage(*model, recipe, {});
        const auto prepared = prepareStage(**annotated, {});
        const auto batches = loadBatches(*model, recipe.calibration);
        QVERIFY(batches);
        std::vector<std::shared_ptr<const CalibratedStage>> stages;
        std::vector<std::int64_t> runs;
        for (const ActivationLimits limits : {ActivationLimits::defaults(),
                                              {0, 1u << 30},
                                              {0, 1},
                                              {512u << 10, 0},
                                              ActivationLimits::none()}) {
            ActivationCache cache(limits);
            QVERIFY(calibrateStage(**annotated, **prepared, *batches, cache, {}));
            // A second observer set on the same values: the model runs again only where they were not kept.
            Recipe perTensor;
            perTensor.quantizer.global->perChannel = false;
            const auto other =
                annotateFolded((*annotated)->folded, withEdit(perTensor, noneAt("relu")));
            const auto otherPrepared = prepareStage(**other, {});
            const auto stage = calibrateStage(**other, **otherPrepared, *batches, cache, {});
            QVERIFY2(stage, stage ? "" : stage.error().message().c_str());
            stages.push_back(*stage);
            runs.push_back(cache.modelRuns());
        }
        QCOMPARE(runs[0], 8);
        QCOMPARE(runs[1], 8);
        QCOMPARE(runs[2], 16);
        QVERIFY(runs[3] > 8 && runs[3] < 16);
        QVERIFY(stages[0]->diagnostics.empty());
        QCOMPARE(stages[2]->diagnostics.size(), 1u);
        QCOMPARE(stages[2]->diagnostics[0].code, std::string("activations-not-kept"));
        for (const auto& stage : stages) {
            for (std::size_t i = 0; i < stage->states.size(); ++i) {
                QVERIFY(stage->qparams[i].qparams == stages[0]->qparams[i].qparams);
                QVERIFY(stage->states[i]->histogram == stages[0]->states[i]->histogram);
            }
        }
    }

    /// A pipeline that keeps nothing streams the batches: threads run one each, observers see them in order.
    void streamedBatchesGiveTheSame()
    {
        for (const char* name : {"residual", "cat_pool", "stem"}) {
            ModelRequest request;
            request.what = name;
            const auto model = openModel(request, {});
            QVERIFY(model);
            const std::string kept = dumpOf(Pipeline(*model).run({}, StageKind::Converted, {}));
            for (const int threads : {1, 2, 5}) {
                JobContext context;
                context.threads = threads;
                Pipeline pipeline(*model, ActivationLimits::none());
                QVERIFY(dumpOf(pipeline.run({}, StageKind::Converted, context)) == kept);
                QCOMPARE(pipeline.modelRuns(), 8);
                Pipeline keeps(*model);
                QVERIFY(dumpOf(keeps.run({}, StageKind::Converted, context)) == kept);
                QCOMPARE(keeps.modelRuns(), 8);
            }
        }
    }

    /// The error is that of the first batch that fails, whichever thread was faster.
    void theFirstBadBatchIsTold()
    {
        const ModelPtr model = residual();
        const auto annotated = annotateStage(*model, {}, {});
        const auto prepared = prepareStage(**annotated, {});
        auto batches = loadBatches(*model, {});
        QVERIFY(batches);
        for (const std::size_t bad : {3u, 5u}) {
            const Tensor& good = *batches->batches[bad][0].tensor();
            std::vector<float> values(static_cast<std::size_t>(good.elementCount()),
                                      std::numeric_limits<float>::quiet_NaN());
            batches->batches[bad][0] = Value{Tensor::fromValues<float>(
                DType::Float32, good.shape(), std::span<const float>(values))};
        }
        for (const int threads : {1, 2, 4, 8}) {
            JobContext context;
            context.threads = threads;
            ActivationCache cache(ActivationLimits::none());
            const auto stage = calibrateStage(**annotated, **prepared, *batches, cache, context);
            QVERIFY(!stage);
            QVERIFY2(stage.error().message().find("calibration batch 3: ") == 0,
                     stage.error().message().c_str());
        }
    }

    void streamingCanBeCancelled()
    {
        for (int threads = 1; threads <= 8; ++threads) {
            std::stop_source source;
            JobContext context;
            context.threads = threads;
            context.stop = source.get_token();
            context.onProgress = [&](const Progress& progress) {
                if (progress.step == "calibrating")
                    source.request_stop();
            };
            Pipeline pipeline(residual(), ActivationLimits::none());
            const SnapshotPtr stopped = pipeline.run({}, StageKind::Converted, context);
            QVERIFY(stopped->error);
            QCOMPARE(stopped->error->code, ErrorCode::Cancelled);
        }
        // At any time, also while threads wait for each other: it ends.
        for (int i = 0; i < 40; ++i) {
            std::stop_source source;
            JobContext context;
            context.threads = 4;
            context.stop = source.get_token();
            const std::jthread stopper([&source, i] {
                std::this_thread::sleep_for(std::chrono::microseconds(100 * i));
                source.request_stop();
            });
            Pipeline pipeline(residual(), ActivationLimits::none());
            const SnapshotPtr snapshot = pipeline.run({}, StageKind::Converted, context);
            QVERIFY(!snapshot->error || snapshot->error->code == ErrorCode::Cancelled);
        }
    }

    void whatMakesBatchesDepend()
    {
        const auto graphOf = [](const char* text) {
            auto graph = parseGraph(text);
            return graph ? std::make_shared<const Graph>(std::move(*graph)) : nullptr;
        };
        const GraphPtr plain = graphOf(R"(graph():
    %w : [num_users=1] = get_attr[target=w]
    %x : [num_users=1] = placeholder[target=x]
    %linear : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%x, %w), kwargs = {})
    %dropout : [num_users=1] = call_function[target=torch.ops.aten.dropout.default](args = (%linear, 0.5, False), kwargs = {})
    return (dropout,))");
        QVERIFY(plain);
        QVERIFY(!mayDrawRandomNumbers(*plain));
        QVERIFY(leavesAttributesAlone(*plain));
        const GraphPtr training = graphOf(R"(graph():
    %w : [num_users=1] = get_attr[target=w]
    %x : [num_users=1] = placeholder[target=x]
    %add_ : [num_users=1] = call_function[target=torch.ops.aten.add_.Tensor](args = (%w, %x), kwargs = {})
    %dropout : [num_users=1] = call_function[target=torch.ops.aten.dropout.default](args = (%add_, 0.5, True), kwargs = {})
    return (dropout,))");
        QVERIFY(training);
        QVERIFY(mayDrawRandomNumbers(*training));
        QVERIFY(!leavesAttributesAlone(*training));
    }

    void cancelKeepsWhatWasDone()
    {
        std::stop_source source;
        JobContext context;
        context.stop = source.get_token();
        context.onProgress = [&](const Progress& progress) {
            if (progress.step == "calibrating" && progress.done == 3)
                source.request_stop();
        };
        Pipeline pipeline(residual());
        SnapshotPtr partial;
        const SnapshotPtr stopped = pipeline.run({}, StageKind::Converted, context,
                                                 [&](const SnapshotPtr& p) { partial = p; });
        QVERIFY(stopped->error);
        QCOMPARE(stopped->error->code, ErrorCode::Cancelled);
        QVERIFY(stopped->prepared && !stopped->converted);
        QVERIFY(stopped->calibrated);
        QCOMPARE(stopped->calibrated->batches, 3);
        QCOMPARE(stopped->calibrated->total, 8);
        QVERIFY(stopped->calibrated->qparams[0].hasData);
        QVERIFY(partial->calibrated == stopped->calibrated);

        const SnapshotPtr again = pipeline.run({}, StageKind::Converted, {});
        QVERIFY(dumpOf(again) == fromScratch({}));
        QCOMPARE(pipeline.modelRuns(), 8);
    }

    void changedDataIsReadAgain()
    {
        Pipeline pipeline(residual());
        Recipe recipe;
        recipe.calibration.batches = 2;
        SnapshotPtr snapshot = pipeline.run(recipe, StageKind::Converted, {});
        QCOMPARE(snapshot->calibrated->total, 2);
        recipe.calibration.batches = 0;
        snapshot = pipeline.rerun(recipe, snapshot, {});
        QCOMPARE(snapshot->calibrated->total, 0);
        QVERIFY(!snapshot->calibrated->qparams[0].hasData);
        recipe.calibration = {CalibrationChoice::Source::File, "/nowhere/calib.npz", {}, 0, {}};
        snapshot = pipeline.rerun(recipe, snapshot, {});
        QVERIFY(snapshot->error);
        QVERIFY(snapshot->prepared && !snapshot->calibrated);
        QVERIFY(QString::fromStdString(snapshot->error->message()).contains("/nowhere/calib.npz"));
        snapshot = pipeline.rerun({}, snapshot, {});
        QVERIFY(!snapshot->error && snapshot->calibrated);
    }

    void aMissingNodeIsAProblem()
    {
        const SnapshotPtr snapshot =
            Pipeline(residual()).run(withEdit({}, noneAt("conv2d_7")), StageKind::Converted, {});
        QVERIFY(!snapshot->error);
        const auto isIt = [](const Diagnostic& d) { return d.code == "edit-missing-node"; };
        QVERIFY(std::any_of(snapshot->diagnostics.begin(), snapshot->diagnostics.end(), isIt));
    }
};

QTEST_GUILESS_MAIN(TestPipeline)
#include "tst_pipeline.moc"
