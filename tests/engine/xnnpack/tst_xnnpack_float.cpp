// Float graphs on XNNPACK against LibTorch; linear quantized while running.
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// Largest difference in units of the largest value: both sum in float32, in orders of their own.
constexpr double kFloatStep = 2e-5;

void checkFloat(const GraphPtr& graph, const std::string& node, const std::string& kernel,
                const std::vector<Value>& inputs)
{
    const Assignment assignment = assignmentOf(graph, node);
    QVERIFY2(assignment.where == Assignment::Where::XnnpackFloat, assignment.reason.c_str());
    QCOMPARE(assignment.kernel, kernel);
    QVERIFY2(!assignment.reason.empty(), "why it is not in int8");
    const Comparison comparison = compareEngines(graph, inputs, kFloatStep);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
    QVERIFY(comparison.distinct > 3);
}

} // namespace

class TestXnnpackFloat : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void network();
    void unary_data();
    void unary();
    void binary_data();
    void binary();
    void softmax();
    void softmaxBetweenInt8();
    void softmaxElsewhere();
    void matmul();
    void linear();
    void batchNorms_data();
    void batchNorms();
    void batchNormsThatStay_data();
    void batchNormsThatStay();
    void movesAloneStayOnLibTorch();
    void dynamicLinear_data();
    void dynamicLinear();
};

void TestXnnpackFloat::network()
{
    // Convolutions, a residual, pools and a classifier: one partition, values in NHWC between them.
    ConvertedGraph g;
    const Ints shape{2, 6, 8, 8};
    const Argument one = Argument::ints({1, 1});
    const NodeId x = g.input("x", {2, 3, 8, 8});
    const NodeId a = g.op("aten.relu.default",
                          {g.op("aten.conv2d.default",
                                {x, g.floats({6, 3, 3, 3}, 0.2), g.bias(6, 0.1), one, one}, shape)},
                          shape);
    const NodeId b =
        g.op("aten.conv2d.default",
             {a, g.floats({6, 1, 3, 3}, 0.3), Argument(), one, one, one, std::int64_t{6}}, shape);
    const NodeId sum = g.op("aten.relu_.default", {g.op("aten.add.Tensor", {a, b}, shape)}, shape);
    const NodeId pool =
        g.op("aten.avg_pool2d.default", {sum, Argument::ints({2, 2})}, {2, 6, 4, 4});
    const NodeId up = g.op("aten.conv_transpose2d.input",
                           {pool, g.floats({6, 4, 2, 2}, 0.3), Argument(), Argument::ints({2, 2})},
                           Ints{2, 4, 8, 8});
    const NodeId mean = g.op("aten.mean.dim", {up, Argument::ints({2, 3}), true}, {2, 4, 1, 1});
    const NodeId flat = g.op("aten.flatten.using_ints", {mean, std::int64_t{1}}, {2, 4});
    const NodeId y = g.op("aten.linear.default", {flat, g.floats({5, 4}, 1), g.bias(5, 1)}, {2, 5});
    const Value value = g.values({2, 3, 8, 8}, 1);
    const GraphPtr graph = g.finish({y, sum});
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    int partitions = 0;
    for (const Assignment& assignment : (*program)->assignments()) {
        QVERIFY2(assignment.where != Assignment::Where::LibTorch,
                 graph->node(assignment.node).name.c_str());
        partitions = std::max(partitions, assignment.partition + 1);
    }
    QCOMPARE(partitions, 1);
    checkFloat(graph, "conv2d_1", "depthwise_convolution_2d f32", {value});
}

void TestXnnpackFloat::unary_data()
{
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("kernel");
    QTest::addColumn<bool>("isPositive");
    for (const auto& [op, kernel] : {std::pair{"sigmoid", "sigmoid f32"},
                                     {"tanh", "tanh f32"},
                                     {"gelu", "gelu f32"},
                                     {"hardswish", "hardswish f32"},
                                     {"elu", "elu f32"},
                                     {"leaky_relu", "leaky_relu f32"},
                                     {"abs", "abs f32"},
                                     {"neg", "negate f32"},
                                     {"exp", "exp f32"},
                                     {"floor", "floor f32"},
                                     {"ceil", "ceiling f32"},
                                     {"round", "bankers_rounding f32"}})
        QTest::newRow(op) << QString("aten.%1.default").arg(op) << kernel << false;
    for (const auto& [op, kernel] : {std::pair{"log", "log f32"},
                                     {"sqrt", "square_root f32"},
                                     {"rsqrt", "reciprocal_square_root f32"}})
        QTest::newRow(op) << QString("aten.%1.default").arg(op) << kernel << true;
}

