// Recipes: JSON there and back, errors with their place, edits.
#include "core/ir/GraphEditor.h"
#include "core/pipeline/Edits.h"
#include "core/pipeline/RecipePython.h"
#include "tests/support/FullRecipe.h"

#include <QtTest/QtTest>

using namespace pt2e;
using test::edit;
using test::fullRecipe;

namespace {

QString messageOf(const std::string& json)
{
    const auto recipe = readRecipe(json, "r.json");
    return recipe ? QString() : QString::fromStdString(recipe.error().message());
}

const std::string kHead = R"({"format": "pt2e.recipe", "version": 1, )";

/// x → relu → sigmoid → output.
GraphPtr chain()
{
    GraphEditor editor;
    NodeId last;
    const auto append = [&](OpKind kind, const char* target, Arguments args,
                            const char* name = "") {
        NewNode node;
        node.nameCandidate = name;
        node.kind = kind;
        node.target = target;
        node.args = std::move(args);
        last = editor.append(std::move(node));
    };
    append(OpKind::Placeholder, "x", {});
    append(OpKind::CallFunction, "aten.relu.default", {last}, "relu");
    append(OpKind::CallFunction, "aten.sigmoid.default", {last}, "sigmoid");
    append(OpKind::Output, "output", {Argument::tuple({last})});
    return std::move(editor).publish();
}

} // namespace

