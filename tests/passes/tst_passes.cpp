// What passes record, what they refuse, and convert's options.
#include "core/ir/Lint.h"
#include "core/ir/Text.h"
#include "tests/support/Scenarios.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// The stages of a scenario up to prepared.
struct Stages
{
    GraphPtr exported;
    FoldedGraph folded;
    AnnotationTable annotations;
    PreparedGraph prepared;
};

const Scenario& scenarioNamed(const std::string& name)
{
    static const std::vector<Scenario> all = loadScenarios();
    return *std::find_if(all.begin(), all.end(),
                         [&](const Scenario& scenario) { return scenario.name == name; });
}

Stages stagesOf(const std::string& name)
{
    const Scenario& scenario = scenarioNamed(name);
    Stages stages;
    stages.exported = scenario.exported();
    stages.folded = foldForAnnotation(stages.exported, scenario.settings(), {}).value();
    stages.annotations = annotate(*stages.folded.graph, scenario.settings()).value();
    stages.prepared = insertObservers(stages.folded.graph, stages.annotations, {}).value();
    return stages;
}

Result<ConvertedGraph> convertOf(const Stages& stages, const ConvertOptions& options = {},
                                 const JobContext& context = {})
{
    return convert(
        stages.prepared, stages.annotations, stages.folded.scopeOf,
        [&](ObserverId id) { return recordedQParams(stages.prepared, id); }, options, context);
}

int callsOf(const Graph& graph, const std::string& target)
{
    int count = 0;
    for (const Node& node : graph)
        count += node.calls(target) ? 1 : 0;
    return count;
}

const RemovedNode* removed(const PassRecords& records, const std::string& name)
{
    for (const PassRecord& record : records) {
        for (const RemovedNode& node : record.removed) {
            if (node.name == name)
                return &node;
        }
    }
    return nullptr;
}

const Diagnostic* diagnostic(const Diagnostics& all, const std::string& code)
{
    const auto it =
        std::find_if(all.begin(), all.end(), [&](const Diagnostic& d) { return d.code == code; });
    return it == all.end() ? nullptr : &*it;
}

} // namespace

class TestPasses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldRecordsGhosts();
    void originsAndIds();
    void batchNormWarnings();
    void batchNormOnComputedWeight();
    void batchNormWithoutWeight();
    void convertRecords();
    void convertOptions();
    void uncalibratedIsTold();
    void keywordNodesAreRefused();
    void nothingToDo();
    void cancelled();
    void qparamsErrorsNameTheObserver();
    void halfPrecisionObserver();
};

void TestPasses::foldRecordsGhosts()
{
    const Stages stages = stagesOf("Residual");
    QCOMPARE(stages.folded.passes.size(), std::size_t(3));
    const PassRecord& fold = stages.folded.passes[0];
    QCOMPARE(fold.name, std::string("conv_bn_fold"));
    QCOMPARE(fold.nodesAdded, 2); // the two biases
    QCOMPARE(fold.nodesRemoved, 12);
    QVERIFY(fold.changed);
    const NodeId conv = stages.exported->findByName("conv2d")->id;
    for (const char* name : {"batch_norm", "bn1_weight", "bn1_bias", "bn1_running_mean"}) {
        const RemovedNode* ghost = removed(stages.folded.passes, name);
        QVERIFY(ghost);
        QCOMPARE(ghost->into, conv);
        QCOMPARE(ghost->node, stages.exported->findByName(name)->id);
    }
    QVERIFY(!removed(stages.folded.passes, "bn1_num_batches_tracked")->into.isValid());
    const PassRecord& linear = stages.folded.passes[1];
    QVERIFY(!linear.changed);
    QCOMPARE(linear.after, fold.after);
}

void TestPasses::originsAndIds()
{
    const Stages stages = stagesOf("Residual");
    const Graph& prepared = *stages.prepared.graph;
    const NodeId conv = stages.exported->findByName("conv2d")->id;
    QCOMPARE(prepared.findByName("conv2d")->id, conv);
    QCOMPARE(prepared.node(conv).origin.kind, OriginKind::Fused);
    QCOMPARE(prepared.node(conv).origin.node, stages.exported->findByName("batch_norm")->id);
    const Node& observer = *prepared.findByName("activation_post_process_0");
    QCOMPARE(observer.origin.kind, OriginKind::Inserted);
    QCOMPARE(observer.origin.node, prepared.findByName("x")->id);

    const auto converted = convertOf(stages);
    QVERIFY(converted);
    const Graph& graph = *converted->graph;
    QCOMPARE(graph.node(conv).origin.kind, OriginKind::Same);
    QCOMPARE(graph.findByName("quantize_per_tensor_default")->origin.node, observer.id);
    const Node& copy = *graph.findByName("dequantize_per_tensor_default_4");
    QCOMPARE(copy.origin.kind, OriginKind::Duplicated);
    QCOMPARE(copy.origin.node, observer.id);
    const Node& weight = *graph.findByName("quantize_per_channel_default");
    QCOMPARE(weight.origin.kind, OriginKind::Folded);
    QCOMPARE(weight.origin.node, prepared.findByName("conv1_weight")->id);
    QVERIFY(graph.modules().empty());
}