void TestXnnpackFloat::unary()
{
    QFETCH(QString, target);
    QFETCH(QString, kernel);
    QFETCH(bool, isPositive);
    ConvertedGraph g;
    NodeId x = g.input("x", {3, 77});
    if (isPositive) // in [1, 3]
        x = g.op(
            "aten.maximum.default",
            {x, g.constant(Tensor::fromValues<float>(DType::Float32, {1}, std::vector<float>{1}))},
            {3, 77});
    std::string name(shortOpName(target.toStdString()));
    if (name == "abs" || name == "round")
        name += "_1"; // FX keeps clear of Python's own names
    const Value value = g.values({3, 77}, 3);
    checkFloat(g.finish({g.op(target.toStdString(), {x}, {3, 77})}), name, kernel.toStdString(),
               {value});
}

void TestXnnpackFloat::binary_data()
{
    QTest::addColumn<QString>("target");
    for (const char* op : {"aten.add.Tensor", "aten.sub.Tensor", "aten.mul.Tensor",
                           "aten.div.Tensor", "aten.maximum.default", "aten.minimum.default"})
        QTest::newRow(op) << op;
}

void TestXnnpackFloat::binary()
{
    QFETCH(QString, target);
    for (const bool hasRelu : {false, true}) {
        ConvertedGraph g;
        const NodeId x = g.input("a", {3, 4, 7});
        const NodeId y = g.op("aten.exp.default", {g.input("b", {4, 7})}, {4, 7});
        NodeId z = g.op(target.toStdString(), {x, y}, {3, 4, 7});
        if (hasRelu)
            z = g.op("aten.relu.default", {z}, {3, 4, 7});
        const Value a = g.values({3, 4, 7}, 3);
        const Value b = g.values({4, 7}, 1);
        const Comparison comparison = compareEngines(g.finish({z}), {a, b}, kFloatStep);
        QVERIFY2(comparison.error.empty(), comparison.error.c_str());
        QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
    }
}

void TestXnnpackFloat::softmax()
{
    // Between int8 values: the conversions are in the same partition.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {3, 40}), s8(0.06, 5));
    const NodeId y = g.op("aten.softmax.int", {x, std::int64_t{-1}}, {3, 40});
    const QParams out = s8(1.0 / 256, -128);
    const Value value = g.values({3, 40}, 6);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    const Assignment assignment = assignmentOf(graph, "softmax");
    QVERIFY(assignment.where == Assignment::Where::XnnpackFloat);
    QCOMPARE(assignmentOf(graph, "quantize_per_tensor_default_1").partition, assignment.partition);
    checkClose(compareEngines(graph, {value}, out.scale), 0.02);
}

void TestXnnpackFloat::softmaxBetweenInt8()
{
    // As in attention: one partition, and beside the graph's own ends just one conversion on each side
    // of the softmax, no transposes.
    ConvertedGraph g;
    const Ints shape{2, 3, 6, 8};
    const NodeId x = g.qdq(g.input("x", shape), s8(0.03, -9));
    const NodeId v = g.weightPerChannel({8, 8}, spreadScales(8));
    const NodeId scores = g.qdq(g.op("aten.linear.default", {x, v}, shape), s8(0.05, 2));
    const NodeId masked = g.qdq(
        g.op("aten.add.Tensor", {scores, g.weightPerTensor({1, 1, 6, 8}, s8(0.03, 0))}, shape),
        s8(0.06, 2));
    const NodeId share = g.op("aten.softmax.int", {masked, std::int64_t{-1}}, shape);
    const NodeId w = g.weightPerChannel({5, 8}, spreadScales(5));
    const QParams out = s8(0.02, 3);
    const NodeId y = g.qdq(
        g.op("aten.linear.default", {g.qdq(share, s8(1.0 / 256, -128)), w}, {2, 3, 6, 5}), out);
    const Value inputs[] = {g.values(shape, 4)};
    const GraphPtr graph = g.finish({y});
    XnnpackOptions options;
    options.isProfiled = true;
    const auto program = makeXnnpackProgram(graph, options);
    QVERIFY(program.has_value() && (*program)->run(inputs, {}, {}).has_value());
    QStringList names; // XNNPACK calls a conversion "Unary Elementwise"
    for (const auto& time : (*program)->operatorTimes()) {
        QCOMPARE(time.partition, 0);
        names << QString::fromStdString(time.name).section(' ', 0, 0);
    }
    QCOMPARE(names, QStringList({"Unary", "Fully", "Binary", "Unary", "Softmax", "Unary", "Fully",
                                 "Unary"}));
    checkClose(compareEngines(graph, {inputs[0]}, out.scale), 0.05);
}

