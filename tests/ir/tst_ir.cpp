// Our graph against torch.fx itself: names, users orders, insertion, dead code, printed text (tests/data/ir).
#include "core/ir/Diff.h"
#include "core/ir/GraphEditor.h"
#include "core/ir/Lint.h"
#include "core/ir/Text.h"

#include <QtTest/QtTest>

using namespace pt2e;

namespace {

QStringList recording()
{
    QFile file(qEnvironmentVariable("PT2E_TEST_DATA") + QStringLiteral("/ir/fx_programs.txt"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QString::fromUtf8(file.readAll()).split(u'\n');
}

QString q(const std::string& text) { return QString::fromStdString(text); }

/// Replays one recorded editing program.
class Replay
{
public:
    Replay()
    {
        for (const char* name : {"x", "y"}) {
            NewNode node;
            node.kind = OpKind::Placeholder;
            node.target = name;
            m_values.push_back(m_editor.append(node));
        }
    }

    void run(const QString& program)
    {
        bool isBuilt = false;
        for (const QString& step : program.split(u';')) {
            const QStringList parts = step.split(u',');
            const QString op = parts[0];
            const bool isEdit =
                op == u"touch" || op == u"after" || op == u"before" || op == u"copy";
            if (isEdit && !isBuilt) {
                isBuilt = true;
                NewNode output;
                output.kind = OpKind::Output;
                output.target = "output";
                output.args = {Argument::tuple({m_values.back(), m_values[m_values.size() - 2]})};
                m_editor.append(output);
            }
            apply(op, parts[1].toUInt(), parts[2].toUInt());
        }
    }

    GraphEditor& editor() { return m_editor; }

private:
    static NewNode call(const char* target, Arguments args)
    {
        NewNode node;
        node.target = target;
        node.args = std::move(args);
        return node;
    }

    void apply(const QString& op, std::size_t a, std::size_t b)
    {
        if (op == u"add") {
            m_values.push_back(
                m_editor.append(call("aten.add.Tensor", {m_values[a], m_values[b]})));
        } else if (op == u"relu") {
            m_values.push_back(m_editor.append(call("aten.relu.default", {m_values[a]})));
        } else if (op == u"cat") {
            m_values.push_back(m_editor.append(call(
                "aten.cat.default", {Argument::list({m_values[a], m_values[b], m_values[a]}), 1})));
        } else if (op == u"touch") {
            m_editor.setArgs(m_values[a], m_editor.graph().node(m_values[a]).args);
        } else if (op == u"after") {
            InsertPoint at = InsertPoint::after(m_values[a]);
            const NodeId made = m_editor.insert(at, call("aten.relu.default", {m_values[a]}));
            m_editor.replaceAllUses(m_values[a], made, [&](NodeId user) { return user == made; });
            m_values.push_back(made);
        } else if (op == u"before") {
            InsertPoint at = InsertPoint::before(m_values[a]);
            const NodeId first = m_editor.insert(at, call("aten.relu.default", {m_values[0]}));
            const NodeId second =
                m_editor.insert(at, call("aten.add.Tensor", {first, m_values[1]}));
            m_values.insert(m_values.end(), {first, second});
        } else {
            InsertPoint at = InsertPoint::after(m_values[a]);
            m_values.push_back(m_editor.copy(at, m_values[a]));
        }
    }

    GraphEditor m_editor;
    std::vector<NodeId> m_values;
};

} // namespace

class TestIr : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void namesEqualTorch();
    void programsEqualTorch_data();
    void programsEqualTorch();
    void argumentsPrintAsPython();
    void badTextHasItsPlace_data();
    void badTextHasItsPlace();
    void lintFindsWhatIsWrong();
    void diffNamesWhatChanged();
    void impureNodesStay();
};

void TestIr::namesEqualTorch()
{
    const QStringList lines = recording();
    QCOMPARE(lines.value(0), QStringLiteral("NAMES"));
    Namespace names;
    int compared = 0;
    for (int i = 1; i < lines.size() && !lines[i].startsWith(u"PROGRAM"); ++i) {
        const QStringList parts = lines[i].split(u'\'');
        QCOMPARE(parts.size(), 5);
        QCOMPARE(q(names.create(parts[1].toStdString())), parts[3]);
        ++compared;
    }
    QVERIFY(compared > 40);
    QCOMPARE(snakeCase("myConv.weightA"), std::string("my_conv.weight_a"));
    QCOMPARE(candidateFor("aten.sum.dim_IntList", true), std::string("sum.dim_int_list"));
    QCOMPARE(candidateFor("getitem", true), std::string("getitem"));
}

void TestIr::programsEqualTorch_data()
{
    QTest::addColumn<QString>("program");
    QTest::addColumn<QString>("before");
    QTest::addColumn<QStringList>("users");
    QTest::addColumn<QString>("after");
    const QStringList lines = recording();
    int programs = 0;
    for (int i = 0; i < lines.size(); ++i) {
        if (!lines[i].startsWith(u"PROGRAM"))
            continue;
        const QString name = lines[i];
        const QString program = lines[++i];
        const auto collect = [&](QStringView stop) {
            QStringList block;
            for (++i; i < lines.size() && !lines[i].startsWith(stop) && !lines[i].isEmpty(); ++i)
                block << lines[i];
            return block;
        };
        const QString before = collect(u"USERS").join(u'\n');
        const QStringList users = collect(u"DCE");
        const QString after = collect(u"PROGRAM").join(u'\n');
        --i;
        QTest::newRow(qPrintable(name)) << program << before << users << after;
        ++programs;
    }
    QCOMPARE(programs, 12);
}

void TestIr::programsEqualTorch()
{
    QFETCH(QString, program);
    QFETCH(QString, before);
    QFETCH(QStringList, users);
    QFETCH(QString, after);
    Replay replay;
    replay.run(program);
    const Graph& graph = replay.editor().graph();
    QCOMPARE(q(printGraph(graph)), before);
    int row = 0;
    for (const Node& node : graph) {
        QString line = q(node.name) + u' ';
        for (const NodeId user : node.users)
            line += (user == node.users.front() ? QString() : QStringLiteral(","))
                    + q(graph.node(user).name);
        QCOMPARE(line, users.value(row++));
    }
    QVERIFY(lint(graph));

    const Graph copy = graph;
    replay.editor().eliminateDeadCode();
    QCOMPARE(q(printGraph(graph)), after);
    QVERIFY(lint(graph));
    QCOMPARE(q(printGraph(copy)), before); // a copy is not touched

    const auto parsed = parseGraph(after.toStdString());
    QVERIFY2(parsed, parsed ? "" : parsed.error().message().c_str());
    QCOMPARE(q(printGraph(*parsed)), after);
}

void TestIr::argumentsPrintAsPython()
{
    // As print(graph) of torch 2.13 writes them.
    const std::string text =
        "graph():\n"
        "    %x : [num_users=3] = placeholder[target=x]\n"
        "    %sum_dim_int_list : [num_users=1] = call_function[target=torch.ops.aten.sum.dim_IntList](args = (%x, [1], "
        "abc, None, True, 1e-05, inf, torch.int8, cpu, torch.strided, torch.channels_last, (1,), (a,)), "
        "kwargs = {k: (%x, 2)})\n"
        "    %getitem : [num_users=0] = call_function[target=operator.getitem](args = (%x, 0), kwargs = {})\n"
        "    return (sum_dim_int_list, 'abc', None, torch.int8, (x,), [1.5, -0.0, 1e+16, 123456.789])";
    const auto graph = parseGraph(text);
    QVERIFY2(graph, graph ? "" : graph.error().message().c_str());
    QCOMPARE(q(printGraph(*graph)), q(text));
    QCOMPARE(printCall(*graph, *graph->findByName("getitem")), std::string("getitem(x, 0)"));

    const std::vector<std::pair<double, std::string>> floats{
        {0.1, "0.1"},
        {1e-05, "1e-05"},
        {0.0001, "0.0001"},
        {1e16, "1e+16"},
        {1e15, "1000000000000000.0"},
        {100, "100.0"},
        {-2.5, "-2.5"},
        {3.4028235e38, "3.4028235e+38"},
        {1e100, "1e+100"},
        {0.032990001142024994, "0.032990001142024994"}};
    for (const auto& [value, printed] : floats)
        QCOMPARE(pythonFloat(value), printed);
    QCOMPARE(pythonString("it's"), std::string("\"it's\""));
    QCOMPARE(pythonString("a\n'\""), std::string("'a\\n\\'\"'"));
}

void TestIr::badTextHasItsPlace_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("message");
    const auto row = [](const char* text, const char* message) {
        QTest::newRow(text) << QByteArray(text) << QByteArray(message);
    };
    row("graph():\n    x", "graph text: line 2, column 5: expected '%'");
    row("graph():\n    %x : [num_users=0] = thing[target=x]",
        "graph text: line 2, column 41: unknown kind of node 'thing'");
    row("graph():\n    %a : [num_users=0] = call_function[target=f](args = (%x,), kwargs = {})",
        "graph text: line 2, column 60: node 'x' is not defined above");
    row("graph():\n    return (a,)",
        "graph text: line 2, column 14: node 'a' is not defined above");
    row("graph():\n    return None\n    return None",
        "graph text: line 3, column 5: nothing may follow the return line");
}

