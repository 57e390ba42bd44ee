// First convolutions over unrolled inputs: equal in every bit to the plain form, which runs where
// values are told of.
#include "tests/engine/xnnpack/OpChecks.h"

#include <cmath>

using namespace pt2e;
using namespace pt2e::test;

namespace {

struct Stem
{
    Ints image{1, 3, 18, 18}; ///< N, C, H, W
    Ints kernel{3, 3};
    Ints stride{2, 2};
    Ints padding{1, 1};
    Ints dilation{1, 1};
    std::string form = "unroll 3x3 taps"; ///< what the kernel does besides quantizing
    QParams input = s8(0.031, -20);
    int threads = 1;
    std::string namedPadding{};
};

std::int64_t resultSize(const Stem& s, std::size_t axis)
{
    const std::int64_t window = s.dilation[axis] * (s.kernel[axis] - 1) + 1;
    const std::int64_t pads = s.namedPadding.empty()     ? 2 * s.padding[axis]
                              : s.namedPadding == "same" ? window - 1
                                                         : 0;
    return (s.image[2 + axis] + pads - window) / s.stride[axis] + 1;
}

/// Any values, ones that lie between two steps, and ones far outside of the range.
Value hardValues(ConvertedGraph& g, const Stem& s)
{
    const Value plain = g.values(s.image, 6);
    const auto doubles = plain.tensor()->toDoubles();
    std::vector<float> values;
    for (const double value : *doubles) {
        const std::size_t i = values.size();
        auto x = static_cast<float>(value);
        if (i % 5 == 0)
            x = (std::floor(x / static_cast<float>(s.input.scale)) + 0.5F)
                * static_cast<float>(s.input.scale);
        if (i % 97 == 3)
            x *= 1e30F;
        if (i % 89 == 7)
            x = i % 2 == 0 ? INFINITY : -INFINITY;
        values.push_back(x);
    }
    return {Tensor::fromValues(DType::Float32, s.image, std::span<const float>(values))};
}

GraphPtr graphOf(const Stem& s, ConvertedGraph& g, std::int64_t outputs, const QParams& out)
{
    const Ints weight{outputs, s.image[1], s.kernel[0], s.kernel[1]};
    const Ints shape{s.image[0], outputs, resultSize(s, 0), resultSize(s, 1)};
    const NodeId x = g.qdq(g.input("x", s.image), s.input);
    const NodeId w = g.weightPerChannel(weight, spreadScales(outputs));
    const NodeId b = g.bias(outputs, 0.3);
    const bool isNamed = !s.namedPadding.empty();
    const Argument padding = isNamed ? Argument(s.namedPadding) : Argument::ints(s.padding);
    const NodeId y =
        g.op(isNamed ? "aten.conv2d.padding" : "aten.conv2d.default",
             {x, w, b, Argument::ints(s.stride), padding, Argument::ints(s.dilation)}, shape);
    return g.finish({g.qdq(g.op("aten.relu.default", {y}, shape), out)});
}

/// Exact bytes of the output of both forms.
void checkSameBits(XnnpackProgram& program, const Value& value)
{
    const Value inputs[] = {value};
    RunOptions plain;
    plain.onValue = [](NodeId, const Value&) -> Result<void> { return {}; };
    const auto expected = program.run(inputs, plain, {});
    QVERIFY2(expected.has_value(), expected ? "" : expected.error().message().c_str());
    for (int again = 0; again < 2; ++again) {
        const auto actual = program.run(inputs, {}, {});
        QVERIFY2(actual.has_value(), actual ? "" : actual.error().message().c_str());
        QCOMPARE(sha256(*actual->outputs[0].tensor()).value(),
                 sha256(*expected->outputs[0].tensor()).value());
    }
}

std::string inputKernel(const GraphPtr& graph)
{
    return assignmentOf(graph, "quantize_per_tensor_default").kernel;
}

} // namespace

class TestXnnpackUnroll : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void forms_data();
    void forms();
    void sizes();
    void zeroPoints();
    void otherSizes();
    void plainOnes_data();
    void plainOnes();
    void wrongInputs();
};

