// Specs, configurations, the quantizer's reasons, sharing groups. What annotate writes is compared in tests/passes.
#include "core/quant/Config.h"
#include "core/quant/SourcePartition.h"
#include "tests/quant/Annotated.h"

using namespace pt2e;
using namespace pt2e::test;

class TestQuant : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void names();
    void configuration();
    void catAndWhatFollows();
    void cascadesHaveOneRoot();
    void catOfAnOldFile();
    void reasonsOfConvolutions();
    void reasonsOfGuards();
    void reasonsOfOthers();
    void everyUnannotatedOpHasAReason();
    void rulesAreNamed();
    void noQuantizer();
    void scalarsAlwaysReassign();
    void gruWithoutState();
    void poolModuleCalledTwice();
    void sharingCircle();
    void sharingParentBelowChild();
};

void TestQuant::names()
{
    for (ObserverKind kind :
         {ObserverKind::MinMax, ObserverKind::MovingAverageMinMax, ObserverKind::PerChannelMinMax,
          ObserverKind::MovingAveragePerChannelMinMax, ObserverKind::Histogram,
          ObserverKind::Placeholder, ObserverKind::FixedQParams, ObserverKind::Derived})
        QCOMPARE(observerKindFromName(observerClassName(kind)), std::optional(kind));
    QVERIFY(!observerKindFromName("Observer"));
    QCOMPARE(qschemeName(QScheme::PerChannelAffineFloatQParams),
             std::string_view("per_channel_affine_float_qparams"));
}

void TestQuant::configuration()
{
    const ConfigSpecs fixed = symmetricConfig({});
    const auto& activation = std::get<ObservedSpec>(fixed.inputActivation);
    QCOMPARE(activation.observer.kind, ObserverKind::Histogram);
    QCOMPARE(*activation.observer.eps, 1.0 / 4096);
    QCOMPARE(*activation.quantMin, std::int64_t(-128));
    QVERIFY(!activation.chAxis);
    QVERIFY(fixed.outputActivation == fixed.inputActivation);
    const auto& weight = std::get<ObservedSpec>(fixed.weight);
    QCOMPARE(weight.observer.kind, ObserverKind::PerChannelMinMax);
    QCOMPARE(*weight.chAxis, std::int64_t(0));
    QCOMPARE(*weight.quantMin, std::int64_t(-127));
    QVERIFY(isNone(fixed.bias));

    const ConfigSpecs dynamic = symmetricConfig({.perChannel = false, .dynamic = true});
    QCOMPARE(std::get<ObservedSpec>(dynamic.inputActivation).observer.kind,
             ObserverKind::Placeholder);
    QVERIFY(isNone(dynamic.outputActivation));
    const auto& perTensor = std::get<ObservedSpec>(dynamic.weight);
    QCOMPARE(perTensor.observer.kind, ObserverKind::MinMax);
    QCOMPARE(*perTensor.chAxis, std::int64_t(0)); // also per tensor
    QVERIFY(!perTensor.isDynamic);
}

void TestQuant::catAndWhatFollows()
{
    const Annotated fire = annotated("Fire");
    VERIFY_REASON(fire, "cat", NotMatched, "torch.cat in source_fn_stack, which this program");
    VERIFY_REASON(fire, "max_pool2d", Starved,
                  "follows cat, which has no annotation because the quantizer looks for torch.cat");
    QCOMPARE(fire.nameOf(fire.reason("max_pool2d")->cause), std::string("cat"));
    QCOMPARE(fire.nameOf(fire.reason("max_pool2d")->root), std::string("cat"));
    QCOMPARE(fire.nameOf(fire.reason("cat")->root), std::string("cat"));
    QVERIFY(!fire.reason("cat")->cause);
    QCOMPARE(fire.diagnostics.size(), std::size_t(1));
    QCOMPARE(fire.diagnostics[0].code, std::string("cat-not-matched"));
    QCOMPARE(fire.diagnostics[0].node, std::string("cat"));
}

void TestQuant::cascadesHaveOneRoot()
{
    const Annotated chain = annotated(fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %sigmoid : [num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args = (%x,), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%sigmoid,), kwargs = {})
    %mean : [num_users=1] = call_function[target=torch.ops.aten.mean.dim](args = (%relu, [1]), kwargs = {})
    %relu_1 : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (mean, relu_1))"));
    VERIFY_REASON(chain, "sigmoid", NoRule, "no rule for aten.sigmoid.default");
    VERIFY_REASON(chain, "relu", Starved, "because the torchao quantizer has no rule");
    VERIFY_REASON(chain, "mean", Starved, "the chain starts at sigmoid");
    QCOMPARE(chain.nameOf(chain.reason("mean")->cause), std::string("relu"));
    QCOMPARE(chain.nameOf(chain.reason("mean")->root), std::string("sigmoid"));
    VERIFY_REASON(chain, "relu_1", Starved, "the graph input x");
    QCOMPARE(chain.nameOf(chain.reason("relu_1")->root), std::string("x"));
}

