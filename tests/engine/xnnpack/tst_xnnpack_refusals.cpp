// What XNNPACK must not be given goes to LibTorch, with a reason that says why, and the program still
// computes exactly what the reference does. XNNPACK itself would abort on some of these or compute
// garbage, so that each must be refused by us.
#include "tests/engine/xnnpack/ConvertedGraph.h"

#include <QTest>
#include <functional>

using namespace pt2e;
using namespace pt2e::test;
using Ints = std::vector<std::int64_t>;

namespace {

/// A graph with the op in question, the inputs' shapes and what the reason has to say.
struct Case
{
    std::string node;
    std::string reason;
    Ints input;
    std::function<NodeId(ConvertedGraph&, NodeId x)> build; ///< from the float input to the output
};

struct ConvolutionChoice
{
    QParams in = s8(0.03, 3);
    QParams out = s8(0.2, 3);
    std::vector<double> scales = std::vector<double>(4, 0.005);
    Ints zeroPoints;
    std::int64_t axis = 0;
    double bias = 1;
    Ints stride = {1, 1};
};

std::function<NodeId(ConvertedGraph&, NodeId)> convolution(const ConvolutionChoice& choice)
{
    return [choice](ConvertedGraph& g, NodeId x) {
        const NodeId w =
            g.weightPerChannel({4, 4, 3, 3}, choice.scales, choice.zeroPoints, choice.axis);
        const NodeId b = g.bias(4, choice.bias);
        const NodeId y = g.op("aten.conv2d.default", {g.qdq(x, choice.in), w, b}, {1, 4, 4, 4});
        return g.qdq(y, choice.out);
    };
}

std::function<NodeId(ConvertedGraph&, NodeId)> unary(const std::string& target, Arguments more,
                                                     const QParams& in, const QParams& out,
                                                     const Ints& shape, KeywordArguments kw = {})
{
    return [=](ConvertedGraph& g, NodeId x) {
        Arguments args = {g.qdq(x, in)};
        args.insert(args.end(), more.begin(), more.end());
        return g.qdq(g.op(target, args, shape, kw), out);
    };
}

std::function<NodeId(ConvertedGraph&, NodeId)> addition(const QParams& a, const QParams& b,
                                                        const QParams& out,
                                                        KeywordArguments kw = {})
{
    return [=](ConvertedGraph& g, NodeId x) {
        const NodeId first = g.qdq(x, a);
        const NodeId second = g.qdq(g.op("aten.neg.default", {x}, {1, 4, 6, 6}), b);
        return g.qdq(g.op("aten.add.Tensor", {first, second}, {1, 4, 6, 6}, kw), out);
    };
}

ConvolutionChoice with(const std::function<void(ConvolutionChoice&)>& change)
{
    ConvolutionChoice choice;
    change(choice);
    return choice;
}

std::vector<std::pair<const char*, Case>> cases()
{
    const Ints image = {1, 4, 6, 6};
    const QParams mid = s8(0.03, 3);
    const Argument two = Argument::ints({2, 2});
    return {
        {"requantization scale too large",
         {"conv2d", "XNNPACK takes 2^-32 up to 256", image, convolution(with([](auto& c) {
              c.in = s8(4.0, 3);
              c.scales[2] = 8;
              c.out = s8(0.1, 0);
          }))}},
        {"requantization scale too small",
         {"conv2d", "XNNPACK takes 2^-32 up to 256", image, convolution(with([](auto& c) {
              c.in = s8(1e-6, 3);
              c.scales[1] = 1e-6;
              c.out = s8(10, 0);
              c.bias = 1e-9;
          }))}},
        {"weight zero point",
         {"conv2d", "zero point other than 0", image, convolution(with([](auto& c) {
              c.zeroPoints = {0, 1, 0, 0};
          }))}},
        {"weight axis",
         {"conv2d", "along axis 1", image, convolution(with([](auto& c) { c.axis = 1; }))}},
        {"weight scale 0", {"conv2d", "not a normal number", image, convolution(with([](auto& c) {
                                c.scales[3] = 0;
                            }))}},
        {"bias too large", {"conv2d", "too large for 32 bits", image, convolution(with([](auto& c) {
                                c.bias = 1e9;
                            }))}},
        {"activation scale denormal",
         {"conv2d", "is not a normal number above 0", image,
          convolution(with([](auto& c) { c.in = s8(1e-40, 0); }))}},
        {"float weight",
         {"conv2d", "its weight is not a constant", image,
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId w = g.floats({4, 4, 3, 3}, 1);
              return g.qdq(g.op("aten.conv2d.default", {g.qdq(x, mid), w}, {1, 4, 4, 4}),
                           s8(0.3, 0));
          }}},
        {"computed weight",
         {"conv2d",
          "its weight is not a constant",
          {4, 4, 3, 3},
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId q = g.qdq(x, mid);
              return g.qdq(g.op("aten.conv2d.default", {q, q}, {4, 4, 1, 1}), s8(0.3, 0));
          }}},
        {"float input",
         {"conv2d", "input x is float: the quantizer did not annotate this op", image,
          [](ConvertedGraph& g, NodeId x) {
              const NodeId w = g.weightPerChannel({4, 4, 3, 3}, {0.1, 0.1, 0.1, 0.1});
              return g.qdq(g.op("aten.conv2d.default", {x, w}, {1, 4, 4, 4}), s8(0.3, 0));
          }}},
        {"float output",
         {"conv2d", "its output is float (read by the model's output)", image,
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId w = g.weightPerChannel({4, 4, 3, 3}, {0.1, 0.1, 0.1, 0.1});
              return g.op("aten.conv2d.default", {g.qdq(x, mid), w}, {1, 4, 4, 4});
          }}},
        {"no kernel",
         {"cumsum", "there is no int8 kernel for aten.cumsum.default", image,
          unary("aten.cumsum.default", {std::int64_t{1}}, mid, s8(0.1, 0), image)}},
        {"product ratio",
         {"mul", "product of the scales / output scale", image,
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId c = g.weightPerTensor({1, 4, 6, 6}, mid);
              const NodeId y = g.op("aten.mul.Tensor", {g.qdq(x, mid), c}, {1, 4, 6, 6});
              return g.qdq(y, s8(1e-6, 0));
          }}},
        {"pool to windows of unequal size",
         {"adaptive_avg_pool2d", "windows of unequal size", image,
          unary("aten.adaptive_avg_pool2d.default", {Argument::ints({4, 4})}, mid, mid,
                {1, 4, 4, 4})}},
        {"negative padding",
         {"pad", "cuts off a border", image,
          unary("aten.pad.default", {Argument::ints({-1, 0}), "constant", 1.0}, mid, mid,
                {1, 4, 6, 5})}},
        {"reflecting padding",
         {"pad", "other values than a constant", image,
          unary("aten.pad.default", {Argument::ints({1, 1, 1, 1}), "reflect"}, mid, mid,
                {1, 4, 8, 8})}},
        {"slice with a step",
         {"slice_1", "its step is not 1", image,
          unary("aten.slice.Tensor",
                {std::int64_t{2}, std::int64_t{0}, std::int64_t{6}, std::int64_t{2}}, mid, mid,
                {1, 4, 3, 6})}},
        {"16 bits",
         {"neg", "quantized to int16", image,
          [](ConvertedGraph& g, NodeId x) {
              const QParams wide{0.001, 0, DType::Int16, -32768, 32767};
              return g.qdq(g.op("aten.neg.default", {g.qdq(x, wide)}, {1, 4, 6, 6}), wide);
          }}},
        {"add ratio too small",
         {"add", "first scale / output scale is", image, addition(s8(1e-5, 0), mid, s8(0.1, 0))}},
        {"add ratio too large",
         {"add", "second scale / output scale is", image, addition(mid, s8(30, 0), s8(0.1, 0))}},
        {"add alpha",
         {"add", "alpha", image, addition(mid, mid, s8(0.1, 0), {{"alpha", std::int64_t{2}}})}},
        {"mean ratio",
         {"mean", "input scale / output scale", image,
          unary("aten.mean.dim", {Argument::ints({2, 3}), true}, mid, s8(30, 0), {1, 4, 1, 1})}},
        {"mean into another dtype",
         {"mean", "keyword", image,
          unary("aten.mean.dim", {Argument::ints({2, 3}), true}, mid, mid, {1, 4, 1, 1},
                {{"dtype", DType::Float32}})}},
        {"pool stride",
         {"max_pool2d", "larger than the kernel", image,
          unary("aten.max_pool2d.default", {two, Argument::ints({3, 3})}, mid, mid, {1, 4, 2, 2})}},
        {"pool 1x1",
         {"max_pool2d", "1x1 window", image,
          unary("aten.max_pool2d.default", {Argument::ints({1, 1})}, mid, mid, image)}},
        {"training dropout of nothing",
         {"dropout", "training", image,
          unary("aten.dropout.default", {0.0, true}, mid, mid, image)}},
        {"rank 7",
         {"relu",
          "XNNPACK takes 1 to 6",
          {1, 2, 1, 2, 1, 2, 3},
          unary("aten.relu.default", {}, mid, mid, {1, 2, 1, 2, 1, 2, 3})}},
        {"empty tensor",
         {"relu", "it is empty", {0, 3}, unary("aten.relu.default", {}, mid, mid, {0, 3})}},
        {"other dequantize parameters",
         {"relu", "has other parameters", image,
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId q = g.quantize(x, mid);
              const NodeId d = g.dequantize(q, s8(0.05, 3));
              return g.qdq(g.op("aten.relu.default", {d}, {1, 4, 6, 6}), mid);
          }}},
        {"in place through a view",
         {"relu_", "the graph stays whole: relu_ writes view in place", image,
          [mid](ConvertedGraph& g, NodeId x) {
              const NodeId d = g.qdq(x, mid);
              const NodeId view = g.op("aten.view.default", {d, Argument::ints({4, 36})}, {4, 36});
              const NodeId a = g.op("aten.relu_.default", {view}, {4, 36});
              const NodeId b = g.op("aten.sin.default", {d}, {1, 4, 6, 6});
              return g.op("aten.sub.Tensor", {b, g.op("aten.sum.default", {a}, {})}, {1, 4, 6, 6});
          }}},
    };
}

} // namespace

