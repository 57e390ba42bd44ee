// Settings by module name, module type and operator. The recorded cases filter_* in tests/pipeline hold them against
// the real stack; here are the order of the levels, the filters and the reasons.
#include "core/quant/Flavor.h"
#include "tests/quant/Annotated.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

constexpr const char* kLinear = "torch.nn.modules.linear.Linear";

/// linear "fc1" (with relu), linear "head.fc2", conv "conv".
GraphPtr model()
{
    const char* text = R"(graph():
    %w1 : [num_users=1] = get_attr[target=w1]
    %w2 : [num_users=1] = get_attr[target=w2]
    %w3 : [num_users=1] = get_attr[target=w3]
    %x : [num_users=1] = placeholder[target=x]
    %linear : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%x, %w1), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%linear,), kwargs = {})
    %linear_1 : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%relu, %w2), kwargs = {})
    %conv2d : [num_users=1] = call_function[target=torch.ops.aten.conv2d.default](args = (%linear_1, %w3), kwargs = {})
    return (conv2d,))";
    GraphPtr graph = withModule(fromText(text), {"linear"}, "fc1", kLinear);
    graph = withModule(graph, {"linear_1"}, "L['self'].head", kLinear);
    return withModule(graph, {"conv2d"}, "conv", "torch.nn.modules.conv.Conv2d");
}

QuantizerSettings without(QuantizerFlavor flavor)
{
    QuantizerSettings settings;
    settings.flavor = flavor;
    settings.global.reset();
    return settings;
}

const ObservedSpec* weightOf(const Annotated& result, const char* name)
{
    const Annotation* annotation = result.annotations.find(result.graph->findByName(name)->id);
    return annotation && annotation->inputs.size() > 1
               ? std::get_if<ObservedSpec>(&annotation->inputs[1].second)
               : nullptr;
}

bool isPerTensor(const Annotated& result, const char* name)
{
    const ObservedSpec* weight = weightOf(result, name);
    return weight && weight->qscheme == QScheme::PerTensorSymmetric;
}

constexpr QuantizationConfig kPerTensor = {.perChannel = false};

} // namespace

class TestFilters : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void filters();
    void moduleName();
    void moduleType();
    void noneKeepsTheGlobalOneAway();
    void operatorType();
    void orderOfLevels();
    void modeIsTheGlobalOnesOrEachOnes();
};

void TestFilters::filters()
{
    const GraphPtr graph = model();
    const Node& linear = *graph->findByName("linear");
    const Node& weight = *graph->findByName("w1");
    QVERIFY(ModuleFilter::everything().allows(linear));
    QVERIFY(ModuleFilter::named("fc1").allows(linear));
    QVERIFY(ModuleFilter::named("").allows(linear)); // the root
    QVERIFY(!ModuleFilter::named("fc").allows(linear));
    QVERIFY(ModuleFilter::named("head").allows(*graph->findByName("linear_1")));
    QVERIFY(!ModuleFilter::named("fc1").allows(weight));
    QVERIFY(ModuleFilter::ofType(kLinear).allows(linear));
    QVERIFY(ModuleFilter::ofType("torch.nn.Linear").allows(linear));
    QVERIFY(!ModuleFilter::ofType("torch.nn.Bilinear").allows(linear));
    QVERIFY(!ModuleFilter::ofType("Linear").allows(linear));
    const ModuleFilter rest = ModuleFilter::rest({"fc1"}, {"torch.nn.Conv2d"});
    QVERIFY(!rest.allows(linear));
    QVERIFY(!rest.allows(*graph->findByName("conv2d")));
    QVERIFY(rest.allows(*graph->findByName("linear_1")));
    QVERIFY(rest.allows(weight));
}

