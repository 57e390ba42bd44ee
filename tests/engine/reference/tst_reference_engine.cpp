// The reference engine on graphs built by hand: order, capture, writes, sub-graphs, errors.
#include "core/engine/Engine.h"
#include "core/ir/GraphEditor.h"
#include "core/kernels/Kernels.h"

#include <QTest>

using namespace pt2e;

namespace {

using Whole = std::int64_t;
using Doubles = std::vector<double>;

Tensor floats(std::vector<Whole> shape, const std::vector<float>& values)
{
    return Tensor::fromValues<float>(DType::Float32, std::move(shape), values);
}

/// A graph in a few words.
class Builder
{
public:
    explicit Builder(std::uint32_t firstId = 0) : m_editor(firstId) {}

    NodeId input(const std::string& name, ValueMeta val = {})
    {
        NewNode node;
        node.kind = OpKind::Placeholder;
        node.target = name;
        node.val = std::move(val);
        return m_editor.append(std::move(node));
    }
    NodeId attribute(const std::string& name, const Tensor& value)
    {
        m_editor.setAttribute(name, {value, AttributeKind::Buffer});
        return getAttr(name);
    }
    NodeId getAttr(const std::string& name)
    {
        NewNode node;
        node.kind = OpKind::GetAttr;
        node.target = name;
        return m_editor.append(std::move(node));
    }
    NodeId body(const std::string& name, Builder& inner)
    {
        m_editor.setNextId(inner.m_editor.nextId());
        m_editor.setSubgraph(name, std::move(inner.m_editor).publish());
        return getAttr(name);
    }
    NodeId module(const std::string& name, NodeId input)
    {
        m_editor.setModule(name, {"HistogramObserver", ObserverId{0}});
        NewNode node;
        node.kind = OpKind::CallModule;
        node.target = name;
        node.args = {input};
        return m_editor.append(std::move(node));
    }
    NodeId call(const std::string& target, Arguments args)
    {
        NewNode node;
        node.target = target;
        node.args = std::move(args);
        return m_editor.append(std::move(node));
    }
    void output(std::vector<Argument> results)
    {
        NewNode node;
        node.kind = OpKind::Output;
        node.target = "output";
        node.args = {Argument::tuple(std::move(results))};
        m_editor.append(std::move(node));
    }
    std::uint32_t nextId() const { return m_editor.nextId(); }
    GraphPtr graph() { return std::move(m_editor).publish(); }

private:
    GraphEditor m_editor;
};

Result<Values> run(const GraphPtr& graph, const Values& inputs, const RunOptions& options = {},
                   const JobContext& context = {})
{
    PT2E_ASSIGN(const auto program, makeReferenceProgram(graph));
    PT2E_ASSIGN(RunReport report, program->run(inputs, options, context));
    return std::move(report.outputs);
}

Doubles numbers(const Value& value)
{
    if (!value.tensor())
        return {};
    const auto doubles = value.tensor()->toDoubles();
    return doubles ? *doubles : Doubles{};
}

/// All results as numbers; a failure is shown and gives nothing.
std::vector<Doubles> results(const Result<Values>& outputs)
{
    if (!outputs)
        qWarning("%s", outputs.error().message().c_str());
    std::vector<Doubles> all;
    for (const Value& value : outputs ? *outputs : Values{})
        all.push_back(numbers(value));
    return all;
}

QString messageOf(const Result<Values>& outputs)
{
    return outputs ? QString("no error") : QString::fromStdString(outputs.error().message());
}

const std::string kAdd = "aten.add.Tensor";
const std::string kMul = "aten.mul.Tensor";

} // namespace