/// Files of torch 2.6 and before name the Python function: there the rule finds cat, and max_pool2d shares.
void TestQuant::catOfAnOldFile()
{
    const Annotated fire = annotated("FireOldFile");
    QVERIFY(fire.reasons.empty());
    QVERIFY(fire.diagnostics.empty());
    const Node& cat = *fire.graph->findByName("cat");
    const Annotation* annotation = fire.annotations.find(cat.id);
    QCOMPARE(annotation->rule, std::string("cat"));
    QCOMPARE(annotation->inputs.size(), std::size_t(2));
    QVERIFY(std::holds_alternative<ObservedSpec>(annotation->inputs[0].second));
    QVERIFY(annotation->inputs[1].second
            == Spec(SharedSpec{Point::edge(annotation->inputs[0].first, cat.id)}));
}

void TestQuant::reasonsOfConvolutions()
{
    const Annotated shared = annotated("SharedWeight");
    VERIFY_REASON(shared, "conv2d_1", AlreadyTaken, "its weight w is already taken by rule conv");
    VERIFY_REASON(shared, "sigmoid", NoRule, "no rule");
    VERIFY_REASON(annotated("TransposeAlone"), "conv_transpose2d", ConditionFailed,
                  "only together with a relu");
    VERIFY_REASON(annotated("Conv3d"), "conv3d", ConditionFailed, "a conv3d is annotated only");
    VERIFY_REASON(annotated("RefusedConvs"), "conv2d", ConditionFailed, "padding is given as text");
    QVERIFY(!annotated("RefusedConvs").reason("conv2d_1")); // with its relu it is taken
}

void TestQuant::reasonsOfGuards()
{
    const Annotated guards = annotated("Guards");
    VERIFY_REASON(guards, "mul", Guard, "big is a constant with an absolute value above");
    VERIFY_REASON(guards, "mul_1", Guard, "its input steps is int64, not float32");
    QVERIFY(!guards.reason("add"));
}

void TestQuant::reasonsOfOthers()
{
    const Annotated inPlace = annotated("InPlace");
    VERIFY_REASON(annotated("BnReachesOthers"), "batch_norm", NoRule, "batch_norm");
    VERIFY_REASON(annotated("Dropout"), "dropout", NoRule, "no rule for aten.dropout.default");
    VERIFY_REASON(annotated("LinearsDynamic"), "relu", Starved, "whose output is not annotated");
    VERIFY_REASON(annotated(fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %relu_ : [num_users=1] = call_function[target=torch.ops.aten.relu_.default](args = (%x,), kwargs = {})
    return (relu_,))")),
                  "relu_", NoRule, "in place it does not share");
}

/// A list without gaps: no op may stay unexplained, whatever the graph.
void TestQuant::everyUnannotatedOpHasAReason()
{
    for (const Scenario& scenario : loadScenarios()) {
        const Annotated result = annotated(scenario.exported(), scenario.settings());
        for (const Node& node : *result.graph) {
            const bool isOp = node.is(OpKind::CallFunction) && node.target != "getitem";
            const bool isExplained = result.reason(node.name) != nullptr;
            QVERIFY2(isExplained == (isOp && !result.annotations.hasValid(node.id)),
                     (scenario.name + " " + node.name).c_str());
            if (isExplained) {
                QVERIFY(!result.reason(node.name)->reason.text().empty());
                QVERIFY(result.graph->contains(result.reason(node.name)->root));
            }
        }
    }
}

void TestQuant::rulesAreNamed()
{
    const Annotated residual = annotated("PoolFlatten");
    const auto rule = [&](const char* name) {
        return residual.annotations.find(residual.graph->findByName(name)->id)->rule;
    };
    QCOMPARE(rule("conv2d"), std::string("conv"));
    QCOMPARE(rule("conv_weight"), std::string("conv"));
    QCOMPARE(rule("adaptive_avg_pool2d"), std::string("adaptive_avg_pool2d"));
    QCOMPARE(rule("flatten"), std::string("propagate"));
    QCOMPARE(rule("linear"), std::string("linear"));
}

void TestQuant::noQuantizer()
{
    QuantizerSettings settings;
    settings.flavor = QuantizerFlavor::None;
    const Scenario scenario = loadScenarios()[0];
    const Annotated none = annotated(scenario.exported(), settings);
    QCOMPARE(none.annotations.size(), std::size_t(0));
    VERIFY_REASON(none, "conv2d", NoQuantizer, "no quantizer is chosen");
    settings.flavor = QuantizerFlavor::TorchAo;
    settings.global.reset();
    VERIFY_REASON(annotated(scenario.exported(), settings), "conv2d", NoQuantizer,
                  "no global configuration");
}