class TestXnnpackRefusals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refused_data();
    void refused();
    void refusedByXnnpack();
    void narrowRange();
};

void TestXnnpackRefusals::refused_data()
{
    QTest::addColumn<int>("index");
    const auto all = cases();
    for (std::size_t i = 0; i < all.size(); ++i)
        QTest::newRow(all[i].first) << static_cast<int>(i);
}

void TestXnnpackRefusals::refused()
{
    QFETCH(int, index);
    const Case test = cases()[static_cast<std::size_t>(index)].second;
    ConvertedGraph g;
    const NodeId x = g.input("x", test.input);
    const NodeId y = test.build(g, x);
    const Value value = g.values(test.input, 3);
    const GraphPtr graph = g.finish({y});
    // Without float on XNNPACK, so that what int8 refuses is LibTorch's, to the bit.
    XnnpackOptions int8Only;
    int8Only.hasFloat = false;
    const Assignment assignment = assignmentOf(graph, test.node, int8Only);
    QVERIFY(assignment.node.isValid());
    QCOMPARE(assignment.where, Assignment::Where::LibTorch);
    QVERIFY2(assignment.reason.find(test.reason) != std::string::npos, assignment.reason.c_str());
    const Comparison comparison = compareEngines(graph, {value}, 1, int8Only);
    QVERIFY2(comparison.error.empty(), comparison.error.c_str());
    QCOMPARE(comparison.maxSteps, 0.0);
}

