// Programs of which the quantizers leave something float without a word (tests/data/why-not): what stays float is what
// the real quantizers left, and each of it has the expected reason and root, under both.
#include "core/pipeline/NodeNames.h"
#include "core/quant/Config.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>
#include <algorithm>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

std::string dataPath(const std::string& file)
{
    return qEnvironmentVariable("PT2E_TEST_DATA").toStdString() + "/why-not/" + file;
}

ModelPtr model(const std::string& program)
{
    const auto opened = openModel({dataPath(program + ".pt2"), {}, 8, 2, 0}, {});
    return opened ? *opened : nullptr;
}

/// The settings that record.py calls so.
Recipe recipeOf(const std::string& settings, QuantizerFlavor flavor)
{
    Recipe recipe;
    recipe.quantizer.flavor = flavor;
    if (settings == "relu_type")
        recipe.quantizer.moduleType = {{"torch.nn.ReLU", QuantizationConfig{}}};
    if (settings == "module_name" || settings == "operators_only")
        recipe.quantizer.global.reset();
    if (settings == "module_name")
        recipe.quantizer.moduleName = {{"a", QuantizationConfig{}}};
    if (settings == "operators_only")
        recipe.quantizer.operatorType = {{"aten.linear.default", QuantizationConfig{}}};
    return recipe;
}

std::shared_ptr<const AnnotatedStage> annotated(const std::string& program, QuantizerFlavor flavor,
                                                const std::string& settings = "default")
{
    const ModelPtr opened = model(program);
    if (!opened)
        return nullptr;
    auto stage = annotateStage(*opened, recipeOf(settings, flavor), {});
    return stage ? *stage : nullptr;
}

struct Said
{
    std::string key = "quantized";
    std::string root;
};

Said saidOf(const AnnotatedStage& stage, const std::string& node)
{
    const NodeNames names(*stage.folded.graph);
    for (const WhyNot& why : stage.unannotated) {
        if (names.nameOf(why.node) == node)
            return {std::string(reasonName(why.reason.key)), names.nameOf(why.root)};
    }
    return names.find(node) ? Said{} : Said{"missing", ""};
}

std::string ruleOf(const AnnotatedStage& stage, const std::string& node)
{
    const Annotation* annotation = stage.annotations.find(stage.folded.graph->findByName(node)->id);
    return annotation && annotation->isValid() ? annotation->rule : "";
}

bool hasProblem(const AnnotatedStage& stage, const std::string& code, const std::string& node)
{
    return std::any_of(
        stage.diagnostics.begin(), stage.diagnostics.end(),
        [&](const Diagnostic& found) { return found.code == code && found.node == node; });
}

constexpr auto kTorchAo = QuantizerFlavor::TorchAo;
constexpr auto kExecuTorch = QuantizerFlavor::ExecuTorch;