void TestIr::badTextHasItsPlace()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, message);
    const auto graph = parseGraph(text.toStdString());
    QVERIFY(!graph);
    QCOMPARE(q(graph.error().message()), QString::fromUtf8(message));
}

void TestIr::lintFindsWhatIsWrong()
{
    GraphEditor editor;
    NewNode x;
    x.kind = OpKind::Placeholder;
    x.target = "x";
    const NodeId input = editor.append(x);
    NewNode relu;
    relu.target = "aten.relu.default";
    relu.args = {input};
    editor.append(relu);
    QVERIFY(lint(editor.graph()));
    InsertPoint front = InsertPoint::before(input);
    NewNode early = relu;
    editor.insert(front, early);
    QCOMPARE(q(lint(editor.graph()).error().message()),
             QStringLiteral("graph: node 'relu_default_1': uses 'x' before it is defined"));

    GraphEditor second;
    NewNode weight;
    weight.kind = OpKind::GetAttr;
    weight.target = "conv.weight";
    second.append(weight);
    QCOMPARE(q(lint(second.graph()).error().message()),
             QStringLiteral("graph: node 'conv_weight': attribute 'conv.weight' does not exist"));
}

void TestIr::diffNamesWhatChanged()
{
    const auto before = parseGraph(
        "graph():\n    %x : [num_users=1] = placeholder[target=x]\n"
        "    %relu : [num_users=1] = call_function[target=torch.ops.aten.relu.default](args "
        "= (%x,), kwargs = {})\n    return (relu,)");
    QVERIFY(before);
    GraphEditor editor(*before);
    QVERIFY(diffGraphs(*before, editor.graph()).empty());
    const NodeId relu = before->findByName("relu")->id;
    editor.setArgs(relu, {before->findByName("x")->id, 2});
    const auto differences = diffGraphs(*before, editor.graph());
    QCOMPARE(differences.size(), std::size_t(1));
    QCOMPARE(q(differences[0].what), QStringLiteral("args: (%x,) → (%x, 2)"));
}

void TestIr::impureNodesStay()
{
    GraphEditor editor;
    NewNode x;
    x.kind = OpKind::Placeholder;
    x.target = "x";
    const NodeId input = editor.append(x);
    for (const char* target : {"aten.relu_.default", "aten.dropout.default", "aten.copy_.default",
                               "aten.add.out", "aten.relu.default", "aten.batch_norm.default"}) {
        NewNode call;
        call.target = target;
        call.args = {input};
        editor.append(call);
    }
    QCOMPARE(editor.eliminateDeadCode(), std::size_t(2));
    QVERIFY(!editor.graph().findByName("relu_default"));
    QVERIFY(!editor.graph().findByName("batch_norm_default"));
    QVERIFY(mutatesArgument("aten.relu_.default") && !mutatesArgument("aten.relu.default"));
    QVERIFY(!mutatesArgument("getitem") && !mutatesArgument("aten.__is__.default"));
    QCOMPARE(std::string(shortOpName("quantized_decomposed.quantize_per_tensor.default")),
             std::string("quantize_per_tensor"));
}

QTEST_APPLESS_MAIN(TestIr)
#include "tst_ir.moc"
