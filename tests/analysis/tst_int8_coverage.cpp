// What runs in int8 here beside what ExecuTorch's partitioner takes in int8, op by op, for every
// reference case and the built-in models.
//
// For each graph one line with each of its ATen nodes is printed: NODE theirs/ours, where i is int8, d
// quantized while running, f float in XNNPACK, - outside of XNNPACK; then a line for each op that is
// int8 there and not here, with the reason; in the end sums by kind of op.
#include "core/data/Batches.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "tests/support/Cases.h"
#include "tests/support/ConvertedModel.h"
#include "tests/support/Partitions.h"

#include <QDir>
#include <QTest>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <span>

using namespace pt2e;
using namespace pt2e::test;

namespace {

const char* const kQuantize = "quantized_decomposed.quantize_per_tensor.default";
const char* const kDequantize = "quantized_decomposed.dequantize_per_tensor.default";

struct Flavour
{
    const char* name;
    QuantizerFlavor quantizer;
    bool perChannel;
    bool isDynamic = false;
};

constexpr Flavour kFlavours[] = {{"torchao", QuantizerFlavor::TorchAo, true},
                                 {"torchao-pt", QuantizerFlavor::TorchAo, false},
                                 {"executorch", QuantizerFlavor::ExecuTorch, true},
                                 {"torchao-dyn", QuantizerFlavor::TorchAo, true, true},
                                 {"executorch-dyn", QuantizerFlavor::ExecuTorch, true, true}};

QuantizerSettings settingsOf(const Flavour& flavour)
{
    QuantizerSettings settings;
    settings.flavor = flavour.quantizer;
    settings.global->perChannel = flavour.perChannel;
    settings.global->dynamic = flavour.isDynamic;
    return settings;
}

/// Kinds that are int8 where all that they read is dequantized (or constant) and all that reads them
/// quantizes: those of ExecuTorch's configurations, and what we promise beyond.
constexpr std::string_view kPromised[] = {
    "conv1d", "conv2d", "conv_transpose2d", "linear", "add", "add_", "sub", "mul", "cat", "clamp",
    "hardtanh", "hardtanh_", "relu", "relu_", "max_pool2d", "mean", "permute", "view", "slice",
    "unsqueeze",
    // beyond
    "avg_pool2d", "sigmoid", "tanh", "hardswish", "hardsigmoid", "silu", "gelu", "leaky_relu",
    "elu", "adaptive_avg_pool2d", "flatten", "reshape", "transpose", "squeeze", "dropout"};

/// Why ops of a case are not int8 here although ExecuTorch takes them so, or we promise it.
const std::map<std::string, std::string> kReasons = {
    {"add_scalar", "adds a multiple (alpha); ExecuTorch leaves it out, too"},
    {"no_calibration", "one scale for all channels in a weight per channel"},
    {"while_loop", "a loop"},
};

bool isInt8(const Assignment& one)
{
    return one.where == Assignment::Where::XnnpackInt8 || one.where == Assignment::Where::Absorbed;
}

/// All tensors that it reads are dequantized (or constants), all that reads it quantizes.
bool isQuantizedAllAround(const Graph& graph, const Node& node)
{
    bool hasActivation = false;
    for (const NodeId id : node.inputs()) {
        const Node& input = graph.node(id);
        const bool isDequantize = input.calls(kDequantize);
        const bool isConstant =
            input.is(OpKind::GetAttr)
            || input.target.starts_with("quantized_decomposed.dequantize_per_c")
            || (isDequantize && graph.node(input.arg(0).node()).is(OpKind::GetAttr));
        if (!isConstant && !isDequantize)
            return false;
        hasActivation = hasActivation || !isConstant;
    }
    return hasActivation && !node.users.empty()
           && std::all_of(node.users.begin(), node.users.end(),
                          [&](NodeId id) { return graph.node(id).calls(kQuantize); });
}

/// Where the ops of one kind ran, here and there.
struct Placement
{
    int all = 0;
    int int8 = 0;
    int real = 0;
    int torch = 0;
    int known = 0; ///< by ExecuTorch
    int theirInt8 = 0;
    int bothInt8 = 0;
};

const char* letterOf(const Assignment& one)
{
    if (isInt8(one))
        return "i";
    return one.where == Assignment::Where::XnnpackFloat ? "f" : "-";
}

std::string lettersOf(const std::string& kinds)
{
    if (kinds.empty())
        return "?";
    std::string letters;
    for (const auto& [word, letter] : {std::pair("int8", 'i'), std::pair("dynamic", 'd'),
                                       std::pair("float", 'f'), std::pair("outside", '-')}) {
        if (kinds.find(word) != std::string::npos)
            letters += letter;
    }
    return letters;
}

} // namespace

class TestInt8Coverage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cases_data();
    void cases();
    void zoo_data();
    void zoo();
    void summary();

private:
    void addGraph(const std::string& name, const char* flavour, const Graph& graph,
                  const std::vector<Assignment>& assignments);

    std::map<std::string, Placement> m_ops;
    std::set<std::string> m_excused;
    int m_graphs = 0;
    int m_known = 0; ///< graphs that ExecuTorch's partition is recorded of
};

void TestInt8Coverage::cases_data()
{
    QTest::addColumn<QString>("name");
    const QDir cases(qEnvironmentVariable("PT2E_TEST_DATA") + "/cases");
    for (const QString& name : cases.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFile::exists(cases.filePath(name + "/eval.npz")))
            QTest::newRow(qPrintable(name)) << name;
    }
}

