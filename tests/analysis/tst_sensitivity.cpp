// Sensitivity against brute force: a recipe with edits, prepared, converted and run as a whole.
#include "core/analysis/EvaluationData.h"
#include "core/analysis/Sensitivity.h"
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Edits.h"
#include "tests/support/ConvertedModel.h"

#include <QTest>

#include <cmath>
#include <set>

using namespace pt2e;
using pt2e::test::convertedModel;

namespace {

Recipe recipeFor(const QString& kind)
{
    Recipe recipe;
    recipe.quantizer.flavor =
        kind == "executorch" ? QuantizerFlavor::ExecuTorch : QuantizerFlavor::TorchAo;
    recipe.quantizer.global->perChannel = kind != "per tensor";
    recipe.quantizer.global->dynamic = kind == "dynamic";
    if (kind == "derived bias") {
        Edit edit;
        edit.at = {"stem_conv_weight_bias", "conv2d"};
        edit.spec.kind = EditSpec::Kind::Derived;
        edit.spec.derivedFrom = {{"x", "conv2d"}, {"stem_conv_weight", "conv2d"}};
        edit.spec.derived.qscheme = QScheme::PerChannelSymmetric;
        edit.spec.derived.quantMin = std::numeric_limits<std::int32_t>::min();
        edit.spec.derived.quantMax = std::numeric_limits<std::int32_t>::max();
        edit.spec.derived.chAxis = 0;
        recipe.edits = {edit};
    }
    return recipe;
}

Result<std::unique_ptr<Sensitivity>> sensitivityOf(
    const SnapshotPtr& snapshot, const JobContext& context = {},
    const ActivationLimits& limits = ActivationLimits::defaults())
{
    PT2E_ASSIGN(Batches batches,
                evaluationBatches(*snapshot->model, snapshot->recipe.calibration, 3));
    PT2E_ASSIGN(SensitivityData data, sensitivityData(*dataOf(std::move(batches)), context));
    return Sensitivity::make(snapshot, std::move(data), context, limits);
}

/// The whole way: edits, prepare, calibrate, convert, run, against the exported model. The pipeline is of the model.
Result<TensorError> bruteForce(const Sensitivity& sensitivity, const std::vector<Edit>& edits,
                               Pipeline& pipeline)
{
    Recipe recipe = sensitivity.snapshot().recipe;
    for (const Edit& edit : edits)
        recipe = withEdit(recipe, edit);
    const ModelPtr model = sensitivity.snapshot().model;
    const SnapshotPtr edited = pipeline.run(recipe, StageKind::Converted, {});
    if (edited->error)
        return tl::unexpected<Error>(*edited->error);
    PT2E_ASSIGN(const auto floats, makeReferenceProgram(model->exported));
    PT2E_ASSIGN(const auto converted, makeReferenceProgram(edited->converted->graph));
    RunningError error;
    for (const DataBatch& batch : sensitivity.data().batches) {
        PT2E_ASSIGN(const RunReport wanted, floats->run(batch.inputs, {}, {}));
        PT2E_ASSIGN(const RunReport got, converted->run(batch.inputs, {}, {}));
        PT2E_TRY(error.add(*wanted.outputs.front().tensor(), *got.outputs.front().tensor(),
                           static_cast<std::int64_t>(batch.samples.size())));
    }
    return error.error();
}

InstanceSet instancesIn(const Sensitivity& sensitivity, SensitivityMode mode, std::size_t group)
{
    const bool isOff = mode == SensitivityMode::OneOff;
    std::vector<bool> isOn(sensitivity.groups().size(), isOff);
    isOn[group] = !isOff;
    const GroupPart part = mode == SensitivityMode::WeightsOnly       ? GroupPart::Weights
                           : mode == SensitivityMode::ActivationsOnly ? GroupPart::Activations
                                                                      : GroupPart::All;
    return instancesOf(sensitivity.snapshot(), sensitivity.groups(), isOn, part);
}

} // namespace

