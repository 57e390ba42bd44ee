// Illnesses that show in what calibration or a comparison has seen: each on a model or data that have it and on those that
// have not; what mends it, or that no recipe can.
#include "core/analysis/Diagnosis.h"
#include "core/analysis/EvaluationData.h"
#include "core/data/Npy.h"
#include "core/data/Npz.h"
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Pipeline.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <functional>
#include <random>

using namespace pt2e;

namespace {

ModelPtr zoo(const char* name)
{
    ModelRequest request;
    request.what = name;
    const auto model = openModel(request, {});
    return model ? *model : nullptr;
}

using Change = std::function<void(std::vector<float>& values, std::size_t channels)>;

/// The model with weights or a bias (argument 2) of its nth convolution changed.
ModelPtr changed(const ModelPtr& from, int nth, std::size_t argument, const Change& change)
{
    Model model = *from;
    const Graph& graph = *model.exported;
    for (const Node& node : graph) {
        if (shortOpName(node.target) != "conv2d" || nth-- > 0)
            continue;
        const std::string name = graph.node(node.arg(argument).node()).target;
        const Attribute& attribute = *graph.attributes().find(name);
        const auto view = attribute.value.values<float>();
        std::vector<float> values(view->begin(), view->end());
        change(values, static_cast<std::size_t>(attribute.value.shape().front()));
        GraphEditor editor{Graph(graph)};
        editor.setAttribute(name,
                            {Tensor::fromValues<float>(DType::Float32, attribute.value.shape(),
                                                       std::span<const float>(values)),
                             attribute.kind});
        model.exported = std::move(editor).publish();
        break;
    }
    return std::make_shared<const Model>(std::move(model));
}

Change times(float factor)
{
    return [factor](std::vector<float>& values, std::size_t) {
        for (float& value : values)
            value *= factor;
    };
}

Recipe recipeOf(QuantizerFlavor flavor, bool perChannel = true)
{
    Recipe recipe;
    recipe.quantizer.flavor = flavor;
    recipe.quantizer.global->perChannel = perChannel;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    return recipe;
}

SnapshotPtr converted(const ModelPtr& model, const Recipe& recipe)
{
    return Pipeline(model).run(recipe, StageKind::Converted, {});
}

CompareReport compared(const SnapshotPtr& snapshot)
{
    const auto data = evaluationBatches(*snapshot->model, snapshot->recipe.calibration, 2);
    const auto report = compareEngines(*snapshot, *data, 1, {});
    return report ? *report : CompareReport();
}

std::vector<Diagnosis> found(const SnapshotPtr& snapshot, DiagnosisKind kind,
                             const CompareReport* report = nullptr)
{
    std::vector<Diagnosis> all = diagnose(*snapshot, report);
    std::erase_if(all, [&](const Diagnosis& diagnosis) { return diagnosis.kind != kind; });
    return all;
}

SnapshotPtr mended(const SnapshotPtr& snapshot, const Diagnosis& diagnosis)
{
    return converted(snapshot->model, mendedRecipe(snapshot->recipe, diagnosis));
}

Tensor normal(const std::vector<std::int64_t>& shape, float factor, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> distribution;
    std::size_t count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<std::size_t>(size);
    std::vector<float> values(count);
    for (float& value : values)
        value = factor * distribution(random);
    return Tensor::fromValues<float>(DType::Float32, shape, std::span<const float>(values));
}

/// cat_pool with example inputs of mean 0 and spread 1.
ModelPtr withExamples(const ModelPtr& from)
{
    Model model = *from;
    model.examples = {{Value(normal({4, 3, 16, 16}, 1, 4))}};
    return std::make_shared<const Model>(std::move(model));
}

} // namespace