void TestPasses::batchNormWarnings()
{
    const Stages reaching = stagesOf("BnReachesOthers");
    const Diagnostic* reaches =
        diagnostic(reaching.folded.diagnostics, "batch-norm-reaches-others");
    QVERIFY(reaches);
    QCOMPARE(reaches->node, std::string("sigmoid"));
    const Stages twice = stagesOf("BnTwiceOnOneConv");
    const Diagnostic* lost = diagnostic(twice.folded.diagnostics, "batch-norm-lost");
    QVERIFY(lost);
    QCOMPARE(lost->node, std::string("batch_norm_1"));
}

/// Asserted on in the original: only parameters can be folded into.
void TestPasses::batchNormOnComputedWeight()
{
    GraphEditor editor{Graph(*scenarioNamed("Residual").exported())};
    const Node weight = *editor.graph().findByName("conv1_weight");
    const NodeId conv = editor.graph().findByName("conv2d")->id;
    InsertPoint at = InsertPoint::before(conv);
    NewNode negated;
    negated.target = "aten.neg.default";
    negated.args = {weight.id};
    const NodeId neg = editor.insert(at, negated);
    editor.replaceInput(conv, weight.id, neg);
    const auto folded = foldForAnnotation(std::move(editor).publish(), {}, {});
    QVERIFY(!folded);
    QCOMPARE(folded.error().code, ErrorCode::Unsupported);
    QVERIFY(folded.error().message().find("node 'conv2d'") != std::string::npos);
    QVERIFY(folded.error().message().find("neg_default is computed") != std::string::npos);
}

/// Folding such a one into a convolution works in the original, into a linear it raises.
void TestPasses::batchNormWithoutWeight()
{
    const auto foldWithout = [](const char* scenario) {
        GraphEditor editor{Graph(*scenarioNamed(scenario).exported())};
        for (const NodeId id : editor.graph().order()) {
            const Node& node = editor.graph().node(id);
            if (!node.calls("aten.batch_norm.default"))
                continue;
            Arguments args = node.args;
            args[1] = args[2] = Argument();
            editor.setArgs(id, std::move(args));
        }
        return foldForAnnotation(std::move(editor).publish(), {}, {});
    };
    const auto conv = foldWithout("Residual");
    QVERIFY2(conv, conv ? "" : conv.error().message().c_str());
    QCOMPARE(callsOf(*conv->graph, "aten.batch_norm.default"), 0);
    const auto linear = foldWithout("LinearBn");
    QVERIFY(!linear);
    QCOMPARE(linear.error().code, ErrorCode::Unsupported);
    QVERIFY(linear.error().message().find("node 'batch_norm'") != std::string::npos);
    QVERIFY(linear.error().message().find("raises TypeError here") != std::string::npos);
}

void TestPasses::convertRecords()
{
    const auto converted = convertOf(stagesOf("Residual"));
    QVERIFY(converted);
    QCOMPARE(converted->passes.size(), std::size_t(4));
    QCOMPARE(converted->passes[0].name, std::string("observers_to_qdq"));
    QCOMPARE(converted->passes[0].nodesAdded, 16);
    QCOMPARE(converted->passes[0].nodesRemoved, 6);
    QCOMPARE(converted->passes[1].nodesAdded, 2);
    QCOMPARE(converted->passes[1].nodesRemoved, 1);
    const RemovedNode* observer = removed(converted->passes, "activation_post_process_0");
    QCOMPARE(observer->into, converted->graph->findByName("quantize_per_tensor_default")->id);
    const RemovedNode* weight = removed(converted->passes, "conv1_weight");
    QCOMPARE(weight->into, converted->graph->findByName("quantize_per_channel_default")->id);
    QCOMPARE(converted->passes.back().after, converted->graph);
    // The float weight stays in the state under its dotted name, as in the original.
    QVERIFY(converted->graph->attributes().contains("conv1.weight"));
}