class TestSensitivity : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalsBruteForce_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("recipe");
        QTest::newRow("residual") << "residual"
                                  << "torchao";
        QTest::newRow("cat_pool") << "cat_pool"
                                  << "executorch";
        QTest::newRow("stem, per tensor") << "stem"
                                          << "per tensor";
        QTest::newRow("bias derived from input and weight") << "fashion_cnn"
                                                            << "derived bias";
        QTest::newRow("encoder") << "encoder"
                                 << "torchao";
        QTest::newRow("encoder, dynamic") << "encoder"
                                          << "dynamic";
    }
    void equalsBruteForce()
    {
        QFETCH(QString, model);
        QFETCH(QString, recipe);
        const SnapshotPtr snapshot = convertedModel(model.toStdString(), recipeFor(recipe));
        QVERIFY(snapshot && snapshot->converted);
        auto sensitivity = sensitivityOf(snapshot);
        QVERIFY2(sensitivity, sensitivity ? "" : sensitivity.error().message().c_str());
        QVERIFY((*sensitivity)->groups().size() >= 2);
        Pipeline pipeline(snapshot->model);
        for (const SensitivityMode mode : kSensitivityModes) {
            // The encoder has many groups: two modes are enough of it.
            if (model == "encoder" && mode != SensitivityMode::OneOn
                && mode != SensitivityMode::ActivationsOnly)
                continue;
            SensitivityStore store;
            const auto report = (*sensitivity)->run(mode, store, {});
            QVERIFY2(report, report ? "" : report.error().message().c_str());
            QCOMPARE(report->results.size(), report->wanted);
            std::vector<std::pair<double, std::size_t>> ranking;
            for (const GroupResult& result : report->results) {
                const auto edits =
                    floatEdits(*snapshot, instancesIn(**sensitivity, mode, result.group));
                const auto wanted = bruteForce(**sensitivity, edits, pipeline);
                QVERIFY2(wanted, wanted ? "" : wanted.error().message().c_str());
                const std::string what =
                    std::string(modeName(mode)) + " " + (*sensitivity)->groups()[result.group].name;
                const TensorError& got = result.score.output;
                QVERIFY2(got.sqnrDb == wanted->sqnrDb && got.mse == wanted->mse
                             && got.cosine == wanted->cosine && got.maxAbs == wanted->maxAbs,
                         qPrintable(QString("%1: %2 dB, brute force %3 dB")
                                        .arg(what.c_str())
                                        .arg(got.sqnrDb, 0, 'g', 17)
                                        .arg(wanted->sqnrDb, 0, 'g', 17)));
                const double sign = mode == SensitivityMode::OneOff ? -1 : 1;
                ranking.emplace_back(sign * wanted->sqnrDb, result.group);
            }
            std::sort(ranking.begin(), ranking.end());
            const auto order = worstFirst(*report, SensitivityMetric::Sqnr);
            for (std::size_t i = 0; i < order.size(); ++i)
                QCOMPARE(report->results[order[i]].group, ranking[i].second);
        }
    }

    /// Operators that write their input: values before them are kept, and must not be those behind.
    void inPlaceOperators()
    {
        const SnapshotPtr snapshot = convertedModel("mobilenet_v2", recipeFor("torchao"));
        QVERIFY(snapshot && snapshot->converted);
        QVERIFY(std::any_of(snapshot->converted->graph->begin(), snapshot->converted->graph->end(),
                            [](const Node& node) { return mutatesArgument(node.target); }));
        Batches batch = *evaluationBatches(*snapshot->model, snapshot->recipe.calibration, 1);
        JobContext two;
        two.threads = 2;
        auto sensitivity =
            Sensitivity::make(snapshot, *sensitivityData(*dataOf(std::move(batch)), two), two);
        QVERIFY(sensitivity);
        Pipeline pipeline(snapshot->model);
        for (const SensitivityMode mode : {SensitivityMode::OneOn, SensitivityMode::OneOff}) {
            SensitivityStore store;
            const auto report = (*sensitivity)->run(mode, store, two);
            QVERIFY(report);
            for (std::size_t i = 0; i < report->results.size(); i += 16) {
                const GroupResult& result = report->results[i];
                const auto edits =
                    floatEdits(*snapshot, instancesIn(**sensitivity, mode, result.group));
                const auto wanted = bruteForce(**sensitivity, edits, pipeline);
                QVERIFY(wanted);
                QCOMPARE(result.score.output.sqnrDb, wanted->sqnrDb);
                QCOMPARE(result.score.output.mse, wanted->mse);
            }
        }
    }

    /// A value that is written while somebody behind still reads what it was made of: nothing can be kept.
    void lateWrites()
    {
        GraphEditor editor;
        const TensorMeta meta =
            Tensor::fromBytes(DType::Float32, {4, 4}, std::vector<std::byte>(64)).meta();
        const auto add = [&](OpKind kind, const std::string& target, Arguments args) {
            NewNode node;
            node.kind = kind;
            node.target = target;
            node.args = std::move(args);
            if (kind != OpKind::Output)
                node.val.value = meta;
            return editor.append(std::move(node));
        };
        const NodeId x = add(OpKind::Placeholder, "x", {});
        const NodeId sum = add(OpKind::CallFunction, "aten.add.Tensor", {x, x});
        const NodeId before = add(OpKind::CallFunction, "aten.neg.default", {sum});
        add(OpKind::CallFunction, "aten.relu_.default", {sum});
        const NodeId after = add(OpKind::CallFunction, "aten.add.Tensor", {sum, before});
        add(OpKind::Output, "output", {Argument::tuple({Argument(after)})});
        const GraphPtr late = std::move(editor).publish();
        const std::vector<float> numbers(16, -1.0F);
        const Values inputs{
            Value{Tensor::fromValues<float>(DType::Float32, {4, 4}, std::span(numbers))}};
        const auto traits = traitsOf(late, inputs, {});
        QVERIFY2(traits, traits ? "" : traits.error().message().c_str());
        QVERIFY(!traits->isCuttable);
        QCOMPARE(suffixOf(late, *late, *traits).graph, late);
        const SnapshotPtr residual = convertedModel("residual");
        const auto data = evaluationBatches(*residual->model, residual->recipe.calibration);
        const auto plain = traitsOf(residual->annotated->folded.graph, data->batches.front(), {});
        QVERIFY(plain && plain->isCuttable);
    }

    /// Each annotated point is in exactly one group, and the edits of a group are edits at its points.
    void groupsPartitionThePoints()
    {
        for (const char* name : {"residual", "cat_pool", "stem", "mobilenet_v2"}) {
            const SnapshotPtr snapshot = convertedModel(name, recipeFor("torchao"));
            QVERIFY(snapshot && snapshot->converted);
            const auto switched = SwitchedGraph::make(*snapshot, {});
            QVERIFY(switched);
            const auto groups = sensitivityGroups(*snapshot, *switched);
            std::set<std::string> points;
            std::size_t count = 0;
            for (std::size_t i = 0; i < groups.size(); ++i) {
                std::vector<bool> isOn(groups.size(), true);
                isOn[i] = false;
                std::set<std::string> own, edited;
                for (const NamedPoint& point : groups[i].points) {
                    own.insert(point.text());
                    points.insert(point.text());
                    ++count;
                }
                for (const Edit& edit : floatEdits(*snapshot, instancesOf(*snapshot, groups, isOn)))
                    edited.insert(edit.at.text());
                QCOMPARE(edited, own);
                QVERIFY(!groups[i].nodes.empty());
            }
            QCOMPARE(points.size(), count);
            std::set<std::string> annotated;
            const NodeNames names(*snapshot->annotated->folded.graph);
            for (const auto& [point, spec] : snapshot->prepared->sharing.specs) {
                if (!isNone(spec))
                    annotated.insert(names.pointText(point));
            }
            QCOMPARE(points, annotated);
        }
    }

    /// The same numbers with two threads, without memory for values, and on a store that knows nothing.
    void doesNotDependOnThreadsOrMemory()
    {
        const SnapshotPtr snapshot = convertedModel("cat_pool", recipeFor("executorch"));
        QVERIFY(snapshot && snapshot->converted);
        JobContext two;
        two.threads = 2;
        SensitivityStore first, second;
        const auto one = sensitivityOf(snapshot);
        const auto other = sensitivityOf(snapshot, two, ActivationLimits::none());
        QVERIFY(one && other);
        for (const SensitivityMode mode : kSensitivityModes) {
            const auto a = (*one)->run(mode, first, {});
            const auto b = (*other)->run(mode, second, two);
            QVERIFY(a && b);
        }
        QCOMPARE(writeStore(first), writeStore(second));
        QVERIFY(first.size() > 10);
    }

    void cancelledGoesOnWhereItWas()
    {
        const SnapshotPtr snapshot = convertedModel("residual", recipeFor("torchao"));
        QVERIFY(snapshot && snapshot->converted);
        const auto whole = sensitivityOf(snapshot);
        QVERIFY(whole);
        SensitivityStore expected;
        QVERIFY((*whole)->run(SensitivityMode::OneOn, expected, {}));

        const auto sensitivity = sensitivityOf(snapshot);
        QVERIFY(sensitivity);
        SensitivityStore store;
        std::stop_source stop;
        JobContext context;
        context.stop = stop.get_token();
        std::size_t told = 0;
        const auto cancelled =
            (*sensitivity)
                ->run(SensitivityMode::OneOn, store, context, [&](const SensitivityReport& report) {
                    told = report.results.size();
                    if (told == 2)
                        stop.request_stop();
                });
        QVERIFY(!cancelled);
        QCOMPARE(int(cancelled.error().code), int(ErrorCode::Cancelled));
        QCOMPARE(told, std::size_t(2));
        QCOMPARE(store.size(), std::size_t(3)); // and all groups together

        const auto rest = (*sensitivity)->run(SensitivityMode::OneOn, store, {});
        QVERIFY(rest);
        std::size_t fromStore = 0;
        for (const GroupResult& result : rest->results)
            fromStore += result.isFromStore ? 1 : 0;
        QCOMPARE(fromStore, std::size_t(2));
        QCOMPARE(writeStore(store), writeStore(expected));

        // All known: nothing is run.
        const std::int64_t before = (*sensitivity)->runs();
        const auto again = (*sensitivity)->run(SensitivityMode::OneOn, store, {});
        QVERIFY(again);
        QCOMPARE((*sensitivity)->runs(), before);
        QCOMPARE(again->results.size(), again->wanted);
    }

    /// Other data, other weights, other parameters: other keys. An edit keeps what it does not touch.
    void storeKnowsWhatItIsOf()
    {
        const SnapshotPtr snapshot = convertedModel("residual", recipeFor("torchao"));
        const auto sensitivity = sensitivityOf(snapshot);
        QVERIFY(sensitivity);
        SensitivityStore store;
        const auto report = (*sensitivity)->run(SensitivityMode::OneOn, store, {});
        QVERIFY(report);

        const auto knownAfter = [&](const SnapshotPtr& changed) -> std::size_t {
            SensitivityStore copy = store;
            const auto other = sensitivityOf(changed);
            const auto results = other ? (*other)->run(SensitivityMode::OneOn, copy, {})
                                       : Result<SensitivityReport>(passOn(other));
            std::size_t known = 0;
            if (results) {
                for (const GroupResult& result : results->results)
                    known += result.isFromStore ? 1 : 0;
            }
            return known;
        };
        QCOMPARE(knownAfter(snapshot), report->wanted);
        Recipe edited = snapshot->recipe;
        Edit edit;
        edit.at = (*sensitivity)->groups().back().points.front();
        edited = withEdit(edited, edit);
        const std::size_t left =
            knownAfter(Pipeline(snapshot->model).run(edited, StageKind::Converted, {}));
        QVERIFY(left > 0 && left < report->wanted);
        QCOMPARE(knownAfter(convertedModel("residual", recipeFor("per tensor"))) < report->wanted,
                 true);
        Recipe seeded = snapshot->recipe;
        seeded.calibration.seed = 5;
        QCOMPARE(knownAfter(Pipeline(snapshot->model).run(seeded, StageKind::Converted, {})),
                 std::size_t(0));
    }

    void storeAsText()
    {
        SensitivityStore store;
        SensitivityScore score;
        score.output = {12.345678901234567, -1e-300, 0.5, 1e300, 0.1, -0.25, 1234567, 3};
        store.set("aa", {"one-on: conv2d, \"x\" + relu", score});
        score.output.sqnrDb = std::numeric_limits<double>::infinity();
        score.agreement = 0.75;
        score.accuracy = 1.0 / 3;
        store.set("bb", {"everything", score});
        const std::string json = writeStore(store);
        const auto back = readStore(json, "s.json");
        QVERIFY2(back, back ? "" : back.error().message().c_str());
        QCOMPARE(writeStore(*back), json);
        const std::string csv = writeStoreCsv(store);
        const auto fromCsv = readStoreCsv(csv, "s.csv");
        QVERIFY2(fromCsv, fromCsv ? "" : fromCsv.error().message().c_str());
        QCOMPARE(writeStoreCsv(*fromCsv), csv);
        QCOMPARE(writeStore(*fromCsv), json);
    }

    void badStores_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no json") << QByteArray("x") << QByteArray("s:1:1: ");
        QTest::newRow("another format") << QByteArray(R"({"format": "pt2e.recipe", "version": 1})")
                                        << QByteArray("s: no scores of sensitivity");
        QTest::newRow("unknown key")
            << QByteArray(R"({"format": "pt2e.sensitivity", "version": 1, "scores": [{"k": 1}]})")
            << QByteArray("s: scores[0].k: unknown key");
        QTest::newRow("no figures") << QByteArray(
            R"({"format": "pt2e.sensitivity", "version": 1, "scores": [{"key": "a"}]})")
                                    << QByteArray("s: scores[0]: needs a key");
        QTest::newRow("version") << QByteArray(
            R"({"format": "pt2e.sensitivity", "version": 7, "scores": []})")
                                 << QByteArray("s: version 7");
    }
    void badStores()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const auto store = readStore(text.toStdString(), "s");
        QVERIFY(!store);
        QVERIFY2(store.error().message().starts_with(message.constData()),
                 store.error().message().c_str());
        QVERIFY(!readStoreCsv(text.toStdString(), "s"));
        const std::string csv = writeStoreCsv({}) + text.toStdString() + "\n";
        QVERIFY(!readStoreCsv(csv, "s"));
        QVERIFY(!readStoreCsv("", "s"));
    }
};

QTEST_GUILESS_MAIN(TestSensitivity)
#include "tst_sensitivity.moc"
