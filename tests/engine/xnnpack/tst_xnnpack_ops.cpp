// The other operators alone: XNNPACK against the reference engine on the same converted graph.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

class TestXnnpackOps : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void add_data();
    void add();
    void addConstant();
    void clamp_data();
    void clamp();
    void maxPool_data();
    void maxPool();
    void mean_data();
    void mean();
    void reshape_data();
    void reshape();
    void dropout();
    void conversions();
};

void TestXnnpackOps::add_data()
{
    QTest::addColumn<Ints>("a");
    QTest::addColumn<Ints>("b");
    QTest::addColumn<Ints>("output");
    QTest::newRow("same") << Ints{2, 3, 5, 4} << Ints{2, 3, 5, 4} << Ints{2, 3, 5, 4};
    QTest::newRow("per channel value") << Ints{2, 3, 5, 4} << Ints{2, 3, 1, 1} << Ints{2, 3, 5, 4};
    QTest::newRow("row") << Ints{2, 3, 5, 4} << Ints{1, 1, 1, 4} << Ints{2, 3, 5, 4};
    QTest::newRow("2-D") << Ints{30, 40} << Ints{30, 40} << Ints{30, 40};
    QTest::newRow("3-D against row") << Ints{2, 30, 40} << Ints{1, 1, 40} << Ints{2, 30, 40};
    QTest::newRow("1-D") << Ints{400} << Ints{400} << Ints{400};
}

void TestXnnpackOps::add()
{
    QFETCH(Ints, a);
    QFETCH(Ints, b);
    QFETCH(Ints, output);
    for (const bool hasRelu : {false, true}) {
        ConvertedGraph g;
        const NodeId x = g.qdq(g.input("a", a), s8(0.03, -9));
        const NodeId y = g.qdq(g.input("b", b), s8(0.011, 50));
        NodeId z = g.op("aten.add.Tensor", {x, y}, output);
        if (hasRelu)
            z = g.op("aten.relu_.default", {z}, output);
        const QParams out = s8(0.037, hasRelu ? -100 : 3);
        const Value first = g.values(a, 4);
        const Value second = g.values(b, 1.5);
        const GraphPtr graph = g.finish({g.qdq(z, out)});
        checkKernel(graph, "add", "add2 qs8");
        checkClose(compareEngines(graph, {first, second}, out.scale), kAdd);
    }
}

