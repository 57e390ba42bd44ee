// How a graph is cut: partitions, layouts, values that cross, and that the whole still computes what
// the reference does.
#include "core/engine/xnnpack/Plan.h"
#include "tests/engine/xnnpack/ConvertedGraph.h"

#include <QTest>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// conv - relu - conv, plus the input, relu: the residual block of the notebook.
GraphPtr residual(ConvertedGraph& g)
{
    const std::vector<std::int64_t> shape = {4, 8, 16, 16};
    const NodeId w1 = g.weightPerChannel({8, 8, 3, 3}, std::vector<double>(8, 0.001));
    const NodeId w2 = g.weightPerChannel({8, 8, 3, 3}, std::vector<double>(8, 0.0009));
    const NodeId b1 = g.bias(8, 0.1);
    const QParams in = s8(0.033, -5);
    const QParams mid = s8(0.0177, -128);
    const QParams second = s8(0.0165, 18);
    const NodeId q = g.quantize(g.input("x", shape), in);
    const NodeId skip = g.dequantize(q, in);
    const NodeId x = g.dequantize(q, in);
    const Argument one = Argument::ints({1, 1});
    NodeId y = g.op("aten.conv2d.default", {x, w1, b1, one, one}, shape);
    y = g.qdq(g.op("aten.relu.default", {y}, shape), mid);
    y = g.qdq(g.op("aten.conv2d.default", {y, w2, Argument(), one, one}, shape), second);
    y = g.op("aten.relu.default", {g.op("aten.add.Tensor", {y, skip}, shape)}, shape);
    return g.finish({g.qdq(y, s8(0.03, -128))});
}

xnn::Plan planOf(const GraphPtr& graph) { return xnn::makePlan(graph, {xnn::opTable(), {}}); }

/// Where each node went, by name.
std::map<std::string, Assignment> byName(const GraphPtr& graph)
{
    std::map<std::string, Assignment> result;
    auto program = makeXnnpackProgram(graph, {});
    if (!program)
        return result;
    for (const Assignment& assignment : (*program)->assignments())
        result[graph->node(assignment.node).name] = assignment;
    return result;
}

void checkOneStep(const GraphPtr& graph, const Value& value, double step)
{
    const Comparison comparison = compareEngines(graph, {value}, step);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY(comparison.distinct > 20);
    QVERIFY2(comparison.maxSteps <= 1.01, qPrintable(QString::number(comparison.maxSteps)));
}

} // namespace

class TestXnnpackPartitions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void residualIsOnePartition();
    void everyNodeIsAssigned();
    void fallbackInTheMiddle();
    void int8CrossesPartitions();
    void inPlaceWritesKeepTheGraphWhole();
    void writtenBufferKeepsItsOrder();
    void writtenBufferLeavesTheRest();
    void buffersSeenTwiceKeepTheGraphWhole();
    void nothingQuantized();
    void unreadValuesAreLeftOut();
    void wrongInputs();
    void sinkSeesValues();
    void runsAgain();
    void randomGraphs_data();
    void randomGraphs();
};

void TestXnnpackPartitions::residualIsOnePartition()
{
    ConvertedGraph g;
    const GraphPtr graph = residual(g);
    const xnn::Plan plan = planOf(graph);
    QCOMPARE(plan.steps.size(), std::size_t(1));
    QVERIFY(plan.steps[0].isXnnpack);
    QCOMPARE(plan.steps[0].inputs.size(), std::size_t(1));
    QCOMPARE(plan.steps[0].outputs.size(), std::size_t(1));
    // The ops' values are all in NHWC: a transpose in and one out.
    QCOMPARE(plan.layouts.size(), std::size_t(3));
    for (const auto& [value, layout] : plan.layouts)
        QCOMPARE(layout, xnn::DataLayout::Nhwc);
    checkOneStep(graph, g.values({4, 8, 16, 16}, 4), 0.03);
}

