// Elementwise operators alone: XNNPACK and the byte tables against the reference engine.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// Elements that may differ where the reference's float result lies on a tie.
constexpr double kTie = 0.0005;

std::string kernelOf(const GraphPtr& graph, const std::string& node)
{
    return assignmentOf(graph, node).kernel;
}

} // namespace

class TestXnnpackElementwise : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void binary_data();
    void binary();
    void binaryScalarConstant();
    void squareOfOneTensor();
    void unary_data();
    void unary();
    void chain();
    void tableIntoFloat();
    void unsignedTable();
    void refusals();
};

void TestXnnpackElementwise::binary_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<Ints>("second");
    for (const auto& [target, kernel] : {std::pair{"aten.sub.Tensor", "subtract qs8"},
                                         {"aten.mul.Tensor", "multiply2 qs8"},
                                         {"aten.add.Tensor", "add2 qs8"}}) {
        const auto row = [&](const char* what) { return QByteArray(target).append(what); };
        QTest::newRow(row(" same").constData()) << target << kernel << Ints{2, 6, 5, 4};
        QTest::newRow(row(" per channel").constData()) << target << kernel << Ints{2, 6, 1, 1};
        QTest::newRow(row(" of fewer dimensions").constData()) << target << kernel << Ints{5, 4};
    }
}

void TestXnnpackElementwise::binary()
{
    QFETCH(QString, target);
    QFETCH(QString, kernel);
    QFETCH(Ints, second);
    // Behind a pool, so that the first operand is in NHWC.
    for (const bool hasRelu : {false, true}) {
        ConvertedGraph g;
        const QParams in = s8(0.03, -9);
        const NodeId x = g.qdq(g.input("a", {2, 6, 6, 5}), in);
        const NodeId pooled =
            g.qdq(g.op("aten.max_pool2d.default",
                       {x, Argument::ints({2, 2}), Argument::ints({1, 1})}, {2, 6, 5, 4}),
                  in);
        const NodeId y = g.qdq(g.input("b", second), s8(0.011, 50));
        NodeId z = g.op(target.toStdString(), {pooled, y}, {2, 6, 5, 4});
        if (hasRelu)
            z = g.op("aten.relu.default", {z}, {2, 6, 5, 4});
        const QParams out = s8(0.037, hasRelu ? -100 : 3);
        const Value a = g.values({2, 6, 6, 5}, 4);
        const Value b = g.values(second, 1.5);
        const GraphPtr graph = g.finish({g.qdq(z, out)});
        const std::string name(shortOpName(target.toStdString()));
        checkKernel(graph, name, kernel.toStdString());
        checkClose(compareEngines(graph, {a, b}, out.scale), kAdd);
    }
}

void TestXnnpackElementwise::binaryScalarConstant()
{
    // As prepare makes of a Python number: a constant of no dimensions with parameters of its own.
    for (const Ints& shape : {Ints{}, Ints{1}}) {
        ConvertedGraph g;
        const NodeId x = g.qdq(g.input("x", {3, 40}), s8(0.03, -9));
        const NodeId c = g.weightPerTensor(shape, s8(0.02, 11));
        const QParams out = s8(0.05, 3);
        const NodeId y = g.op("aten.mul.Tensor", {x, c}, {3, 40});
        const Value value = g.values({3, 40}, 4);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, "mul", "multiply2 qs8");
        checkClose(compareEngines(graph, {value}, out.scale), kAdd);
    }
}

void TestXnnpackElementwise::squareOfOneTensor()
{
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {300}), s8(0.03, -9));
    const QParams out = s8(0.0613, -128);
    const Value value = g.values({300}, 4);
    const GraphPtr graph = g.finish({g.qdq(g.op("aten.mul.Tensor", {x, x}, {300}), out)});
    checkKernel(graph, "mul", "multiply2 qs8");
    checkClose(compareEngines(graph, {value}, out.scale), kAdd);
}

void TestXnnpackElementwise::unary_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("isTable"); // XNNPACK has no int8 kernel, or not an exact one
    for (const char* op : {"sigmoid", "tanh", "gelu", "hardswish", "elu", "abs", "neg"})
        QTest::newRow(op) << QString("aten.%1.default").arg(op) << false;
    for (const char* op : {"silu", "hardsigmoid", "leaky_relu", "exp", "softplus", "mish", "erf"})
        QTest::newRow(op) << QString("aten.%1.default").arg(op) << true;
}

