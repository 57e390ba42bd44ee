// Each illness on a model that has it and on one that has not; its edits mend it.
#include "core/analysis/Diagnosis.h"
#include "core/ir/GraphEditor.h"
#include "tests/support/ConvertedModel.h"

#include <QTest>

#include <algorithm>

using namespace pt2e;
using pt2e::test::convertedModel;

namespace {

Recipe recipeWith(bool perChannel, std::vector<Edit> edits = {})
{
    Recipe recipe;
    recipe.quantizer.flavor = QuantizerFlavor::TorchAo;
    recipe.quantizer.global->perChannel = perChannel;
    recipe.edits = std::move(edits);
    return recipe;
}

Edit observedAt(const char* node, QScheme scheme)
{
    Edit edit;
    edit.at = {node, ""};
    edit.spec.kind = EditSpec::Kind::Observed;
    edit.spec.observed.qscheme = scheme;
    edit.spec.observed.quantMin = scheme == QScheme::PerTensorSymmetric ? -127 : -128;
    edit.spec.observed.quantMax = 127;
    return edit;
}

/// The model with one output channel of its first convolution made `factor` times as large.
ModelPtr withOutlier(const char* name, float factor)
{
    ModelRequest request;
    request.what = name;
    Model model = **openModel(request, {});
    const Graph& graph = *model.exported;
    for (const Node& node : graph) {
        if (shortOpName(node.target) != "conv2d")
            continue;
        const std::string weight = graph.node(node.arg(1).node()).target;
        const Attribute& attribute = *graph.attributes().find(weight);
        const auto values = attribute.value.values<float>();
        std::vector<float> scaled(values->begin(), values->end());
        const std::size_t each =
            scaled.size() / static_cast<std::size_t>(attribute.value.shape().front());
        for (std::size_t i = 2 * each; i < 3 * each; ++i)
            scaled[i] *= factor;
        GraphEditor editor{Graph(graph)};
        editor.setAttribute(weight,
                            {Tensor::fromValues<float>(DType::Float32, attribute.value.shape(),
                                                       std::span<const float>(scaled)),
                             attribute.kind});
        model.exported = std::move(editor).publish();
        break;
    }
    return std::make_shared<const Model>(std::move(model));
}

std::vector<Diagnosis> found(const SnapshotPtr& snapshot, DiagnosisKind kind)
{
    std::vector<Diagnosis> all = diagnose(*snapshot);
    std::erase_if(all, [&](const Diagnosis& diagnosis) { return diagnosis.kind != kind; });
    return all;
}

SnapshotPtr mended(const SnapshotPtr& snapshot, const Diagnosis& diagnosis)
{
    Recipe recipe = snapshot->recipe;
    for (const Edit& edit : diagnosis.edits)
        recipe = withEdit(recipe, edit);
    return Pipeline(snapshot->model).run(recipe, StageKind::Converted, {});
}

} // namespace

class TestDiagnosis : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void outlierChannel()
    {
        Recipe recipe = recipeWith(false);
        recipe.calibration.source = CalibrationChoice::Source::Random;
        const ModelPtr ill = withOutlier("cat_pool", 100);
        const SnapshotPtr snapshot = Pipeline(ill).run(recipe, StageKind::Converted, {});
        QVERIFY(!snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::OutlierChannel);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].name, std::string("conv2d"));
        QVERIFY2(cards[0].numbers.starts_with("2: "), cards[0].numbers.c_str());
        QCOMPARE(cards[0].edits.size(), std::size_t(1));
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        QVERIFY(found(well, DiagnosisKind::OutlierChannel).empty());
        // Per channel, and with weights as they were, there is none.
        recipe.quantizer.global->perChannel = true;
        QVERIFY(found(Pipeline(ill).run(recipe, StageKind::Converted, {}),
                      DiagnosisKind::OutlierChannel)
                    .empty());
        QVERIFY(found(convertedModel("cat_pool", recipeWith(false)), DiagnosisKind::OutlierChannel)
                    .empty());
    }

    void quantizedBeforeAClamp()
    {
        const SnapshotPtr snapshot = convertedModel(
            "residual", recipeWith(true, {observedAt("conv2d", QScheme::PerTensorAffine)}));
        QVERIFY(snapshot && !snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::PreClamp);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].name, std::string("conv2d"));
        QVERIFY(cards[0].numbers.find("/ 0 … ") != std::string::npos);
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        QVERIFY(found(well, DiagnosisKind::PreClamp).empty());
        QVERIFY(
            found(convertedModel("residual", recipeWith(true)), DiagnosisKind::PreClamp).empty());
    }

    /// relu6: torchao observes the convolution and lets the clamp share with it; the edits keep the clamp observed.
    void quantizedBeforeRelu6()
    {
        const SnapshotPtr snapshot = convertedModel("mobilenet_v2", recipeWith(true));
        QVERIFY(snapshot && !snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::PreClamp);
        QVERIFY(cards.size() > 10);
        Recipe recipe = snapshot->recipe;
        for (const Diagnosis& card : cards) {
            for (const Edit& edit : card.edits)
                recipe = withEdit(recipe, edit);
        }
        const SnapshotPtr well = Pipeline(snapshot->model).run(recipe, StageKind::Converted, {});
        QVERIFY2(!well->error, well->error ? well->error->message().c_str() : "");
        QVERIFY(found(well, DiagnosisKind::PreClamp).empty());
        // Behind the clamps as much is quantized as before.
        for (const Diagnosis& card : cards) {
            const Node& clamp = snapshot->prepared->graph->node(card.nodes.back());
            const Node& after = well->prepared->graph->node(clamp.id);
            QCOMPARE(after.users.size(), std::size_t(1));
            QVERIFY(well->prepared->graph->node(after.users.front()).is(OpKind::CallModule));
        }
    }

    void oneSidedValues()
    {
        const SnapshotPtr snapshot = convertedModel(
            "residual", recipeWith(true, {observedAt("relu_1", QScheme::PerTensorSymmetric)}));
        QVERIFY(snapshot && !snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::OneSided);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].name, std::string("relu_1"));
        QVERIFY2(cards[0].numbers.starts_with("0 … "), cards[0].numbers.c_str());
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        QVERIFY(found(well, DiagnosisKind::OneSided).empty());
        // Values of both signs are well on a symmetric grid.
        const SnapshotPtr both = convertedModel(
            "residual", recipeWith(true, {observedAt("conv2d_1", QScheme::PerTensorSymmetric)}));
        QVERIFY(both && !both->error);
        QVERIFY(found(both, DiagnosisKind::OneSided).empty());
    }

    void healthyModels()
    {
        for (const char* name : {"residual", "cat_pool", "stem", "ds_cnn", "encoder"}) {
            const auto cards = diagnose(*convertedModel(name, recipeWith(true)));
            QVERIFY2(cards.empty(), cards.empty() ? "" : cards.front().name.c_str());
        }
        QVERIFY(diagnose(Snapshot()).empty());
    }
};

QTEST_GUILESS_MAIN(TestDiagnosis)
#include "tst_diagnosis.moc"