class TestRecipe : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void thereAndBack()
    {
        for (const Recipe& recipe : {Recipe{}, fullRecipe()}) {
            const std::string text = writeRecipe(recipe);
            const auto read = readRecipe(text, "r.json");
            QVERIFY2(read, read ? "" : read.error().message().c_str());
            QVERIFY(*read == recipe);
            QCOMPARE(writeRecipe(*read), text);
        }
    }

    void errorsNameTheirPlace_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const std::string& json, const char* message) {
            QTest::newRow(name) << QString::fromStdString(json) << QString::fromUtf8(message);
        };
        row("no JSON", "{\"format\": \n  x}", "r.json:2:3: invalid value");
        row("other format", R"({"format": "pt2e.stages", "version": 1})",
            "r.json: not a recipe: 'format' must be 'pt2e.recipe'");
        row("other version", R"({"format": "pt2e.recipe", "version": 2})",
            "r.json: version 2 of the format is not known");
        row("unknown key", kHead + R"("editz": []})", "r.json: editz: unknown key");
        row("unknown key deeper", kHead + R"("quantizer": {"global": {"per_chanel": true}}})",
            "r.json: quantizer.global.per_chanel: unknown key");
        row("key twice", kHead + R"("edits": [], "edits": []})", "r.json: edits: key stands twice");
        row("flavour", kHead + R"("quantizer": {"flavor": "tensorrt"}})",
            "r.json: quantizer.flavor: must be torchao, executorch or none");
        row("wrong type", kHead + R"("calibration": {"batches": "8"}})",
            "r.json: calibration.batches: must be an integer");
        row("negative", kHead + R"("calibration": {"batches": -1}})",
            "r.json: calibration: batches must be 0 or more");
        row("point", kHead + R"("edits": [{"at": "a->", "spec": null}]})",
            "r.json: edits[0].at: must be 'node' or 'node->user'");
        row("no point", kHead + R"("edits": [{"spec": null}]})",
            "r.json: edits[0]: 'at' is missing");
        row("no spec", kHead + R"("edits": [{"at": "a"}]})", "r.json: edits[0]: 'spec' is missing");
        row("kind", kHead + R"("edits": [{"at": "a", "spec": {"kind": "x"}}]})",
            "r.json: edits[0].spec: 'kind' must be observed, fixed, shared, derived or default");
        row("observer",
            kHead + R"("edits": [{"at": "a", "spec": {"kind": "observed", "observer": "X"}}]})",
            "r.json: edits[0].spec.observer: no such observer: 'X'");
        row("bounds",
            kHead
                + R"("edits": [{"at": "a", "spec": {"kind": "observed", "quant_min": 2, "quant_max": 1}}]})",
            "r.json: edits[0].spec: quant_min is larger than quant_max");
        row("spec key",
            kHead
                + R"("edits": [{"at": "a", "spec": {"kind": "shared", "with": "b", "scale": 1}}]})",
            "r.json: edits[0].spec.scale: unknown key");
        row("name without configuration",
            kHead + R"("quantizer": {"module_name": [["a", {}], ["b", null]]}})",
            "r.json: quantizer.module_name: 'b' has no configuration: a module name must have one, "
            "only a module type or an operator may have null");
        row("type twice", kHead + R"("quantizer": {"module_type": [["a", {}], ["a", null]]}})",
            "r.json: quantizer.module_type[1]: 'a' stands twice");
        row("operator alone", kHead + R"("quantizer": {"operator_type": [["a"]]}})",
            "r.json: quantizer.operator_type[0]: must be [name, configuration or null]");
        row("operator and more", kHead + R"("quantizer": {"operator_type": [["a", {}, 1]]}})",
            "r.json: quantizer.operator_type[0][2]: too many items: must be [name, configuration or null]");
        row("key in a filter",
            kHead + R"("quantizer": {"module_type": [["a", {"per_chanel": true}]]}})",
            "r.json: quantizer.module_type[0][1].per_chanel: unknown key");
        const std::string rules = kHead + R"("quantizer": {"rules": [)";
        row("rule without match", rules + R"({"skip": true}]}})",
            "r.json: quantizer.rules[0]: 'match' is missing");
        row("rule that asks for nothing", rules + R"({"match": {}}]}})",
            "r.json: quantizer.rules[0]: one of 'inputs', 'other_inputs', 'output' and 'skip' must "
            "be given");
        row("skip and more", rules + R"({"match": {}, "skip": true, "output": null}]}})",
            "r.json: quantizer.rules[0]: 'skip' takes the annotation away: nothing else can stand "
            "beside it");
        row("absolute point",
            rules + R"({"match": {}, "output": {"kind": "shared", "with": "relu"}}]}})",
            "r.json: quantizer.rules[0].output: point 'relu': a rule's points are $input0, $input1 "
            "… and $output of the operator");
        row("no number",
            rules + R"({"match": {}, "inputs": [null, {"kind": "shared", "with": "$input"}]}]}})",
            "r.json: quantizer.rules[0].inputs[1]: point '$input': a rule's points are $input0, "
            "$input1 … and $output of the operator");
        row("set in a pattern", rules + R"({"match": {"op": "aten.[ab]"}, "skip": true}]}})",
            "r.json: quantizer.rules[0].match.op: must be a name, in which '*' stands for any "
            "characters and '?' for one");
        row("position", rules + R"({"match": {"position": "second"}, "skip": true}]}})",
            "r.json: quantizer.rules[0].match.position: must be all, first or last");
        row("dtype of a match", rules + R"({"match": {"dtype": "float31"}, "skip": true}]}})",
            "r.json: quantizer.rules[0].match.dtype: no such dtype: 'float31'");
        row("key of a rule", rules + R"({"match": {"ops": "x"}, "skip": true}]}})",
            "r.json: quantizer.rules[0].match.ops: unknown key");
        row("zero with exponent", kHead + R"("edits": 0E058})", "r.json: edits: must be an array");
        row("zero with exponent, cut off",
            R"({"fd":0E058)"
            "\xef\xff",
            "r.json:1:12: missing a comma or '}' after an object member");
        row("half of a surrogate pair",
            kHead + R"("edits": [{"at": "a\uD834\uDD1E\uDD1E", "spec": null}]})",
            "r.json:1:79: half of a surrogate pair in a string");
        row("half of a pair in a key", kHead + R"("a\uDD1E": 1})",
            "r.json:1:50: half of a surrogate pair in a string");
        row("too large", kHead + R"("edits": -1e400})",
            "r.json:1:50: number too big to be stored in double");
        row("deep", kHead + "\"edits\": " + std::string(100000, '[') + "}",
            "r.json: nested deeper than 64 levels");
    }
    void errorsNameTheirPlace()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        QCOMPARE(messageOf(json.toStdString()), message);
    }

    void laterEditReplacesEarlier()
    {
        EditSpec back;
        back.kind = EditSpec::Kind::Default;
        Recipe recipe = withEdit(Recipe{}, edit("a"));
        recipe = withEdit(recipe, edit("b->a"));
        EditSpec fixed;
        fixed.kind = EditSpec::Kind::Fixed;
        recipe = withEdit(recipe, edit("a", fixed));
        QCOMPARE(recipe.edits.size(), 2u);
        QVERIFY(recipe.edits[1] == edit("a", fixed));
        recipe = withEdit(recipe, edit("b->a", back));
        recipe = withEdit(recipe, edit("a", back));
        QVERIFY(recipe == Recipe{});
    }

    void editsAreApplied()
    {
        const GraphPtr graph = chain();
        const NodeNames names(*graph);
        const NodeId x = names.find("x"), relu = names.find("relu"),
                     sigmoid = names.find("sigmoid");
        AnnotationTable table;
        table.at(relu).output = ObservedSpec{};
        table.at(relu).setInput(x, ObservedSpec{});

        EditSpec shared;
        shared.kind = EditSpec::Kind::Shared;
        shared.sharedWith = {"relu", ""};
        EditSpec back;
        back.kind = EditSpec::Kind::Default;
        Diagnostics diagnostics;
        AnnotationTable edited = applyEdits(
            table,
            {edit("relu"), edit("x->relu"), edit("x->relu", back), edit("relu->sigmoid", shared)},
            names, diagnostics);
        QVERIFY(diagnostics.empty());
        QVERIFY(isNone(edited.find(relu)->output));
        QVERIFY(*edited.find(relu)->input(x) == Spec(ObservedSpec{}));
        QVERIFY(*edited.find(sigmoid)->input(relu) == Spec(SharedSpec{Point::output(relu)}));

        // Taken back, an edit at a node that had no annotation leaves none.
        edited = applyEdits(table, {edit("relu->sigmoid"), edit("relu->sigmoid", back)}, names,
                            diagnostics);
        QVERIFY(!edited.find(sigmoid));
    }

    void rulesAreApplied()
    {
        const GraphPtr graph = chain();
        const NodeNames names(*graph);
        const NodeId x = names.find("x"), relu = names.find("relu"),
                     sigmoid = names.find("sigmoid");
        AnnotationTable table;
        table.at(relu).output = ObservedSpec{};
        table.at(sigmoid).output = ObservedSpec{};
        EditSpec observed, shared, missing;
        observed.kind = EditSpec::Kind::Observed;
        shared.kind = missing.kind = EditSpec::Kind::Shared;
        shared.sharedWith = {"$input0", ""};
        missing.sharedWith = {"$input1", ""};
        RecipeRule share, skip, nowhere, wrong;
        share.match.op = "aten.re?u*";
        share.inputs = {observed, observed};
        share.output = shared;
        skip.match.position = NodeMatch::Position::Last;
        skip.skip = true;
        nowhere.match.op = "aten.conv2d.default";
        nowhere.skip = true;
        wrong.match.name = "relu";
        wrong.output = missing;

        Diagnostics diagnostics;
        const AnnotationTable ruled =
            applyRules(table, {share, skip, nowhere, wrong}, *graph, names, diagnostics);
        const Annotation* first = ruled.find(relu);
        QCOMPARE(first->inputs.size(), 1u);
        QVERIFY(*first->input(x) == Spec(ObservedSpec{}));
        QVERIFY(first->output == Spec(SharedSpec{Point::edge(x, relu)}));
        QCOMPARE(first->rule, std::string("rule 1"));
        QVERIFY(!ruled.hasValid(sigmoid) && ruled.isAnnotated(sigmoid));
        QCOMPARE(diagnostics.size(), 2u);
        QCOMPARE(diagnostics[0].code, std::string("rule-finds-nothing"));
        QCOMPARE(diagnostics[0].place, std::string("rule 3"));
        QCOMPARE(diagnostics[1].code, std::string("rule-missing-input"));

        // Edits come behind the rules, and Default brings back what the rules said.
        EditSpec back;
        back.kind = EditSpec::Kind::Default;
        const AnnotationTable edited =
            applyEdits(ruled, {edit("relu"), edit("relu", back)}, names, diagnostics);
        QVERIFY(edited.find(relu)->output == first->output);

        // What a rule took away is explained by it.
        const auto reasons = explainUnannotated(*graph, ruled, QuantizerSettings());
        QCOMPARE(reasons.size(), 1u);
        QCOMPARE(reasons[0].reason.text(), std::string("rule 2 of the recipe leaves it out"));
    }

    void pythonNamesAllOfARecipe()
    {
        const std::string text = recipeToPython(fullRecipe());
        for (const char* part :
             {"from executorch.backends.xnnpack.quantizer.xnnpack_quantizer import (",
              "quantizer.set_module_name(\"b.fc\", get_symmetric_quantization_config(",
              "quantizer.set_module_type(module_type(\"torch.nn.Linear\"), None)",
              "{\"op\": \"aten.cat.default\", \"module\": \"block.1\", \"name\": \"cat_*\", "
              "\"dtype\": torch.float32, \"position\": \"first\"}",
              "other_inputs=shared(\"$input0\"),", "skip=True,", "KEEP,",
              "derived([\"$input0\", \"$input1\"], product_of_scales, torch.int32, ",
              "Edit(\"x->conv2d\", observed(torch.uint8, \"MovingAverageMinMaxObserver\", "
              "quant_min=0, quant_max=255, qscheme=torch.per_tensor_affine, ch_axis=None, "
              "is_dynamic=False, eps=0.000244140625, averaging_constant=0.05, reduce_range=True)),",
              "Edit(\"sigmoid\", fixed(torch.int8, 0.00390625, -128, ",
              "allow_implicit_sharing=False),"})
            QVERIFY2(text.find(part) != std::string::npos, part);
    }

    void missingNodesAreReported()
    {
        const GraphPtr graph = chain();
        Diagnostics diagnostics;
        applyEdits({}, {edit("relo"), edit("x->sigmoid"), edit("relu")}, NodeNames(*graph),
                   diagnostics);
        QCOMPARE(diagnostics.size(), 2u);
        QCOMPARE(diagnostics[0].code, std::string("edit-missing-node"));
        QCOMPARE(diagnostics[0].message, std::string("point 'relo': there is no node 'relo'"));
        QCOMPARE(diagnostics[1].message,
                 std::string("point 'x->sigmoid': 'sigmoid' does not read 'x'"));
    }
};

QTEST_GUILESS_MAIN(TestRecipe)
#include "tst_recipe.moc"
