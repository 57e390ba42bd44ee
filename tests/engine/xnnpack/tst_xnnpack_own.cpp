// What runs in kernels of ours, or is made into constants, so that nothing is left to LibTorch.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// Largest relative difference where all values are about 1.
constexpr double kFloatStep = 1e-5;

void checkNothingOnLibTorch(const GraphPtr& graph)
{
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    for (const Assignment& assignment : (*program)->assignments())
        QVERIFY2(assignment.where != Assignment::Where::LibTorch,
                 graph->node(assignment.node).name.c_str());
}

} // namespace

class TestXnnpackOwn : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void layerNorm_data();
    void layerNorm();
    void layerNormBetweenInt8();
    void layerNormsThatStay();
    void numbers_data();
    void numbers();
    void positions();
};

void TestXnnpackOwn::layerNorm_data()
{
    QTest::addColumn<Ints>("shape");
    QTest::addColumn<int>("axes");
    QTest::addColumn<bool>("isAffine");
    QTest::addColumn<int>("threads");
    for (const std::int64_t width : {2, 5, 16, 33, 256})
        QTest::addRow("width %d", static_cast<int>(width)) << Ints{3, 4, width} << 1 << true << 1;
    QTest::newRow("no weight") << Ints{7, 40} << 1 << false << 1;
    QTest::newRow("two axes") << Ints{5, 6, 7} << 2 << true << 1;
    QTest::newRow("all axes") << Ints{6, 7} << 2 << true << 1;
    QTest::newRow("four axes, two threads") << Ints{1, 3, 129, 100} << 1 << true << 2;
}

void TestXnnpackOwn::layerNorm()
{
    QFETCH(Ints, shape);
    QFETCH(int, axes);
    QFETCH(bool, isAffine);
    QFETCH(int, threads);
    ConvertedGraph g;
    const Ints normalized(shape.end() - axes, shape.end());
    const NodeId x = g.input("x", shape);
    const Argument weight = isAffine ? Argument(g.floats(normalized, 1)) : Argument();
    const Argument bias = isAffine ? Argument(g.floats(normalized, 1)) : Argument();
    const NodeId y =
        g.op("aten.layer_norm.default", {x, Argument::ints(normalized), weight, bias, 1e-5}, shape);
    Value value = g.values(shape, 3);
    const GraphPtr graph = g.finish({y});
    const Assignment assignment = assignmentOf(graph, "layer_norm");
    QVERIFY2(assignment.where == Assignment::Where::XnnpackFloat, assignment.reason.c_str());
    QCOMPARE(assignment.kernel, std::string("layer_norm f32 (own kernel)"));
    XnnpackOptions options;
    options.threads = threads;
    const Comparison comparison = compareEngines(graph, {value}, kFloatStep, options);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
    QVERIFY(comparison.distinct > 3);
    options.hasFloat = false;
    QCOMPARE(assignmentOf(graph, "layer_norm", options).where, Assignment::Where::LibTorch);
}

void TestXnnpackOwn::layerNormBetweenInt8()
{
    // linear → norm → linear, and the norm's own value as an output.
    ConvertedGraph g;
    const Ints shape{4, 24};
    const NodeId x = g.qdq(g.input("x", shape), s8(0.031, -20));
    const NodeId w = g.weightPerChannel({24, 24}, spreadScales(24));
    const NodeId a = g.qdq(g.op("aten.linear.default", {x, w}, shape), s8(0.05, 3));
    const NodeId n = g.op("aten.layer_norm.default", {a, Argument::ints({24})}, shape);
    const NodeId q = g.qdq(n, s8(0.025, 0));
    const QParams out = s8(0.06, 5);
    const NodeId y = g.qdq(g.op("aten.linear.default", {q, w}, shape), out);
    const Value value = g.values(shape, 4);
    const GraphPtr graph = g.finish({y, n});
    checkNothingOnLibTorch(graph);
    checkKernel(graph, "linear_1", "fully_connected qcint8");
    checkClose(compareEngines(graph, {value}, out.scale), 0.03);
}

void TestXnnpackOwn::layerNormsThatStay()
{
    // A weight that is computed.
    ConvertedGraph g;
    const NodeId x = g.input("x", {4, 24});
    const NodeId w = g.op("aten.exp.default", {g.input("w", {24})}, {24});
    const NodeId y = g.op("aten.layer_norm.default", {x, Argument::ints({24}), w}, {4, 24});
    const Value a = g.values({4, 24}, 3);
    const Value b = g.values({24}, 1);
    const GraphPtr graph = g.finish({y});
    QCOMPARE(assignmentOf(graph, "layer_norm").where, Assignment::Where::LibTorch);
    QVERIFY(compareEngines(graph, {a, b}, kFloatStep).maxSteps <= 1);
}

void TestXnnpackOwn::numbers_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<bool>("isInteger");
    for (const char* op : {"add", "sub", "mul", "div"}) {
        for (const bool isInteger : {false, true})
            QTest::addRow("%s %s", op, isInteger ? "integer" : "float")
                << QString("aten.%1.Tensor").arg(op) << isInteger;
    }
}

void TestXnnpackOwn::numbers()
{
    QFETCH(QString, target);
    QFETCH(bool, isInteger);
    const Argument number = isInteger ? Argument(std::int64_t{2}) : Argument(0.1);
    ConvertedGraph g;
    const NodeId x = g.input("x", {2, 3, 7});
    const NodeId y = g.op(target.toStdString(), {x, number}, {2, 3, 7});
    const Value value = g.values({2, 3, 7}, 3);
    const GraphPtr graph = g.finish({g.op("aten.relu.default", {y}, {2, 3, 7})});
    checkNothingOnLibTorch(graph);
    const Comparison comparison = compareEngines(graph, {value}, kFloatStep);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY(comparison.distinct > 3);
    QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
}

void TestXnnpackOwn::positions()
{
    // Embeddings of constant steps are a constant, wherever they are read.
    for (const bool isReadByTorch : {false, true}) {
        ConvertedGraph g;
        const std::vector<std::int64_t> steps{2, 0, 1, 4};
        const NodeId table = g.floats({5, 6}, 1);
        const NodeId indices =
            g.constant(Tensor::fromValues(DType::Int64, {4}, std::span<const std::int64_t>(steps)));
        const NodeId rows = g.op("aten.embedding.default", {table, indices}, {4, 6});
        const NodeId x = g.input("x", {3, 4, 6});
        NodeId y = g.op("aten.add.Tensor", {x, rows}, {3, 4, 6});
        if (isReadByTorch)
            y = g.op("aten.mul.Tensor",
                     {y, g.op("aten.cumsum.default", {rows, std::int64_t{0}}, {4, 6})}, {3, 4, 6});
        const Value value = g.values({3, 4, 6}, 3);
        const GraphPtr graph = g.finish({y, rows});
        if (!isReadByTorch)
            checkNothingOnLibTorch(graph);
        QVERIFY(assignmentOf(graph, "embedding").where != Assignment::Where::LibTorch);
        const Comparison comparison = compareEngines(graph, {value}, kFloatStep);
        QVERIFY2(comparison.error.empty(), comparison.error.c_str());
        QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
        auto program = makeXnnpackProgram(graph, {});
        const Value inputs[] = {value};
        const auto report = (*program)->run(inputs, {}, {});
        QVERIFY(report.has_value());
        QCOMPARE(report->outputs[1].tensor()->shape(), (Ints{4, 6}));
    }
}

QTEST_GUILESS_MAIN(TestXnnpackOwn)
#include "tst_xnnpack_own.moc"