class TestReferenceEngine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAreToldInOrder()
    {
        Builder b;
        const NodeId x = b.input("x");
        const NodeId w = b.attribute("w", floats({2}, {10, 20}));
        const NodeId sum = b.call(kAdd, {x, w});
        const NodeId seen = b.module("activation_post_process_0", sum);
        const NodeId twice = b.call(kMul, {seen, 2});
        b.output({twice, x});
        const GraphPtr graph = b.graph();

        std::vector<NodeId> told;
        RunOptions options;
        options.onValue = [&](NodeId id, const Value&) -> Result<void> {
            told.push_back(id);
            return {};
        };
        const auto all = run(graph, {{floats({2}, {1, 2})}}, options);
        QCOMPARE(results(all), (std::vector<Doubles>{{22, 44}, {1, 2}}));
        QCOMPARE(told, (std::vector<NodeId>{x, w, sum, seen, twice}));

        told.clear();
        options.wants = [&](NodeId id) { return id == sum; };
        QVERIFY(run(graph, {{floats({2}, {1, 2})}}, options));
        QCOMPARE(told, (std::vector<NodeId>{sum}));

        options.onValue = [&](NodeId, const Value&) -> Result<void> {
            return badInput("sink", "is full");
        };
        QCOMPARE(messageOf(run(graph, {{floats({2}, {1, 2})}}, options)), QString("sink: is full"));
    }

    void valuesAreFreedAfterTheirLastUse()
    {
        Builder b;
        NodeId x = b.input("x");
        const NodeId first = b.call(kAdd, {x, 1});
        const NodeId second = b.call(kAdd, {first, 1});
        const NodeId third = b.call(kAdd, {second, 1});
        b.output({third});
        std::vector<std::weak_ptr<const Storage>> storages;
        RunOptions options;
        std::vector<bool> alive;
        options.onValue = [&](NodeId, const Value& value) -> Result<void> {
            storages.push_back(value.tensor()->storage());
            if (storages.size() == 4)
                alive = {!storages[1].expired(), !storages[2].expired(), !storages[3].expired()};
            return {};
        };
        QVERIFY(run(b.graph(), {{floats({1}, {0})}}, options));
        // While the third value is told, the second is still an argument, the first is gone.
        QCOMPARE(alive, (std::vector<bool>{false, true, true}));
    }

    void writesAreSeenByAllViews()
    {
        Builder b;
        const NodeId x = b.input("x");
        const NodeId row = b.call("aten.select.int", {x, 0, 0});
        const NodeId whole = b.call("aten.view.default", {x, Argument::ints({4})});
        b.call("aten.add_.Tensor", {row, 100});
        const NodeId after = b.call(kMul, {x, 1});
        b.output({row, whole, after, x});
        const Tensor given = floats({2, 2}, {1, 2, 3, 4});
        std::vector<Value> kept;
        RunOptions options;
        options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
            if (id == whole)
                kept.push_back(value);
            return {};
        };
        const Doubles changed{101, 102, 3, 4};
        QCOMPARE(results(run(b.graph(), {{given}}, options)),
                 (std::vector<Doubles>{{101, 102}, changed, changed, changed}));
        // What was given and what was kept stay as they were.
        QCOMPARE(numbers({given}), (Doubles{1, 2, 3, 4}));
        QCOMPARE(numbers(kept[0]), (Doubles{1, 2, 3, 4}));
    }

    void attributesAreWrittenWithinARun()
    {
        const Tensor count = floats({1}, {5});
        Builder b;
        const NodeId x = b.input("x");
        const NodeId before = b.attribute("count", count);
        b.call("aten.add_.Tensor", {before, x});
        const NodeId again = b.getAttr("count");
        const NodeId result = b.call(kMul, {again, 1});
        b.output({result});
        const GraphPtr graph = b.graph();
        const auto program = makeReferenceProgram(graph);
        QVERIFY(program);
        const Values inputs{{floats({1}, {2})}};
        const auto once = [&](const RunOptions& options) {
            const auto report = (*program)->run(inputs, options, {});
            return report ? numbers(report->outputs[0]) : Doubles{};
        };
        // A module called once, each time.
        QCOMPARE(once({}), Doubles{7});
        QCOMPARE(once({}), Doubles{7});
        QCOMPARE(numbers({graph->attributes().find("count")->value}), Doubles{5});
        // A module called again and again.
        RunState state;
        RunOptions options;
        options.state = &state;
        QCOMPARE(once(options), Doubles{7});
        QCOMPARE(once(options), Doubles{9});
        QCOMPARE(numbers({*state.attributes.find("count")}), Doubles{9});
        QCOMPARE(once({}), Doubles{7});
    }

    void hiddenWritesOfBatchNorm()
    {
        Builder b;
        const NodeId x = b.input("x");
        const NodeId mean = b.attribute("mean", floats({1}, {0}));
        const NodeId variance = b.attribute("variance", floats({1}, {1}));
        const NodeId y = b.call("aten.batch_norm.default", {x, Argument(), Argument(), mean,
                                                            variance, true, 0.5, 1e-05, true});
        b.output({y, mean});
        const auto outputs = run(b.graph(), {{floats({2, 1}, {2, 6})}});
        QVERIFY(outputs);
        QCOMPARE(numbers((*outputs)[1]), Doubles{2});
    }

    void tuplesAndNumbers()
    {
        Builder b;
        const NodeId x = b.input("x");
        const NodeId sorted = b.call("aten.sort.default", {x});
        const NodeId values = b.call("getitem", {sorted, 0});
        const NodeId last = b.call("getitem", {sorted, -1});
        const NodeId size = b.call("aten.sym_size.int", {x, 0});
        const NodeId half = b.call("_operator.floordiv", {size, 2});
        const NodeId part = b.call("aten.narrow.default", {values, 0, 0, half});
        const NodeId number = b.call("aten.item.default", {b.call("aten.sum.default", {x})});
        b.output({part, last, half, number, Argument(), 7});
        const auto outputs = run(b.graph(), {{floats({3}, {3, 1, 2})}});
        QVERIFY(outputs);
        QCOMPARE(outputs->size(), std::size_t(6));
        QCOMPARE(numbers((*outputs)[0]), Doubles{1});
        QCOMPARE(numbers((*outputs)[1]), (Doubles{1, 2, 0}));
        QVERIFY(std::get<Whole>((*outputs)[2].data) == 1);
        QCOMPARE(std::get<double>((*outputs)[3].data), 6.0);
        QVERIFY((*outputs)[4].isNone());
        QVERIFY(std::get<Whole>((*outputs)[5].data) == 7);
    }

    void symbolsAreSizesOfInputs()
    {
        Builder b;
        TensorMeta meta;
        meta.shape = {SymInt("s77"), SymInt(2)};
        const NodeId x = b.input("x", {meta});
        const NodeId y = b.call("aten.expand.default",
                                {x, Argument::list({SymbolArgument{"s77"}, Argument(2)})});
        b.output({y, SymbolArgument{"s77"}});
        const auto outputs = run(b.graph(), {{floats({3, 2}, std::vector<float>(6, 1))}});
        QVERIFY2(outputs, qPrintable(messageOf(outputs)));
        QVERIFY(std::get<Whole>((*outputs)[1].data) == 3);
    }

    void condTakesOneBranch()
    {
        Builder yes(100);
        const NodeId a = yes.input("a");
        yes.output({yes.call(kAdd, {a, 10})});
        Builder no(200);
        const NodeId c = no.input("a");
        no.output({no.call("aten.nonsense.default", {c})});
        Builder b;
        const NodeId x = b.input("x");
        const NodeId flag = b.input("flag");
        const NodeId yesGraph = b.body("true_graph_0", yes);
        const NodeId noGraph = b.body("false_graph_0", no);
        const NodeId result = b.call("cond", {flag, yesGraph, noGraph, Argument::tuple({x})});
        b.output({b.call("getitem", {result, 0})});
        const GraphPtr graph = b.graph();
        const Tensor one = floats({1}, {1});
        std::vector<NodeId> told;
        RunOptions options;
        options.onValue = [&](NodeId id, const Value&) -> Result<void> {
            told.push_back(id);
            return {};
        };
        QCOMPARE(results(run(graph, {{one}, {true}}, options)), (std::vector<Doubles>{{11}}));
        QVERIFY(std::find(told.begin(), told.end(), a) != told.end());
        QVERIFY(std::find(told.begin(), told.end(), c) == told.end());
        // The other branch fails only when it is taken; the message leads to the node in the body.
        const QString message = messageOf(run(graph, {{one}, {floats({}, {0})}}));
        QVERIFY2(message.startsWith(
                     "node 'cond': cond: node 'nonsense_default': aten.nonsense.default: "),
                 qPrintable(message));
        QVERIFY(messageOf(run(graph, {{one}, {floats({2}, {0, 1})}}))
                    .contains("must have one element"));
    }

    void whileLoopCarriesOn()
    {
        Builder condition(100);
        const NodeId i = condition.input("i");
        condition.input("x");
        condition.input("step");
        condition.output({condition.call("aten.lt.Scalar", {i, 3})});
        Builder body(200);
        const NodeId j = body.input("i");
        const NodeId y = body.input("x");
        const NodeId step = body.input("step");
        const NodeId next = body.call(kAdd, {j, 1});
        const NodeId sum = body.call(kAdd, {y, step});
        body.output({next, sum});
        Builder b;
        const NodeId start = b.input("start");
        const NodeId x = b.input("x");
        const NodeId by = b.attribute("by", floats({1}, {0.5}));
        const NodeId conditionGraph = b.body("while_loop_cond_graph_0", condition);
        const NodeId bodyGraph = b.body("while_loop_body_graph_0", body);
        const NodeId loop =
            b.call("while_loop",
                   {conditionGraph, bodyGraph, Argument::tuple({start, x}), Argument::tuple({by})});
        b.output({b.call("getitem", {loop, 0}), b.call("getitem", {loop, 1})});
        const GraphPtr graph = b.graph();
        int iterations = 0;
        RunOptions options;
        options.wants = [&](NodeId id) { return id == sum; };
        options.onValue = [&](NodeId, const Value&) -> Result<void> {
            ++iterations;
            return {};
        };
        const Whole zero = 0;
        const Tensor counter = Tensor::fromValues<Whole>(DType::Int64, {}, std::span(&zero, 1));
        QCOMPARE(results(run(graph, {{counter}, {floats({1}, {1})}}, options)),
                 (std::vector<Doubles>{{3}, {2.5}}));
        QCOMPARE(iterations, 3);
    }

    void endlessLoopsCanBeStopped()
    {
        Builder condition(100);
        condition.input("x");
        condition.output({true});
        Builder body(200);
        const NodeId y = body.input("x");
        body.output({body.call(kAdd, {y, 1})});
        Builder b;
        const NodeId x = b.input("x");
        const NodeId conditionGraph = b.body("c", condition);
        const NodeId bodyGraph = b.body("b", body);
        b.output({b.call("while_loop",
                         {conditionGraph, bodyGraph, Argument::tuple({x}), Argument::tuple({})})});
        std::stop_source source;
        JobContext context;
        context.stop = source.get_token();
        int steps = 0;
        RunOptions options;
        options.onValue = [&](NodeId, const Value&) -> Result<void> {
            if (++steps == 1000)
                source.request_stop();
            return {};
        };
        const auto outputs = run(b.graph(), {{floats({1}, {0})}}, options, context);
        QVERIFY(!outputs);
        QCOMPARE(outputs.error().code, ErrorCode::Cancelled);
        QCOMPARE(steps, 1000);
    }

    void scanStacksItsResults()
    {
        Builder combine(100);
        const NodeId carry = combine.input("carry");
        const NodeId row = combine.input("x");
        const NodeId scale = combine.input("scale");
        const NodeId sum = combine.call(kAdd, {carry, row});
        const NodeId scaled = combine.call(kMul, {sum, scale});
        combine.output({sum, scaled});
        Builder b;
        const NodeId start = b.input("start");
        const NodeId rows = b.input("rows");
        const NodeId factor = b.attribute("factor", floats({1}, {10}));
        const NodeId combineGraph = b.body("scan_combine_graph_0", combine);
        const NodeId result = b.call("scan", {combineGraph, Argument::list({start}),
                                              Argument::list({rows}), Argument::tuple({factor})});
        b.output({b.call("getitem", {result, 0}), b.call("getitem", {result, 1})});
        const auto outputs = run(b.graph(), {{floats({1}, {0})}, {floats({3, 1}, {1, 2, 3})}});
        QCOMPARE(results(outputs), (std::vector<Doubles>{{6}, {10, 30, 60}}));
        QCOMPARE((*outputs)[1].tensor()->shape(), (std::vector<Whole>{3, 1}));
    }

    void autocastReachesOnlyItsRegion()
    {
        Builder inner(100);
        const NodeId a = inner.input("a");
        inner.output({inner.call("aten.mm.default", {a, a})});
        Builder b;
        const NodeId x = b.input("x");
        const NodeId graph = b.body("submod_0", inner);
        const NodeId wrapped =
            b.call("wrap_with_autocast", {"cpu", DType::BFloat16, true, false, graph, x});
        const NodeId outside = b.call("aten.mm.default", {x, x});
        b.output({b.call("getitem", {wrapped, 0}), outside});
        const auto outputs = run(b.graph(), {{floats({1, 1}, {2})}});
        QVERIFY2(outputs, qPrintable(messageOf(outputs)));
        QCOMPARE((*outputs)[0].tensor()->dtype(), DType::BFloat16);
        QCOMPARE((*outputs)[1].tensor()->dtype(), DType::Float32);
    }

    void writesInARegionReachOutside()
    {
        Builder inner(100);
        const NodeId a = inner.input("a");
        inner.output({inner.call("aten.add_.Tensor", {a, 1})});
        Builder b;
        b.input("x");
        const NodeId state = b.attribute("state", floats({1}, {1}));
        const NodeId graph = b.body("submod_0", inner);
        b.call("wrap_with_set_grad_enabled", {false, graph, state});
        b.output({state});
        QCOMPARE(results(run(b.graph(), {{floats({1}, {0})}})), (std::vector<Doubles>{{2}}));
    }

    void errorsNameTheNode()
    {
        const auto failing = [](const std::function<NodeId(Builder&, NodeId)>& make) {
            Builder b;
            const NodeId x = b.input("x");
            b.output({make(b, x)});
            return messageOf(run(b.graph(), {{floats({2}, {1, 2})}}));
        };
        QCOMPARE(
            failing([](Builder& b, NodeId x) { return b.call("mylib.op.default", {x}); }),
            QString(
                "node 'op_default': mylib.op.default: cannot be run: only operators of aten and "
                "quantized_decomposed can"));
        QVERIFY(failing([](Builder& b, NodeId x) {
                    return b.call("aten.mm.default", {x, x});
                }).startsWith("node 'mm_default': aten.mm.default: "));
        QCOMPARE(failing([](Builder& b, NodeId) { return b.getAttr("gone"); }),
                 QString("node 'gone': the graph has no attribute 'gone'"));
        QCOMPARE(failing([](Builder& b, NodeId) { return b.attribute("w", Tensor()); }),
                 QString("node 'w': attribute 'w' has no value"));
        QCOMPARE(failing([](Builder& b, NodeId x) {
                     return b.call("getitem", {x, 0});
                 }),
                 QString("node 'getitem': getitem: expected a list and an int"));
        QCOMPARE(failing([](Builder& b, NodeId x) {
                     return b.call("getitem", {b.call("aten.sort.default", {x}), 2});
                 }),
                 QString("node 'getitem': getitem: index 2 is outside a list of 2"));
        QCOMPARE(failing([](Builder& b, NodeId) {
                     return b.call("_operator.mod", {1, 0});
                 }),
                 QString("node 'mod': _operator.mod: division by zero"));
        QVERIFY(failing([](Builder& b, NodeId x) {
                    return b.call("cond", {true, x, x, Argument::tuple({})});
                }).contains("argument 1 is not a sub-graph"));
        QVERIFY(failing([](Builder& b, NodeId x) {
                    return b.call(kAdd, {x, OpaqueArgument{"<lambda>"}});
                }).contains("can be evaluated by Python only"));

        Builder b;
        b.output({b.input("x")});
        QCOMPARE(messageOf(run(b.graph(), {})), QString("inputs: 0 were given, the graph has 1"));
    }

    void cancelledIsNoFailureOfANode()
    {
        Builder b;
        const NodeId x = b.input("x");
        b.output({b.call(kAdd, {x, 1})});
        std::stop_source source;
        source.request_stop();
        JobContext context;
        context.stop = source.get_token();
        const auto outputs = run(b.graph(), {{floats({1}, {0})}}, {}, context);
        QVERIFY(!outputs);
        QCOMPARE(outputs.error().code, ErrorCode::Cancelled);
        QVERIFY(!messageOf(outputs).contains("node"));
    }
};

QTEST_GUILESS_MAIN(TestReferenceEngine)
#include "tst_reference_engine.moc"
