// bench_memory: what calibration keeps in memory, and that the bound changes no number.
//
//     bench_memory [--model resnet50] [--images 64] [--memory MIB]
//
// Each row is a process of its own: no cache, the bound with a temporary file, the bound without one, no bound. It
// calibrates with the images one by one, converts, then changes the quantizer and converts again. Printed are the
// peaks of the resident memory; the base is what "no cache" needs. Ends with 1 if a row exceeds base + bound + 5 %, or
// if two rows made different graphs or numbers.
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/StageDump.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace pt2e;

namespace {

constexpr std::uint64_t kMiB = 1024 * 1024;
constexpr std::uint64_t kMuch = std::uint64_t(1) << 40;

struct Options
{
    std::string model = "resnet50";
    std::int64_t images = 64;
    std::uint64_t memory = ActivationLimits::defaults().memory;
};

struct Row
{
    const char* title;
    ActivationLimits limits;
    bool isBounded;
};

/// What a row's process prints.
struct Outcome
{
    std::uint64_t peak = 0; ///< bytes
    double seconds = 0;
    std::int64_t modelRuns = 0;
    std::string hash; ///< of both dumps
};

std::uint64_t peakMemory()
{
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("VmHWM:"))
            return std::strtoull(line.c_str() + 6, nullptr, 10) * 1024;
    }
    return 0;
}

std::string hashOf(const std::string& text) { return sha256(std::as_bytes(std::span(text))); }

Result<Outcome> measure(const Options& options, const ActivationLimits& limits)
{
    const auto start = std::chrono::steady_clock::now();
    ModelRequest request;
    request.what = options.model;
    PT2E_ASSIGN(ModelPtr model, openModel(request, {}));
    Pipeline pipeline(std::move(model), limits);
    Recipe recipe;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    recipe.calibration.batches = options.images;
    Outcome outcome;
    std::string hashes;
    for (int round = 0; round < 2; ++round) {
        const SnapshotPtr snapshot = pipeline.run(recipe, StageKind::Converted, {});
        if (snapshot->error)
            return tl::unexpected<Error>(*snapshot->error);
        PT2E_ASSIGN(const std::string dump, dumpStages(*snapshot));
        hashes += hashOf(dump);
        // All activations get new observers, which are fed from what was kept.
        recipe.quantizer.global->actQmin = -127;
    }
    outcome.hash = hashOf(hashes);
    outcome.modelRuns = pipeline.modelRuns();
    outcome.peak = peakMemory();
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

/// Runs measure() in a child: the peak of a process never falls.
Result<Outcome> measureApart(const Options& options, const ActivationLimits& limits)
{
    int ends[2];
    if (pipe(ends) != 0)
        return fail(ErrorCode::Io, "pipe", "cannot be made");
    const pid_t child = fork();
    if (child == 0) {
        const auto outcome = measure(options, limits);
        if (!outcome) {
            fmt::print(stderr, "{}\n", outcome.error().message());
            _exit(1);
        }
        const std::string line = fmt::format("{} {} {} {}\n", outcome->peak, outcome->seconds,
                                             outcome->modelRuns, outcome->hash);
        _exit(write(ends[1], line.data(), line.size()) == static_cast<ssize_t>(line.size()) ? 0
                                                                                            : 1);
    }
    close(ends[1]);
    std::string text;
    char buffer[256];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
        return fail(ErrorCode::Internal, "the measuring process", "failed");
    Outcome outcome;
    std::istringstream words(text);
    words >> outcome.peak >> outcome.seconds >> outcome.modelRuns >> outcome.hash;
    return outcome;
}

int run(const Options& options)
{
    const std::vector<Row> rows = {
        {"no cache", ActivationLimits::none(), false},
        {"bound, rest in a file", {options.memory, kMuch}, true},
        {"bound, no file", {options.memory, 0}, true},
        {"no bound", {kMuch, 0}, false},
    };
    fmt::print("{}, {} images, bound {} MiB\n{:<24}{:>12}{:>10}{:>12}\n", options.model,
               options.images, options.memory / kMiB, "", "peak MiB", "seconds", "model runs");
    std::uint64_t base = 0;
    std::string hash;
    bool isGood = true;
    for (const Row& row : rows) {
        const auto outcome = measureApart(options, row.limits);
        if (!outcome) {
            fmt::print(stderr, "{}: {}\n", row.title, outcome.error().message());
            return 1;
        }
        if (hash.empty()) {
            base = outcome->peak;
            hash = outcome->hash;
        }
        const std::uint64_t allowed = (base + options.memory) / 20 * 21;
        const bool isOver = row.isBounded && outcome->peak > allowed;
        const bool differs = outcome->hash != hash;
        fmt::print("{:<24}{:>12}{:>10.1f}{:>12}{}{}\n", row.title, outcome->peak / kMiB,
                   outcome->seconds, outcome->modelRuns, isOver ? "  OVER THE BOUND" : "",
                   differs ? "  OTHER RESULTS" : "");
        std::fflush(stdout);
        isGood = isGood && !isOver && !differs;
    }
    return isGood ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--model")
            options.model = argv[i + 1];
        else if (option == "--images")
            options.images = std::max(1L, std::strtol(argv[i + 1], nullptr, 10));
        else if (option == "--memory")
            options.memory = std::strtoull(argv[i + 1], nullptr, 10) * kMiB;
        else
            argc = 0;
    }
    if (argc % 2 == 0) {
        fmt::print(stderr, "usage: bench_memory [--model NAME] [--images N] [--memory MIB]\n");
        return 2;
    }
    return run(options);
}
