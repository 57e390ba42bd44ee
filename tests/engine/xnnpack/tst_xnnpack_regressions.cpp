// What users of XNNPACK through ExecuTorch ran into, one row each: here the numbers are right, or what
// XNNPACK cannot do goes elsewhere with its reason. Nothing aborts. The numbers in front are those of
// pytorch/executorch's issues, where no other project is named.
#include "tests/engine/xnnpack/NamedChecks.h"

#include <QTest>
#include <cmath>

using namespace pt2e;
using namespace pt2e::test;

namespace {

using Where = Assignment::Where;

NodeId linear(ConvertedGraph& g, NodeId x, std::int64_t in, std::int64_t out, Ints shape)
{
    return g.op("aten.linear.default",
                {x, g.weightPerChannel({out, in}, spreadScales(out)), g.bias(out, 0.3)}, shape);
}

/// Quantized with a scale and zero point found while running.
NodeId dynamicQdq(ConvertedGraph& g, NodeId x, const Ints& shape)
{
    const std::string library = "quantized_decomposed.";
    const NodeId choice =
        g.op(library + "choose_qparams.tensor",
             {x, std::int64_t{-128}, std::int64_t{127}, 0.000244140625, DType::Int8}, {1});
    const NodeId scale = g.op("getitem", {choice, std::int64_t{0}}, {1});
    const NodeId zero = g.op("getitem", {choice, std::int64_t{1}}, {1});
    const auto with = [&](NodeId value) {
        return Arguments{value, scale, zero, std::int64_t{-128}, std::int64_t{127}, DType::Int8};
    };
    const NodeId q = g.op(library + "quantize_per_tensor.tensor", with(x), shape);
    return g.op(library + "dequantize_per_tensor.tensor", with(q), shape);
}

void checkInt8(const GraphPtr& graph, const std::vector<std::string>& names)
{
    for (const std::string& name : names) {
        const Assignment one = assignmentOf(graph, name);
        QVERIFY2(one.node.isValid(), name.c_str());
        QVERIFY2(one.where == Where::XnnpackInt8 || one.where == Where::Absorbed,
                 (name + ": " + one.reason).c_str());
    }
}

void checkElsewhere(const GraphPtr& graph, const std::string& name, const std::string& reason)
{
    const Assignment one = assignmentOf(graph, name);
    QVERIFY2(one.where == Where::XnnpackFloat || one.where == Where::LibTorch, name.c_str());
    QVERIFY2(one.reason.find(reason) != std::string::npos, one.reason.c_str());
}

void maskOfHugeRange()
{
    ConvertedGraph g;
    const NodeId scores = g.qdq(g.input("scores", {2, 4, 7, 7}), s8(0.03, 3));
    const NodeId mask = g.qdq(g.input("mask", {2, 1, 1, 7}), s8(40, 127));
    const QParams out = s8(40, 126);
    const NodeId sum = g.op("aten.add.Tensor", {scores, mask}, {2, 4, 7, 7});
    const Value a = g.values({2, 4, 7, 7}, 5);
    const Value b = g.values({2, 1, 1, 7}, 10000);
    const GraphPtr graph = g.finish({g.qdq(sum, out)});
    checkElsewhere(graph, "add", "first scale / output scale is 0.00075; XNNPACK takes 2^-10");
    checkClose(compareEngines(graph, {a, b}, out.scale), kAdd);
}

void sliceIntoAnotherScale()
{
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 6, 5, 4}), s8(0.03, -9));
    const NodeId y = g.qdq(conv(g, x, {8, 6, 1, 1}, {2, 8, 5, 4}), s8(0.04, 5));
    const NodeId part = g.op("aten.slice.Tensor",
                             {y, std::int64_t{1}, std::int64_t{2}, std::int64_t{7}}, {2, 5, 5, 4});
    const QParams out = s8(0.017, -30);
    const Value value = g.values({2, 6, 5, 4}, 4);
    const GraphPtr graph = g.finish({g.qdq(part, out)});
    checkInt8(graph, {"conv2d", "slice_1"});
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void transposesIntoAnotherScale()
{
    const std::pair<const char*, Arguments> all[] = {
        {"aten.transpose.int", {std::int64_t{0}, std::int64_t{1}}},
        {"aten.transpose.int", {std::int64_t{-1}, std::int64_t{-2}}},
        {"aten.permute.default", {Argument::ints({1, 0})}},
        {"aten.t.default", {}}};
    for (const auto& [target, more] : all) {
        ConvertedGraph g;
        const NodeId x = g.qdq(g.input("x", {60, 12}), s8(0.03, -9));
        const NodeId y = g.qdq(linear(g, x, 12, 7, {60, 7}), s8(0.05, 4));
        Arguments args{y};
        args.insert(args.end(), more.begin(), more.end());
        const QParams out = s8(0.031, -7);
        const NodeId turned = g.qdq(g.op(target, args, {7, 60}), out);
        const Value value = g.values({60, 12}, 4);
        const GraphPtr graph = g.finish({turned});
        checkInt8(graph, {"linear", std::string(shortOpName(target))});
        checkClose(compareEngines(graph, {value}, out.scale), kSum);
    }
}

