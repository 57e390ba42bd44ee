// Output quality after fewer batches: bit by bit that of calibrating on these alone, without running the model again.
#include "core/analysis/EvaluationData.h"
#include "core/analysis/OutputConvergence.h"
#include "core/ir/Text.h"

#include <QTest>

using namespace pt2e;

namespace {

ModelPtr zoo(const char* name)
{
    ModelRequest request;
    request.what = name;
    return openModel(request, {}).value_or(nullptr);
}

Recipe recipeOf(QuantizerFlavor flavor, std::int64_t batches)
{
    Recipe recipe;
    recipe.quantizer.flavor = flavor;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    recipe.calibration.batches = batches;
    return recipe;
}

SensitivityData dataFor(const Snapshot& snapshot)
{
    const auto data = evaluationData(*snapshot.model, snapshot.recipe.calibration, 0, 2);
    return data ? sensitivityData(**data, {}).value_or(SensitivityData()) : SensitivityData();
}

} // namespace

class TestOutputConvergence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts()
    {
        using Counts = std::vector<std::size_t>;
        QCOMPARE(convergenceCounts(0), Counts());
        QCOMPARE(convergenceCounts(1), Counts({1}));
        QCOMPARE(convergenceCounts(8), Counts({1, 2, 4, 8}));
        QCOMPARE(convergenceCounts(11), Counts({1, 2, 4, 8, 11}));
    }

    void isCalibrationOnFewer_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QuantizerFlavor>("flavor");
        QTest::newRow("residual") << "residual" << QuantizerFlavor::TorchAo;
        QTest::newRow("cat, shared") << "cat_pool" << QuantizerFlavor::ExecuTorch;
        QTest::newRow("ds_cnn") << "ds_cnn" << QuantizerFlavor::TorchAo;
    }
    void isCalibrationOnFewer()
    {
        QFETCH(QString, name);
        QFETCH(QuantizerFlavor, flavor);
        const ModelPtr model = zoo(qPrintable(name));
        Pipeline pipeline(model);
        const SnapshotPtr whole = pipeline.run(recipeOf(flavor, 6), StageKind::Converted, {});
        QVERIFY(!whole->error);
        const std::vector<std::size_t> wanted = convergenceCounts(6);
        const std::int64_t runs = pipeline.modelRuns();
        const auto stages = pipeline.calibratedAfter(*whole, wanted, {});
        QVERIFY(stages.has_value());
        QCOMPARE(pipeline.modelRuns(), runs);
        QCOMPARE(stages->size(), wanted.size());
        const SensitivityData data = dataFor(*whole);
        std::size_t told = 0;
        const auto found =
            outputConvergence(*whole, *stages, data, {}, [&](const OutputConvergence& so) {
                QCOMPARE(so.points.size(), ++told);
            });
        QVERIFY(found.has_value());
        QCOMPARE(told, wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const auto count = static_cast<std::int64_t>(wanted[i]);
            const SnapshotPtr fewer =
                Pipeline(model).run(recipeOf(flavor, count), StageKind::Converted, {});
            QVERIFY(!fewer->error);
            const CalibratedStage& stage = *(*stages)[i];
            QCOMPARE(stage.batches, count);
            for (std::size_t k = 0; k < stage.qparams.size(); ++k)
                QVERIFY(stage.qparams[k].qparams == fewer->calibrated->qparams[k].qparams);
            const auto converted =
                convertStage(*whole->annotated, *whole->prepared, stage, whole->recipe, {});
            QVERIFY(converted.has_value());
            QCOMPARE(printGraph(*(*converted)->graph), printGraph(*fewer->converted->graph));
            // And so are the outputs.
            const auto floats = runBatches(model->exported, data.batches, {});
            const auto outputs = runBatches(fewer->converted->graph, data.batches, {});
            const Scorer scorer(*floats, data.batches, {});
            QCOMPARE(found->points[i].score.output.sqnrDb, scorer.score(*outputs)->output.sqnrDb);
            QCOMPARE(found->points[i].batches, wanted[i]);
        }
        QCOMPARE(found->points.back().moved, std::size_t(0));
        QVERIFY(found->points.front().moved > 0);
        QVERIFY(found->scales >= found->points.front().moved);
        // From there on it is near the last, and just before it is not.
        std::size_t enough = 0;
        while (found->points[enough].batches != found->enough)
            ++enough;
        const auto off = [&](std::size_t i) {
            return std::abs(found->points[i].score.output.sqnrDb
                            - found->points.back().score.output.sqnrDb);
        };
        for (std::size_t i = enough; i < found->points.size(); ++i)
            QVERIFY(off(i) <= OutputConvergence::kEnoughDb);
        QVERIFY(enough == 0 || off(enough - 1) > OutputConvergence::kEnoughDb);
    }

    void isCancelled()
    {
        Pipeline pipeline(zoo("residual"));
        const SnapshotPtr whole =
            pipeline.run(recipeOf(QuantizerFlavor::TorchAo, 4), StageKind::Converted, {});
        std::stop_source stop;
        JobContext context;
        context.stop = stop.get_token();
        const auto stages = pipeline.calibratedAfter(*whole, convergenceCounts(4), {});
        QVERIFY(stages.has_value());
        std::size_t told = 0;
        const auto found = outputConvergence(*whole, *stages, dataFor(*whole), context,
                                             [&](const OutputConvergence&) {
                                                 ++told;
                                                 stop.request_stop();
                                             });
        QVERIFY(!found && found.error().code == ErrorCode::Cancelled);
        QCOMPARE(told, std::size_t(1));
        const auto none = pipeline.calibratedAfter(*whole, convergenceCounts(4), context);
        QVERIFY(!none && none.error().code == ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestOutputConvergence)
#include "tst_output_convergence.moc"