/// "program settings node | key root | key root": torchao's answer, then ExecuTorch's. "-": quantized.
constexpr const char* kExpected[] = {
    // 1: only found through source_fn_stack
    "cat_pool default cat | cat-without-source cat | -",
    "cat_pool default max_pool2d | follows-unannotated cat | -",
    "cat_pool_strict default cat | - | -",
    "cat_pool_strict default max_pool2d | - | -",
    "cat_pool_torch26 default cat | - | -",
    "cat_pool_torch26 default max_pool2d | - | -",
    "source_partitions default adaptive_avg_pool2d | follows-unannotated sigmoid | "
    "follows-unannotated sigmoid",
    "source_partitions default cat | cat-without-source cat | -",
    // 2: the cascade behind an unannotated cat
    "cascade default max_pool2d | follows-unannotated cat | -",
    "cascade default hardtanh | follows-chain cat | -",
    "cascade default permute | follows-chain cat | -",
    "cascade default mean | follows-chain cat | -",
    "cascade default view | follows-chain cat | -",
    "cascade default flatten | follows-chain cat | -",
    // 3: the lists of sharing ops
    "share_list default transpose | no-rule transpose | -",
    "share_list default reshape | no-rule reshape | -",
    "share_list default slice_1 | no-rule slice_1 | -",
    "share_list default relu_ | relu-in-place relu_ | relu-in-place relu_",
    "share_list default squeeze | no-rule squeeze | no-rule squeeze",
    "share_list default unsqueeze | no-rule unsqueeze | no-rule unsqueeze",
    "share_list default expand | no-rule expand | no-rule expand",
    "share_list default chunk | no-rule chunk | no-rule chunk",
    "share_list default avg_pool2d | no-rule avg_pool2d | no-rule avg_pool2d",
    "share_list default pad | no-rule pad | no-rule pad",
    "share_list default clamp | no-rule clamp | no-rule clamp",
    "share_list default dropout | no-rule dropout | -",
    // 4: the filter rejects the relu, and the plain rule has stepped aside
    "relu_filtered default conv2d | - | -",
    "relu_filtered relu_type conv2d | - | left-to-relu-refused conv2d",
    "relu_filtered relu_type relu | - | follows-unannotated conv2d",
    "relu_filtered module_name conv2d | parameter-of-module conv2d | left-to-relu-refused conv2d",
    // 5: more users before the relu
    "more_users default linear | - | -",
    "more_users default relu | - | -",
    "more_users default sigmoid | no-rule sigmoid | no-rule sigmoid",
    // 6: no rule fuses a clamp
    "clamp_behind default conv2d | - | -",
    "clamp_behind default hardtanh | - | -",
    // 7: transposed convolutions
    "transposed default conv_transpose2d | transpose-needs-relu conv_transpose2d | -",
    "transposed default conv_transpose2d_1 | - | -",
    "transposed default conv_transpose2d_2 | - | left-to-relu-refused conv_transpose2d_2",
    "transposed default conv_transpose2d_3 | transpose-needs-relu conv_transpose2d_3 | "
    "transpose-groups conv_transpose2d_3",
    // 8: the guards of add and mul
    "guards default add | large-scalar add | large-scalar add",
    "guards default mul | large-scalar mul | large-scalar mul",
    "guards default add_1 | not-float32 add_1 | not-float32 add_1",
    "guards default mul_1 | not-float32 mul_1 | not-float32 mul_1",
    "guards default add_2 | not-float32 add_2 | not-float32 add_2",
    "guards default add_3 | - | -",
    // 9: no pattern at all
    "no_rule default matmul | no-rule matmul | no-rule matmul",
    "no_rule default bmm | no-rule bmm | no-rule bmm",
    "no_rule default softmax | no-rule softmax | no-rule softmax",
    "no_rule default layer_norm | no-rule layer_norm | no-rule layer_norm",
    "no_rule default sub | no-rule sub | no-rule sub",
    "no_rule default div | no-rule div | no-rule div",
    "no_rule default sigmoid | no-rule sigmoid | no-rule sigmoid",
    "no_rule default silu | no-rule silu | no-rule silu",
    "no_rule default gelu | no-rule gelu | no-rule gelu",
    "no_rule default hardswish | no-rule hardswish | no-rule hardswish",
    "no_rule default scaled_dot_product_attention | no-rule scaled_dot_product_attention | "
    "no-rule scaled_dot_product_attention",
    "no_rule default embedding | no-rule embedding | no-rule embedding",
    "no_rule default lstm | no-rule lstm | no-rule lstm",
    // 10: several outputs
    "several_outputs default chunk | no-rule chunk | no-rule chunk",
    "several_outputs default unbind | no-rule unbind | no-rule unbind",
    "several_outputs default max_1 | no-rule max_1 | no-rule max_1",
    // 12: one value twice is one entry, and quantized
    "twice default add | - | -",
    "twice default mul | - | -",
    // 13: settings by operator
    "one_linear operators_only linear | no-config linear | -",
    "one_linear operators_only sub | no-config sub | no-rule sub",
    // a weight that two convolutions read
    "shared_weight default conv2d_1 | weight-taken conv2d_1 | weight-taken conv2d_1",
};

QStringList parts(const QString& text, QChar by)
{
    QStringList all;
    for (const QString& part : text.split(by))
        all << part.simplified();
    return all;
}

} // namespace

class TestWhyNot : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
    }
    void sameAsTheRealQuantizers_data();
    void sameAsTheRealQuantizers();
    void reasonAndRoot_data();
    void reasonAndRoot();
    void subGraphs();
    void surprisesAreSaid_data();
    void surprisesAreSaid();
    void settingsAreSaidOnce();
    void weightsOfTransposedConvolutions();
    void oneEntryForOneValue();
    void outputsOfSeveral();
    void nothingQuantizedIsSaid();
};