void TestInt8Coverage::cases()
{
    QFETCH(QString, name);
    for (const Flavour& flavour : kFlavours) {
        if (flavour.isDynamic && !recordedPartitions(name.toStdString()).contains(flavour.name))
            continue; // the case is about something else
        const SnapshotPtr snapshot = convertedCase(name.toStdString(), settingsOf(flavour));
        QVERIFY(snapshot);
        if (!snapshot->converted)
            continue; // PyTorch cannot convert it either
        auto program = makeXnnpackProgram(snapshot->converted->graph, {});
        QVERIFY2(program.has_value(), qPrintable(name));
        // Graphs with symbolic sizes are planned when their inputs come.
        const auto data =
            readBatches(casePath(name.toStdString(), "eval.npz"), *snapshot->model->exported);
        if (data && !data->batches.empty())
            (*program)->run(data->batches[0], {}, {});
        addGraph(name.toStdString(), flavour.name, *snapshot->converted->graph,
                 (*program)->assignments());
    }
}

void TestInt8Coverage::zoo_data()
{
    QTest::addColumn<QString>("name");
    for (const char* name :
         {"mobilenet_v2", "resnet18", "squeezenet1_1", "ds_cnn", "encoder", "fashion_cnn"})
        QTest::newRow(name) << name;
}

void TestInt8Coverage::zoo()
{
    QFETCH(QString, name);
    QVERIFY(!recordedPartitions("zoo/" + name.toStdString()).empty());
    for (const Flavour& flavour : {kFlavours[0], kFlavours[2]}) {
        Recipe recipe;
        recipe.quantizer = settingsOf(flavour);
        recipe.calibration.source = CalibrationChoice::Source::Random;
        recipe.calibration.batches = 1;
        const SnapshotPtr snapshot = convertedModel(name.toStdString(), recipe);
        QVERIFY(snapshot && snapshot->converted);
        auto program = makeXnnpackProgram(snapshot->converted->graph, {});
        const auto data = loadBatches(*snapshot->model, recipe.calibration);
        QVERIFY(program.has_value() && data.has_value());
        QVERIFY((*program)->run(data->batches.front(), {}, {}).has_value());
        addGraph("zoo/" + name.toStdString(), flavour.name, *snapshot->converted->graph,
                 (*program)->assignments());
    }
}

void TestInt8Coverage::addGraph(const std::string& name, const char* flavour, const Graph& graph,
                                const std::vector<Assignment>& assignments)
{
    const auto& partitions = recordedPartitions(name);
    const auto theirs = partitions.find(flavour);
    const bool isKnown = theirs != partitions.end();
    std::string line;
    std::string missed;
    std::size_t found = 0;
    for (const Assignment& one : assignments) {
        const Node& node = graph.node(one.node);
        if (!node.is(OpKind::CallFunction) || !node.target.starts_with("aten."))
            continue;
        const std::string op(shortOpName(node.target));
        std::string kinds;
        if (isKnown && theirs->second.contains(node.name)) {
            kinds = theirs->second.at(node.name);
            ++found;
        }
        line += fmt::format(" {} {}/{}", node.name, lettersOf(kinds), letterOf(one));
        Placement& sum = m_ops[op];
        ++sum.all;
        sum.int8 += isInt8(one) ? 1 : 0;
        sum.real += one.where == Assignment::Where::XnnpackFloat ? 1 : 0;
        sum.torch += one.where == Assignment::Where::LibTorch ? 1 : 0;
        sum.known += kinds.empty() ? 0 : 1;
        const bool isTheirs = kinds == "int8" || kinds == "dynamic";
        sum.theirInt8 += isTheirs ? 1 : 0;
        sum.bothInt8 += isTheirs && isInt8(one) ? 1 : 0;
        const bool isPromised =
            std::find(std::begin(kPromised), std::end(kPromised), op) != std::end(kPromised)
            && isQuantizedAllAround(graph, node);
        if (!isInt8(one) && (isTheirs || isPromised))
            missed += fmt::format("    {} is not int8: {}\n", node.name, one.reason);
    }
    fmt::print("{} {}:{}\n{}", name, flavour, line, missed);
    ++m_graphs;
    m_known += isKnown ? 1 : 0;
    if (isKnown)
        QCOMPARE(found, theirs->second.size()); // the same nodes, by name
    if (!missed.empty()) {
        m_excused.insert(name);
        QVERIFY2(kReasons.contains(name), missed.c_str());
    }
}

void TestInt8Coverage::summary()
{
    qInfo("%-28s %5s | %5s %5s %8s | %14s %5s %6s", "op", "all", "int8", "float", "LibTorch",
          "by ExecuTorch:", "int8", "both");
    for (const auto& [op, sum] : m_ops)
        qInfo("%-28s %5d | %5d %5d %8d | %14d %5d %6d", op.c_str(), sum.all, sum.int8, sum.real,
              sum.torch, sum.known, sum.theirInt8, sum.bothInt8);
    qInfo("%d graphs, of %d of them ExecuTorch's partition is recorded", m_graphs, m_known);
    for (const auto& [name, reason] : kReasons) {
        qInfo("not in int8: %s: %s", name.c_str(), reason.c_str());
        QVERIFY2(m_excused.contains(name), name.c_str());
    }
}

QTEST_GUILESS_MAIN(TestInt8Coverage)
#include "tst_int8_coverage.moc"