/// A name reaches a linear, but no convolution: its weight belongs to no module.
void TestFilters::moduleName()
{
    for (const QuantizerFlavor flavor : {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch}) {
        QuantizerSettings settings = without(flavor);
        settings.moduleName = {{"fc1", kPerTensor}, {"conv", kPerTensor}};
        const Annotated result = annotated(model(), settings);
        QVERIFY(isPerTensor(result, "linear"));
        QVERIFY(!result.reason("relu")); // it shares, instead of being fused
        VERIFY_REASON(result, "linear_1", Filtered, "linear_1 is outside module");
        VERIFY_REASON(result, "conv2d", Filtered, "parameters belong to no module");

        settings.global = QuantizationConfig{};
        const Annotated mixed = annotated(model(), settings);
        QVERIFY(isPerTensor(mixed, "linear"));
        QVERIFY(weightOf(mixed, "linear_1") && !isPerTensor(mixed, "linear_1"));
        VERIFY_REASON(mixed, "conv2d", Filtered, "parameters belong to no module");
    }
}

void TestFilters::moduleType()
{
    QuantizerSettings settings = without(QuantizerFlavor::TorchAo);
    settings.moduleType = {{"torch.nn.Linear", kPerTensor}};
    const Annotated result = annotated(model(), settings);
    QVERIFY(isPerTensor(result, "linear"));
    QVERIFY(isPerTensor(result, "linear_1"));
    VERIFY_REASON(result, "conv2d", Filtered, "outside modules of type 'torch.nn.Linear'");
}

void TestFilters::noneKeepsTheGlobalOneAway()
{
    QuantizerSettings settings;
    settings.moduleType = {{"torch.nn.Linear", {}}};
    const Annotated result = annotated(model(), settings);
    VERIFY_REASON(result, "linear", Filtered, "has a setting of its own");
    VERIFY_REASON(result, "linear_1", Filtered, "has a setting of its own");
    QVERIFY(weightOf(result, "conv2d"));
}

/// torchao's quantizer stores operator settings and never reads them.
void TestFilters::operatorType()
{
    QuantizerSettings settings = without(QuantizerFlavor::TorchAo);
    settings.operatorType = {{"aten.linear.default", kPerTensor}};
    VERIFY_REASON(annotated(model(), settings), "linear", NoQuantizer, "no global configuration");
    settings.flavor = QuantizerFlavor::ExecuTorch;
    const Annotated result = annotated(model(), settings);
    QVERIFY(isPerTensor(result, "linear"));
    QVERIFY(isPerTensor(result, "linear_1"));
    VERIFY_REASON(result, "conv2d", Filtered, "none for aten.conv2d.default");
}

void TestFilters::orderOfLevels()
{
    QuantizerSettings settings;
    settings.flavor = QuantizerFlavor::ExecuTorch;
    settings.moduleName = {{"fc1", QuantizationConfig{.actQmin = 1}}};
    settings.moduleType = {{"torch.nn.Linear", QuantizationConfig{.actQmin = 2}}};
    settings.operatorType = {{"aten.conv2d.default", QuantizationConfig{.actQmin = 3}}};
    const Annotated result = annotated(model(), settings);
    const auto qmin = [&](const char* name) {
        const Annotation* annotation = result.annotations.find(result.graph->findByName(name)->id);
        return *std::get<ObservedSpec>(annotation->inputs[0].second).quantMin;
    };
    QCOMPARE(qmin("linear"), std::int64_t(1));
    QCOMPARE(qmin("linear_1"), std::int64_t(2));
    QCOMPARE(qmin("conv2d"), std::int64_t(3));
}

void TestFilters::modeIsTheGlobalOnesOrEachOnes()
{
    QuantizerSettings settings;
    settings.moduleName = {{"fc1", QuantizationConfig{.dynamic = true}}};
    // torchao runs its static rules with the dynamic specs, ExecuTorch its dynamic rules.
    const auto rulesOf = [&](QuantizerFlavor flavor) {
        return plannedRuns(*flavorOf(flavor), settings).front().rules.size();
    };
    QCOMPARE(rulesOf(QuantizerFlavor::TorchAo), std::size_t(12));
    QCOMPARE(rulesOf(QuantizerFlavor::ExecuTorch), std::size_t(3));
    settings.global->dynamic = true;
    settings.moduleName.front().config->dynamic = false;
    QCOMPARE(rulesOf(QuantizerFlavor::TorchAo), std::size_t(1));
    QCOMPARE(rulesOf(QuantizerFlavor::ExecuTorch), std::size_t(12));
}

QTEST_GUILESS_MAIN(TestFilters)
#include "tst_filters.moc"
