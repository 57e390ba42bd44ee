// ExecuTorch's quantizer where it differs from torchao's, and the reasons it gives. What both do alike is compared
// with the real stack in tests/pipeline.
#include "core/quant/Flavor.h"
#include "tests/quant/Annotated.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

QuantizerSettings executorch(bool isDynamic = false)
{
    QuantizerSettings settings;
    settings.flavor = QuantizerFlavor::ExecuTorch;
    settings.global->dynamic = isDynamic;
    return settings;
}

std::string ruleOf(const Annotated& result, const char* name)
{
    const Annotation* annotation = result.annotations.find(result.graph->findByName(name)->id);
    return annotation && annotation->isValid() ? annotation->rule : "";
}

const Annotation& annotationOf(const Annotated& result, const char* name)
{
    return *result.annotations.find(result.graph->findByName(name)->id);
}

/// A graph whose weight has this shape.
GraphPtr withWeight(const char* text, std::vector<SymInt> shape)
{
    GraphEditor editor{Graph(*fromText(text))};
    editor.setVal(editor.graph().findByName("w")->id,
                  ValueMeta{TensorMeta{DType::Float32, std::move(shape), {}, false}});
    return std::move(editor).publish();
}

constexpr const char* kConvRelu = R"(graph():
    %w : [num_users=1] = get_attr[target=w]
    %x : [num_users=1] = placeholder[target=x]
    %conv2d : [num_users=1] = call_function[target=torch.ops.aten.conv2d.default](args = (%x, %w), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%conv2d,), kwargs = {})
    return (relu,))";
constexpr const char* kConv = R"(graph():
    %w : [num_users=1] = get_attr[target=w]
    %x : [num_users=1] = placeholder[target=x]
    %conv2d : [num_users=1] = call_function[target=torch.ops.aten.conv2d.default](args = (%x, %w), kwargs = {})
    return (conv2d,))";

} // namespace

class TestExecuTorch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void catSharesWithItsFirstObservedInput();
    void anyConvolution();
    void transposedConvolution();
    void shareListGoesOn();
    void convWithRelu();
    void dynamicConvolutions();
    void deadCodeIsRemoved();
    void everyUnannotatedOpHasAReason();
};

void TestExecuTorch::catSharesWithItsFirstObservedInput()
{
    const Annotated fire = annotated("Fire", executorch());
    QVERIFY(fire.diagnostics.empty());
    QCOMPARE(ruleOf(fire, "cat"), std::string("cat"));
    QCOMPARE(ruleOf(fire, "max_pool2d"), std::string("propagate"));

    const Annotated late = annotated(fromText(R"(graph():
    %x : [num_users=2] = placeholder[target=x]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %x), kwargs = {})
    %transpose : [num_users=1] = call_function[target=torch.ops.aten.transpose.int](args = (%add, 0, 1), kwargs = {})
    %cat : [num_users=1] = call_function[target=torch.ops.aten.cat.default](args = ([%x, %transpose, %x],), kwargs = {})
    return (cat,))"),
                                     executorch());
    const Annotation& cat = annotationOf(late, "cat");
    const NodeId id = late.graph->findByName("cat")->id,
                 source = late.graph->findByName("transpose")->id;
    QCOMPARE(cat.inputs.size(), std::size_t(2));
    QVERIFY(cat.inputs[0].first == source); // first in the map, though second in the list
    QVERIFY(std::holds_alternative<ObservedSpec>(cat.inputs[0].second));
    QVERIFY(cat.inputs[1].second == Spec(SharedSpec{Point::edge(source, id)}));
    QVERIFY(cat.output == Spec(SharedSpec{Point::edge(source, id)}));
}

void TestExecuTorch::anyConvolution()
{
    QCOMPARE(ruleOf(annotated("Conv3d", executorch()), "conv3d"), std::string("conv"));
    const Annotated convs = annotated("RefusedConvs", executorch());
    QCOMPARE(ruleOf(convs, "conv2d"), std::string("conv"));
    QCOMPARE(ruleOf(convs, "conv2d_1"), std::string("conv_relu"));
    VERIFY_REASON(annotated("SharedWeight", executorch()), "conv2d_1", AlreadyTaken,
                  "its weight w is already taken by rule conv");
}

