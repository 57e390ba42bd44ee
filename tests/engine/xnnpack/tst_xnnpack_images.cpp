// Operators on images and sequences: pools, paddings, parts, transposed and 1-D convolutions.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

class TestXnnpackImages : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void conv1d_data();
    void conv1d();
    void transposed_data();
    void transposed();
    void transposed1d();
    void transposedRefused();
    void averagePool_data();
    void averagePool();
    void averagePoolRefused();
    void maxPool1d();
    void cat_data();
    void cat();
    void pad_data();
    void pad();
    void padTakenIn();
    void slice();
    void permute_data();
    void permute();
    void bilinear();
    void meanOfOtherAxes();
};

void TestXnnpackImages::conv1d_data()
{
    QTest::addColumn<qint64>("groups");
    QTest::addColumn<qint64>("stride");
    QTest::addColumn<qint64>("padding");
    QTest::newRow("plain") << qint64(1) << qint64(1) << qint64(0);
    QTest::newRow("stride 2, padded") << qint64(1) << qint64(2) << qint64(1);
    QTest::newRow("grouped") << qint64(2) << qint64(1) << qint64(2);
    QTest::newRow("depthwise") << qint64(6) << qint64(1) << qint64(1);
}

void TestXnnpackImages::conv1d()
{
    QFETCH(qint64, groups);
    QFETCH(qint64, stride);
    QFETCH(qint64, padding);
    // Two in a row: the value between them stays in its order.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 6, 30}), s8(0.03, -9));
    const NodeId w = g.weightPerChannel({6, 6 / groups, 3}, spreadScales(6));
    const std::int64_t length = (30 + 2 * padding - 3) / stride + 1;
    const NodeId y = g.op("aten.conv1d.default",
                          {x, w, g.bias(6, 0.5), Argument::ints({stride}),
                           Argument::ints({padding}), Argument::ints({1}), std::int64_t{groups}},
                          {2, 6, length});
    const NodeId relu = g.qdq(g.op("aten.relu.default", {y}, {2, 6, length}), s8(0.04, -128));
    const NodeId v = g.weightPerChannel({4, 6, 1}, spreadScales(4));
    const NodeId z = g.op("aten.conv1d.default", {relu, v}, {2, 4, length});
    const QParams out = s8(0.05, 3);
    const Value value = g.values({2, 6, 30}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkKernel(graph, "conv1d",
                groups == 6 ? "depthwise_convolution_2d qcint8" : "convolution_2d qcint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackImages::transposed_data()
{
    QTest::addColumn<bool>("perChannel");
    QTest::addColumn<qint64>("groups");
    QTest::addColumn<qint64>("extra");
    QTest::newRow("per tensor") << false << qint64(1) << qint64(0);
    QTest::newRow("per tensor, two groups") << false << qint64(2) << qint64(1);
    QTest::newRow("per output channel") << true << qint64(1) << qint64(1);
}

void TestXnnpackImages::transposed()
{
    QFETCH(bool, perChannel);
    QFETCH(qint64, groups);
    QFETCH(qint64, extra);
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 4, 5, 6}), s8(0.03, -9));
    const Ints shape{4, 6 / groups, 3, 2};
    const NodeId w = perChannel ? g.weightPerChannel(shape, spreadScales(6), {}, 1)
                                : g.weightPerTensor(shape, s8(0.004, 0));
    const Ints size{2, 6, 4 * 2 + 3 - 2 + extra, 5 * 2 + 2 - 2 + extra};
    const NodeId y =
        g.op("aten.conv_transpose2d.input",
             {x, w, g.bias(6, 0.5), Argument::ints({2, 2}), Argument::ints({1, 1}),
              Argument::ints({extra, extra}), std::int64_t{groups}, Argument::ints({1, 1})},
             size);
    const QParams out = s8(0.03, 3);
    const Value value = g.values({2, 4, 5, 6}, 4);
    const GraphPtr graph = g.finish({g.qdq(g.op("aten.relu.default", {y}, size), out)});
    checkKernel(graph, "conv_transpose2d",
                perChannel ? "deconvolution_2d qcint8" : "deconvolution_2d qint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackImages::transposed1d()
{
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 4, 9}), s8(0.03, -9));
    const NodeId w = g.weightPerChannel({4, 6, 3}, spreadScales(6), {}, 1);
    const NodeId y =
        g.op("aten.conv_transpose1d.default",
             {x, w, g.bias(6, 0.5), Argument::ints({2}), Argument::ints({1})}, {2, 6, 17});
    const QParams out = s8(0.03, 3);
    const Value value = g.values({2, 4, 9}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "conv_transpose1d", "deconvolution_2d qcint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackImages::transposedRefused()
{
    // torchao quantizes along axis 0, the input channels: no kernel can do that in integers.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 4, 5, 6}), s8(0.03, -9));
    const NodeId w = g.weightPerChannel({4, 6, 3, 3}, spreadScales(4), {}, 0);
    const QParams out = s8(0.05, 3);
    const NodeId y = g.op("aten.conv_transpose2d.input", {x, w}, {2, 6, 7, 8});
    const Value value = g.values({2, 4, 5, 6}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    const Assignment assignment = assignmentOf(graph, "conv_transpose2d");
    QVERIFY(assignment.where == Assignment::Where::XnnpackFloat);
    QCOMPARE(assignment.reason, std::string("its weight is quantized along axis 0, not 1"));
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackImages::averagePool_data()
{
    QTest::addColumn<Ints>("kernel");
    QTest::addColumn<Ints>("stride");
    QTest::addColumn<Ints>("padding");
    QTest::addColumn<Ints>("output");
    QTest::newRow("2x2") << Ints{2, 2} << Ints{} << Ints{0, 0} << Ints{2, 5, 5, 4};
    QTest::newRow("3x3/1 padded") << Ints{3, 3} << Ints{1, 1} << Ints{1, 1} << Ints{2, 5, 10, 9};
    QTest::newRow("3x2/2x1") << Ints{3, 2} << Ints{2, 1} << Ints{1, 0} << Ints{2, 5, 5, 8};
    QTest::newRow("adaptive to 5x3") << Ints{} << Ints{} << Ints{} << Ints{2, 5, 5, 3};
    QTest::newRow("9x9, a large window")
        << Ints{9, 9} << Ints{1, 1} << Ints{0, 0} << Ints{2, 5, 2, 1};
}

void TestXnnpackImages::averagePool()
{
    QFETCH(Ints, kernel);
    QFETCH(Ints, stride);
    QFETCH(Ints, padding);
    QFETCH(Ints, output);
    for (const bool sameParameters : {true, false}) {
        ConvertedGraph g;
        const QParams in = s8(0.031, -20);
        const QParams out = sameParameters ? in : s8(0.0193, -40);
        const NodeId x = g.qdq(g.input("x", {2, 5, 10, 9}), in);
        const bool isAdaptive = kernel.empty();
        const NodeId y =
            isAdaptive
                ? g.op("aten.adaptive_avg_pool2d.default",
                       {x, Argument::ints({output[2], output[3]})}, output)
                : g.op("aten.avg_pool2d.default",
                       {x, Argument::ints(kernel), Argument::ints(stride), Argument::ints(padding)},
                       output);
        const Value value = g.values({2, 5, 10, 9}, 3);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, isAdaptive ? "adaptive_avg_pool2d" : "avg_pool2d",
                    "depthwise_convolution_2d of ones");
        // Sums over an even number of pixels lie on ties, which the reference breaks as its float32
        // sum happens to.
        const std::int64_t pixels = isAdaptive ? 2 * 3 : kernel[0] * kernel[1];
        const double ties = pixels % 2 == 0 ? 1.0 / static_cast<double>(pixels) : 0;
        checkClose(compareEngines(graph, {value}, out.scale), kMean + ties);
    }
}

void TestXnnpackImages::averagePoolRefused()
{
    // Padding left out of the average: XNNPACK's float kernel does just that, int8 cannot.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 5, 10, 9}), s8(0.031, -20));
    const QParams out = s8(0.0193, -40);
    const NodeId y = g.op(
        "aten.avg_pool2d.default",
        {x, Argument::ints({3, 3}), Argument::ints({1, 1}), Argument::ints({1, 1}), false, false},
        {2, 5, 10, 9});
    const Value value = g.values({2, 5, 10, 9}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    const Assignment assignment = assignmentOf(graph, "avg_pool2d");
    QVERIFY(assignment.where == Assignment::Where::XnnpackFloat);
    QCOMPARE(assignment.reason, std::string("its average leaves padding out"));
    checkClose(compareEngines(graph, {value}, out.scale), kMean);
}

void TestXnnpackImages::maxPool1d()
{
    ConvertedGraph g;
    const QParams in = s8(0.031, 100);
    const NodeId x = g.qdq(g.input("x", {2, 5, 31}), in);
    const NodeId y =
        g.op("aten.max_pool1d.default",
             {x, Argument::ints({3}), Argument::ints({2}), Argument::ints({1})}, {2, 5, 16});
    const Value value = g.values({2, 5, 31}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, in)});
    checkKernel(graph, "max_pool1d", "max_pooling_2d s8");
    checkClose(compareEngines(graph, {value}, in.scale), kExact);
}

void TestXnnpackImages::cat_data()
{
    QTest::addColumn<qint64>("count");
    QTest::addColumn<qint64>("axis");
    QTest::addColumn<bool>("sameParameters");
    for (const qint64 count : {2, 5, 6, 14}) {
        for (const bool same : {true, false}) {
            const QByteArray name = QByteArray::number(count) + (same ? "" : ", other parameters");
            QTest::newRow((name + ", channels").constData()) << count << qint64(1) << same;
            QTest::newRow((name + ", last axis").constData()) << count << qint64(-1) << same;
        }
    }
}

void TestXnnpackImages::cat()
{
    QFETCH(qint64, count);
    QFETCH(qint64, axis);
    QFETCH(bool, sameParameters);
    ConvertedGraph g;
    const QParams out = s8(0.05, 3);
    std::vector<Argument> items;
    std::vector<Value> values;
    Ints shape{2, 3, 5, 4};
    std::int64_t& joined = axis == 1 ? shape[1] : shape[3];
    joined = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const Ints part = axis == 1 ? Ints{2, 1 + i, 5, 4} : Ints{2, 3, 5, 1 + i};
        const QParams in = sameParameters || i == 0 ? out : s8(0.02 + 0.003 * double(i), 5 - i);
        items.emplace_back(g.qdq(g.input("x" + std::to_string(i), part), in));
        values.push_back(g.values(part, 5));
        joined += 1 + i;
    }
    const NodeId y = g.op("aten.cat.default", {Argument::list(items), std::int64_t{axis}}, shape);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "cat", "concatenate qs8");
    checkClose(compareEngines(graph, values, out.scale), kExact);
}