void TestPasses::convertOptions()
{
    const Stages stages = stagesOf("Residual");
    const std::string q = "quantized_decomposed.quantize_per_channel.default";
    const std::string dq = "quantized_decomposed.dequantize_per_tensor.default";
    const auto plain = convertOf(stages);
    QCOMPARE(callsOf(*plain->graph, q), 0);
    QCOMPARE(callsOf(*plain->graph, dq), 5);
    const auto unfolded = convertOf(stages, {.foldQuantize = false});
    QCOMPARE(callsOf(*unfolded->graph, q), 2);
    QVERIFY(unfolded->graph->findByName("conv1_weight"));
    const auto single = convertOf(stages, {.duplicateDq = false});
    QCOMPARE(callsOf(*single->graph, dq), 4);
    QCOMPARE(single->graph->findByName("dequantize_per_tensor_default")->users.size(),
             std::size_t(2));
}

void TestPasses::uncalibratedIsTold()
{
    const Stages stages = stagesOf("Linears");
    const auto converted =
        convert(stages.prepared, stages.annotations, stages.folded.scopeOf,
                [&](ObserverId id) {
                    return calculateQParams(stages.prepared.instances[id.value].config, {});
                },
                {}, {});
    QVERIFY2(converted, converted ? "" : converted.error().message().c_str());
    int told = 0;
    for (const Diagnostic& d : converted->diagnostics)
        told += d.code == "not-calibrated" ? 1 : 0;
    QCOMPARE(told, 5);
    const Node& quantize = *converted->graph->findByName("quantize_per_tensor_default_2");
    QCOMPARE(*quantize.arg(1).get<double>(), 1.0);
    QCOMPARE(*quantize.arg(2).get<std::int64_t>(), std::int64_t(0));
}

void TestPasses::keywordNodesAreRefused()
{
    const Stages stages = stagesOf("Linears");
    GraphEditor editor{Graph(*stages.folded.graph)};
    const Node linear = *editor.graph().findByName("linear");
    editor.setKwargs(linear.id, {{"extra", Argument::list({linear.arg(0).node()})}});
    const auto prepared = insertObservers(std::move(editor).publish(), stages.annotations, {});
    QVERIFY(!prepared);
    QVERIFY(prepared.error().message().find("node 'linear'") != std::string::npos);
    QVERIFY(prepared.error().message().find("'extra'") != std::string::npos);
}

void TestPasses::nothingToDo()
{
    const auto graph = std::make_shared<const Graph>(
        parseGraph("graph():\n    %x : [num_users=1] = placeholder[target=x]\n    return (x,)")
            .value());
    const auto folded = foldForAnnotation(graph, {}, {});
    QVERIFY(folded);
    const auto prepared = insertObservers(folded->graph, {}, {});
    QVERIFY(prepared);
    QCOMPARE(prepared->graph, graph);
    QVERIFY(prepared->instances.empty());
    const auto converted =
        convert(*prepared, {}, folded->scopeOf,
                [](ObserverId) -> Result<QParamsResult> { return QParamsResult{}; }, {}, {});
    QVERIFY(converted);
    QCOMPARE(printGraph(*converted->graph), printGraph(*graph));
}

void TestPasses::cancelled()
{
    const Stages stages = stagesOf("Linears");
    std::stop_source source;
    source.request_stop();
    JobContext context;
    context.stop = source.get_token();
    const auto folded = foldForAnnotation(stages.exported, {}, context);
    QVERIFY(!folded);
    QCOMPARE(folded.error().code, ErrorCode::Cancelled);
    const auto converted = convertOf(stages, {}, context);
    QVERIFY(!converted);
    QCOMPARE(converted.error().code, ErrorCode::Cancelled);
}

void TestPasses::qparamsErrorsNameTheObserver()
{
    const Stages stages = stagesOf("Linears");
    const auto converted = convert(
        stages.prepared, stages.annotations, stages.folded.scopeOf,
        [](ObserverId) -> Result<QParamsResult> { return badInput("HistogramObserver", "nan"); },
        {}, {});
    QVERIFY(!converted);
    QCOMPARE(converted.error().message(),
             std::string("convert: 'activation_post_process_1': HistogramObserver: nan"));
}

/// A dtype that is neither quantized statically nor dynamically: float16 becomes a pair of casts.
void TestPasses::halfPrecisionObserver()
{
    const Stages stages = stagesOf("AddSelf");
    PreparedGraph prepared = stages.prepared;
    for (ObserverInstance& instance : prepared.instances)
        instance.config.dtype = DType::Float16;
    const auto converted =
        convert(prepared, stages.annotations, stages.folded.scopeOf,
                [](ObserverId) -> Result<QParamsResult> { return QParamsResult{}; }, {}, {});
    QVERIFY2(converted, converted ? "" : converted.error().message().c_str());
    QCOMPARE(callsOf(*converted->graph, "quantized_decomposed.convert_element_type.no_fuse"), 4);
}

QTEST_GUILESS_MAIN(TestPasses)
#include "tst_passes.moc"
