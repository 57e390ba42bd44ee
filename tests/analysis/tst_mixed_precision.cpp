// The search for the groups that have to stay float, on the trained classifier with a layer made bad on purpose.
#include "core/analysis/EvaluationData.h"
#include "core/analysis/MixedPrecision.h"
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Pipeline.h"

#include <QTest>

using namespace pt2e;

namespace {

/// One output channel of the first convolution of the residual block is made `factor` times as large, by its batch norm,
/// and the convolution behind the ReLU reads it with as much smaller weights: the float model computes the same.
GraphPtr withBadLayer(const Graph& graph, std::int64_t channel, float factor)
{
    GraphEditor editor{Graph(graph)};
    const auto scale = [&](const std::string& name, std::int64_t axis, float by) {
        const Attribute& attribute = *graph.attributes().find(name);
        const auto values = attribute.value.values<float>();
        std::vector<float> scaled(values->begin(), values->end());
        const auto& shape = attribute.value.shape();
        std::int64_t inner = 1;
        for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape.size(); ++i)
            inner *= shape[i];
        for (std::size_t i = 0; i < scaled.size(); ++i) {
            if (static_cast<std::int64_t>(i) / inner % shape[static_cast<std::size_t>(axis)]
                == channel)
                scaled[i] *= by;
        }
        editor.setAttribute(
            name, {Tensor::fromValues<float>(DType::Float32, shape, scaled), attribute.kind});
    };
    scale("residual.first.norm.weight", 0, factor);
    scale("residual.first.norm.bias", 0, factor);
    scale("residual.second.conv.weight", 1, 1 / factor);
    return std::move(editor).publish();
}

ModelPtr badModel()
{
    ModelRequest request;
    request.what = "fashion_cnn";
    const auto model = openModel(request, {});
    if (!model)
        return nullptr;
    Model bad = **model;
    bad.exported = withBadLayer(*bad.exported, 3, 256);
    return std::make_shared<const Model>(std::move(bad));
}

SnapshotPtr quantized(const ModelPtr& model)
{
    Recipe recipe;
    recipe.quantizer.flavor = QuantizerFlavor::TorchAo;
    recipe.quantizer.global->perChannel = false;
    recipe.calibration = calibrationOnOwnData(*model->data);
    JobContext context;
    context.threads = 2;
    return Pipeline(model).run(recipe, StageKind::Converted, context);
}

Result<std::unique_ptr<Sensitivity>> sensitivityOf(const SnapshotPtr& snapshot)
{
    JobContext context;
    context.threads = 2;
    PT2E_ASSIGN(const auto data,
                evaluationData(*snapshot->model, snapshot->recipe.calibration, 256));
    PT2E_ASSIGN(SensitivityData read, sensitivityData(*data, context));
    return Sensitivity::make(snapshot, std::move(read), context);
}

} // namespace

