// Convolution and linear alone: XNNPACK against the reference engine on the same converted graph.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

class TestXnnpackWeights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void convolution_data();
    void convolution();
    void convolutionUInt8();
    void convolutionWithNamedPadding();
    void convolutionUnfoldedWeight();
    void convolutionWithInt32Bias();
    void convolutionClipped_data();
    void convolutionClipped();
    void linear_data();
    void linear();
    void threads();
};

void TestXnnpackWeights::convolution_data()
{
    QTest::addColumn<Ints>("input");
    QTest::addColumn<Ints>("weight");
    QTest::addColumn<Ints>("stride");
    QTest::addColumn<Ints>("padding");
    QTest::addColumn<Ints>("dilation");
    QTest::addColumn<qint64>("groups");
    QTest::addColumn<Ints>("output");
    QTest::addColumn<bool>("perChannel");
    QTest::addColumn<bool>("hasBias");
    QTest::addColumn<std::string>("kernel");
    const std::string channel = "convolution_2d qcint8";
    const std::string tensor = "convolution_2d qint8";
    QTest::newRow("3x3") << Ints{2, 3, 9, 7} << Ints{8, 3, 3, 3} << Ints{1, 1} << Ints{1, 1}
                         << Ints{1, 1} << qint64(1) << Ints{2, 8, 9, 7} << true << true << channel;
    QTest::newRow("3x3 per tensor, no bias")
        << Ints{2, 3, 9, 7} << Ints{8, 3, 3, 3} << Ints{1, 1} << Ints{1, 1} << Ints{1, 1}
        << qint64(1) << Ints{2, 8, 9, 7} << false << false << tensor;
    QTest::newRow("3x3 per tensor, bias")
        << Ints{1, 3, 9, 7} << Ints{8, 3, 3, 3} << Ints{1, 1} << Ints{0, 0} << Ints{1, 1}
        << qint64(1) << Ints{1, 8, 7, 5} << false << true << tensor;
    QTest::newRow("4x2, stride 2x1, padding 1x0, dilation 1x2")
        << Ints{2, 5, 12, 11} << Ints{6, 5, 4, 2} << Ints{2, 1} << Ints{1, 0} << Ints{1, 2}
        << qint64(1) << Ints{2, 6, 6, 9} << true << true << channel;
    QTest::newRow("1x1") << Ints{3, 16, 5, 5} << Ints{12, 16, 1, 1} << Ints{1, 1} << Ints{0, 0}
                         << Ints{1, 1} << qint64(1) << Ints{3, 12, 5, 5} << true << false
                         << channel;
    QTest::newRow("two groups") << Ints{2, 6, 8, 8} << Ints{8, 3, 3, 3} << Ints{1, 1} << Ints{1, 1}
                                << Ints{1, 1} << qint64(2) << Ints{2, 8, 8, 8} << true << true
                                << channel;
    QTest::newRow("depthwise") << Ints{2, 10, 8, 8} << Ints{10, 1, 3, 3} << Ints{2, 2} << Ints{1, 1}
                               << Ints{1, 1} << qint64(10) << Ints{2, 10, 4, 4} << true << true
                               << "depthwise_" + channel;
    QTest::newRow("depthwise, multiplier 3, per tensor")
        << Ints{1, 4, 9, 9} << Ints{12, 1, 5, 5} << Ints{1, 1} << Ints{2, 2} << Ints{1, 1}
        << qint64(4) << Ints{1, 12, 9, 9} << false << false << "depthwise_" + tensor;
    QTest::newRow("one input channel")
        << Ints{1, 1, 9, 9} << Ints{7, 1, 3, 3} << Ints{1, 1} << Ints{1, 1} << Ints{1, 1}
        << qint64(1) << Ints{1, 7, 9, 9} << true << true << channel;
}

