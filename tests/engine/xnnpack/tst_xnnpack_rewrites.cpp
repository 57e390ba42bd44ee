// Rewrites give the same bits; other sizes; values told of while running.
#include "core/engine/xnnpack/OutOfPlace.h"
#include "core/engine/xnnpack/Spread.h"
#include "tests/engine/xnnpack/OpChecks.h"

#include <cmath>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// Both graphs on the reference engine: equal in every bit.
void checkSameBits(const GraphPtr& graph, const std::vector<Value>& inputs)
{
    const GraphPtr rewritten = xnn::spreadQuantization(graph);
    QVERIFY(rewritten->size() != graph->size());
    auto plain = makeReferenceProgram(graph);
    auto other = makeReferenceProgram(rewritten);
    QVERIFY(plain.has_value() && other.has_value());
    const auto a = (*plain)->run(inputs, {}, {});
    const auto b = (*other)->run(inputs, {}, {});
    QVERIFY2(b.has_value(), b ? "" : b.error().message().c_str());
    QCOMPARE(a->outputs.size(), b->outputs.size());
    for (std::size_t i = 0; i < a->outputs.size(); ++i)
        QCOMPARE(sha256(*a->outputs[i].tensor()).value(), sha256(*b->outputs[i].tensor()).value());
}

} // namespace

class TestXnnpackRewrites : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void movesAfterInt8();
    void movesBeforeQuantize();
    void partsOfASplit();
    void joinedDifferently();
    void writesThroughViewsStay();
    void writesOfOneAfterTheOther();
    void writesWithOtherReaders();
    void otherBatches();
    void symbolicBatch();
    void valuesEqualTheSimulation();
};

void TestXnnpackRewrites::movesAfterInt8()
{
    // dequantize → pad → pool → view → transpose → relu, none of them annotated.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 3, 6, 6}), s8(0.031, -20));
    const NodeId p =
        g.op("aten.pad.default", {x, Argument::ints({1, 1, 1, 1}), "constant", 0.0}, {2, 3, 8, 8});
    const NodeId m = g.op("aten.max_pool2d.default", {p, Argument::ints({2, 2})}, {2, 3, 4, 4});
    const NodeId v = g.op("aten.view.default", {m, Argument::ints({2, 3, 16})}, {2, 3, 16});
    const NodeId t = g.op("aten.transpose.int", {v, std::int64_t{1}, std::int64_t{2}}, {2, 16, 3});
    const NodeId r = g.op("aten.relu.default", {t}, {2, 16, 3});
    const Value value = g.values({2, 3, 6, 6}, 4);
    const GraphPtr graph = g.finish({r});
    checkSameBits(graph, {value});
    for (const char* name : {"pad", "max_pool2d", "view", "transpose", "relu"})
        QVERIFY2(assignmentOf(graph, name).where == Assignment::Where::XnnpackInt8, name);
    QCOMPARE(compareEngines(graph, {value}, 1).maxSteps, 0.0);
}

void TestXnnpackRewrites::movesBeforeQuantize()
{
    // conv → relu → pool → flatten → quantize.
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({6, 3, 3, 3}, spreadScales(6));
    const NodeId x = g.qdq(g.input("x", {2, 3, 6, 6}), s8(0.031, -20));
    const NodeId c = g.op("aten.conv2d.default", {x, w}, {2, 6, 4, 4});
    const NodeId r = g.op("aten.relu.default", {c}, {2, 6, 4, 4});
    const NodeId m = g.op("aten.max_pool2d.default", {r, Argument::ints({2, 2})}, {2, 6, 2, 2});
    const NodeId f = g.op("aten.flatten.using_ints", {m, std::int64_t{1}}, {2, 24});
    const QParams out = s8(0.08, -128);
    const Value value = g.values({2, 3, 6, 6}, 4);
    const GraphPtr graph = g.finish({g.qdq(f, out)});
    checkSameBits(graph, {value});
    checkKernel(graph, "conv2d", "convolution_2d qcint8");
    QCOMPARE(assignmentOf(graph, "relu").kernel, std::string("fused into conv2d"));
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackRewrites::partsOfASplit()
{
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 6, 4, 4}), s8(0.031, -20));
    const NodeId split = g.op("aten.split_with_sizes.default",
                              {x, Argument::ints({2, 4}), std::int64_t{1}}, {2, 6, 4, 4});
    const NodeId first = g.op("getitem", {split, std::int64_t{0}}, {2, 2, 4, 4});
    const NodeId second = g.op("getitem", {split, std::int64_t{1}}, {2, 4, 4, 4});
    const Value value = g.values({2, 6, 4, 4}, 4);
    const GraphPtr plain = g.finish({first, second});
    GraphEditor editor(*plain);
    const ValueMeta parts{std::vector<ValueMeta>{plain->node(first).val, plain->node(second).val}};
    editor.setVal(split, parts);
    const GraphPtr graph = std::move(editor).publish();
    checkSameBits(graph, {value});
    for (const char* name : {"getitem", "getitem_1"})
        checkKernel(graph, name, "static_slice qs8");
    QCOMPARE(compareEngines(graph, {value}, 1).maxSteps, 0.0);
}