class TestMixedPrecision : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const ShippedModel* shipped = findShippedModel("fashion_cnn");
        QVERIFY2(shipped && shipped->data.isInstalled(),
                 "the package dataset-fashion-mnist is needed");
        const ModelPtr model = badModel();
        QVERIFY(model);
        m_snapshot = quantized(model);
        QVERIFY2(!m_snapshot->error, m_snapshot->error ? m_snapshot->error->message().c_str() : "");
        auto sensitivity = sensitivityOf(m_snapshot);
        QVERIFY2(sensitivity, sensitivity ? "" : sensitivity.error().message().c_str());
        m_sensitivity = std::move(*sensitivity);
        m_context.threads = 2;
    }

    void theFloatModelIsTheSame()
    {
        const SnapshotPtr good = [] {
            ModelRequest request;
            request.what = "fashion_cnn";
            return quantized(*openModel(request, {}));
        }();
        QVERIFY(!good->error);
        const auto sensitivity = sensitivityOf(good);
        QVERIFY(sensitivity);
        SensitivityStore store;
        const auto a = (*sensitivity)->run(SensitivityMode::OneOn, store, m_context);
        const auto b = m_sensitivity->run(SensitivityMode::OneOn, m_store, m_context);
        QVERIFY(a && b);
        QCOMPARE(*a->floats.accuracy, *b->floats.accuracy);
        QVERIFY(a->quantized->output.sqnrDb > b->quantized->output.sqnrDb + 10);
    }

    void theBadLayerIsFound()
    {
        for (const SensitivityMode mode : kSensitivityModes) {
            const auto report = m_sensitivity->run(mode, m_store, m_context);
            QVERIFY2(report, report ? "" : report.error().message().c_str());
            const auto order = worstFirst(*report, SensitivityMetric::Sqnr);
            QCOMPARE(nameOf(report->results[order.front()].group),
                     std::string("conv2d_1 + relu_1"));
        }
    }

    /// Against all subsets of up to three groups.
    void asGoodAsExhaustiveSearch()
    {
        const std::size_t count = m_sensitivity->groups().size();
        std::vector<std::vector<std::vector<bool>>> subsets(4);
        subsets[0].push_back(std::vector<bool>(count, true));
        for (std::size_t size = 1; size <= 3; ++size) {
            for (const std::vector<bool>& smaller : subsets[size - 1]) {
                const auto last = std::find(smaller.rbegin(), smaller.rend(), false);
                for (auto i = static_cast<std::size_t>(smaller.rend() - last); i < count; ++i) {
                    subsets[size].push_back(smaller);
                    subsets[size].back()[i] = false;
                }
            }
        }
        double before = 0;
        const std::vector<bool> all(count, true);
        for (std::size_t size = 1; size <= 3; ++size) {
            const auto scores = m_sensitivity->scores(subsets[size], all, m_store, m_context);
            QVERIFY2(scores, scores ? "" : scores.error().message().c_str());
            double best = before;
            for (const SensitivityScore& score : *scores)
                best = std::max(best, score.output.sqnrDb);
            // A target that this many groups meet and fewer do not.
            const double target = (best * 3 + before) / 4;
            const auto found = findMixedPrecision(*m_sensitivity, {SensitivityMetric::Sqnr, target},
                                                  m_store, m_context);
            QVERIFY2(found, found ? "" : found.error().message().c_str());
            QVERIFY(found->isMet);
            QVERIFY(found->result.score.output.sqnrDb >= target);
            qInfo("%zu groups are needed for %.2f dB, found %zu with %.2f dB", size, target,
                  found->result.floatGroups.size(), found->result.score.output.sqnrDb);
            QVERIFY(found->result.floatGroups.size() >= size);
            QVERIFY(found->result.floatGroups.size() <= size + 1);
            QCOMPARE(nameOf(found->result.floatGroups.front()), std::string("conv2d_1 + relu_1"));
            before = best;
        }
    }

    /// The edits on top of the recipe give the model that was scored.
    void theEditsAreWhatWasScored()
    {
        const auto found = findMixedPrecision(*m_sensitivity, {SensitivityMetric::Agreement, 0.97},
                                              m_store, m_context);
        QVERIFY2(found, found ? "" : found.error().message().c_str());
        QVERIFY(found->isMet);
        QVERIFY(*found->result.score.agreement >= 0.97);
        QVERIFY(!found->edits.empty());
        Recipe recipe = m_snapshot->recipe;
        for (const Edit& edit : found->edits)
            recipe = withEdit(recipe, edit);
        const SnapshotPtr edited =
            Pipeline(m_snapshot->model).run(recipe, StageKind::Converted, m_context);
        QVERIFY(!edited->error);
        const auto again = sensitivityOf(edited);
        QVERIFY(again);
        SensitivityStore store;
        const std::vector<bool> all((*again)->groups().size(), true);
        const auto score = (*again)->scores({all}, all, store, m_context);
        QVERIFY(score);
        QCOMPARE(score->front().output.sqnrDb, found->result.score.output.sqnrDb);
        QCOMPARE(*score->front().agreement, *found->result.score.agreement);
        QVERIFY(found->result.floatMacs > 0 && found->result.floatMacs < 0.7);
        QVERIFY(found->result.floatWeightBytes > 0 && found->result.floatWeightBytes < 0.7);
    }

    /// More than the float model can give is not met, and says so; the accuracy of the labels can be a target too.
    void whatCannotBeMet()
    {
        const auto found = findMixedPrecision(*m_sensitivity, {SensitivityMetric::Accuracy, 1.01},
                                              m_store, m_context);
        QVERIFY(found);
        QVERIFY(!found->isMet);
        QCOMPARE(found->result.floatGroups.size(), m_sensitivity->groups().size());
        QCOMPARE(found->result.floatMacs, 1.0);
        QCOMPARE(found->result.floatWeightBytes, 1.0);
        const double floats = *found->floats.accuracy;
        const auto enough = findMixedPrecision(
            *m_sensitivity, {SensitivityMetric::Accuracy, floats - 0.02}, m_store, m_context);
        QVERIFY(enough && enough->isMet);
        QVERIFY(*enough->result.score.accuracy >= floats - 0.02);
        // Everything quantized is enough for what it gives.
        const double least = *found->path.front().score.accuracy;
        const auto nothing = findMixedPrecision(
            *m_sensitivity, {SensitivityMetric::Accuracy, least}, m_store, m_context);
        QVERIFY(nothing && nothing->isMet);
        QVERIFY(nothing->edits.empty());
        QCOMPARE(nothing->path.size(), std::size_t(1));
    }

private:
    std::string nameOf(std::size_t group) const { return m_sensitivity->groups()[group].name; }

    SnapshotPtr m_snapshot;
    std::unique_ptr<Sensitivity> m_sensitivity;
    SensitivityStore m_store;
    JobContext m_context;
};

QTEST_GUILESS_MAIN(TestMixedPrecision)
#include "tst_mixed_precision.moc"
