// Our stages against those of the real Python stack: all reference cases, both quantizers, static and dynamic, per
// channel and per tensor, with settings by module name, module type and operator, and quantizers of their own as recipes.
#include "core/data/Npz.h"
#include "core/engine/Engine.h"
#include "core/pipeline/StageDump.h"
#include "tests/support/Cases.h"

#include <QtTest/QtTest>
#include <cmath>
#include <map>

using namespace pt2e;
using namespace pt2e::test;

namespace {

/// The largest scale of the golden's per-tensor observers: no output step is larger.
double largestStep(const rapidjson::Document& golden)
{
    double step = 0;
    for (const auto& observer : golden["observers"].GetArray()) {
        if (observer["scale"].IsArray() && observer["scale"].Size() == 1)
            step = std::max(step, observer["scale"][0].GetDouble());
    }
    return step;
}

/// Goldens with sub-graphs ("torchao-bodies") were recorded later; outputs are the same.
std::string recordedFlavour(const std::string& flavour)
{
    constexpr std::string_view kBodies = "-bodies";
    return flavour.ends_with(kBodies) ? flavour.substr(0, flavour.size() - kBodies.size())
                                      : flavour;
}

void addTensors(const Value& value, std::vector<Tensor>& tensors)
{
    if (const Tensor* tensor = value.tensor())
        tensors.push_back(*tensor);
    if (const Value::List* list = value.list()) {
        for (const Value& item : *list)
            addTensors(item, tensors);
    }
}

/// "" if equal as the regime promises, else what differs.
QString differenceOf(const Tensor& expected, const Tensor& actual, bool exact, double step)
{
    if (expected.shape() != actual.shape() || expected.dtype() != actual.dtype())
        return QStringLiteral("another shape or dtype");
    if (exact)
        return *sha256(expected) == *sha256(actual) ? QString() : QStringLiteral("not bit-equal");
    const auto a = expected.toDoubles(), b = actual.toDoubles();
    // Where nothing is quantized there is no step: then reals as elsewhere, measured against the largest one, because
    // a sum of products that nearly cancel keeps the error of the large ones.
    double largest = 0;
    for (const double x : *a)
        largest = std::isfinite(x) ? std::max(largest, std::abs(x)) : largest;
    const double allowed = std::max(step * 1.001, 1e-5 * largest);
    for (std::size_t i = 0; i < a->size(); ++i) {
        const double x = (*a)[i], y = (*b)[i];
        if (x != y && !(std::abs(x - y) <= allowed) && !(std::isnan(x) && std::isnan(y)))
            return QStringLiteral("element %1: %2, expected %3").arg(i).arg((*b)[i]).arg((*a)[i]);
    }
    return {};
}

} // namespace

/// Of what PyTorch says when it fails, what we must say, too.
const std::pair<const char*, const char*> kSameFailures[] = {
    {"torch.histc: range of [nan, nan] is not finite",
     "torch.histc: range of [nan, nan] is not finite"},
    {"Expected tensor for argument #1 'indices'", "Expected tensor for argument #1 'indices'"},
    {"Expecting input to have dtype torch.float32, but got dtype: torch.float64",
     "expected a float32 input, got Double"},
    {"An error occurred when running the 'DuplicateDQPass' pass", "raises in DuplicateDQPass"},
    {"Expected get_attr node, got placeholder", "Expected get_attr node, got placeholder"},
    {"IndexError: list index out of range", "raises IndexError here"},
    {"please make sure only refer to edge or node that has observer/fake_quant inserted",
     "which has no observer yet"},
    {"KeyError: sigmoid", "which has no annotation"},
};

