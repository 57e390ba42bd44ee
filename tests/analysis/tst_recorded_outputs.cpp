// Our XNNPACK outputs against those of ExecuTorch's XNNPACK runtime, recorded for the reference
// cases: another lowering of the same converted graphs onto the same kernels. All cases, all flavours.
#include "core/analysis/Compare.h"
#include "core/data/Batches.h"
#include "core/data/Npz.h"
#include "tests/support/Cases.h"

#include <QDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <set>

using namespace pt2e;
using namespace pt2e::test;

namespace {

struct Flavour
{
    const char* name;
    QuantizerFlavor quantizer;
    bool perChannel;
    bool isDynamic;
};

constexpr Flavour kFlavours[] = {
    {"torchao", QuantizerFlavor::TorchAo, true, false},
    {"torchao-pt", QuantizerFlavor::TorchAo, false, false},
    {"executorch", QuantizerFlavor::ExecuTorch, true, false},
    {"torchao-dyn", QuantizerFlavor::TorchAo, true, true},
    {"executorch-dyn", QuantizerFlavor::ExecuTorch, true, true},
};

/// Averages of four int8 values lie on ties; ExecuTorch averages in float, we in int8. Never more than
/// one step apart.
constexpr const char* kTies[] = {"adaptive_pool_first", "adaptive_pool_functional"};

/// ExecuTorch's recorded run is itself far from its simulation.
constexpr const char* kWrongInExecuTorch[] = {"chunk_split_slice", "linear_shared_weight",
                                              "derived_bias"};

QuantizerSettings settingsOf(const Flavour& flavour)
{
    QuantizerSettings settings;
    settings.flavor = flavour.quantizer;
    settings.global->perChannel = flavour.perChannel;
    settings.global->dynamic = flavour.isDynamic;
    return settings;
}

/// How far apart two runs are, over all batches and outputs.
struct Difference
{
    std::int64_t count = 0;
    std::int64_t differing = 0; ///< by more than a float32 rounding
    std::int64_t farApart = 0; ///< by more than one step of the output
    double max = 0;
    double signal = 0;
    double noise = 0;
    bool isComparable = true;

    double sqnr() const { return noise > 0 ? 10 * std::log10(signal / noise) : INFINITY; }
    /// At most one step for 99.9 % of the elements, or 40 dB.
    bool isClose() const { return isComparable && (farApart * 1000 <= count || sqnr() >= 40); }
};

/// The scale of the dequantize that makes the output, else a 255th of the recorded range.
double stepOf(const Graph& converted, std::size_t output, const std::vector<double>& recorded)
{
    const ArgumentList* items = converted.output()->arg(0).get<ArgumentList>();
    const NodeId end =
        items && output < items->items.size() ? items->items[output].node() : NodeId();
    const Node* node = end ? converted.find(end) : nullptr;
    if (node && node->calls("quantized_decomposed.dequantize_per_tensor.default"))
        return *node->arg(1).get<double>();
    const auto [low, high] = std::minmax_element(recorded.begin(), recorded.end());
    return recorded.empty() ? 1 : std::max(1e-9, (*high - *low) / 255);
}

void addTensor(const std::vector<double>& recorded, const std::vector<double>& ours, double step,
               Difference& sum)
{
    for (std::size_t i = 0; i < recorded.size(); ++i) {
        ++sum.count;
        if (recorded[i] == ours[i] || (std::isnan(recorded[i]) && std::isnan(ours[i])))
            continue;
        const double apart = std::fabs(recorded[i] - ours[i]);
        if (!std::isfinite(apart)) {
            ++sum.differing;
            ++sum.farApart;
            continue;
        }
        sum.max = std::max(sum.max, apart);
        sum.differing += apart > 1e-5 * std::max(1.0, std::fabs(recorded[i])) ? 1 : 0;
        sum.farApart += apart > 1.01 * step ? 1 : 0;
        sum.signal += recorded[i] * recorded[i];
        sum.noise += apart * apart;
    }
}

void addOutputs(const NamedTensors& recorded, const std::string& prefix, const Values& ours,
                const Graph& converted, Difference& sum)
{
    for (std::size_t i = 0; i < ours.size(); ++i) {
        const std::string name = prefix + "_o" + std::to_string(i);
        const auto it = std::find_if(recorded.begin(), recorded.end(),
                                     [&](const auto& entry) { return entry.first == name; });
        if (it == recorded.end() || !ours[i].tensor())
            continue; // a number, or not recorded
        const auto a = it->second.toDoubles();
        const auto b = ours[i].tensor()->toDoubles();
        if (!a || !b || a->size() != b->size()) {
            sum.isComparable = false;
            return;
        }
        addTensor(*a, *b, stepOf(converted, i, *a), sum);
    }
}

bool hasRecording(const NamedTensors& recorded, const std::string& prefix)
{
    return std::any_of(recorded.begin(), recorded.end(), [&](const auto& entry) {
        return entry.first.starts_with(prefix + "_b0_o");
    });
}

} // namespace

class TestRecordedOutputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void xnnpack_data();
    void xnnpack();
    void cleanupTestCase();

private:
    int m_runs = 0;
    int m_equal = 0; ///< every element
    int m_close = 0;
    int m_left = 0; ///< wrong in ExecuTorch
    std::set<std::string> m_unequalCases;
    std::set<std::string> m_cases;
};

void TestRecordedOutputs::xnnpack_data()
{
    QTest::addColumn<QString>("name");
    const QDir cases(qEnvironmentVariable("PT2E_TEST_DATA") + "/cases");
    for (const QString& name : cases.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name)) {
        if (QFile::exists(cases.filePath(name + "/eval_out.npz")))
            QTest::newRow(qPrintable(name)) << name;
    }
}

void TestRecordedOutputs::xnnpack()
{
    QFETCH(QString, name);
    const std::string caseName = name.toStdString();
    const auto recorded = readArrays(casePath(caseName, "eval_out.npz"));
    QVERIFY(recorded.has_value());
    const auto isOneOf = [&](const auto& names) {
        return std::find(std::begin(names), std::end(names), caseName) != std::end(names);
    };
    const bool isLeft = isOneOf(kWrongInExecuTorch);
    const bool hasTies = isOneOf(kTies);
    for (const Flavour& flavour : kFlavours) {
        const std::string prefix = std::string(flavour.name) + "_xnn";
        if (!hasRecording(*recorded, prefix))
            continue;
        const SnapshotPtr snapshot = convertedCase(caseName, settingsOf(flavour));
        QVERIFY(snapshot && snapshot->converted);
        const Graph& converted = *snapshot->converted->graph;
        const auto inputs = readBatches(casePath(caseName, "eval.npz"), *snapshot->model->exported);
        QVERIFY(inputs.has_value());
        auto program = makeXnnpackProgram(snapshot->converted->graph, {});
        QVERIFY2(program.has_value(), program ? "" : program.error().message().c_str());
        Difference found;
        RunState state;
        RunOptions options;
        options.state = &state;
        for (std::size_t i = 0; i < inputs->batches.size(); ++i) {
            auto run = (*program)->run(inputs->batches[i], options, {});
            QVERIFY2(run.has_value(), run ? "" : run.error().message().c_str());
            addOutputs(*recorded, prefix + "_b" + std::to_string(i), run->outputs, converted,
                       found);
        }
        ++m_runs;
        m_cases.insert(caseName);
        m_equal += found.differing == 0 ? 1 : 0;
        if (found.differing > 0) {
            m_unequalCases.insert(caseName);
            qInfo("%s %s: %lld of %lld differ, %lld by more than a step, SQNR %.1f dB",
                  caseName.c_str(), flavour.name, static_cast<long long>(found.differing),
                  static_cast<long long>(found.count), static_cast<long long>(found.farApart),
                  found.sqnr());
        }
        m_left += isLeft ? 1 : 0;
        m_close += found.isClose() ? 1 : 0;
        if (hasTies)
            QCOMPARE(found.farApart, std::int64_t(0));
        else if (!isLeft)
            QVERIFY2(found.isClose(), flavour.name);
    }
}

void TestRecordedOutputs::cleanupTestCase()
{
    qInfo("%d recorded runs of %zu cases: %d equal in every element, %d close; %d are wrong in "
          "ExecuTorch; %zu cases are equal in all flavours",
          m_runs, m_cases.size(), m_equal, m_close, m_left, m_cases.size() - m_unequalCases.size());
}

QTEST_GUILESS_MAIN(TestRecordedOutputs)
#include "tst_recorded_outputs.moc"