void TestXnnpackWeights::convolution()
{
    QFETCH(Ints, input);
    QFETCH(Ints, weight);
    QFETCH(Ints, stride);
    QFETCH(Ints, padding);
    QFETCH(Ints, dilation);
    QFETCH(qint64, groups);
    QFETCH(Ints, output);
    QFETCH(bool, perChannel);
    QFETCH(bool, hasBias);
    QFETCH(std::string, kernel);
    for (const bool hasRelu : {false, true}) {
        ConvertedGraph g;
        const QParams out = hasRelu ? s8(0.11, -120) : s8(0.2, 7);
        const NodeId w = perChannel ? g.weightPerChannel(weight, spreadScales(weight[0]))
                                    : g.weightPerTensor(weight, s8(0.006, 0));
        const Argument b = hasBias ? Argument(g.bias(weight[0], 2.0)) : Argument();
        const NodeId x = g.qdq(g.input("x", input), s8(0.031, -9));
        NodeId y = g.op("aten.conv2d.default",
                        {x, w, b, Argument::ints(stride), Argument::ints(padding),
                         Argument::ints(dilation), std::int64_t(groups)},
                        output);
        if (hasRelu)
            y = g.op("aten.relu.default", {y}, output);
        const Value value = g.values(input, 4);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, "conv2d", kernel);
        if (hasRelu)
            QCOMPARE(assignmentOf(graph, "relu").kernel, std::string("fused into conv2d"));
        checkClose(compareEngines(graph, {value}, out.scale), kSum);
    }
}