void TestWhyNot::sameAsTheRealQuantizers_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("settings");
    QTest::addColumn<QString>("flavor");
    QTest::addColumn<QStringList>("expected");
    const QString recorded = QString::fromStdString(readText(dataPath("unannotated.txt")));
    QVERIFY(!recorded.isEmpty());
    for (const QString& line : recorded.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList fields = line.split(QLatin1Char('|'));
        QCOMPARE(fields.size(), 4);
        QTest::addRow("%s", qPrintable(fields.mid(0, 3).join(QLatin1Char(' '))))
            << fields[0] << fields[1] << fields[2] << fields[3].split(' ', Qt::SkipEmptyParts);
    }
}

void TestWhyNot::sameAsTheRealQuantizers()
{
    QFETCH(QString, program);
    QFETCH(QString, settings);
    QFETCH(QString, flavor);
    QFETCH(QStringList, expected);
    const auto stage = annotated(program.toStdString(),
                                 flavor == QLatin1String("torchao") ? kTorchAo : kExecuTorch,
                                 settings.toStdString());
    QVERIFY(stage);
    QStringList explained;
    for (const WhyNot& why : stage->unannotated) {
        if (const Node* node = stage->folded.graph->find(why.node)) // not those of sub-graphs
            explained << QString::fromStdString(node->name);
        QVERIFY(!why.reason.text().empty());
        QVERIFY(why.root);
    }
    QCOMPARE(explained, expected);
}

void TestWhyNot::reasonAndRoot_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line : kExpected)
        QTest::addRow("%s", line) << QString::fromLatin1(line);
}

void TestWhyNot::reasonAndRoot()
{
    QFETCH(QString, line);
    const QStringList halves = parts(line, QLatin1Char('|'));
    QCOMPARE(halves.size(), 3);
    const QStringList where = halves[0].split(QLatin1Char(' '));
    for (const int i : {1, 2}) {
        const auto stage = annotated(where[0].toStdString(), i == 1 ? kTorchAo : kExecuTorch,
                                     where[1].toStdString());
        QVERIFY(stage);
        const Said said = saidOf(*stage, where[2].toStdString());
        const QString text = said.key == "quantized"
                                 ? QStringLiteral("-")
                                 : QString::fromStdString(said.key + " " + said.root);
        QCOMPARE(text, halves[i]);
    }
}

/// 11: bodies that prepare does not go into; the call that takes one is the root.
void TestWhyNot::subGraphs()
{
    for (const QuantizerFlavor flavor : {kTorchAo, kExecuTorch}) {
        const auto region = annotated("sub_graphs", flavor);
        QVERIFY(region);
        const Said linear = saidOf(*region, "submod_1/linear");
        QCOMPARE(linear.key, std::string("in-sub-graph"));
        QCOMPARE(linear.root, std::string("relu"));
        QCOMPARE(saidOf(*region, "submod_1/relu").root, std::string("relu"));
        QCOMPARE(saidOf(*region, "linear_1").key, std::string("quantized"));
        QVERIFY(hasProblem(*region, "sub-graph-left-out", "relu"));

        const auto branches = annotated("cond_branches", flavor);
        QVERIFY(branches);
        for (const char* node : {"true_graph_0/add", "false_graph_0/mul"}) {
            QCOMPARE(saidOf(*branches, node).key, std::string("in-sub-graph"));
            QCOMPARE(saidOf(*branches, node).root, std::string("cond"));
        }
    }
}

void TestWhyNot::surprisesAreSaid_data()
{
    QTest::addColumn<QString>("line");
    // program, settings, quantizer, code, node ("-": none)
    for (const char* line :
         {"cat_pool default torchao cat-not-matched cat",
          "relu_filtered relu_type executorch left-to-relu conv2d",
          "relu_filtered module_name torchao setting-misses-weight conv2d",
          "more_users default torchao not-fused linear",
          "more_users default executorch not-fused linear",
          "clamp_behind default torchao observed-before-clamp conv2d",
          "clamp_behind default executorch observed-before-clamp conv2d",
          "transposed default torchao transpose-axis conv_transpose2d_1",
          "guards default torchao guard add", "guards default executorch guard mul_1",
          "twice default torchao one-entry-for-two add",
          "twice default executorch one-entry-for-two mul",
          "one_linear operators_only torchao operator-settings-ignored -",
          "shared_weight default torchao weight-taken conv2d_1",
          "../cases/int_index_chain/model default torchao integer-became-float add",
          "../cases/int_index_chain/model default executorch integer-became-float add"})
        QTest::addRow("%s", line) << QString::fromLatin1(line);
}