void inceptionWithScalesOfItsOwn()
{
    // Pool, clamp and cat each have other parameters in front than behind.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {1, 4, 9, 9}), s8(0.03, -9));
    const NodeId a = conv(g, x, {6, 4, 1, 1}, {1, 6, 9, 9});
    const NodeId left =
        g.qdq(g.op("aten.relu.default", {g.qdq(a, s8(0.05, 1))}, {1, 6, 9, 9}), s8(0.021, -128));
    const Argument three = Argument::ints({3, 3});
    const Argument one = Argument::ints({1, 1});
    const NodeId right =
        g.qdq(g.op("aten.max_pool2d.default", {x, three, one, one}, {1, 4, 9, 9}), s8(0.02, 3));
    const NodeId both =
        g.op("aten.cat.default", {Argument::list({left, right}), std::int64_t{1}}, {1, 10, 9, 9});
    const NodeId y = conv(g, g.qdq(both, s8(0.04, -60)), {5, 10, 1, 1}, {1, 5, 9, 9});
    const QParams out = s8(0.06, 3);
    const Value value = g.values({1, 4, 9, 9}, 4);
    const GraphPtr graph = g.finish({g.qdq(y, out)});
    checkInt8(graph, {"conv2d", "relu", "max_pool2d", "cat", "conv2d_1"});
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void catOfSeveralProducers()
{
    // As in a detector's neck: convolution, enlarged, pooled and two halves of one tensor.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {1, 4, 8, 8}), s8(0.03, -9));
    const NodeId a = g.qdq(conv(g, x, {6, 4, 1, 1}, {1, 6, 8, 8}), s8(0.05, 1));
    const auto half = [&](std::int64_t from) {
        return g.qdq(g.op("aten.slice.Tensor", {a, std::int64_t{1}, from, from + 3}, {1, 3, 8, 8}),
                     s8(0.05, 1));
    };
    const Argument two = Argument::ints({2, 2});
    const NodeId small =
        g.qdq(g.op("aten.max_pool2d.default", {x, two}, {1, 4, 4, 4}), s8(0.03, -9));
    const NodeId large = g.qdq(g.op("aten.upsample_nearest2d.vec",
                                    {small, Argument(), Argument::list({2.0, 2.0})}, {1, 4, 8, 8}),
                               s8(0.028, 2));
    const NodeId all =
        g.op("aten.cat.default", {Argument::list({half(0), half(3), large, x, a}), std::int64_t{1}},
             {1, 20, 8, 8});
    const QParams out = s8(0.07, 3);
    const NodeId y = g.qdq(conv(g, g.qdq(all, s8(0.06, 1)), {5, 20, 1, 1}, {1, 5, 8, 8}), out);
    const Value value = g.values({1, 4, 8, 8}, 4);
    const GraphPtr graph = g.finish({y});
    checkInt8(graph, {"conv2d", "cat", "conv2d_1"});
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void samePaddingOfAnEvenKernel()
{
    // One pixel more behind than in front; and a relu between two quantizations, alone.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 4, 6, 7}), s8(0.03, -9));
    const NodeId w = g.weightPerChannel({6, 4, 4, 2}, spreadScales(6));
    const NodeId y = g.qdq(g.op("aten.conv2d.padding",
                                {x, w, Argument(), Argument::ints({1, 1}), "same"}, {2, 6, 6, 7}),
                           s8(0.05, 11));
    const NodeId relu = g.qdq(g.op("aten.relu.default", {y}, {2, 6, 6, 7}), s8(0.02, -100));
    const NodeId padded =
        g.op("aten.pad.default", {relu, Argument::ints({0, 1, 1, 2})}, {2, 6, 9, 8});
    const NodeId z = conv(g, padded, {5, 6, 4, 2}, {2, 5, 6, 7});
    const QParams out = s8(0.06, 3);
    const Value value = g.values({2, 4, 6, 7}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkInt8(graph, {"conv2d", "relu", "pad", "conv2d_1"});
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void paddedConv1d()
{
    // "same" for an even kernel, and a padding in front of the op, longer behind.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {2, 4, 11}), s8(0.03, -9));
    const NodeId w = g.weightPerChannel({6, 4, 4}, spreadScales(6));
    const NodeId y = g.qdq(
        g.op("aten.conv1d.padding", {x, w, Argument(), Argument::ints({1}), "same"}, {2, 6, 11}),
        s8(0.05, 11));
    const NodeId padded = g.op("aten.pad.default", {y, Argument::ints({1, 2})}, {2, 6, 14});
    const NodeId z = conv(g, padded, {5, 6, 4}, {2, 5, 11});
    const QParams out = s8(0.06, 3);
    const Value value = g.values({2, 4, 11}, 4);
    const GraphPtr graph = g.finish({g.qdq(z, out)});
    checkInt8(graph, {"conv1d", "pad", "conv1d_1"});
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void matmulIsToldOf()
{
    ConvertedGraph g;
    const NodeId a = g.qdq(g.input("a", {2, 5, 8}), s8(0.03, -9));
    const NodeId b = g.qdq(g.input("b", {2, 8, 6}), s8(0.02, 4));
    const QParams out = s8(0.2, 3);
    const NodeId y = g.qdq(g.op("aten.matmul.default", {a, b}, {2, 5, 6}), out);
    const Value first = g.values({2, 5, 8}, 4);
    const Value second = g.values({2, 8, 6}, 3);
    const GraphPtr graph = g.finish({y});
    checkElsewhere(graph, "matmul", "int8");
    checkClose(compareEngines(graph, {first, second}, out.scale), kSum);
}

void dynamicInputOfSeveralLinears()
{
    // One chain of quantization while running, read by three; a row at a time, three axes.
    ConvertedGraph g;
    const Ints shape{1, 1, 64};
    const NodeId x = dynamicQdq(g, g.input("x", shape), shape);
    std::vector<NodeId> outputs;
    for (const std::int64_t size : {10, 24, 10}) {
        const NodeId w = g.weightPerChannel({size, 64}, spreadScales(size));
        outputs.push_back(g.op("aten.linear.default", {x, w, g.bias(size, 1)}, {1, 1, size}));
    }
    const Value value = g.values(shape, 3);
    const GraphPtr graph = g.finish(outputs);
    checkInt8(graph, {"linear", "linear_1", "linear_2"});
    auto reference = makeReferenceProgram(graph);
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY(reference.has_value() && program.has_value());
    const Value inputs[] = {value};
    const auto expected = (*reference)->run(inputs, {}, {});
    const auto actual = (*program)->run(inputs, {}, {});
    QVERIFY(expected.has_value() && actual.has_value());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto p = expected->outputs[i].tensor()->toDoubles();
        const auto q = actual->outputs[i].tensor()->toDoubles();
        for (std::size_t k = 0; k < p->size(); ++k)
            QVERIFY(std::fabs((*p)[k] - (*q)[k]) <= 0.05);
    }
}

void convolutionsOfADynamicInput()
{
    // One image: then XNNPACK's scale for each image is the graph's one for all. Padded, in groups,
    // transposed; a depthwise one has no such kernel and runs in float.
    const Argument one = Argument::ints({1, 1});
    const Argument none = Argument::ints({0, 0});
    for (const std::int64_t groups : {0, 1, 2, 4}) {
        ConvertedGraph g;
        const Ints shape{1, 4, 7, 6};
        const NodeId x = dynamicQdq(g, g.input("x", shape), shape);
        const bool isTransposed = groups == 0;
        const NodeId w = isTransposed ? g.weightPerChannel({4, 8, 3, 3}, spreadScales(8), {}, 1)
                                      : g.weightPerChannel({8, 4 / groups, 3, 3}, spreadScales(8));
        const NodeId y = isTransposed
                             ? g.op("aten.conv_transpose2d.input",
                                    {x, w, g.bias(8, 1), one, one, none, 1, one}, {1, 8, 7, 6})
                             : g.op("aten.conv2d.default",
                                    {x, w, g.bias(8, 1), one, one, one, groups}, {1, 8, 7, 6});
        const Value value = g.values(shape, 3);
        const GraphPtr graph = g.finish({g.op("aten.relu.default", {y}, {1, 8, 7, 6})});
        const Assignment assignment =
            assignmentOf(graph, isTransposed ? "conv_transpose2d" : "conv2d");
        QCOMPARE(assignment.where, groups == 4 ? Where::XnnpackFloat : Where::XnnpackInt8);
        QVERIFY2(groups == 4 || assignment.kernel.ends_with("qdint8 qcint8 (a scale per image)"),
                 assignment.kernel.c_str());
        const Comparison comparison = compareEngines(graph, {value}, 0.05);
        QVERIFY2(comparison.error.empty() && comparison.maxSteps <= 1 && comparison.distinct > 50,
                 qPrintable(comparison.error.c_str() + QString::number(comparison.maxSteps)));
    }
}

void transposedConvolutionInGroups()
{
    // Scales along the output channels work with one group only.
    const auto decided = [](std::int64_t groups) {
        ConvertedGraph g;
        const NodeId x = g.qdq(g.input("x", {1, 4, 5, 6}), s8(0.03, -9));
        const NodeId w = g.weightPerChannel({4, 6 / groups, 3, 3}, spreadScales(6 / groups), {}, 1);
        const Argument one = Argument::ints({1, 1});
        const NodeId y = g.op("aten.conv_transpose2d.input",
                              {x, w, Argument(), one, Argument::ints({0, 0}),
                               Argument::ints({0, 0}), std::int64_t{groups}, one},
                              {1, 6, 7, 8});
        const QParams out = s8(0.05, 3);
        const Value value = g.values({1, 4, 5, 6}, 4);
        const GraphPtr graph = g.finish({g.qdq(y, out)});
        checkClose(compareEngines(graph, {value}, out.scale), kSum);
        return assignmentOf(graph, "conv_transpose2d");
    };
    QCOMPARE(decided(1).where, Where::XnnpackInt8);
    const Assignment grouped = decided(2);
    QCOMPARE(grouped.where, Where::XnnpackFloat);
    QVERIFY2(grouped.reason.find("one scale per output channel") != std::string::npos,
             grouped.reason.c_str());
}

void floatDeconvolutionInGroups()
{
    ConvertedGraph g;
    const NodeId x = g.input("x", {2, 4, 5, 6});
    const Argument two = Argument::ints({2, 2});
    const Argument one = Argument::ints({1, 1});
    const NodeId y =
        g.op("aten.conv_transpose2d.input",
             {x, g.floats({4, 3, 3, 2}, 1), g.bias(6, 1), two, one, one, std::int64_t{2}, one},
             {2, 6, 10, 11});
    const Value value = g.values({2, 4, 5, 6}, 1);
    const GraphPtr graph = g.finish({y});
    QCOMPARE(assignmentOf(graph, "conv_transpose2d").where, Where::XnnpackFloat);
    const Comparison comparison = compareEngines(graph, {value}, 1e-5);
    QVERIFY2(comparison.error.empty() && comparison.maxSteps <= 1,
             qPrintable(comparison.error.c_str() + QString::number(comparison.maxSteps)));
}

constexpr NamedCheck kRows[] = {
    {"8994, 12341: a mask of huge range is added", maskOfHugeRange},
    {"21829, 21831: a slice into another scale", sliceIntoAnotherScale},
    {"19836: transposes of all spellings into another scale", transposesIntoAnotherScale},
    {"876: scales differ around ops that only pass values on", inceptionWithScalesOfItsOwn},
    {"1330, 11523: cat of several producers", catOfSeveralProducers},
    {"20517, 20553: same padding of an even kernel, relu alone", samePaddingOfAnEvenKernel},
    {"20558, 20734: conv1d padded on one side", paddedConv1d},
    {"8138: matmul is told of", matmulIsToldOf},
    {"9022, 1867, 8830: one dynamic quantization for several linears",
     dynamicInputOfSeveralLinears},
    {"8830: convolutions of a dynamic input", convolutionsOfADynamicInput},
    {"11730: transposed convolution in groups", transposedConvolutionInGroups},
    {"XNNPACK 1951: float deconvolution in groups", floatDeconvolutionInGroups},
};

} // namespace

class TestXnnpackRegressions : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ops_data();
    void ops();
};

void TestXnnpackRegressions::ops_data() { addRows(kRows); }

void TestXnnpackRegressions::ops()
{
    QFETCH(int, index);
    kRows[index].check();
}

QTEST_GUILESS_MAIN(TestXnnpackRegressions)
#include "tst_xnnpack_regressions.moc"
