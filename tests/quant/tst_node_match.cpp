// Which operators a rule of a recipe finds.
#include "core/quant/NodeMatch.h"
#include "tests/quant/Annotated.h"

using namespace pt2e;
using namespace pt2e::test;

namespace {

GraphPtr model()
{
    const char* text = R"(graph():
    %w1 : [num_users=1] = get_attr[target=w1]
    %w2 : [num_users=1] = get_attr[target=w2]
    %x : [num_users=1] = placeholder[target=x]
    %linear : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%x, %w1), kwargs = {})
    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args = (%linear,), kwargs = {})
    %linear_1 : [num_users=1] = call_function[target=torch.ops.aten.linear.default](args = (%relu, %w2), kwargs = {})
    return (linear_1,))";
    constexpr const char* kLinear = "torch.nn.modules.linear.Linear";
    GraphPtr graph = withModule(fromText(text), {"linear"}, "fc1", kLinear);
    return withModule(graph, {"linear_1"}, "L['self'].head", kLinear);
}

} // namespace

class TestNodeMatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void patterns_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<bool>("matches");
        QTest::newRow("same") << "conv2d"
                              << "conv2d" << true;
        QTest::newRow("not the whole") << "conv2d_1"
                                       << "conv2d" << false;
        QTest::newRow("rest") << "conv2d_1"
                              << "conv2d*" << true;
        QTest::newRow("nothing") << "conv2d"
                                 << "conv2d*" << true;
        QTest::newRow("middle") << "aten.conv2d.default"
                                << "aten.*.default" << true;
        QTest::newRow("twice") << "aten.conv2d.default"
                               << "*conv*fault" << true;
        QTest::newRow("goes back") << "aabab"
                                   << "*ab" << true;
        QTest::newRow("goes back in vain") << "aabac"
                                           << "*ab" << false;
        QTest::newRow("one") << "relu_"
                             << "relu?" << true;
        QTest::newRow("one is missing") << "relu"
                                        << "relu?" << false;
        QTest::newRow("a dot is a dot") << "atenxadd"
                                        << "aten.add" << false;
    }
    void patterns()
    {
        QFETCH(QString, text);
        QFETCH(QString, pattern);
        QFETCH(bool, matches);
        QCOMPARE(matchesPattern(text.toStdString(), pattern.toStdString()), matches);
    }

    void operators()
    {
        const GraphPtr graph = model();
        const auto names = [&](const NodeMatch& match) {
            QStringList found;
            for (const NodeId id : matchNodes(*graph, match))
                found.append(QString::fromStdString(graph->node(id).name));
            return found.join(QLatin1Char(' '));
        };
        NodeMatch match;
        QCOMPARE(names(match), QStringLiteral("linear relu linear_1"));
        match.op = "aten.linear.default";
        QCOMPARE(names(match), QStringLiteral("linear linear_1"));
        match.position = NodeMatch::Position::Last;
        QCOMPARE(names(match), QStringLiteral("linear_1"));
        match.position = NodeMatch::Position::First;
        QCOMPARE(names(match), QStringLiteral("linear"));
        match.module = "head"; // the position is that among what all else finds
        QCOMPARE(names(match), QStringLiteral("linear_1"));
        match = {};
        match.name = "*_1";
        QCOMPARE(names(match), QStringLiteral("linear_1"));
        match.dtype = DType::Int64;
        QCOMPARE(names(match), QString());
    }
};

QTEST_GUILESS_MAIN(TestNodeMatch)
#include "tst_node_match.moc"