class TestDiagnosisRuns : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// One branch of the cat is a hundredth of the other, and what reads it takes that into account.
    void unbalancedInputs_data()
    {
        QTest::addColumn<int>("small");
        QTest::newRow("the first, which the others share with") << 0;
        QTest::newRow("the second") << 1;
    }
    void unbalancedInputs()
    {
        QFETCH(int, small);
        ModelPtr ill = zoo("cat_pool");
        for (const std::size_t argument : {1, 2})
            ill = changed(ill, small, argument, times(0.01f));
        // Half of the outputs read the one branch, half the other.
        ill = changed(ill, 2, 1, [small](std::vector<float>& values, std::size_t) {
            for (std::size_t i = 0; i < values.size(); ++i) {
                const bool readsSmall = i / 9 / 16 % 2 == 0;
                const bool isSmall = static_cast<int>(i / 9 % 16 / 8) == small;
                values[i] *= readsSmall != isSmall ? 0.0f : isSmall ? 100.0f : 1.0f;
            }
        });
        const Recipe recipe = recipeOf(QuantizerFlavor::ExecuTorch);
        const SnapshotPtr snapshot = converted(ill, recipe);
        QVERIFY(!snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::UnbalancedInputs);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].name, std::string("cat"));
        QVERIFY2(cards[0].numbers.starts_with("relu ")
                     && cards[0].numbers.find(", relu_1 ") != std::string::npos,
                 cards[0].numbers.c_str());
        QVERIFY(cards[0].isMendable());
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY2(!well->error, well->error ? well->error->message().c_str() : "");
        QVERIFY(found(well, DiagnosisKind::UnbalancedInputs).empty());
        // It is as good as it says, and both inputs are still quantized.
        const double before = compared(snapshot).outputs[0].simulated.sqnrDb;
        const double after = compared(well).outputs[0].simulated.sqnrDb;
        QVERIFY2(after > before + 6, qPrintable(QString("%1 dB, %2 dB").arg(before).arg(after)));
        const Graph& graph = *well->annotated->folded.graph;
        int quantized = 0;
        for (const Node& node : graph)
            quantized += shortOpName(node.target) == "relu"
                                 && well->prepared->instanceOf.contains(Point::output(node.id))
                             ? 1
                             : 0;
        QCOMPARE(quantized, 2);
        // Inputs of one size are well, and so are these where nothing is shared.
        QVERIFY(found(converted(zoo("cat_pool"), recipe), DiagnosisKind::UnbalancedInputs).empty());
        QVERIFY(found(converted(ill, recipeOf(QuantizerFlavor::TorchAo)),
                      DiagnosisKind::UnbalancedInputs)
                    .empty());
    }

    /// The first two batches are small, the others are not.
    void tooFewBatches()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("growing.npz").toStdString();
        NamedTensors arrays;
        for (unsigned i = 0; i < 8; ++i)
            arrays.emplace_back("b" + std::to_string(i) + "_i0",
                                normal({4, 3, 16, 16}, i < 2 ? 0.3f : 1.0f, i));
        QVERIFY(writeNpz(path, arrays));
        Recipe recipe = recipeOf(QuantizerFlavor::TorchAo);
        recipe.calibration.source = CalibrationChoice::Source::File;
        recipe.calibration.path = path;
        recipe.calibration.batches = 4;
        const SnapshotPtr snapshot = converted(zoo("cat_pool"), recipe);
        QVERIFY(!snapshot->error);
        const auto cards = found(snapshot, DiagnosisKind::FewBatches);
        QCOMPARE(cards.size(), std::size_t(1));
        QVERIFY(cards[0].nodes.size() > 3);
        QCOMPARE(cards[0].calibration->batches, std::optional<std::int64_t>(8));
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        QCOMPARE(well->calibrated->batches, std::int64_t(8));
        const auto left = found(well, DiagnosisKind::FewBatches);
        QVERIFY2(left.empty(), left.empty() ? "" : (left[0].name + left[0].numbers).c_str());
        // Data that end there: told, and not to be mended.
        arrays.resize(4);
        QVERIFY(writeNpz(path, arrays));
        recipe.calibration.batches.reset();
        const auto short_ = found(converted(zoo("cat_pool"), recipe), DiagnosisKind::FewBatches);
        QCOMPARE(short_.size(), std::size_t(1));
        QVERIFY(!short_[0].isMendable());
        QVERIFY(std::string(short_[0].mend).starts_with("no recipe can"));
        // One batch shows nothing.
        recipe.calibration.batches = 1;
        QVERIFY(found(converted(zoo("cat_pool"), recipe), DiagnosisKind::FewBatches).empty());
    }

    void deadChannels()
    {
        const ModelPtr zero =
            changed(zoo("cat_pool"), 0, 1, [](std::vector<float>& values, std::size_t channels) {
                const std::size_t each = values.size() / channels;
                std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(2 * each), each, 0.0f);
            });
        const Recipe recipe = recipeOf(QuantizerFlavor::ExecuTorch);
        auto cards = found(converted(zero, recipe), DiagnosisKind::DeadChannels);
        QCOMPARE(cards.size(), std::size_t(1)); // not also of the relu behind it
        QCOMPARE(cards[0].name, std::string("conv2d"));
        QCOMPARE(cards[0].numbers, std::string("1 / 8 (2)"));
        QVERIFY(!cards[0].isMendable());
        // A bias that lets nothing through.
        const ModelPtr closed = withExamples(
            changed(zoo("cat_pool"), 1, 2,
                    [](std::vector<float>& values, std::size_t) { values[5] = -100; }));
        QVERIFY(found(converted(closed, recipe), DiagnosisKind::DeadChannels).empty()); // random
        Recipe real = recipe;
        real.calibration.source = CalibrationChoice::Source::Examples;
        cards = found(converted(closed, real), DiagnosisKind::DeadChannels);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].name, std::string("relu_1"));
        QCOMPARE(cards[0].numbers, std::string("1 / 8 (5)"));
        QVERIFY(found(converted(withExamples(zoo("cat_pool")), real), DiagnosisKind::DeadChannels)
                    .empty());
    }

    /// Pictures that stay bytes, where the example inputs have mean 0 and spread 1.
    void pictureValues()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("pictures.npy").toStdString();
        std::mt19937 random(3);
        std::vector<std::uint8_t> pixels(16 * 16 * 16 * 3);
        for (std::uint8_t& pixel : pixels)
            pixel = static_cast<std::uint8_t>(random());
        const auto bytes = writeNpy(Tensor::fromValues<std::uint8_t>(
            DType::UInt8, {16, 16, 16, 3}, std::span<const std::uint8_t>(pixels)));
        QFile file(QString::fromStdString(path));
        QVERIFY(bytes && file.open(QIODevice::WriteOnly));
        file.write(reinterpret_cast<const char*>(bytes->data()),
                   static_cast<qint64>(bytes->size()));
        file.close();
        const ModelPtr with = withExamples(zoo("cat_pool"));
        Recipe recipe = recipeOf(QuantizerFlavor::TorchAo);
        recipe.calibration.source = CalibrationChoice::Source::File;
        recipe.calibration.path = path;
        recipe.calibration.format.std = {1 / 255.0};
        const SnapshotPtr snapshot = converted(with, recipe);
        QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
        const auto cards = found(snapshot, DiagnosisKind::Preprocessing);
        QCOMPARE(cards.size(), std::size_t(1));
        QCOMPARE(cards[0].nodes.size(), std::size_t(1));
        QVERIFY2(cards[0].numbers.starts_with("12"), cards[0].numbers.c_str()); // 127 ± 74
        QVERIFY(cards[0].isMendable());
        QVERIFY(cards[0].calibration->format.std != recipe.calibration.format.std);
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        QVERIFY(found(well, DiagnosisKind::Preprocessing).empty());
        QVERIFY(std::abs(well->calibrated->inputs[0].values.mean) < 1);
    }

    /// A batch norm behind the first convolution that has seen other means in training; untrained, it knows nothing.
    void unlikeTraining()
    {
        const auto remembering = [](float mean) {
            Model model = *zoo("stem");
            GraphEditor editor{Graph(*model.exported)};
            const std::vector<float> means(8, mean);
            editor.setAttribute(
                "bn.running_mean",
                {Tensor::fromValues<float>(DType::Float32, {8}, std::span<const float>(means)),
                 AttributeKind::Buffer});
            model.exported = std::move(editor).publish();
            return std::make_shared<const Model>(std::move(model));
        };
        const Recipe recipe = recipeOf(QuantizerFlavor::TorchAo);
        const auto cards = found(converted(remembering(7), recipe), DiagnosisKind::Preprocessing);
        QCOMPARE(cards.size(), std::size_t(1));
        QVERIFY2(cards[0].numbers.starts_with("7"), cards[0].numbers.c_str());
        QVERIFY(!cards[0].isMendable());
        QVERIFY(found(converted(remembering(0.1f), recipe), DiagnosisKind::Preprocessing).empty());
        QVERIFY(found(converted(remembering(0), recipe), DiagnosisKind::Preprocessing).empty());
    }

    /// What it is judged on is ten times as large as what it was calibrated on.
    void unlikeTheEvaluation()
    {
        const SnapshotPtr snapshot = converted(zoo("cat_pool"), recipeOf(QuantizerFlavor::TorchAo));
        Batches other;
        other.batches = {{Value(normal({4, 3, 16, 16}, 10, 5))}};
        QVERIFY(hashBatches(other));
        const auto report = compareEngines(*snapshot, other, 1, {});
        QVERIFY(report.has_value());
        const auto cards = found(snapshot, DiagnosisKind::Preprocessing, &*report);
        QCOMPARE(cards.size(), std::size_t(1));
        QVERIFY(!cards[0].isMendable());
        const CompareReport same = compared(snapshot);
        QVERIFY(found(snapshot, DiagnosisKind::Preprocessing, &same).empty());
        // A report of something else counts for nothing.
        const SnapshotPtr another =
            converted(zoo("cat_pool"), recipeOf(QuantizerFlavor::ExecuTorch));
        QVERIFY(found(another, DiagnosisKind::Preprocessing, &*report).empty());
    }

    /// One huge channel leaves the other weights, whose inputs are all positive, so few steps that means move.
    void shiftedMean()
    {
        const ModelPtr ill =
            changed(zoo("cat_pool"), 2, 1, [](std::vector<float>& values, std::size_t channels) {
                for (std::size_t i = 0; i < values.size() / channels; ++i)
                    values[i] *= 60;
            });
        const SnapshotPtr snapshot = converted(ill, recipeOf(QuantizerFlavor::TorchAo, false));
        QVERIFY(!snapshot->error);
        const CompareReport report = compared(snapshot);
        const auto cards = found(snapshot, DiagnosisKind::BiasShift, &report);
        QVERIFY(!cards.empty());
        QCOMPARE(cards[0].name, std::string("conv2d_2"));
        QVERIFY(cards[0].isMendable());
        QVERIFY(found(snapshot, DiagnosisKind::BiasShift).empty()); // nothing has run
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY(!well->error);
        const CompareReport after = compared(well);
        QVERIFY(found(well, DiagnosisKind::BiasShift, &after).empty());
        const SnapshotPtr healthy =
            converted(zoo("cat_pool"), recipeOf(QuantizerFlavor::TorchAo, false));
        const CompareReport other = compared(healthy);
        QVERIFY(found(healthy, DiagnosisKind::BiasShift, &other).empty());
    }

    /// Weights per channel already: what is left is float.
    void shiftedMeanOfFixedParameters()
    {
        Recipe recipe = recipeOf(QuantizerFlavor::TorchAo);
        Edit edit;
        edit.at = {"relu_1", ""};
        edit.spec.kind = EditSpec::Kind::Fixed;
        edit.spec.fixed.scale = 0.001; // nearly all values are clipped
        edit.spec.fixed.zeroPoint = -128;
        edit.spec.fixed.quantMin = -128;
        edit.spec.fixed.quantMax = 127;
        edit.spec.fixed.qscheme = QScheme::PerTensorAffine;
        recipe.edits = {edit};
        const SnapshotPtr snapshot = converted(zoo("cat_pool"), recipe);
        QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
        const CompareReport report = compared(snapshot);
        const auto cards = found(snapshot, DiagnosisKind::BiasShift, &report);
        QVERIFY(!cards.empty());
        QCOMPARE(std::string(cards[0].mend), std::string("leave the operator float"));
        const SnapshotPtr well = mended(snapshot, cards[0]);
        QVERIFY2(!well->error, well->error ? well->error->message().c_str() : "");
        const CompareReport after = compared(well);
        QVERIFY(found(well, DiagnosisKind::BiasShift, &after).empty());
    }

    /// None of the further ones on any built-in model with its own data.
    void healthyModels_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"residual", "cat_pool", "stem", "ds_cnn", "encoder", "decoder", "fashion_cnn"})
            QTest::newRow(name) << name;
    }
    void healthyModels()
    {
        QFETCH(QString, name);
        const ModelPtr model = zoo(qPrintable(name));
        QVERIFY(model);
        for (const QuantizerFlavor flavor :
             {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch}) {
            Recipe recipe = recipeOf(flavor);
            if (model->data && model->data->isInstalled())
                recipe.calibration = calibrationOnOwnData(*model->data);
            const SnapshotPtr snapshot = converted(model, recipe);
            QVERIFY2(!snapshot->error, snapshot->error ? snapshot->error->message().c_str() : "");
            const auto data = evaluationData(*model, snapshot->recipe.calibration, 64);
            QVERIFY(data.has_value());
            const auto report = compareEngines(*snapshot, **data, {}, {});
            QVERIFY(report.has_value());
            const auto cards = diagnose(*snapshot, &*report);
            QVERIFY2(cards.empty(), cards.empty() ? "" : cards.front().name.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(TestDiagnosisRuns)
#include "tst_diagnosis_runs.moc"
