// bench_compile: what making an int8 program costs.
//
//     bench_compile [--model resnet50] [--rounds 5] [--threads 1] [--limit MILLISECONDS]
//
// The model is quantized with random data, then its program is made, run and thrown away so often. Printed are the time
// of making (wall clock and this process's processor time), of the first run and of the later ones, the bytes of the
// int8 weights, and the resident memory before, after making, after the runs and after throwing away. Ends with 1 if
//   the fastest making takes longer than the limit (500 ms);
//   on one thread the first run takes longer than a later one by more than a quarter of the making: then work is
//   left to it;
//   the program holds twice the weights' bytes or more: then they are there once more beside the packed ones.
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/kernels/Kernels.h"
#include "core/pipeline/Pipeline.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fmt/format.h>
#include <fstream>
#include <malloc.h>
#include <string>
#include <unistd.h>
#include <vector>

using namespace pt2e;

namespace {

struct Options
{
    std::string model = "resnet50";
    int rounds = 5;
    int threads = 1;
    double limitMs = 500;
};

constexpr double kMiB = 1024 * 1024;

double wallMs()
{
    return std::chrono::duration<double, std::milli>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

double processorMs() { return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Without what the allocator keeps of freed memory.
double residentMiB()
{
    malloc_trim(0);
    std::ifstream file("/proc/self/statm");
    long total = 0;
    long resident = 0;
    file >> total >> resident;
    return static_cast<double>(resident * sysconf(_SC_PAGESIZE)) / kMiB;
}

double weightMiB(const Graph& graph)
{
    std::int64_t bytes = 0;
    for (const auto& [name, attribute] : graph.attributes())
        bytes += attribute.value.dtype() == DType::Int8 ? attribute.value.elementCount() : 0;
    return static_cast<double>(bytes) / kMiB;
}

struct Round
{
    double compileMs = 0;
    double processorMs = 0;
    double firstMs = 0;
    double laterMs = 0; ///< the median
    double heldMiB = 0; ///< by the program, before it runs
    double ranMiB = 0; ///< and after
};

Result<Round> oneRound(const GraphPtr& graph, const Values& inputs, const Options& options)
{
    Round round;
    XnnpackOptions wanted;
    wanted.threads = options.threads;
    const double before = residentMiB();
    const double startProcessor = processorMs();
    const double start = wallMs();
    PT2E_ASSIGN(const auto program, makeXnnpackProgram(graph, wanted));
    round.compileMs = wallMs() - start;
    round.processorMs = processorMs() - startProcessor;
    round.heldMiB = residentMiB() - before;
    std::vector<double> times;
    for (int i = 0; i < 12; ++i) {
        const double runStart = wallMs();
        PT2E_TRY(program->run(inputs, {}, {}));
        times.push_back(wallMs() - runStart);
    }
    round.ranMiB = residentMiB() - before;
    round.firstMs = times.front();
    std::sort(times.begin() + 1, times.end());
    round.laterMs = times[times.size() / 2];
    return round;
}

Result<bool> measure(const Options& options)
{
    ModelRequest request;
    request.what = options.model;
    PT2E_ASSIGN(const ModelPtr model, openModel(request, {}));
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    torch->setThreads(options.threads);
    Recipe recipe;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    recipe.calibration.batches = 1;
    const SnapshotPtr snapshot = Pipeline(model).run(recipe, StageKind::Converted, {});
    if (snapshot->error)
        return tl::unexpected<Error>(*snapshot->error);
    const GraphPtr graph = snapshot->converted->graph;
    PT2E_ASSIGN(const auto batches, loadBatches(*model, recipe.calibration));
    const double weights = weightMiB(*graph);
    const double before = residentMiB();
    fmt::print(
        "{}, {} thread(s), XNNPACK {}: {:.1f} MiB of int8 weights, {:.1f} MiB resident before\n"
        "{:>12}{:>14}{:>12}{:>12}{:>14}{:>16}\n",
        options.model, options.threads, xnnpackInfo().snapshot, weights, before, "making ms",
        "processor ms", "first ms", "later ms", "program MiB", "after runs MiB");
    Round best;
    best.compileMs = 1e9;
    double smallestGap = 1e9;
    double mostHeld = 0;
    for (int i = 0; i < options.rounds; ++i) {
        PT2E_ASSIGN(const Round round, oneRound(graph, batches.batches.front(), options));
        fmt::print("{:>12.1f}{:>14.1f}{:>12.2f}{:>12.2f}{:>14.1f}{:>16.1f}\n", round.compileMs,
                   round.processorMs, round.firstMs, round.laterMs, round.heldMiB, round.ranMiB);
        if (round.compileMs < best.compileMs)
            best = round;
        smallestGap = std::min(smallestGap, (round.firstMs - round.laterMs) / round.compileMs);
        mostHeld = std::max(mostHeld, round.heldMiB);
    }
    fmt::print("{:.1f} MiB resident in the end\n", residentMiB());
    const bool isSlow = best.compileMs > options.limitMs;
    // Several threads on a busy machine wait for each other, the more so when they are new.
    const bool isLazy = options.threads == 1 && smallestGap > 0.25;
    const bool isHeldTwice = mostHeld >= 2 * weights;
    fmt::print(
        "making {:.0f} ms{}; first run {:.1f} ms more than later ones{}; {:.2f} times the weights held{}\n",
        best.compileMs, isSlow ? " TOO SLOW" : "", best.firstMs - best.laterMs,
        isLazy ? " WORK LEFT TO IT" : "", mostHeld / weights, isHeldTwice ? " TWICE" : "");
    return !isSlow && !isLazy && !isHeldTwice;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--model")
            options.model = argv[i + 1];
        else if (option == "--rounds")
            options.rounds = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--threads")
            options.threads = std::max(1, std::atoi(argv[i + 1]));
        else if (option == "--limit")
            options.limitMs = std::atof(argv[i + 1]);
        else
            argc = 0;
    }
    if (argc % 2 == 0) {
        fmt::print(stderr,
                   "usage: bench_compile [--model NAME] [--rounds N] [--threads N] [--limit MS]\n");
        return 2;
    }
    const auto done = measure(options);
    if (!done) {
        fmt::print(stderr, "bench_compile: {}\n", done.error().message());
        return 1;
    }
    return *done ? 0 : 1;
}