void TestXnnpackImages::pad_data()
{
    QTest::addColumn<double>("value");
    QTest::addColumn<bool>("sameParameters");
    QTest::newRow("zero") << 0.0 << true;
    QTest::newRow("zero, other parameters") << 0.0 << false;
    QTest::newRow("value") << 0.83 << true;
    QTest::newRow("value beyond the range") << -90.0 << false;
}

void TestXnnpackImages::pad()
{
    QFETCH(double, value);
    QFETCH(bool, sameParameters);
    ConvertedGraph g;
    const QParams in = s8(0.031, -20);
    const QParams out = sameParameters ? in : s8(0.0193, -40);
    const NodeId x = g.qdq(g.input("x", {2, 3, 5, 4}), in);
    const NodeId y = g.op("aten.pad.default", {x, Argument::ints({1, 2, 0, 3}), "constant", value},
                          {2, 3, 8, 7});
    const Value data = g.values({2, 3, 5, 4}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkKernel(graph, "pad", "static_constant_pad qs8");
    checkClose(compareEngines(graph, {data}, out.scale), kExact);
}

void TestXnnpackImages::padTakenIn()
{
    // A padding that the quantizer left between two convolutions: int8 all through, and right for an
    // even kernel padded on one side.
    ConvertedGraph g;
    const NodeId w = g.weightPerChannel({6, 3, 1, 1}, spreadScales(6));
    const NodeId x = g.qdq(g.input("x", {2, 3, 5, 4}), s8(0.03, -9));
    const NodeId y = g.qdq(g.op("aten.conv2d.default", {x, w}, {2, 6, 5, 4}), s8(0.04, 5));
    const NodeId padded = g.op("aten.pad.default", {y, Argument::ints({0, 1, 2, 0})}, {2, 6, 7, 5});
    const NodeId v = g.weightPerChannel({4, 6, 2, 2}, spreadScales(4));
    const NodeId z = g.op("aten.conv2d.default", {padded, v}, {2, 4, 6, 4});
    const QParams out = s8(0.06, 3);
    const Value value = g.values({2, 3, 5, 4}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    QCOMPARE(assignmentOf(graph, "pad").kernel, std::string("fused into conv2d_1"));
    checkKernel(graph, "conv2d_1", "convolution_2d qcint8");
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackImages::slice()
{
    for (const bool sameParameters : {true, false}) {
        for (const std::int64_t axis : {1, 2}) {
            ConvertedGraph g;
            const QParams in = s8(0.031, -20);
            const QParams out = sameParameters ? in : s8(0.0193, -40);
            const NodeId x = g.qdq(g.input("x", {2, 6, 5, 4}), in);
            Ints shape{2, 6, 5, 4};
            shape[static_cast<std::size_t>(axis)] = 3;
            const NodeId y =
                g.op("aten.slice.Tensor", {x, axis, std::int64_t{1}, std::int64_t{4}}, shape);
            const Value value = g.values({2, 6, 5, 4}, 3);
            const GraphPtr graph = g.finish({g.qdq(y, out)});
            checkKernel(graph, "slice_1", "static_slice qs8");
            checkClose(compareEngines(graph, {value}, out.scale), kExact);
        }
    }
}

void TestXnnpackImages::permute_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<Ints>("axes");
    QTest::addColumn<Ints>("output");
    QTest::newRow("permute") << "aten.permute.default" << Ints{0, 2, 3, 1} << Ints{2, 4, 5, 3};
    QTest::newRow("permute, negative")
        << "aten.permute.default" << Ints{-1, 0, -2, 1} << Ints{5, 2, 4, 3};
    QTest::newRow("transpose") << "aten.transpose.int" << Ints{1, -1} << Ints{2, 5, 4, 3};
}

void TestXnnpackImages::permute()
{
    QFETCH(QString, target);
    QFETCH(Ints, axes);
    QFETCH(Ints, output);
    ConvertedGraph g;
    const QParams in = s8(0.031, -20);
    const NodeId x = g.qdq(g.input("x", {2, 3, 5, 6}), in);
    const NodeId pooled =
        g.qdq(g.op("aten.max_pool2d.default", {x, Argument::ints({2, 2}), Argument::ints({1, 1})},
                   {2, 3, 4, 5}),
              in);
    Arguments args{pooled};
    if (target.contains("permute"))
        args.emplace_back(Argument::ints(axes));
    else
        args.insert(args.end(), {axes[0], axes[1]});
    const NodeId y = g.op(target.toStdString(), args, output);
    const Value value = g.values({2, 3, 5, 6}, 3);
    const GraphPtr graph = g.finish({g.qdq(y, in)});
    checkKernel(graph, std::string(shortOpName(target.toStdString())), "static_transpose qs8");
    checkClose(compareEngines(graph, {value}, in.scale), kExact);
}

void TestXnnpackImages::bilinear()
{
    for (const bool alignCorners : {false, true}) {
        ConvertedGraph g;
        const QParams in = s8(0.031, -20);
        const NodeId x = g.qdq(g.input("x", {2, 3, 5, 6}), in);
        const NodeId y = g.op("aten.upsample_bilinear2d.vec",
                              {x, Argument::ints({10, 12}), alignCorners, {}}, {2, 3, 10, 12});
        const Value value = g.values({2, 3, 5, 6}, 3);
        const GraphPtr graph = g.finish({g.qdq(y, in)});
        // In float, between conversions: XNNPACK's int8 kernel has weights of 11 bits.
        const Assignment assignment = assignmentOf(graph, "upsample_bilinear2d");
        QVERIFY(assignment.where == Assignment::Where::XnnpackFloat);
        QCOMPARE(assignment.kernel, std::string("static_resize_bilinear_2d f32"));
        // Halves of int8 steps are ties.
        checkClose(compareEngines(graph, {value}, in.scale), 0.1);
    }
}

void TestXnnpackImages::meanOfOtherAxes()
{
    for (const bool keepDims : {false, true}) {
        ConvertedGraph g;
        const QParams in = s8(0.031, -20);
        const QParams out = s8(0.007, 3);
        const NodeId x = g.qdq(g.input("x", {3, 37, 7, 5}), in);
        const Ints shape = keepDims ? Ints{3, 1, 7, 5} : Ints{3, 7, 5};
        const NodeId y = g.op("aten.mean.dim", {x, Argument::ints({1}), keepDims}, shape);
        const Value value = g.values({3, 37, 7, 5}, 3);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkKernel(graph, "mean", "static_mean qs8");
        checkClose(compareEngines(graph, {value}, out.scale), kMean);
    }
}

QTEST_GUILESS_MAIN(TestXnnpackImages)
#include "tst_xnnpack_images.moc"