void TestXnnpackRewrites::joinedDifferently()
{
    ConvertedGraph g;
    const QParams params = s8(0.031, -20);
    const NodeId x = g.qdq(g.input("x", {2, 6}), params);
    const NodeId y = g.qdq(g.input("y", {2, 5}), params);
    const NodeId joined = g.op("aten.hstack.default", {Argument::list({x, y})}, {2, 11});
    const Value a = g.values({2, 6}, 4);
    const Value b = g.values({2, 5}, 4);
    const GraphPtr graph = g.finish({joined});
    checkSameBits(graph, {a, b});
    checkKernel(graph, "hstack", "concatenate qs8");
    QCOMPARE(compareEngines(graph, {a, b}, 1).maxSteps, 0.0);
}

void TestXnnpackRewrites::writesThroughViewsStay()
{
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 6}), s8(0.031, -20));
    const NodeId view = g.op("aten.view.default", {x, Argument::ints({12})}, {12});
    g.op("aten.relu_.default", {view}, {12});
    const GraphPtr graph = g.finish({x});
    QCOMPARE(xnn::spreadQuantization(graph), graph);
    QCOMPARE(compareEngines(graph, {g.values({2, 6}, 4)}, 1).maxSteps, 0.0);
}

void TestXnnpackRewrites::writesOfOneAfterTheOther()
{
    // As ResNets are written: out += identity, then relu(inplace=True).
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 60}), s8(0.031, -20));
    const NodeId y = g.qdq(g.input("y", {2, 60}), s8(0.031, -20));
    const NodeId sum = g.op("aten.add_.Tensor", {x, y}, {2, 60});
    const NodeId relu = g.op("aten.relu_.default", {sum}, {2, 60});
    const QParams out = s8(0.04, -128);
    const Value a = g.values({2, 60}, 4);
    const Value b = g.values({2, 60}, 4);
    const GraphPtr graph = g.finish({g.qdq(relu, out)});
    checkKernel(graph, "add_", "add2 qs8");
    QCOMPARE(assignmentOf(graph, "relu_").kernel, std::string("fused into add_"));
    checkClose(compareEngines(graph, {a, b}, out.scale), kAdd);
}

void TestXnnpackRewrites::writesWithOtherReaders()
{
    // Who reads the tensor before relu_ sees the old values, who reads it behind sees the new ones, the
    // model's output too; so it is written out of place, and all the rest stays in int8.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 60}), s8(0.031, -20));
    const NodeId w = g.weightPerChannel({60, 60}, spreadScales(60));
    const NodeId y = g.qdq(g.op("aten.linear.default", {x, w}, {2, 60}), s8(0.12, 5));
    const QParams out = s8(0.2, 3);
    const NodeId before = g.qdq(g.op("aten.sigmoid.default", {y}, {2, 60}), s8(1.0 / 256, -128));
    const NodeId relu = g.op("aten.relu_.default", {y}, {2, 60});
    const NodeId behind = g.qdq(g.op("aten.add.Tensor", {y, before}, {2, 60}), out);
    const std::vector<Value> inputs{g.values({2, 60}, 4)};
    const GraphPtr graph = g.finish({behind, y, before, relu});
    for (const char* name : {"linear", "sigmoid", "relu_"}) {
        const Assignment one = assignmentOf(graph, name);
        QVERIFY2(one.where == Assignment::Where::XnnpackInt8, (name + one.reason).c_str());
    }
    const GraphPtr rewritten = xnn::writeOutOfPlace(graph);
    QVERIFY(rewritten != graph);
    QCOMPARE(xnn::writeOutOfPlace(rewritten), rewritten);
    auto plain = makeReferenceProgram(graph);
    auto other = makeReferenceProgram(rewritten);
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(plain.has_value() && other.has_value() && program.has_value());
    const auto a = (*plain)->run(inputs, {}, {});
    const auto b = (*other)->run(inputs, {}, {});
    const auto c = (*program)->run(inputs, {}, {});
    QVERIFY(a.has_value() && b.has_value() && c.has_value());
    for (std::size_t i = 0; i < a->outputs.size(); ++i) {
        QCOMPARE(sha256(*a->outputs[i].tensor()).value(), sha256(*b->outputs[i].tensor()).value());
        const auto p = a->outputs[i].tensor()->toDoubles();
        const auto q = c->outputs[i].tensor()->toDoubles();
        for (std::size_t k = 0; k < p->size(); ++k)
            QVERIFY(std::fabs((*p)[k] - (*q)[k]) <= 1.01 * out.scale);
    }
}