void TestExecuTorch::transposedConvolution()
{
    const Annotated alone = annotated("TransposeAlone", executorch());
    const Annotation& conv = annotationOf(alone, "conv_transpose2d");
    QCOMPARE(conv.rule, std::string("conv_transpose"));
    QCOMPARE(*std::get<ObservedSpec>(conv.inputs[1].second).chAxis, std::int64_t(1));

    const char* text = R"(graph():
    %w : [num_users=1] = get_attr[target=w]
    %x : [num_users=1] = placeholder[target=x]
    %conv_transpose2d : [num_users=1] = call_function[target=torch.ops.aten.conv_transpose2d.input](args = (%x, %w, None, [1, 1], [0, 0], [0, 0], 2), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%conv_transpose2d,), kwargs = {})
    return (relu,))";
    const Annotated groups = annotated(fromText(text), executorch());
    VERIFY_REASON(groups, "conv_transpose2d", ConditionFailed, "2 groups is left out");
    QCOMPARE(groups.nameOf(groups.reason("relu")->root), std::string("conv_transpose2d"));
    QCOMPARE(ruleOf(annotated(fromText(text)), "relu"), std::string("conv_transpose_relu"));
}

void TestExecuTorch::shareListGoesOn()
{
    const Annotated dropout = annotated("Dropout", executorch());
    QCOMPARE(ruleOf(dropout, "dropout"), std::string("propagate"));
}

void TestExecuTorch::convWithRelu()
{
    QCOMPARE(ruleOf(annotated(fromText(kConvRelu), executorch()), "relu"),
             std::string("conv_relu"));
}

void TestExecuTorch::dynamicConvolutions()
{
    const Annotated plain = annotated(withWeight(kConv, {8, 4, 3, 3}), executorch(true));
    QCOMPARE(ruleOf(plain, "conv2d"), std::string("conv"));
    QVERIFY(isNone(annotationOf(plain, "conv2d").output));
    VERIFY_REASON(annotated(withWeight(kConv, {8, 1, 3, 3}), executorch(true)), "conv2d",
                  ConditionFailed, "depthwise");
    VERIFY_REASON(annotated(withWeight(kConv, {8, 4, 3}), executorch(true)), "conv2d",
                  ConditionFailed, "only two-dimensional");
    const Annotated fused = annotated(withWeight(kConvRelu, {8, 4, 3, 3}), executorch(true));
    VERIFY_REASON(fused, "conv2d", ConditionFailed, "its only user is relu");
    VERIFY_REASON(fused, "relu", Starved, "because its only user is relu");
    VERIFY_REASON(annotated("Guards", executorch(true)), "add", NoRule,
                  "only these rules run: linear, conv, conv_transpose");
}

/// A static configuration looks for batch norms behind convolutions, which removes what nobody uses.
void TestExecuTorch::deadCodeIsRemoved()
{
    const GraphPtr graph = fromText(R"(graph():
    %unused : [num_users=0] = get_attr[target=unused]
    %x : [num_users=2] = placeholder[target=x]
    %neg : [num_users=0] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (relu,))");
    const auto remaining = [&](const QuantizerSettings& settings) {
        return annotated(graph, settings).graph->order().size();
    };
    QCOMPARE(remaining(executorch()), std::size_t(3));
    QCOMPARE(remaining(executorch(true)), std::size_t(5));
    QCOMPARE(remaining({}), std::size_t(5));
    QuantizerSettings operators = executorch();
    operators.global.reset();
    operators.operatorType = {{"aten.linear.default", QuantizationConfig{}}};
    QCOMPARE(remaining(operators), std::size_t(5));
    operators.operatorType = {{"aten.conv2d.default", QuantizationConfig{}}};
    QCOMPARE(remaining(operators), std::size_t(3));
}

void TestExecuTorch::everyUnannotatedOpHasAReason()
{
    for (const bool isDynamic : {false, true}) {
        for (const Scenario& scenario : loadScenarios()) {
            const Annotated result = annotated(scenario.exported(), executorch(isDynamic));
            for (const Node& node : *result.graph) {
                const bool isOp = node.is(OpKind::CallFunction) && node.target != "getitem";
                const bool isExplained = result.reason(node.name) != nullptr;
                QVERIFY2(isExplained == (isOp && !result.annotations.hasValid(node.id)),
                         (scenario.name + " " + node.name).c_str());
                if (isExplained)
                    QVERIFY(!result.reason(node.name)->reason.text().empty());
            }
        }
    }
}

QTEST_GUILESS_MAIN(TestExecuTorch)
#include "tst_executorch.moc"