void TestXnnpackPartitions::everyNodeIsAssigned()
{
    ConvertedGraph g;
    const GraphPtr graph = residual(g);
    const auto assigned = byName(graph);
    QCOMPARE(assigned.size(), graph->size());
    using Where = Assignment::Where;
    QCOMPARE(assigned.at("x").where, Where::Absorbed);
    QCOMPARE(assigned.at("_attribute_0").where, Where::Constant);
    QCOMPARE(assigned.at("conv2d").where, Where::XnnpackInt8);
    QCOMPARE(assigned.at("conv2d").partition, 0);
    QCOMPARE(assigned.at("relu").kernel, std::string("fused into conv2d"));
    QCOMPARE(assigned.at("relu_1").kernel, std::string("fused into add"));
    QCOMPARE(assigned.at("quantize_per_tensor_default").kernel, std::string("convert f32 to qs8"));
    QCOMPARE(assigned.at("quantize_per_tensor_default_1").kernel,
             std::string("type of conv2d's output"));
    QCOMPARE(assigned.at("dequantize_per_tensor_default_1").kernel,
             std::string("type of conv2d's input"));
    QCOMPARE(assigned.at("dequantize_per_channel_default").kernel,
             std::string("type of conv2d's input"));
    for (const auto& [name, assignment] : assigned)
        QVERIFY2(assignment.where != Where::LibTorch, name.c_str());
}

void TestXnnpackPartitions::fallbackInTheMiddle()
{
    // Two branches, and an op that XNNPACK does not know before the pool.
    ConvertedGraph g;
    const Argument one = Argument::ints({1, 1});
    const NodeId wa = g.weightPerChannel({8, 3, 3, 3}, std::vector<double>(8, 0.002));
    const NodeId wb = g.weightPerChannel({8, 3, 3, 3}, std::vector<double>(8, 0.0015));
    const NodeId wo = g.weightPerChannel({16, 16, 3, 3}, std::vector<double>(16, 0.001));
    const NodeId x = g.qdq(g.input("x", {4, 3, 16, 16}), s8(0.031, 10));
    const auto branch = [&](NodeId w, const QParams& out) {
        const NodeId c = g.op("aten.conv2d.default", {x, w, Argument(), one, one}, {4, 8, 16, 16});
        return g.qdq(g.op("aten.relu.default", {c}, {4, 8, 16, 16}), out);
    };
    const NodeId a = branch(wa, s8(0.019, -128));
    const NodeId b = branch(wb, s8(0.0151, -128));
    const NodeId cat =
        g.op("aten.cat.default", {Argument::list({a, b}), std::int64_t{1}}, {4, 16, 16, 16});
    const NodeId sum = g.op("aten.cumsum.default", {cat, std::int64_t{1}}, {4, 16, 16, 16});
    const NodeId pool =
        g.op("aten.max_pool2d.default", {sum, Argument::ints({2, 2})}, {4, 16, 8, 8});
    const QParams mid = s8(0.0137, -128);
    NodeId y = g.qdq(pool, mid);
    const QParams out = s8(0.0098, 22);
    const NodeId q =
        g.quantize(g.op("aten.conv2d.default", {y, wo, Argument(), one, one}, {4, 16, 8, 8}), out);
    const NodeId mean = g.qdq(
        g.op("aten.mean.dim", {g.dequantize(q, out), Argument::ints({2, 3}), true}, {4, 16, 1, 1}),
        out);
    y = g.op("aten.add.Tensor", {g.dequantize(q, out), mean}, {4, 16, 8, 8});
    const GraphPtr graph = g.finish({g.qdq(y, s8(0.0128, 32))});

    const xnn::Plan plan = planOf(graph);
    QCOMPARE(plan.steps.size(), std::size_t(3));
    QCOMPARE(plan.steps[0].partition, 0);
    QVERIFY(!plan.steps[1].isXnnpack);
    QCOMPARE(plan.steps[2].partition, 1);
    const auto assigned = byName(graph);
    QCOMPARE(assigned.at("cat").where, Assignment::Where::XnnpackFloat);
    QCOMPARE(
        assigned.at("cat").reason,
        std::string("its output is float (read by cumsum): the quantizer did not annotate it"));
    QCOMPARE(assigned.at("cumsum").where, Assignment::Where::LibTorch);
    QCOMPARE(assigned.at("max_pool2d").reason,
             std::string("input cumsum is float: the quantizer did not annotate this op"));
    QCOMPARE(assigned.at("mean").partition, 1);
    checkOneStep(graph, g.values({4, 3, 16, 16}, 3), 0.0128);
}