void TestXnnpackOps::addConstant()
{
    // A 4-D constant among NHWC values has to be transposed with them.
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({6, 3, 1, 1}, spreadScales(6));
    const NodeId c = g.weightPerTensor({1, 6, 5, 4}, s8(0.02, 11));
    const NodeId x = g.qdq(g.input("x", {2, 3, 5, 4}), s8(0.03, -9));
    const NodeId y = g.qdq(g.op("aten.conv2d.default", {x, w}, {2, 6, 5, 4}), s8(0.04, 5));
    const NodeId z = g.op("aten.add.Tensor", {y, c}, {2, 6, 5, 4});
    const QParams out = s8(0.05, 3);
    const Value value = g.values({2, 3, 5, 4}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkKernel(graph, "add", "add2 qs8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackOps::clamp_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::addColumn<bool>("sameParameters");
    for (const bool same : {true, false}) {
        const char* suffix = same ? "" : ", other parameters";
        const auto row = [&](const char* name) { return QByteArray(name).append(suffix); };
        QTest::newRow(row("relu").constData()) << "aten.relu.default" << 0.0 << 0.0 << same;
        QTest::newRow(row("relu_").constData()) << "aten.relu_.default" << 0.0 << 0.0 << same;
        QTest::newRow(row("hardtanh").constData()) << "aten.hardtanh.default" << 0.0 << 1.3 << same;
        QTest::newRow(row("clamp").constData()) << "aten.clamp.default" << -0.7 << 1.1 << same;
    }
}

void TestXnnpackOps::clamp()
{
    QFETCH(QString, target);
    QFETCH(double, low);
    QFETCH(double, high);
    QFETCH(bool, sameParameters);
    ConvertedGraph g;
    const QParams in = s8(0.031, 10);
    const QParams out = sameParameters ? in : s8(0.0193, -40);
    Arguments args = {g.qdq(g.input("x", {2, 3, 8, 8}), in)};
    if (!target.contains("relu")) {
        args.emplace_back(low);
        args.emplace_back(high);
    }
    const NodeId y = g.op(target.toStdString(), args, {2, 3, 8, 8});
    const Value value = g.values({2, 3, 8, 8}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    const std::string name(shortOpName(target.toStdString()));
    checkKernel(graph, name, "clamp qs8");
    checkClose(compareEngines(graph, {value}, out.scale), kExact);
}

void TestXnnpackOps::maxPool_data()
{
    QTest::addColumn<Ints>("kernel");
    QTest::addColumn<Ints>("stride");
    QTest::addColumn<Ints>("padding");
    QTest::addColumn<Ints>("dilation");
    QTest::addColumn<bool>("ceilMode");
    QTest::addColumn<Ints>("output");
    QTest::addColumn<bool>("sameParameters");
    QTest::newRow("2x2") << Ints{2, 2} << Ints{} << Ints{0, 0} << Ints{1, 1} << false
                         << Ints{2, 5, 5, 4} << true;
    QTest::newRow("2x2, other parameters")
        << Ints{2, 2} << Ints{} << Ints{0, 0} << Ints{1, 1} << false << Ints{2, 5, 5, 4} << false;
    QTest::newRow("3x3/2 padded") << Ints{3, 3} << Ints{2, 2} << Ints{1, 1} << Ints{1, 1} << false
                                  << Ints{2, 5, 5, 5} << true;
    QTest::newRow("3x2/2x1") << Ints{3, 2} << Ints{2, 1} << Ints{1, 0} << Ints{1, 1} << false
                             << Ints{2, 5, 5, 8} << true;
    QTest::newRow("2x2 ceil") << Ints{2, 2} << Ints{2, 2} << Ints{0, 0} << Ints{1, 1} << true
                              << Ints{2, 5, 5, 5} << true;
    QTest::newRow("3x3 dilated, padded") << Ints{3, 3} << Ints{1, 1} << Ints{1, 1} << Ints{2, 2}
                                         << false << Ints{2, 5, 8, 7} << true;
}

void TestXnnpackOps::maxPool()
{
    QFETCH(Ints, kernel);
    QFETCH(Ints, stride);
    QFETCH(Ints, padding);
    QFETCH(Ints, dilation);
    QFETCH(bool, ceilMode);
    QFETCH(Ints, output);
    QFETCH(bool, sameParameters);
    ConvertedGraph g;
    const QParams in = s8(0.031, 100); // padding must not count as 0, far below most values
    const QParams out = sameParameters ? in : s8(0.0193, -40);
    const NodeId x = g.qdq(g.input("x", {2, 5, 10, 9}), in);
    const NodeId y = g.op("aten.max_pool2d.default",
                          {x, Argument::ints(kernel), Argument::ints(stride),
                           Argument::ints(padding), Argument::ints(dilation), ceilMode},
                          output);
    const Value value = g.values({2, 5, 10, 9}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "max_pool2d", "max_pooling_2d s8");
    checkClose(compareEngines(graph, {value}, out.scale), kExact);
}

void TestXnnpackOps::mean_data()
{
    QTest::addColumn<Ints>("dims");
    QTest::addColumn<bool>("keepDims");
    QTest::addColumn<bool>("sameParameters");
    QTest::addColumn<qint64>("width");
    QTest::newRow("mean") << Ints{2, 3} << false << true << qint64(7);
    QTest::newRow("mean, kept") << Ints{2, 3} << true << true << qint64(7);
    QTest::newRow("mean, negative") << Ints{-1, -2} << true << false << qint64(7);
    QTest::newRow("adaptive_avg_pool2d") << Ints{} << true << true << qint64(7);
    QTest::newRow("adaptive_avg_pool2d, other parameters") << Ints{} << true << false << qint64(7);
    QTest::newRow("avg_pool2d over all") << Ints{7, 7} << true << false << qint64(7);
    QTest::newRow("avg_pool2d over a part") << Ints{7, 7} << true << false << qint64(9);
    QTest::newRow("mean of an even number") << Ints{2, 3} << true << true << qint64(6);
}

void TestXnnpackOps::mean()
{
    QFETCH(Ints, dims);
    QFETCH(bool, keepDims);
    QFETCH(bool, sameParameters);
    QFETCH(qint64, width);
    ConvertedGraph g;
    const QParams in = s8(0.031, -20);
    const QParams out = sameParameters ? in : s8(0.007, 3);
    const NodeId x = g.qdq(g.input("x", {3, 37, 7, width}), in);
    const Ints shape = keepDims ? Ints{3, 37, 1, 1} : Ints{3, 37};
    const bool isPool = dims == Ints{7, 7};
    const std::string target = isPool         ? "aten.avg_pool2d.default"
                               : dims.empty() ? "aten.adaptive_avg_pool2d.default"
                                              : "aten.mean.dim";
    Arguments args{x, Argument::ints(dims.empty() ? Ints{1, 1} : dims)};
    if (!isPool && !dims.empty())
        args.emplace_back(keepDims);
    const NodeId y = g.op(target, args, shape);
    const Value value = g.values({3, 37, 7, width}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph,
                isPool         ? "avg_pool2d"
                : dims.empty() ? "adaptive_avg_pool2d"
                               : "mean",
                "static_mean qs8");
    // The mean of an even number of integers lies on a tie once in as many cases, and the
    // reference's float32 sum breaks ties at random.
    const double ties = width % 2 == 0 ? 1.0 / static_cast<double>(7 * width) : 0;
    checkClose(compareEngines(graph, {value}, out.scale), kMean + ties);
}

void TestXnnpackOps::reshape_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<Ints>("numbers");
    QTest::addColumn<Ints>("output");
    QTest::newRow("flatten") << "aten.flatten.using_ints" << Ints{1} << Ints{2, 60};
    QTest::newRow("view") << "aten.view.default" << Ints{2, 12, 5} << Ints{2, 12, 5};
    QTest::newRow("view, 4-D") << "aten.view.default" << Ints{2, 4, 3, 5} << Ints{2, 4, 3, 5};
    QTest::newRow("reshape, 6-D") << "aten.reshape.default" << Ints{2, 3, 2, 2, 5, 1}
                                  << Ints{2, 3, 2, 2, 5, 1};
    QTest::newRow("unsqueeze") << "aten.unsqueeze.default" << Ints{0} << Ints{1, 2, 3, 4, 5};
}

void TestXnnpackOps::reshape()
{
    QFETCH(QString, target);
    QFETCH(Ints, numbers);
    QFETCH(Ints, output);
    // Behind a pool, so that the value is in NHWC before the reshape.
    for (const bool sameParameters : {true, false}) {
        ConvertedGraph g;
        const QParams in = s8(0.031, -20);
        const QParams out = sameParameters ? in : s8(0.012, 3);
        const NodeId x = g.qdq(g.input("x", {2, 3, 5, 6}), in);
        const NodeId pooled =
            g.qdq(g.op("aten.max_pool2d.default",
                       {x, Argument::ints({2, 2}), Argument::ints({1, 1})}, {2, 3, 4, 5}),
                  in);
        const bool takesList = target.contains("view") || target.contains("reshape");
        const Argument argument = takesList ? Argument::ints(numbers) : Argument(numbers[0]);
        const NodeId y = g.op(target.toStdString(), {pooled, argument}, output);
        const Value value = g.values({2, 3, 5, 6}, 3);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, std::string(shortOpName(target.toStdString())), "static_reshape qs8");
        checkClose(compareEngines(graph, {value}, out.scale), kExact);
    }
}

void TestXnnpackOps::dropout()
{
    ConvertedGraph g;
    const QParams out = s8(0.012, 3);
    const NodeId x = g.qdq(g.input("x", {4, 50}), s8(0.031, -20));
    const NodeId y = g.op("aten.dropout.default", {x, 0.5, false}, {4, 50});
    const Value value = g.values({4, 50}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "dropout", "copy qs8");
    checkClose(compareEngines(graph, {value}, out.scale), kExact);
}

void TestXnnpackOps::conversions()
{
    // Quantize and dequantize themselves, by an op that changes nothing: bit-exact, ends clamped.
    ConvertedGraph g;
    const QParams same = s8(0.0371, -3);
    const NodeId x = g.qdq(g.input("x", {20000}), same);
    const NodeId y = g.op("aten.dropout.default", {x, 0.5, false}, {20000});
    Value value = g.values({20000}, 8);
    const GraphPtr graph = g.finish({g.qdq(y, same)});
    const Comparison comparison = compareEngines(graph, {value}, same.scale);
    checkClose(comparison, kExact);
    QCOMPARE(comparison.maxSteps, 0.0);
    QCOMPARE(comparison.distinct, std::int64_t(256));
}

QTEST_GUILESS_MAIN(TestXnnpackOps)
#include "tst_xnnpack_ops.moc"