void TestXnnpackElementwise::unary()
{
    QFETCH(QString, target);
    QFETCH(bool, isTable);
    const std::string op(shortOpName(target.toStdString()));
    const std::string name = op == "abs" ? "abs_1" : op; // FX keeps clear of Python's own names
    for (const double scale : {0.031, 0.0077, 0.09}) {
        ConvertedGraph g;
        const NodeId x = g.qdq(g.input("x", {2, 3, 40, 41}), s8(scale, 10));
        const QParams out = s8(scale * 0.7, -20);
        const NodeId y = g.op(target.toStdString(), {x}, {2, 3, 40, 41});
        const Value value = g.values({2, 3, 40, 41}, scale * 128);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        const std::string kernel = kernelOf(graph, name);
        // A native kernel is taken only where its table is the graph's own; so both are exact.
        QVERIFY(!kernel.empty());
        if (isTable || kernel.starts_with("byte table"))
            checkKernel(graph, name, "byte table (" + op + ")");
        checkClose(compareEngines(graph, {value}, out.scale), kTie);
    }
}

void TestXnnpackElementwise::chain()
{
    // x · sigmoid(x + 3) / 6 between NHWC values: one table, and the values stay in NHWC.
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({6, 3, 1, 1}, spreadScales(6));
    const NodeId x = g.qdq(g.input("x", {2, 3, 5, 4}), s8(0.03, -9));
    const Ints shape{2, 6, 5, 4};
    const NodeId y = g.qdq(g.op("aten.conv2d.default", {x, w}, shape), s8(0.04, 5));
    const NodeId shifted = g.op("aten.add.Tensor", {y, 3.0}, shape);
    const NodeId gate = g.op("aten.sigmoid.default", {shifted}, shape);
    const NodeId product = g.op("aten.mul.Tensor", {y, gate}, shape);
    const NodeId sixth = g.op("aten.div.Tensor", {product, 6.0}, shape);
    const QParams middle = s8(0.01, 7);
    const NodeId v = g.weightPerChannel({4, 6, 1, 1}, spreadScales(4));
    const NodeId z = g.op("aten.conv2d.default", {g.qdq(sixth, middle), v}, {2, 4, 5, 4});
    const QParams out = s8(0.01, 3);
    const Value value = g.values({2, 3, 5, 4}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkKernel(graph, "div", "byte table (add, sigmoid, mul, div)");
    QVERIFY(assignmentOf(graph, "sigmoid").where == Assignment::Where::Absorbed);
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackElementwise::tableIntoFloat()
{
    // The result is wanted in float: the table has floats, equal to the bit, in the graph's order.
    ConvertedGraph g;
    const QParams in = s8(0.03, -9);
    const NodeId x = g.qdq(g.input("x", {2, 6, 6, 5}), in);
    const NodeId pooled =
        g.qdq(g.op("aten.max_pool2d.default", {x, Argument::ints({2, 2}), Argument::ints({1, 1})},
                   {2, 6, 5, 4}),
              in);
    const NodeId y = g.op("aten.silu.default", {pooled}, {2, 6, 5, 4});
    const Value value = g.values({2, 6, 6, 5}, 4);
    const GraphPtr graph = g.finish({y});
    checkKernel(graph, "silu", "byte table (silu)");
    const Comparison comparison = compareEngines(graph, {value}, 1e-6);
    checkClose(comparison, kExact);
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackElementwise::unsignedTable()
{
    ConvertedGraph g;
    const QParams out = u8(0.02, 12);
    const NodeId x = g.qdq(g.input("x", {2000}), u8(0.03, 90));
    const Value value = g.values({2000}, 4);
    const GraphPtr graph = g.finish({g.qdq(g.op("aten.silu.default", {x}, {2000}), out)});
    checkKernel(graph, "silu", "byte table (silu)");
    checkClose(compareEngines(graph, {value}, out.scale), kExact);
}

void TestXnnpackElementwise::refusals()
{
    // Ranges that XNNPACK only asserts go to float, with the reason.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("a", {300}), s8(0.03, -9));
    const NodeId y = g.qdq(g.input("b", {300}), s8(40.0, 50));
    const NodeId sum = g.qdq(g.op("aten.sub.Tensor", {x, y}, {300}), s8(41, 3));
    const NodeId product = g.qdq(g.op("aten.mul.Tensor", {x, y}, {300}), s8(0.0001, 3));
    const Value a = g.values({300}, 4);
    const Value b = g.values({300}, 4000);
    const GraphPtr graph = g.finish({sum, product});
    const Assignment sub = assignmentOf(graph, "sub");
    QVERIFY(sub.where == Assignment::Where::XnnpackFloat);
    QCOMPARE(sub.reason, std::string("first scale / output scale is 0.0007317; "
                                     "XNNPACK takes 2^-10 up to 2^8"));
    const Assignment mul = assignmentOf(graph, "mul");
    QVERIFY(mul.where == Assignment::Where::XnnpackFloat);
    QVERIFY2(mul.reason.starts_with("product of the scales / output scale is 1.2e+04"),
             mul.reason.c_str());
    checkClose(compareEngines(graph, {a, b}, 41), kTie);
}

QTEST_GUILESS_MAIN(TestXnnpackElementwise)
#include "tst_xnnpack_elementwise.moc"