void TestWhyNot::surprisesAreSaid()
{
    QFETCH(QString, line);
    const QStringList words = line.split(QLatin1Char(' '));
    const auto stage = annotated(words[0].toStdString(),
                                 words[2] == QLatin1String("torchao") ? kTorchAo : kExecuTorch,
                                 words[1].toStdString());
    QVERIFY(stage);
    QVERIFY(hasProblem(*stage, words[3].toStdString(),
                       words[4] == QLatin1String("-") ? "" : words[4].toStdString()));
}

/// Not once more for each body that is quantized, too.
void TestWhyNot::settingsAreSaidOnce()
{
    const auto stage = annotated("../cases/while_loop/model", kTorchAo, "operators_only");
    QVERIFY(stage);
    QVERIFY(!stage->folded.graph->subgraphs().empty());
    const auto isIt = [](const Diagnostic& d) { return d.code == "operator-settings-ignored"; };
    QCOMPARE(std::count_if(stage->diagnostics.begin(), stage->diagnostics.end(), isIt), 1);
}

/// 7 and 14: torchao keeps axis 0, ExecuTorch puts 1 in its place (an override by 0 would not be seen).
void TestWhyNot::weightsOfTransposedConvolutions()
{
    for (const QuantizerFlavor flavor : {kTorchAo, kExecuTorch}) {
        const auto stage = annotated("transposed", flavor);
        QVERIFY(stage);
        const Graph& graph = *stage->folded.graph;
        const Node& conv = *graph.findByName("conv_transpose2d_1");
        const Spec* weight = stage->annotations.find(conv.id)->input(conv.arg(1).node());
        QVERIFY(weight);
        QCOMPARE(*std::get<ObservedSpec>(*weight).chAxis, flavor == kTorchAo ? 0 : 1);
    }
}

void TestWhyNot::oneEntryForOneValue()
{
    const auto stage = annotated("twice", kTorchAo);
    QVERIFY(stage);
    const Node& add = *stage->folded.graph->findByName("add");
    QCOMPARE(stage->annotations.find(add.id)->inputs.size(), std::size_t(1));
    QCOMPARE(ruleOf(*stage, "mul"), std::string("mul"));
    QCOMPARE(ruleOf(*annotated("more_users", kTorchAo), "relu"), std::string("propagate"));
}

/// 10: an edit may annotate such an output; prepare inserts nothing, and that is said.
void TestWhyNot::outputsOfSeveral()
{
    Recipe recipe;
    Edit edit;
    edit.at = {"chunk", ""};
    edit.spec.kind = EditSpec::Kind::Observed;
    edit.spec.observed = std::get<ObservedSpec>(symmetricConfig({}).outputActivation);
    recipe = withEdit(recipe, edit);
    const SnapshotPtr snapshot =
        Pipeline(model("several_outputs")).run(recipe, StageKind::Prepared, {});
    QVERIFY2(snapshot->prepared, snapshot->error ? snapshot->error->message().c_str() : "");
    QVERIFY(hasProblem(*snapshot->annotated, "no-observer-for-several", "chunk"));
    const Graph& prepared = *snapshot->prepared->graph;
    for (const NodeId user : prepared.findByName("chunk")->users)
        QVERIFY(!prepared.node(user).is(OpKind::CallModule));
}

void TestWhyNot::nothingQuantizedIsSaid()
{
    const auto stage = annotated("source_partitions", kTorchAo);
    QVERIFY(stage);
    QVERIFY(hasProblem(*stage, "nothing-quantized", ""));
    QCOMPARE(stage->coverage.opsQuantized, 0);
    QVERIFY(!hasProblem(*annotated("cat_pool", kTorchAo), "nothing-quantized", ""));
}

QTEST_GUILESS_MAIN(TestWhyNot)
#include "tst_why_not.moc"