void TestXnnpackRefusals::refusedByXnnpack()
{
    // A rule that accepts what XNNPACK then refuses: the op goes to LibTorch with XNNPACK's answer.
    using namespace pt2e::xnn;
    const OpRule table[] = {{"aten.max_pool2d.default", false,
                             [](const OpCall&) { return Decision::yes("x", DataLayout::Any); },
                             [](const OpCall&, Emitter&) -> Result<void> {
                                 return fail(ErrorCode::Internal, "xnnpack: pool",
                                             "unsupported parameter");
                             }}};
    ConvertedGraph g;
    const QParams params = s8(0.03, 3);
    const NodeId x = g.qdq(g.input("x", {1, 2, 4, 6}), params);
    const Value value = g.values({1, 2, 4, 6}, 3);
    const NodeId y = g.op("aten.max_pool2d.default", {x, Argument::ints({2, 2})}, {1, 2, 2, 3});
    const GraphPtr graph = g.finish({g.qdq(y, params)});
    auto program = compileProgram(graph, {}, table);
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    for (const Assignment& assignment : (*program)->assignments()) {
        if (graph->node(assignment.node).name == "max_pool2d") {
            QCOMPARE(assignment.where, Assignment::Where::LibTorch);
            QVERIFY2(assignment.reason.find("unsupported parameter") != std::string::npos,
                     assignment.reason.c_str());
        }
    }
    const Value inputs[] = {value};
    QVERIFY((*program)->run(inputs, {}, {}).has_value());
}