/// The arguments of add and mul are assigned anew even without a number among them: users move.
void TestQuant::scalarsAlwaysReassign()
{
    const Annotated result = annotated(fromText(R"(graph():
    %x : [num_users=2] = placeholder[target=x]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, %x), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%x,), kwargs = {})
    return (add, relu))"));
    const Node& x = *result.graph->findByName("x");
    QCOMPARE(result.graph->node(x.users[0]).name, std::string("relu"));
    QCOMPARE(result.graph->node(x.users[1]).name, std::string("add"));
    GraphEditor editor{Graph(*fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %add : [num_users=1] = call_function[target=torch.ops.aten.add.Tensor](args = (%x, a), kwargs = {})
    return (add,))"))};
    NodeId add = editor.graph().findByName("add")->id;
    Arguments args = editor.graph().node(add).args;
    args[1] = "text";
    editor.setArgs(add, args);
    const auto failed = transformForAnnotation(editor, {});
    QVERIFY(!failed);
    QVERIFY(failed.error().message().find("node 'add'") != std::string::npos);
}

void TestQuant::gruWithoutState()
{
    const GraphPtr graph = withModule(fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %zeros : [num_users=1] = call_function[target=torch.ops.aten.zeros.default](args = ([1, 2],), kwargs = {})
    %gru : [num_users=1] = call_function[target=torch.ops.aten.gru.input](args = (%x, %zeros), kwargs = {})
    return (gru,))"),
                                      {"zeros", "gru"}, "gru", "torch.nn.modules.rnn.GRU");
    const auto result = annotate(*graph, {});
    QVERIFY(!result);
    QCOMPARE(result.error().code, ErrorCode::Unsupported);
    QVERIFY(result.error().message().find("IndexError") != std::string::npos);
}

/// Two calls of one module are one partition, of which only the first output is annotated by the rule; the second
/// one shares through propagation.
void TestQuant::poolModuleCalledTwice()
{
    const char* text = R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %sigmoid : [num_users=1] = call_function[target=torch.ops.aten.sigmoid.default](args = (%x,), kwargs = {})
    %pool : [num_users=1] = call_function[target=torch.ops.aten.adaptive_avg_pool2d.default](args = (%sigmoid, [4, 4]), kwargs = {})
    %neg : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%pool,), kwargs = {})
    %pool_1 : [num_users=1] = call_function[target=torch.ops.aten.adaptive_avg_pool2d.default](args = (%neg, [4, 4]), kwargs = {})
    return (pool_1,))";
    const GraphPtr graph = withModule(fromText(text), {"pool", "pool_1"}, "pool",
                                      "torch.nn.modules.pooling.AdaptiveAvgPool2d");
    const auto partitions =
        sourcePartitions(*graph, {{"torch.nn.modules.pooling.AdaptiveAvgPool2d", true}});
    QCOMPARE(partitions.size(), std::size_t(1));
    QCOMPARE(partitions[0].outputs.size(), std::size_t(2));
    const Annotated result = annotated(graph);
    QVERIFY(!result.reason("pool"));
    VERIFY_REASON(result, "pool_1", Starved, "follows neg");
}

void TestQuant::sharingCircle()
{
    const GraphPtr graph = fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %b : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%a,), kwargs = {})
    return (b,))");
    const NodeId a = graph->findByName("a")->id, b = graph->findByName("b")->id;
    AnnotationTable table;
    table.at(a).output = SharedSpec{Point::output(b)};
    table.at(b).output = SharedSpec{Point::output(a)};
    table.at(b).setInput(a, SharedSpec{Point::output(a)});
    const auto groups = shareGroups(*graph, table);
    QVERIFY(!groups);
    QVERIFY2(groups.error().message().find("circle") != std::string::npos,
             groups.error().message().c_str());
}

/// A parent that is itself to share with the child goes below it, so that the observed spec leads the group.
void TestQuant::sharingParentBelowChild()
{
    const GraphPtr graph = fromText(R"(graph():
    %x : [num_users=1] = placeholder[target=x]
    %a : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%x,), kwargs = {})
    %b : [num_users=1] = call_function[target=torch.ops.aten.neg.default](args = (%a,), kwargs = {})
    return (b,))");
    const NodeId x = graph->findByName("x")->id, a = graph->findByName("a")->id,
                 b = graph->findByName("b")->id;
    const Spec observed = std::get<ObservedSpec>(symmetricConfig({}).inputActivation);
    AnnotationTable table;
    table.at(a).setInput(x, observed);
    table.at(a).output = SharedSpec{Point::edge(x, a)};
    table.at(b).setInput(a, SharedSpec{Point::output(a)});
    table.at(b).output = observed;
    const auto groups = shareGroups(*graph, table);
    QVERIFY2(groups, groups ? "" : groups.error().message().c_str());
    QCOMPARE(groups->groupCount, std::size_t(2));
    QCOMPARE(groups->groupOf.at(Point::edge(a, b)), groups->groupOf.at(Point::edge(x, a)));
    QCOMPARE(groups->groupOf.at(Point::output(b)), std::size_t(1));
    QVERIFY(*groups->specAt(Point::output(b)) == observed);
    QVERIFY(!groups->specAt(Point::output(x)));
}

QTEST_GUILESS_MAIN(TestQuant)
#include "tst_quant.moc"