void TestXnnpackPartitions::int8CrossesPartitions()
{
    // The first convolution's result is read once more behind a float op: it crosses as int8.
    const std::vector<std::int64_t> shape = {2, 6, 5, 7};
    for (const bool isUnsigned : {false, true}) {
        const QParams c = isUnsigned ? u8(0.02, 133) : s8(0.02, 5);
        ConvertedGraph h;
        const NodeId weight = h.weightPerChannel({6, 3, 1, 1}, std::vector<double>(6, 0.004));
        const NodeId x = h.qdq(h.input("x", {2, 3, 5, 7}), s8(0.03, -5));
        const NodeId q = h.quantize(h.op("aten.conv2d.default", {x, weight}, shape), c);
        const NodeId sums =
            h.op("aten.cumsum.default", {h.dequantize(q, c), std::int64_t{1}}, shape);
        const NodeId s = h.qdq(sums, isUnsigned ? u8(0.08, 128) : s8(0.08, 0));
        const QParams end = isUnsigned ? u8(0.09, 128) : s8(0.09, 0);
        const NodeId sum = h.op("aten.add.Tensor", {h.dequantize(q, c), s}, shape);
        const GraphPtr graph = h.finish({h.qdq(sum, end)});
        const xnn::Plan plan = planOf(graph);
        QCOMPARE(plan.steps.size(), std::size_t(4)); // the first has the input
        QVERIFY(plan.steps.front().isOwn && plan.steps[1].isXnnpack && plan.steps[3].isXnnpack);
        QVERIFY(std::find(plan.steps[3].inputs.begin(), plan.steps[3].inputs.end(), q)
                != plan.steps[3].inputs.end());
        QCOMPARE(plan.layoutOf(q), xnn::DataLayout::Nhwc);
        checkOneStep(graph, h.values({2, 3, 5, 7}, 3), end.scale);
    }
}

void TestXnnpackPartitions::inPlaceWritesKeepTheGraphWhole()
{
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {2, 3, 4, 4}), params);
    const NodeId y =
        g.qdq(g.op("aten.max_pool2d.default", {x, Argument::ints({2, 2})}, {2, 3, 2, 2}), params);
    const NodeId view = g.op("aten.view.default", {y, Argument::ints({2, 12})}, {2, 12});
    g.op("aten.relu_.default", {view}, {2, 12}); // writes y through its view
    const NodeId sum = g.op("aten.sin.default", {y}, {2, 3, 2, 2});
    const GraphPtr graph = g.finish({sum});
    for (const auto& [name, assignment] : byName(graph)) {
        QVERIFY(assignment.where != Assignment::Where::XnnpackInt8);
        if (name == "max_pool2d")
            QCOMPARE(assignment.reason,
                     std::string("the graph stays whole: relu_ writes view in place"));
    }
    const Comparison comparison = compareEngines(graph, {g.values({2, 3, 4, 4}, 3)}, 1);
    QCOMPARE(comparison.error, std::string());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackPartitions::writtenBufferKeepsItsOrder()
{
    // The buffer is dequantized before it is written, and used after.
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId buffer = g.floats({4, 6}, 2);
    const NodeId before = g.qdq(buffer, params);
    const NodeId x = g.input("x", {4, 6});
    const NodeId written = g.op("aten.copy_.default", {buffer, x}, {4, 6});
    const NodeId sum = g.op("aten.add.Tensor", {before, written}, {4, 6});
    const Comparison comparison = compareEngines(g.finish({sum}), {g.values({4, 6}, 3)}, 1);
    QCOMPARE(comparison.error, std::string());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackPartitions::writtenBufferLeavesTheRest()
{
    // Of a buffer that nobody else reads only the write itself runs on LibTorch, and each run goes on
    // from what the one before has left.
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {4, 6}), params);
    const NodeId written = g.op("aten.mul_.Tensor", {g.floats({4, 6}, 2), Argument(0.5)}, {4, 6});
    const NodeId sum = g.op("aten.add.Tensor", {x, g.qdq(written, params)}, {4, 6});
    const GraphPtr graph = g.finish({g.qdq(sum, params), written});
    auto places = byName(graph);
    QVERIFY(places["add"].where == Assignment::Where::XnnpackInt8);
    QVERIFY(places["mul_"].where == Assignment::Where::LibTorch);

    auto reference = makeReferenceProgram(graph);
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(reference.has_value() && program.has_value());
    RunState states[2];
    for (int run = 0; run < 3; ++run) {
        const std::vector<Value> inputs{g.values({4, 6}, 3)};
        RunOptions options[2];
        options[0].state = &states[0];
        options[1].state = &states[1];
        const auto a = (*reference)->run(inputs, options[0], {});
        const auto b = (*program)->run(inputs, options[1], {});
        QVERIFY(a.has_value() && b.has_value());
        for (std::size_t i = 0; i < 2; ++i) {
            const auto p = a->outputs[i].tensor()->toDoubles();
            const auto q = b->outputs[i].tensor()->toDoubles();
            for (std::size_t k = 0; k < p->size(); ++k)
                QVERIFY(std::fabs((*p)[k] - (*q)[k]) <= (i == 0 ? 1.01 * params.scale : 0));
        }
    }
    QCOMPARE(states[0].attributes.size(), std::size_t{1});
    QCOMPARE(states[1].attributes.size(), std::size_t{1});
    QCOMPARE(sha256(states[0].attributes.begin()->second).value(),
             sha256(states[1].attributes.begin()->second).value());
}