void TestXnnpackRewrites::otherBatches()
{
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({6, 3, 3, 3}, spreadScales(6));
    const NodeId x = g.qdq(g.input("x", {2, 3, 6, 6}), s8(0.031, -20));
    const NodeId c = g.qdq(g.op("aten.conv2d.default", {x, w}, {2, 6, 4, 4}), s8(0.06, 3));
    const NodeId s = g.op("aten.silu.default", {c}, {2, 6, 4, 4});
    const QParams out = s8(0.05, -100);
    const Value two = g.values({2, 3, 6, 6}, 4);
    const Value five = g.values({5, 3, 6, 6}, 4);
    const Value wider = g.values({1, 3, 9, 6}, 4);
    const GraphPtr graph = g.finish({g.qdq(s, out)});
    auto program = makeXnnpackProgram(graph, {});
    auto reference = makeReferenceProgram(graph);
    for (const Value& value : {two, five, wider, five, two}) {
        const Value inputs[] = {value};
        const auto expected = (*reference)->run(inputs, {}, {});
        const auto actual = (*program)->run(inputs, {}, {});
        QVERIFY2(actual.has_value(), actual ? "" : actual.error().message().c_str());
        const auto a = expected->outputs[0].tensor()->toDoubles();
        const auto b = actual->outputs[0].tensor()->toDoubles();
        QCOMPARE(a->size(), b->size());
        for (std::size_t i = 0; i < a->size(); ++i)
            QVERIFY(std::fabs((*a)[i] - (*b)[i]) <= 1.01 * out.scale);
        for (const Assignment& one : (*program)->assignments())
            QVERIFY(one.where != Assignment::Where::LibTorch);
    }
}

void TestXnnpackRewrites::symbolicBatch()
{
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId input = g.input("x", {2, 6});
    const NodeId y = g.qdq(g.op("aten.relu.default", {g.qdq(input, params)}, {2, 6}), params);
    const GraphPtr fixed = g.finish({y});
    GraphEditor editor(*fixed);
    TensorMeta meta = *fixed->node(input).val.tensor();
    meta.shape[0] = SymInt("s77");
    editor.setVal(input, {meta});
    const GraphPtr graph = std::move(editor).publish();
    auto program = makeXnnpackProgram(graph, {});
    const auto ofRelu = [&] {
        for (const Assignment& one : (*program)->assignments()) {
            if (graph->node(one.node).name == "relu")
                return one;
        }
        return Assignment();
    };
    QCOMPARE(ofRelu().where, Assignment::Where::LibTorch);
    QVERIFY2(ofRelu().reason.find("s77") != std::string::npos, ofRelu().reason.c_str());
    const Value inputs[] = {g.values({5, 6}, 3)};
    QVERIFY((*program)->run(inputs, {}, {}).has_value());
    QCOMPARE(ofRelu().where, Assignment::Where::XnnpackInt8);
    QCOMPARE(compareEngines(graph, {inputs[0]}, 1).maxSteps, 0.0);
}

void TestXnnpackRewrites::valuesEqualTheSimulation()
{
    // Each value that is told of, against the simulation's at the same node.
    for (const bool isUnsigned : {false, true}) {
        ConvertedGraph g;
        const auto type = [&](double scale, std::int64_t zero) {
            return isUnsigned ? u8(scale, zero + 128) : s8(scale, zero);
        };
        const NodeId w = g.weightPerChannel({6, 3, 3, 3}, spreadScales(6));
        const NodeId x = g.qdq(g.input("x", {2, 3, 6, 6}), type(0.031, -20));
        const NodeId c = g.qdq(g.op("aten.conv2d.default", {x, w}, {2, 6, 4, 4}), type(0.06, 3));
        const NodeId m =
            g.qdq(g.op("aten.max_pool2d.default", {c, Argument::ints({2, 2})}, {2, 6, 2, 2}),
                  type(0.06, 3));
        const NodeId s = g.qdq(g.op("aten.silu.default", {m}, {2, 6, 2, 2}), type(0.05, -100));
        const GraphPtr graph = g.finish({s});
        const Value inputs[] = {g.values({2, 3, 6, 6}, 4)};
        std::map<std::string, Tensor> expected;
        std::map<std::string, Tensor> actual;
        const auto run = [&](Program& program, std::map<std::string, Tensor>& seen) {
            RunOptions options;
            options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
                if (value.tensor())
                    seen[graph->node(id).name] = *value.tensor();
                return {};
            };
            return program.run(inputs, options, {}).has_value();
        };
        auto reference = makeReferenceProgram(graph);
        auto program = makeXnnpackProgram(graph, {});
        QVERIFY(run(**reference, expected) && run(**program, actual));
        QVERIFY2(actual.size() >= 8, "four quantize and four dequantize nodes");
        for (const auto& [name, tensor] : actual) {
            const Tensor& other = expected.at(name);
            QCOMPARE(tensor.dtype(), other.dtype());
            QCOMPARE(tensor.shape(), other.shape());
            const auto a = tensor.toDoubles();
            const auto b = other.contiguous()->toDoubles();
            const double step = tensor.dtype() == DType::Float32 ? 0.0601 : 1;
            for (std::size_t i = 0; i < a->size(); ++i)
                QVERIFY2(std::fabs((*a)[i] - (*b)[i]) <= step, name.c_str());
        }
        // The program still runs without them.
        QVERIFY((*program)->run(inputs, {}, {}).has_value());
    }
}

QTEST_GUILESS_MAIN(TestXnnpackRewrites)
#include "tst_xnnpack_rewrites.moc"