void TestXnnpackUnroll::forms_data()
{
    QTest::addColumn<Stem>("stem");
    QTest::newRow("3x3 stride 2") << Stem{};
    QTest::newRow("3x3 stride 1") << Stem{.stride = {1, 1}};
    QTest::newRow("7x7 stride 2, as ResNet") << Stem{
        .image = {1, 3, 61, 64}, .kernel = {7, 7}, .padding = {3, 3}, .form = "unroll 1x7 taps"};
    QTest::newRow("7x7, two threads") << Stem{.image = {2, 3, 128, 128},
                                              .kernel = {7, 7},
                                              .padding = {3, 3},
                                              .form = "unroll 1x7 taps",
                                              .threads = 2};
    QTest::newRow("3x3, two threads") << Stem{.image = {3, 3, 129, 127}, .threads = 2};
    QTest::newRow("10x4, one channel") << Stem{
        .image = {1, 1, 49, 10}, .kernel = {10, 4}, .padding = {5, 1}, .form = "unroll 10x4 taps"};
    QTest::newRow("5x5, one channel") << Stem{.image = {1, 1, 28, 28},
                                              .kernel = {5, 5},
                                              .stride = {1, 1},
                                              .padding = {2, 2},
                                              .form = "unroll 1x5 taps"};
    QTest::newRow("two channels") << Stem{.image = {2, 2, 20, 37}, .form = "unroll 1x3 taps"};
    QTest::newRow("four channels") << Stem{.image = {2, 4, 20, 37}};
    QTest::newRow("five channels") << Stem{.image = {2, 5, 20, 37}, .form = "unroll 1x3 taps"};
    QTest::newRow("more padding than window")
        << Stem{.image = {1, 3, 5, 6}, .stride = {1, 1}, .padding = {4, 5}};
    QTest::newRow("strides apart, no padding") << Stem{.image = {1, 3, 23, 22},
                                                       .kernel = {3, 2},
                                                       .stride = {1, 3},
                                                       .padding = {0, 0},
                                                       .form = "unroll 1x2 taps"};
    QTest::newRow("dilated rows") << Stem{.padding = {3, 1}, .dilation = {3, 1}};
    QTest::newRow("same") << Stem{.image = {1, 3, 17, 16},
                                  .kernel = {4, 2},
                                  .stride = {1, 1},
                                  .form = "unroll 4x2 taps",
                                  .namedPadding = "same"};
    QTest::newRow("one pixel, stride 2")
        << Stem{.kernel = {1, 1}, .padding = {0, 0}, .form = "channels last"};
    QTest::newRow("one pixel") << Stem{
        .kernel = {1, 1}, .stride = {1, 1}, .padding = {0, 0}, .form = "channels last"};
    QTest::newRow("dilated columns")
        << Stem{.padding = {1, 2}, .dilation = {1, 2}, .form = "channels last"};
    QTest::newRow("uint8") << Stem{.input = u8(0.031, 110)};
}

void TestXnnpackUnroll::forms()
{
    QFETCH(Stem, stem);
    ConvertedGraph g;
    const QParams out = s8(0.2, -128);
    const GraphPtr graph = graphOf(stem, g, 24, out);
    const std::string kernel = inputKernel(graph);
    QVERIFY2(kernel.find(stem.form + " (own kernel)") != std::string::npos, kernel.c_str());
    XnnpackOptions options;
    options.threads = stem.threads;
    auto program = makeXnnpackProgram(graph, options);
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    for (const Assignment& one : (*program)->assignments())
        QVERIFY(one.where != Assignment::Where::LibTorch);
    checkSameBits(**program, hardValues(g, stem));
    checkClose(compareEngines(graph, {g.values(stem.image, 4)}, out.scale, options), kSum);
}

