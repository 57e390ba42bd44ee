// int8 programs beside LibTorch in one process: made, run and thrown away many times; and one whose dequantize nodes are
// shared.
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "tests/support/ConvertedModel.h"

#include <QTest>
#include <fstream>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kFreedMemoryIsKept = true; ///< by the sanitizer, on purpose
#else
constexpr bool kFreedMemoryIsKept = false;
#endif

using namespace pt2e;

namespace {

constexpr const char* kDequantize = "quantized_decomposed.dequantize_per_tensor.default";

SnapshotPtr converted(const std::string& model, bool duplicatesDq = true)
{
    Recipe recipe;
    recipe.calibration.batches = 2;
    recipe.convert.duplicateDq = duplicatesDq;
    return pt2e::test::convertedModel(model, recipe);
}

Values inputsOf(const Snapshot& snapshot)
{
    auto batches = loadBatches(*snapshot.model, snapshot.recipe.calibration);
    return batches && !batches->batches.empty() ? batches->batches.front() : Values();
}

std::string outputHash(Program& program, const Values& inputs)
{
    auto report = program.run(inputs, {}, {});
    if (!report)
        return report.error().message();
    return sha256(*report->outputs.front().tensor()).value();
}

/// Bytes of this process in memory.
std::int64_t residentBytes()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t total = 0;
    std::int64_t resident = 0;
    file >> total >> resident;
    return resident * sysconf(_SC_PAGESIZE);
}

} // namespace

class TestInt8Programs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void manyCycles();
    void sharedDequantize();
};

/// Both engines' programs are made, run and destroyed, XNNPACK's with two threads; nothing stays behind. PT2E_CYCLES
/// says how often (150): on a busy machine two threads wait long for each other.
void TestInt8Programs::manyCycles()
{
    const int wanted = qEnvironmentVariableIntValue("PT2E_CYCLES");
    const int cycles = wanted > 0 ? std::max(20, wanted) : 150;
    const SnapshotPtr snapshot = converted("residual");
    QVERIFY(snapshot && snapshot->converted);
    const Values inputs = inputsOf(*snapshot);
    auto torch = kernels();
    QVERIFY(torch.has_value());
    const int before = (*torch)->info().threads;
    (*torch)->setThreads(
        1); // its own threads wait in busy loops, which a test machine has no time for
    XnnpackOptions options;
    options.threads = 2;
    std::string expected;
    std::string simulated;
    std::int64_t early = 0;
    for (int cycle = 1; cycle <= cycles; ++cycle) {
        auto xnnpack = makeXnnpackProgram(snapshot->converted->graph, options);
        auto reference = makeReferenceProgram(snapshot->converted->graph);
        QVERIFY(xnnpack.has_value() && reference.has_value());
        const std::string one = outputHash(**xnnpack, inputs);
        const std::string other = outputHash(**reference, inputs);
        if (cycle == 1) {
            expected = one;
            simulated = other;
        }
        QCOMPARE(one, expected);
        QCOMPARE(other, simulated);
        if (cycle == cycles / 10)
            early = residentBytes();
    }
    (*torch)->setThreads(before);
    const double growth = static_cast<double>(residentBytes()) / static_cast<double>(early) - 1;
    if (!kFreedMemoryIsKept)
        QVERIFY2(growth <= 0.02, qPrintable(QString::number(100 * growth) + " %"));
}

/// Without a dequantize of its own for each user the graph means the same, and all of it still runs in int8: types are
/// of values, not of their readers.
void TestInt8Programs::sharedDequantize()
{
    const SnapshotPtr own = converted("residual");
    const SnapshotPtr shared = converted("residual", false);
    QVERIFY(own && own->converted && shared && shared->converted);
    const auto dequantizes = [](const Graph& graph) {
        return std::count_if(graph.begin(), graph.end(),
                             [](const Node& node) { return node.calls(kDequantize); });
    };
    QVERIFY(dequantizes(*shared->converted->graph) < dequantizes(*own->converted->graph));
    auto a = makeXnnpackProgram(own->converted->graph, {});
    auto b = makeXnnpackProgram(shared->converted->graph, {});
    QVERIFY(a.has_value() && b.has_value());
    const Values inputs = inputsOf(*own);
    QCOMPARE(outputHash(**b, inputs), outputHash(**a, inputs));
    int int8Ops = 0;
    for (const Assignment& one : (*b)->assignments()) {
        QVERIFY2(one.where != Assignment::Where::LibTorch, one.reason.c_str());
        int8Ops += one.where == Assignment::Where::XnnpackInt8 ? 1 : 0;
    }
    QVERIFY(int8Ops > 0);
    for (const Assignment& one : (*a)->assignments())
        int8Ops -= one.where == Assignment::Where::XnnpackInt8 ? 1 : 0;
    QCOMPARE(int8Ops, 0);
}

QTEST_GUILESS_MAIN(TestInt8Programs)
#include "tst_int8_programs.moc"