void TestXnnpackFloat::softmaxElsewhere()
{
    ConvertedGraph g;
    const NodeId x = g.input("x", {3, 40});
    const Value value = g.values({3, 40}, 6);
    const GraphPtr graph = g.finish({g.op("aten.softmax.int", {x, std::int64_t{0}}, {3, 40})});
    QVERIFY(assignmentOf(graph, "softmax").where == Assignment::Where::LibTorch);
    QCOMPARE(compareEngines(graph, {value}, 1).maxSteps, 0.0);
}

void TestXnnpackFloat::matmul()
{
    ConvertedGraph g;
    const NodeId x = g.input("a", {2, 3, 5, 7});
    const NodeId y = g.input("b", {2, 3, 7, 4});
    const Value a = g.values({2, 3, 5, 7}, 1);
    const Value b = g.values({2, 3, 7, 4}, 1);
    checkFloat(g.finish({g.op("aten.matmul.default", {x, y}, {2, 3, 5, 4})}), "matmul",
               "batch_matrix_multiply f32", {a, b});
}

void TestXnnpackFloat::linear()
{
    ConvertedGraph g;
    const NodeId x = g.input("x", {2, 3, 17});
    const NodeId y =
        g.op("aten.linear.default", {x, g.floats({9, 17}, 0.3), g.bias(9, 1)}, {2, 3, 9});
    const Value value = g.values({2, 3, 17}, 1);
    checkFloat(g.finish({g.op("aten.hardtanh.default", {y, 0.0, 1.0}, {2, 3, 9})}), "linear",
               "fully_connected f32", {value});
}

namespace {

/// x → conv or linear → batch norm → relu.
struct NormedOp
{
    std::string target = "aten.conv2d.default";
    Ints shape{2, 6, 8, 8}; ///< of the result
    bool hasBias = true;
    bool isAffine = true;
    bool isTraining = false;
    bool isReadTwice = false;
};

GraphPtr normed(const NormedOp& op, Value& input)
{
    ConvertedGraph g;
    const bool isLinear = op.target == "aten.linear.default";
    Ints in = op.shape;
    in[1] = 3;
    Ints weight{6, 3};
    if (!isLinear)
        weight.resize(op.shape.size(), 3);
    Arguments args{g.input("x", in), g.floats(weight, 0.4),
                   op.hasBias ? Argument(g.bias(6, 0.3)) : Argument()};
    if (!isLinear) {
        const std::vector<std::int64_t> ones(op.shape.size() - 2, 1);
        args.insert(args.end(), {Argument::ints(ones), Argument::ints(ones)});
    }
    const NodeId a = g.op(op.target, args, op.shape);
    const Argument gain = op.isAffine ? Argument(g.floats({6}, 1.5)) : Argument();
    const Argument shift = op.isAffine ? Argument(g.bias(6, 0.7)) : Argument();
    const std::vector<float> variance{0.3F, 2, 0.01F, 5, 1, 0.7F};
    const NodeId spread =
        g.constant(Tensor::fromValues(DType::Float32, {6}, std::span<const float>(variance)));
    const NodeId norm =
        g.op("aten.batch_norm.default",
             {a, gain, shift, g.bias(6, 0.5), spread, op.isTraining, 0.1, 1e-5, true}, op.shape);
    const NodeId r = g.op("aten.relu.default", {norm}, op.shape);
    input = g.values(in, 2);
    return op.isReadTwice ? g.finish({r, a}) : g.finish({r});
}

} // namespace

void TestXnnpackFloat::batchNorms_data()
{
    QTest::addColumn<NormedOp>("op");
    QTest::addColumn<QString>("kernel");
    QTest::newRow("conv2d") << NormedOp{} << "convolution_2d f32";
    QTest::newRow("no bias, no weight")
        << NormedOp{.hasBias = false, .isAffine = false} << "convolution_2d f32";
    QTest::newRow("conv1d") << NormedOp{"aten.conv1d.default", {2, 6, 8}} << "convolution_2d f32";
    QTest::newRow("linear") << NormedOp{"aten.linear.default", {2, 6}} << "fully_connected f32";
}

