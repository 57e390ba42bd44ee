// Paddings before int8 convolutions become part of them: equal in every bit to the plain form, which
// runs where values are told of.
#include "core/engine/xnnpack/Spread.h"
#include "tests/engine/xnnpack/OpChecks.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// x → pad → convolution, as models with TensorFlow's "same" padding have it.
struct Padded
{
    Ints pads{0, 1, 0, 1}; ///< left, right, top, bottom, …
    double value = 0;
    std::int64_t channels = 8;
    std::int64_t groups = 1;
    bool isInput = false; ///< the padded value is the graph's input, not yet quantized
    bool isQuantizedAnew = false; ///< behind the padding, with other parameters
    bool isTwice = false; ///< padded again
    bool isReadTwice = false;
    bool isUnsigned = false;
    std::string into = "conv2d_1"; ///< what takes the padding in; empty: nothing
};

const Ints kImage{2, 8, 11, 10};

Ints paddedShape(Ints shape, const Ints& pads)
{
    for (std::size_t i = 0; i < pads.size(); i += 2)
        shape[shape.size() - 1 - i / 2] += pads[i] + pads[i + 1];
    return shape;
}

GraphPtr graphOf(const Padded& c, ConvertedGraph& g)
{
    const auto type = [&](double scale, std::int64_t zero) {
        return c.isUnsigned ? u8(scale, zero + 128) : s8(scale, zero);
    };
    Ints shape = kImage;
    shape[1] = c.channels;
    NodeId x = g.input("x", shape);
    if (!c.isInput) {
        // A convolution before it, so that the value is channels last.
        const NodeId w =
            g.weightPerChannel({c.channels, c.channels, 1, 1}, spreadScales(c.channels));
        x = g.qdq(g.op("aten.conv2d.default", {g.qdq(x, type(0.03, -7)), w}, shape),
                  type(0.06, 11));
    }
    NodeId padded = x;
    Ints size = shape;
    for (int i = 0; i < (c.isTwice ? 2 : 1); ++i) {
        size = paddedShape(size, c.pads);
        padded =
            g.op("aten.pad.default", {padded, Argument::ints(c.pads), "constant", c.value}, size);
    }
    const QParams second = c.isQuantizedAnew || c.isInput ? type(0.05, -30) : type(0.06, 11);
    padded = g.qdq(padded, second);
    const std::int64_t perGroup = size[1] / c.groups;
    const NodeId w = g.weightPerChannel({16, perGroup, 3, 3}, spreadScales(16));
    const Ints result{size[0], 16, (size[2] - 3) / 2 + 1, (size[3] - 3) / 2 + 1};
    const NodeId y = g.op("aten.conv2d.default",
                          {padded, w, g.bias(16, 0.2), Argument::ints({2, 2}),
                           Argument::ints({0, 0}), Argument::ints({1, 1}), c.groups},
                          result);
    std::vector<NodeId> outputs{g.qdq(y, type(0.2, -3))};
    if (c.isReadTwice)
        outputs.push_back(g.op("aten.relu.default", {padded}, size));
    return g.finish(outputs);
}

/// The plain form of a program: told of every value, it fuses nothing.
void checkSameBits(XnnpackProgram& program, const Value& value)
{
    const Value inputs[] = {value};
    RunOptions plain;
    plain.onValue = [](NodeId, const Value&) -> Result<void> { return {}; };
    const auto expected = program.run(inputs, plain, {});
    const auto actual = program.run(inputs, {}, {});
    QVERIFY2(expected.has_value(), expected ? "" : expected.error().message().c_str());
    QVERIFY2(actual.has_value(), actual ? "" : actual.error().message().c_str());
    for (std::size_t i = 0; i < expected->outputs.size(); ++i)
        QCOMPARE(sha256(*actual->outputs[i].tensor()).value(),
                 sha256(*expected->outputs[i].tensor()).value());
}

} // namespace

class TestXnnpackPads : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pads_data();
    void pads();
    void nothingIsMovedAround();
};

void TestXnnpackPads::pads_data()
{
    QTest::addColumn<Padded>("c");
    QTest::newRow("below and right") << Padded{};
    QTest::newRow("all sides") << Padded{.pads = {1, 2, 3, 0}};
    QTest::newRow("depthwise") << Padded{.groups = 8};
    QTest::newRow("other parameters behind it") << Padded{.isQuantizedAnew = true};
    QTest::newRow("depthwise, other parameters") << Padded{.groups = 8, .isQuantizedAnew = true};
    QTest::newRow("uint8") << Padded{.isQuantizedAnew = true, .isUnsigned = true};
    QTest::newRow("one after the other") << Padded{.isTwice = true};
    QTest::newRow("the input") << Padded{.isInput = true, .into = "conv2d"};
    QTest::newRow("the input, three channels")
        << Padded{.channels = 3, .isInput = true, .into = "conv2d"};
    QTest::newRow("another value") << Padded{.value = 0.5, .into = ""};
    QTest::newRow("channels") << Padded{.pads = {0, 1, 0, 1, 4, 4}, .into = ""};
    QTest::newRow("read by another") << Padded{.isReadTwice = true, .into = ""};
}

void TestXnnpackPads::pads()
{
    QFETCH(Padded, c);
    ConvertedGraph g;
    const GraphPtr graph = graphOf(c, g);
    Ints shape = kImage;
    shape[1] = c.channels;
    const Value value = g.values(shape, 4);
    const Assignment assignment = assignmentOf(graph, "pad");
    if (c.into.empty())
        QVERIFY(assignment.where != Assignment::Where::Absorbed);
    else
        QCOMPARE(assignment.kernel, "fused into " + c.into);
    auto program = makeXnnpackProgram(graph, {});
    QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
    checkSameBits(**program, value);
    checkClose(compareEngines(graph, {value}, 0.2), 0.02);
    // And the graph that is planned computes the same on LibTorch.
    const GraphPtr spread = xnn::spreadQuantization(graph);
    auto before = makeReferenceProgram(graph);
    auto after = makeReferenceProgram(spread);
    const Value inputs[] = {value};
    const auto a = (*before)->run(inputs, {}, {});
    const auto b = (*after)->run(inputs, {}, {});
    QVERIFY2(b.has_value(), b ? "" : b.error().message().c_str());
    QCOMPARE(sha256(*a->outputs[0].tensor()).value(), sha256(*b->outputs[0].tensor()).value());
}

void TestXnnpackPads::nothingIsMovedAround()
{
    // A change of parameters between convolutions, with a padding or without, stays channels last.
    for (const bool hasPad : {false, true}) {
        ConvertedGraph g;
        Padded c{.isQuantizedAnew = true};
        if (!hasPad)
            c.pads = {};
        const GraphPtr graph = graphOf(c, g);
        XnnpackOptions options;
        options.isProfiled = true;
        auto program = makeXnnpackProgram(graph, options);
        const Value inputs[] = {g.values(kImage, 4)};
        QVERIFY((*program)->run(inputs, {}, {}).has_value());
        int transposes = 0;
        for (const auto& time : (*program)->operatorTimes())
            transposes += time.name.find("Transpose") != std::string::npos ? 1 : 0;
        QCOMPARE(transposes, 2); // of the graph's input and output
        QCOMPARE((*program)->transposes(), std::vector<int>({2}));
    }
}

QTEST_GUILESS_MAIN(TestXnnpackPads)
#include "tst_xnnpack_pads.moc"