class TestCases : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const std::string problem = loadKernelsWithOneThread();
        QVERIFY2(problem.empty(), problem.c_str());
        m_regime = regimeOf((*kernels())->info());
        qInfo("%s", m_regime.description.c_str());
        std::map<std::string, int> counts;
        for (const Golden& golden : goldens())
            ++counts[golden.flavour];
        const std::map<std::string, int> atLeast = {{"torchao", 128},        {"torchao-pt", 128},
                                                    {"executorch", 128},     {"torchao-dyn", 18},
                                                    {"executorch-dyn", 18},  {"torchao-bodies", 4},
                                                    {"executorch-bodies", 4}};
        for (const auto& [flavour, count] : atLeast)
            QVERIFY2(counts[flavour] >= count, flavour.c_str());
        QVERIFY(counts.size() >= 29); // and the filters and recipes
    }

    void equalsGolden_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("flavour");
        for (const Golden& golden : goldens())
            QTest::addRow("%s %s", golden.caseName.c_str(), golden.flavour.c_str())
                << QString::fromStdString(golden.caseName)
                << QString::fromStdString(golden.flavour);
    }
    void equalsGolden()
    {
        QFETCH(QString, name);
        QFETCH(QString, flavour);
        const std::string caseName = name.toStdString(), flavourName = flavour.toStdString();
        std::string error;
        const auto golden =
            parseDump(readText(casePath(caseName, "golden-" + flavourName + ".json")), error);
        QVERIFY2(error.empty(), error.c_str());
        // Through its text, as a recipe file would say it.
        const auto wanted = recipeOf({caseName, flavourName}, golden);
        QVERIFY2(wanted, wanted ? "" : wanted.error().message().c_str());
        const auto recipe = readRecipe(writeRecipe(*wanted), "recipe.json");
        QVERIFY2(recipe, recipe ? "" : recipe.error().message().c_str());
        QVERIFY(*recipe == *wanted);

        const auto model = openModel({casePath(caseName, "model.pt2"), {}, 8, 2, 0}, {});
        QVERIFY2(model, model ? "" : model.error().message().c_str());
        Pipeline pipeline(*model);
        const SnapshotPtr snapshot = pipeline.run(*recipe, StageKind::Converted, {});
        const auto text = dumpStages(*snapshot);
        QVERIFY2(text, text ? "" : text.error().message().c_str());
        const auto dump = parseDump(*text, error);
        QVERIFY2(error.empty(), error.c_str());
        for (const DumpDifference& difference : compareDumps(golden, dump, m_regime.tolerance))
            if (m_regime.isExact || !isOfWrittenBuffer(difference, *snapshot))
                QTest::qFail(difference.line().c_str(), __FILE__, __LINE__);
        QCOMPARE(snapshot->error.has_value(), golden.HasMember("error"));
        if (!snapshot->error)
            compareOutputs(caseName, flavourName, *snapshot, largestStep(golden));
        else
            compareErrors(golden["error"], dump["error"]);
    }

private:
    /// The bytes of a buffer that the model writes while it is calibrated come from LibTorch's sums, not from the file.
    static bool isOfWrittenBuffer(const DumpDifference& difference, const Snapshot& snapshot)
    {
        const std::string buffer = difference.node.substr(difference.node.find(':') + 1);
        return difference.section == "tensors" && difference.field == "sha256"
               && snapshot.calibrated && snapshot.calibrated->buffers.find(buffer);
    }

    /// The same step, and a message that tells the same kind of failure.
    void compareErrors(const rapidjson::Value& golden, const rapidjson::Value& ours)
    {
        QCOMPARE(ours["stage"].GetString(), golden["stage"].GetString());
        const std::string wanted = golden["message"].GetString(), type = golden["type"].GetString(),
                          said = ours["message"].GetString();
        for (const auto& [theirs, part] : kSameFailures) {
            if ((type + ": " + wanted).find(theirs) == std::string::npos)
                continue;
            QVERIFY2(said.find(part) != std::string::npos, said.c_str());
            return;
        }
        QFAIL(("no such failure is known: " + type + ": " + wanted).c_str());
    }

    void compareOutputs(const std::string& caseName, const std::string& flavour,
                        const Snapshot& snapshot, double step)
    {
        const auto arrays = readArrays(casePath(caseName, "eval_out.npz"));
        QVERIFY2(arrays, arrays ? "" : arrays.error().message().c_str());
        OrderedMap<Tensor> expected;
        for (const auto& [name, tensor] : *arrays)
            expected.set(name, tensor);
        const auto batches = readBatches(casePath(caseName, "eval.npz"), *snapshot.model->exported);
        QVERIFY2(batches, batches ? "" : batches.error().message().c_str());
        const auto program = makeReferenceProgram(snapshot.converted->graph);
        QVERIFY2(program, program ? "" : program.error().message().c_str());
        RunState
            state; // a module called twice: what the first batch leaves in buffers the second reads
        RunOptions options;
        options.state = &state;
        int compared = 0;
        for (std::size_t b = 0; b < batches->batches.size(); ++b) {
            const auto report = (*program)->run(batches->batches[b], options, {});
            QVERIFY2(report, report ? "" : report.error().message().c_str());
            std::vector<Tensor> outputs;
            for (const Value& output : report->outputs)
                addTensors(output, outputs);
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                const std::string key =
                    recordedFlavour(flavour) + "_b" + std::to_string(b) + "_o" + std::to_string(i);
                const Tensor* wanted = expected.find(key);
                QVERIFY2(wanted, key.c_str());
                const QString difference =
                    differenceOf(*wanted, outputs[i], m_regime.isExact, step);
                QVERIFY2(difference.isEmpty(),
                         qPrintable(QString::fromStdString(key + ": ") + difference));
                ++compared;
            }
        }
        QVERIFY(compared > 0);
    }

    Regime m_regime;
};

QTEST_GUILESS_MAIN(TestCases)
#include "tst_cases.moc"