void TestXnnpackRefusals::narrowRange()
{
    // A quantizer's range narrower than int8: made by LibTorch at the input, by clipping behind an
    // op.
    for (const DType dtype : {DType::Int8, DType::UInt8}) {
        const std::int64_t shift = dtype == DType::UInt8 ? 128 : 0;
        const auto narrow = [&](double scale) {
            return QParams{static_cast<double>(static_cast<float>(scale)), 10 + shift, dtype,
                           -64 + shift, 63 + shift};
        };
        ConvertedGraph g;
        const NodeId w = g.weightPerChannel({4, 4, 3, 3}, {0.01, 0.02, 0.005, 0.01});
        const NodeId x = g.qdq(g.input("x", {2, 4, 19, 19}), narrow(0.03));
        const NodeId y = g.qdq(g.op("aten.conv2d.default", {x, w}, {2, 4, 17, 17}), narrow(0.15));
        const NodeId z =
            g.qdq(g.op("aten.max_pool2d.default", {y, Argument::ints({2, 2})}, {2, 4, 8, 8}),
                  narrow(0.1));
        const Value value = g.values({2, 4, 19, 19}, 4);
        const GraphPtr graph = g.finish({z});
        QCOMPARE(assignmentOf(graph, "conv2d").where, Assignment::Where::XnnpackInt8);
        QCOMPARE(assignmentOf(graph, "max_pool2d").where, Assignment::Where::XnnpackInt8);
        const Assignment quantize = assignmentOf(graph, "quantize_per_tensor_default");
        QCOMPARE(quantize.reason, std::string("its range is narrower than int8"));
        const Comparison comparison = compareEngines(graph, {value}, narrow(0.1).scale);
        QVERIFY2(comparison.error.empty(), comparison.error.c_str());
        QVERIFY2(comparison.maxSteps <= 1.01 && comparison.shareDiffering < 0.02,
                 qPrintable(QString::number(comparison.shareDiffering)));
        QVERIFY(comparison.distinct > 20);
    }
}

QTEST_GUILESS_MAIN(TestXnnpackRefusals)
#include "tst_xnnpack_refusals.moc"
