// Networks of the kinds that failed elsewhere, small: the numbers in front are those of
// pytorch/executorch's issues.
#include "tests/engine/xnnpack/NamedChecks.h"

#include <QTest>
#include <set>

using namespace pt2e;
using namespace pt2e::test;

namespace {

using Where = Assignment::Where;

void squeezeAndExcite()
{
    // As in MobileNetV3, whose users did not see what had been lowered: each node says where it runs.
    ConvertedGraph g;
    const Ints image{1, 8, 9, 9};
    const NodeId x = g.qdq(g.input("x", {1, 4, 9, 9}), s8(0.03, -9));
    const NodeId a = g.qdq(conv(g, x, {8, 4, 1, 1}, image), s8(0.05, 1));
    const NodeId h = g.qdq(g.op("aten.hardswish.default", {a}, image), s8(0.03, -115));
    const NodeId mean = g.op("aten.mean.dim", {h, Argument::ints({2, 3}), true}, {1, 8, 1, 1});
    const NodeId s = conv(g, g.qdq(mean, s8(0.02, -100)), {4, 8, 1, 1}, {1, 4, 1, 1});
    const NodeId relu = g.qdq(g.op("aten.relu.default", {s}, {1, 4, 1, 1}), s8(0.02, -128));
    const NodeId e = g.qdq(conv(g, relu, {8, 4, 1, 1}, {1, 8, 1, 1}), s8(0.03, 3));
    const NodeId gate =
        g.qdq(g.op("aten.hardsigmoid.default", {e}, {1, 8, 1, 1}), s8(1.0 / 255, -128));
    const QParams out = s8(0.03, -115);
    const NodeId y = g.qdq(g.op("aten.mul.Tensor", {h, gate}, image), out);
    const Value value = g.values({1, 4, 9, 9}, 4);
    const GraphPtr graph = g.finish({y});
    const auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    const auto assignments = (*program)->assignments();
    QCOMPARE(assignments.size(), graph->size());
    for (const Assignment& one : assignments) {
        const Node& node = graph->node(one.node);
        QVERIFY2(!one.kernel.empty(), node.name.c_str());
        if (node.target.starts_with("aten."))
            QVERIFY2(one.where == Where::XnnpackInt8 || one.where == Where::Absorbed,
                     (node.name + ": " + one.reason).c_str());
    }
    checkClose(compareEngines(graph, {value}, out.scale), kSum);
}

void atrousPyramid()
{
    // As in DeepLabV3: dilated branches, one pooled to a pixel and enlarged again, joined.
    ConvertedGraph g;
    const NodeId x = g.qdq(g.input("x", {1, 4, 9, 9}), s8(0.03, -9));
    const Argument one = Argument::ints({1, 1});
    std::vector<Argument> branches;
    for (const std::int64_t rate : {1, 2, 4}) {
        const Argument rates = Argument::ints({rate, rate});
        const NodeId y = conv(g, x, {3, 4, 3, 3}, {1, 3, 9, 9}, {one, rates, rates});
        branches.emplace_back(g.qdq(y, s8(0.04 + 0.01 * static_cast<double>(rate), 3)));
    }
    const NodeId mean = g.op("aten.adaptive_avg_pool2d.default", {x, one}, {1, 4, 1, 1});
    const NodeId pixel =
        g.qdq(conv(g, g.qdq(mean, s8(0.01, 2)), {3, 4, 1, 1}, {1, 3, 1, 1}), s8(0.02, 1));
    const NodeId large = g.op("aten.upsample_bilinear2d.vec",
                              {pixel, Argument::ints({9, 9}), false, Argument()}, {1, 3, 9, 9});
    branches.emplace_back(g.qdq(large, s8(0.02, 1)));
    const NodeId all =
        g.op("aten.cat.default", {Argument::list(branches), std::int64_t{1}}, {1, 12, 9, 9});
    const QParams out = s8(0.06, 3);
    const NodeId y = g.qdq(conv(g, g.qdq(all, s8(0.08, 3)), {5, 12, 1, 1}, {1, 5, 9, 9}), out);
    const Value value = g.values({1, 4, 9, 9}, 4);
    checkClose(compareEngines(g.finish({y}), {value}, out.scale), 0.02);
}

void severalPartitions()
{
    // Partitions with LibTorch between them: the values between them are the simulation's, too.
    ConvertedGraph g;
    const Ints shape{3, 16};
    const NodeId x = g.qdq(g.input("x", shape), s8(0.03, -9));
    const auto layer = [&](NodeId value) {
        const NodeId w = g.weightPerChannel({16, 16}, spreadScales(16));
        return g.qdq(g.op("aten.linear.default", {value, w, g.bias(16, 0.3)}, shape), s8(0.06, 2));
    };
    const NodeId first = layer(x);
    const NodeId sum = g.op("aten.cumsum.default", {first, std::int64_t{1}}, shape);
    const NodeId second = layer(g.qdq(sum, s8(0.2, 1)));
    const NodeId outer = g.op("aten.cumsum.default", {second, std::int64_t{0}}, shape);
    const NodeId third = layer(g.qdq(outer, s8(0.15, 1)));
    const Value value = g.values(shape, 4);
    const GraphPtr graph = g.finish({third});
    std::set<int> partitions;
    const auto program = makeXnnpackProgram(graph, {});
    QVERIFY(program.has_value());
    for (const Assignment& one : (*program)->assignments()) {
        if (one.where == Where::XnnpackInt8)
            partitions.insert(one.partition);
    }
    QVERIFY2(partitions.size() >= 3, qPrintable(QString::number(partitions.size())));
    checkClose(compareEngines(graph, {value}, s8(0.06, 2).scale), 0.05);
}

constexpr NamedCheck kRows[] = {
    {"4005, 7880: squeeze and excite: every node says where it runs", squeezeAndExcite},
    {"12134: a pyramid of dilated convolutions", atrousPyramid},
    {"16712: several partitions compute what the simulation does", severalPartitions},
};

} // namespace

class TestXnnpackNetworks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void all_data();
    void all();
};

void TestXnnpackNetworks::all_data() { addRows(kRows); }

void TestXnnpackNetworks::all()
{
    QFETCH(int, index);
    kRows[index].check();
}

QTEST_GUILESS_MAIN(TestXnnpackNetworks)
#include "tst_xnnpack_networks.moc"