void TestXnnpackWeights::convolutionUInt8()
{
    ConvertedGraph g;
    const NodeId w = g.weightPerTensor({8, 3, 3, 3}, u8(0.006, 128));
    const NodeId x = g.qdq(g.input("x", {2, 3, 9, 7}), u8(0.031, 119));
    const NodeId y =
        g.op("aten.conv2d.default",
             {x, w, Argument(), Argument::ints({1, 1}), Argument::ints({1, 1})}, {2, 8, 9, 7});
    const QParams out = u8(0.2, 131);
    const Value value = g.values({2, 3, 9, 7}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "conv2d", "convolution_2d qint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackWeights::convolutionWithNamedPadding()
{
    for (const auto& [name, height] : {std::pair("same", 9), std::pair("valid", 6)}) {
        ConvertedGraph g;
        const std::int64_t width = std::string(name) == "same" ? 8 : 5;
        const NodeId w = g.weightPerChannel({6, 3, 4, 4}, spreadScales(6));
        const NodeId x = g.qdq(g.input("x", {1, 3, 9, 8}), s8(0.031, -9));
        const NodeId y =
            g.op("aten.conv2d.padding", {x, w, Argument(), Argument::ints({1, 1}), name},
                 {1, 6, height, width});
        const QParams out = s8(0.2, 7);
        const Value value = g.values({1, 3, 9, 8}, 4);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, "conv2d", "convolution_2d qcint8");
        checkClose(compareEngines(graph, {value}, out.scale), kSum);
    }
}

void TestXnnpackWeights::convolutionUnfoldedWeight()
{
    // Conversion without constant folding leaves quantize(weight) in the graph.
    ConvertedGraph g;
    const NodeId w = g.qdq(g.floats({8, 3, 3, 3}, 0.7), s8(0.006, 0));
    const NodeId x = g.qdq(g.input("x", {2, 3, 9, 7}), s8(0.031, -9));
    const NodeId y = g.op("aten.conv2d.default", {x, w}, {2, 8, 7, 5});
    const QParams out = s8(0.2, 7);
    const Value value = g.values({2, 3, 9, 7}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "conv2d", "convolution_2d qint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackWeights::convolutionWithInt32Bias()
{
    // A derived bias: int32 with the scale of the accumulator.
    const QParams in = s8(0.031, -9);
    const double weightScale = static_cast<double>(0.006F);
    const auto biasScale =
        static_cast<double>(static_cast<float>(in.scale) * static_cast<float>(weightScale));
    const std::vector<std::int32_t> bias = {9000, -12000, 0, 77, -5, 4000, 2500, -1};
    ConvertedGraph g;
    const NodeId w = g.weightPerTensor({8, 3, 3, 3}, s8(weightScale, 0));
    const NodeId b =
        g.dequantize(g.constant(Tensor::fromValues<std::int32_t>(DType::Int32, {8}, bias)),
                     {biasScale, 0, DType::Int32, -2147483648LL, 2147483647LL});
    const NodeId x = g.qdq(g.input("x", {2, 3, 9, 7}), in);
    const NodeId y = g.op("aten.conv2d.default", {x, w, b}, {2, 8, 7, 5});
    const QParams out = s8(0.2, 7);
    const Value value = g.values({2, 3, 9, 7}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "conv2d", "convolution_2d qint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackWeights::convolutionClipped_data()
{
    QTest::addColumn<QString>("activation");
    QTest::addColumn<double>("low");
    QTest::addColumn<double>("high");
    QTest::newRow("hardtanh") << "aten.hardtanh.default" << 0.0 << 6.0;
    QTest::newRow("hardtanh in place") << "aten.hardtanh_.default" << -1.0 << 1.0;
    QTest::newRow("clamp") << "aten.clamp.default" << -2.5 << 3.0;
    QTest::newRow("relu in place") << "aten.relu_.default" << 0.0 << 0.0;
}

void TestXnnpackWeights::convolutionClipped()
{
    QFETCH(QString, activation);
    QFETCH(double, low);
    QFETCH(double, high);
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({8, 3, 3, 3}, spreadScales(8));
    const NodeId x = g.qdq(g.input("x", {2, 3, 9, 7}), s8(0.031, -9));
    NodeId y = g.op("aten.conv2d.default", {x, w}, {2, 8, 7, 5});
    Arguments args = {y};
    if (!activation.contains("relu")) {
        args.emplace_back(low);
        args.emplace_back(high);
    }
    y = g.op(activation.toStdString(), args, {2, 8, 7, 5});
    const QParams out = s8(0.09, 7);
    const Value value = g.values({2, 3, 9, 7}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "conv2d", "convolution_2d qcint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackWeights::linear_data()
{
    QTest::addColumn<Ints>("input");
    QTest::addColumn<bool>("perChannel");
    QTest::addColumn<bool>("hasBias");
    QTest::newRow("2-D") << Ints{5, 64} << true << true;
    QTest::newRow("2-D per tensor") << Ints{5, 64} << false << true;
    QTest::newRow("2-D without bias") << Ints{1, 64} << true << false;
    QTest::newRow("3-D") << Ints{2, 7, 64} << true << true;
    QTest::newRow("4-D") << Ints{2, 3, 4, 64} << true << true;
}

void TestXnnpackWeights::linear()
{
    QFETCH(Ints, input);
    QFETCH(bool, perChannel);
    QFETCH(bool, hasBias);
    ConvertedGraph g;
    Ints output = input;
    output.back() = 24;
    const NodeId w = perChannel ? g.weightPerChannel({24, 64}, spreadScales(24))
                                : g.weightPerTensor({24, 64}, s8(0.006, 0));
    const Argument b = hasBias ? Argument(g.bias(24, 2)) : Argument();
    const NodeId x = g.qdq(g.input("x", input), s8(0.031, 4));
    const NodeId y = g.op("aten.linear.default", {x, w, b}, output);
    const NodeId z = g.op("aten.relu.default", {y}, output);
    const QParams out = s8(0.15, -128);
    const Value value = g.values(input, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkKernel(graph, "linear", perChannel ? "fully_connected qcint8" : "fully_connected qint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackWeights::threads()
{
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({32, 16, 3, 3}, spreadScales(32));
    const NodeId x = g.qdq(g.input("x", {2, 16, 24, 24}), s8(0.031, -9));
    const NodeId y = g.op("aten.conv2d.default", {x, w}, {2, 32, 22, 22});
    const QParams out = s8(0.3, 7);
    const Value value = g.values({2, 16, 24, 24}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    const Comparison one = compareEngines(graph, {value}, out.scale, {1});
    const Comparison three = compareEngines(graph, {value}, out.scale, {3});
    checkClose(one, kSum);
    QCOMPARE(three.error, std::string());
    QCOMPARE(three.shareDiffering, one.shareDiffering);
    QCOMPARE(three.maxSteps, one.maxSteps);
}

QTEST_GUILESS_MAIN(TestXnnpackWeights)
#include "tst_xnnpack_weights.moc"