void TestXnnpackPartitions::buffersSeenTwiceKeepTheGraphWhole()
{
    // The second name reads what the write has left.
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {4, 6}), params);
    const Tensor memory =
        Tensor::fromValues<float>(DType::Float32, {4, 6}, std::vector<float>(24, 0.75F));
    const NodeId buffer = g.constant(memory);
    const NodeId again = g.constant(memory);
    g.op("aten.mul_.Tensor", {buffer, Argument(0.5)}, {4, 6});
    const NodeId sum = g.op("aten.add.Tensor", {x, g.qdq(again, params)}, {4, 6});
    const GraphPtr graph = g.finish({g.qdq(sum, params)});
    QVERIFY(byName(graph)["add"].where == Assignment::Where::LibTorch);
    const Comparison comparison = compareEngines(graph, {g.values({4, 6}, 3)}, 1);
    QCOMPARE(comparison.error, std::string());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackPartitions::nothingQuantized()
{
    ConvertedGraph g;
    const NodeId x = g.input("x", {2, 6});
    const GraphPtr graph = g.finish({g.op("aten.relu.default", {x}, {2, 6})});
    QCOMPARE(byName(graph).at("relu").reason,
             std::string("input x is float: the quantizer did not annotate this op"));
    const Comparison comparison = compareEngines(graph, {g.values({2, 6}, 3)}, 1);
    QCOMPARE(comparison.error, std::string());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackPartitions::unreadValuesAreLeftOut()
{
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {4, 6}), params);
    const NodeId used = g.qdq(g.op("aten.relu.default", {x}, {4, 6}), params);
    g.qdq(g.op("aten.hardtanh.default", {x}, {4, 6}), params); // XNNPACK would abort on it
    const GraphPtr graph = g.finish({used});
    QCOMPARE(byName(graph).at("relu").where, Assignment::Where::XnnpackInt8);
    QCOMPARE(byName(graph).at("hardtanh").kernel, std::string("not needed"));
    const Comparison comparison = compareEngines(graph, {g.values({4, 6}, 3)}, params.scale);
    QCOMPARE(comparison.error, std::string());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackPartitions::wrongInputs()
{
    ConvertedGraph g;
    const GraphPtr graph = residual(g);
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    const Value small[] = {g.values({4, 7, 16, 16}, 1)};
    auto result = (*program)->run(small, {}, {});
    QVERIFY(!result.has_value());
    QVERIFY2(result.error().message().starts_with("node 'conv2d': "),
             result.error().message().c_str());
    const Value integers[] = {Value{Tensor::fromValues<std::int32_t>(
        DType::Int32, {4, 8, 16, 16}, std::vector<std::int32_t>(4 * 8 * 16 * 16))}};
    result = (*program)->run(integers, {}, {});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().message(),
             std::string("x: is int32 4x8x16x16; the program is made for float32 4x8x16x16"));
    result = (*program)->run({}, {}, {});
    QVERIFY(!result.has_value());
    QCOMPARE(result.error().message(), std::string("inputs: 0 given, 1 needed"));
    const Value number[] = {Value{std::int64_t{3}}};
    QVERIFY(!(*program)->run(number, {}, {}).has_value());
}