void TestXnnpackFloat::batchNorms()
{
    QFETCH(NormedOp, op);
    QFETCH(QString, kernel);
    Value input;
    const GraphPtr graph = normed(op, input);
    checkFloat(graph, "batch_norm", kernel.toStdString(), {input});
    const std::string producer = graph->node(graph->findByName("batch_norm")->arg(0).node()).name;
    QCOMPARE(assignmentOf(graph, producer).where, Assignment::Where::Absorbed);
    QCOMPARE(assignmentOf(graph, "relu").kernel, std::string("fused into batch_norm"));
}

void TestXnnpackFloat::batchNormsThatStay_data()
{
    QTest::addColumn<NormedOp>("op");
    QTest::newRow("another reads the convolution") << NormedOp{.isReadTwice = true};
    QTest::newRow("linear over three dimensions") << NormedOp{"aten.linear.default", {2, 3, 6}};
    QTest::newRow("training") << NormedOp{.isTraining = true};
}

void TestXnnpackFloat::batchNormsThatStay()
{
    QFETCH(NormedOp, op);
    Value input;
    const GraphPtr graph = normed(op, input);
    QCOMPARE(assignmentOf(graph, "batch_norm").where, Assignment::Where::LibTorch);
    if (op.target == "aten.conv2d.default" && !op.isTraining)
        checkClose(compareEngines(graph, {input}, kFloatStep), 1);
}

void TestXnnpackFloat::movesAloneStayOnLibTorch()
{
    ConvertedGraph g;
    const NodeId x = g.input("x", {2, 3, 17});
    const NodeId y = g.op("aten.transpose.int", {x, std::int64_t{1}, std::int64_t{2}}, {2, 17, 3});
    const NodeId z = g.op("aten.cumsum.default", {y, std::int64_t{1}}, {2, 17, 3});
    const GraphPtr graph = g.finish({z});
    const Assignment assignment = assignmentOf(graph, "transpose");
    QVERIFY(assignment.where == Assignment::Where::LibTorch);
}

void TestXnnpackFloat::dynamicLinear_data()
{
    QTest::addColumn<bool>("perChannel");
    QTest::addColumn<bool>("hasBias");
    QTest::newRow("per channel") << true << true;
    QTest::newRow("per tensor, no bias") << false << false;
}

void TestXnnpackFloat::dynamicLinear()
{
    QFETCH(bool, perChannel);
    QFETCH(bool, hasBias);
    // One row: then a scale per row is the graph's scale per tensor.
    ConvertedGraph g;
    const Ints shape{1, 64};
    const NodeId x = g.input("x", shape);
    const std::string library = "quantized_decomposed.";
    const NodeId choice =
        g.op(library + "choose_qparams.tensor",
             {x, std::int64_t{-128}, std::int64_t{127}, 0.000244140625, DType::Int8}, {1});
    const NodeId scale = g.op("getitem", {choice, std::int64_t{0}}, {1});
    const NodeId zero = g.op("getitem", {choice, std::int64_t{1}}, {1});
    const Arguments range{std::int64_t{-128}, std::int64_t{127}, DType::Int8};
    Arguments quantize{x, scale, zero};
    quantize.insert(quantize.end(), range.begin(), range.end());
    const NodeId q = g.op(library + "quantize_per_tensor.tensor", quantize, shape);
    Arguments dequantize{q, scale, zero};
    dequantize.insert(dequantize.end(), range.begin(), range.end());
    const NodeId d = g.op(library + "dequantize_per_tensor.tensor", dequantize, shape);
    const NodeId w = perChannel ? g.weightPerChannel({10, 64}, spreadScales(10))
                                : g.weightPerTensor({10, 64}, s8(0.004, 0));
    Arguments args{d, w};
    if (hasBias)
        args.emplace_back(g.bias(10, 1));
    const NodeId y = g.op("aten.linear.default", args, {1, 10});
    const Value value = g.values(shape, 3);
    const GraphPtr graph = g.finish({y});
    checkKernel(graph, "linear", "fully_connected qdint8 qcint8 (a scale per row)");
    // Zero points are rounded differently: one step of the input in the sum of 64 products.
    const Comparison comparison = compareEngines(graph, {value}, 0.05);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QVERIFY2(comparison.maxSteps <= 1, qPrintable(QString::number(comparison.maxSteps)));
}

QTEST_GUILESS_MAIN(TestXnnpackFloat)
#include "tst_xnnpack_float.moc"