void TestXnnpackUnroll::sizes()
{
    // Every remainder of the width by vectors and strides, even and odd paddings.
    for (std::int64_t width = 7; width < 40; ++width) {
        for (const std::int64_t padding : {0, 1, 3}) {
            Stem stem;
            stem.image = {1, 3, 7 + width % 4, width};
            stem.kernel = width % 2 == 0 ? Ints{7, 7} : Ints{3, 3};
            stem.padding = {padding, padding};
            ConvertedGraph g(static_cast<unsigned>(width));
            const GraphPtr graph = graphOf(stem, g, 16, s8(0.2, -3));
            QVERIFY(inputKernel(graph).find("unroll") != std::string::npos);
            auto program = makeXnnpackProgram(graph, {});
            checkSameBits(**program, hardValues(g, stem));
        }
    }
}

void TestXnnpackUnroll::zeroPoints()
{
    for (const std::int64_t zero : {-128, -127, -1, 0, 1, 64, 127}) {
        Stem stem;
        stem.input = s8(0.0171, zero);
        ConvertedGraph g;
        const GraphPtr graph = graphOf(stem, g, 16, s8(0.2, -3));
        auto program = makeXnnpackProgram(graph, {});
        checkSameBits(**program, hardValues(g, stem));
    }
}

void TestXnnpackUnroll::otherSizes()
{
    ConvertedGraph g;
    const Stem stem;
    const GraphPtr graph = graphOf(stem, g, 16, s8(0.2, -3));
    auto program = makeXnnpackProgram(graph, {});
    for (const Ints& image : {Ints{4, 3, 18, 18}, Ints{1, 3, 33, 20}, Ints{1, 3, 18, 18}}) {
        Stem other = stem;
        other.image = image;
        checkSameBits(**program, hardValues(g, other));
    }
}

void TestXnnpackUnroll::plainOnes_data()
{
    QTest::addColumn<Stem>("stem");
    QTest::addColumn<bool>("isReadTwice");
    QTest::newRow("enough channels") << Stem{.image = {1, 8, 18, 18}} << false;
    QTest::newRow("read by another") << Stem{} << true;
}

void TestXnnpackUnroll::plainOnes()
{
    QFETCH(Stem, stem);
    QFETCH(bool, isReadTwice);
    ConvertedGraph g;
    const Ints shape{stem.image[0], 16, resultSize(stem, 0), resultSize(stem, 1)};
    const NodeId q = g.quantize(g.input("x", stem.image), stem.input);
    const NodeId x = g.dequantize(q, stem.input);
    const NodeId w =
        g.weightPerChannel({16, stem.image[1], stem.kernel[0], stem.kernel[1]}, spreadScales(16));
    const QParams out = s8(0.2, -3);
    const NodeId y = g.qdq(g.op("aten.conv2d.default",
                                {x, w, Argument(), Argument::ints(stem.stride),
                                 Argument::ints(stem.padding), Argument::ints(stem.dilation)},
                                shape),
                           out);
    const Value value = g.values(stem.image, 4);
    std::vector<NodeId> outputs{y};
    if (isReadTwice)
        outputs.push_back(g.op("aten.relu.default", {x}, stem.image));
    const GraphPtr graph = g.finish(outputs);
    QCOMPARE(inputKernel(graph), std::string("convert f32 to qs8"));
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void TestXnnpackUnroll::wrongInputs()
{
    ConvertedGraph g;
    const GraphPtr graph = graphOf({}, g, 16, s8(0.2, -3));
    auto program = makeXnnpackProgram(graph, {});
    const std::vector<double> doubles(3 * 18 * 18, 0.5);
    const Value wrong[] = {
        {Tensor::fromValues(DType::Float64, {1, 3, 18, 18}, std::span<const double>(doubles))}};
    const auto report = (*program)->run(wrong, {}, {});
    QVERIFY(!report.has_value());
    QCOMPARE(report.error().message(),
             std::string("x: is float64 1x3x18x18; the program is made for float32 1x3x18x18"));
    const Value number[] = {{1.0}};
    QVERIFY(!(*program)->run(number, {}, {}).has_value());
}

QTEST_GUILESS_MAIN(TestXnnpackUnroll)
#include "tst_xnnpack_unroll.moc"