void TestXnnpackPartitions::sinkSeesValues()
{
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {4, 6}), params);
    const NodeId relu = g.qdq(g.op("aten.relu.default", {x}, {4, 6}), params);
    const NodeId sine = g.op("aten.sin.default", {relu}, {4, 6});
    const NodeId cosine = g.op("aten.cos.default", {sine}, {4, 6});
    const GraphPtr graph = g.finish({cosine});
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    std::vector<std::string> seen;
    RunOptions options;
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        seen.push_back(graph->node(id).name);
        return value.tensor() ? Result<void>() : fail(ErrorCode::Internal, "", "no tensor");
    };
    options.wants = [&](NodeId id) { return id != x; };
    const Value inputs[] = {g.values({4, 6}, 2)};
    QVERIFY((*program)->run(inputs, options, {}).has_value());
    // Integers as well; the sine is inside of a table.
    const auto name = [&](NodeId id) { return graph->node(id).name; };
    const NodeId first = graph->node(x).arg(0).node();
    const NodeId second = graph->node(relu).arg(0).node();
    QCOMPARE(seen, (std::vector<std::string>{name(first), name(second), name(relu), "cos"}));
}

void TestXnnpackPartitions::runsAgain()
{
    // Results of an earlier run stay as they are.
    ConvertedGraph g;
    const GraphPtr graph = residual(g);
    auto program = makeXnnpackProgram(graph, {2});
    QVERIFY(program.has_value());
    const Value first[] = {g.values({4, 8, 16, 16}, 4)};
    const Value second[] = {g.values({4, 8, 16, 16}, 1)};
    auto a = (*program)->run(first, {}, {});
    QVERIFY(a.has_value());
    const std::string before = *sha256(*a->outputs[0].tensor());
    auto b = (*program)->run(second, {}, {});
    QVERIFY(b.has_value());
    QVERIFY(*sha256(*b->outputs[0].tensor()) != before);
    QCOMPARE(*sha256(*a->outputs[0].tensor()), before);
    auto c = (*program)->run(first, {}, {});
    QVERIFY(c.has_value());
    QCOMPARE(*sha256(*c->outputs[0].tensor()), before);
}

void TestXnnpackPartitions::randomGraphs_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 1; seed <= 40; ++seed)
        QTest::newRow(std::to_string(seed).c_str()) << seed;
}

void TestXnnpackPartitions::randomGraphs()
{
    // Random graphs of int8 and float ops: the steps are in an order in which everything is there
    // before it is read, each value is written once, and the result is the reference's.
    QFETCH(unsigned, seed);
    std::mt19937 random(seed);
    const auto pick = [&](std::size_t count) { return random() % count; };
    ConvertedGraph g(seed);
    const std::vector<std::int64_t> shape = {1, 4, 6, 6};
    const QParams params = s8(0.05, 0);
    std::vector<NodeId> quantized = {g.quantize(g.input("x", shape), params)};
    const NodeId w = g.weightPerChannel({4, 4, 3, 3}, std::vector<double>(4, 0.001));
    const Argument one = Argument::ints({1, 1});
    for (int i = 0; i < 12; ++i) {
        const NodeId a = g.dequantize(quantized[pick(quantized.size())], params);
        const NodeId b = g.dequantize(quantized[pick(quantized.size())], params);
        NodeId y;
        switch (pick(5)) {
        case 0: y = g.op("aten.conv2d.default", {a, w, Argument(), one, one}, shape); break;
        case 1: y = g.op("aten.relu.default", {a}, shape); break;
        case 2: y = g.op("aten.sin.default", {a}, shape); break;
        case 3: y = g.op("aten.minimum.default", {a, b}, shape); break;
        default: y = g.op("aten.max_pool2d.default", {a, Argument::ints({3, 3}), one, one}, shape);
        }
        quantized.push_back(g.quantize(y, params));
    }
    const NodeId end = g.dequantize(quantized.back(), params);
    const GraphPtr graph = g.finish({end});
    const xnn::Plan plan = planOf(graph);
    std::set<NodeId> known;
    for (const NodeId id : graph->placeholders())
        known.insert(id);
    for (const xnn::Step& step : plan.steps) {
        for (const NodeId input : step.inputs)
            QVERIFY(known.contains(input));
        for (const std::size_t unit : step.units) {
            QCOMPARE(plan.units[unit].isXnnpack(), step.isXnnpack);
            for (const NodeId read : plan.units[unit].reads)
                QVERIFY(known.contains(read));
            for (const NodeId written : plan.units[unit].writes)
                QVERIFY(known.insert(written).second);
        }
    }
    const Comparison comparison = compareEngines(graph, {g.values(shape, 6)}, params.scale);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY2(comparison.maxSteps <= 2.01, qPrintable(QString::number(comparison.maxSteps)));
}

QTEST_GUILESS_MAIN(TestXnnpackPartitions)
#include "tst_xnnpack_partitions.moc"
