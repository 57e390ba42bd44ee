// bench_sensitivity: the budget of a sensitivity analysis.
//
//     bench_sensitivity [--model mobilenet_v2] [--batches 8] [--threads 2]
//
// For each mode: time to the first result and to all of them, a run that is cancelled half-way (time from the request to
// the end), and the run after it, which must compute only what is missing. Ends with 1 if a target is missed: first
// result 1 s, all results of one-on 60 s, cancel 200 ms, nothing computed twice.
#include "core/analysis/EvaluationData.h"
#include "core/analysis/Sensitivity.h"
#include "core/pipeline/Pipeline.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <string>
#include <thread>

using namespace pt2e;

namespace {

using Clock = std::chrono::steady_clock;

struct Options
{
    std::string model = "mobilenet_v2";
    std::int64_t batches = 8;
    int threads = 2;
};

double since(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

double peakMiB()
{
    std::ifstream status("/proc/self/status");
    std::string line;
    while (std::getline(status, line)) {
        if (line.starts_with("VmHWM:"))
            return static_cast<double>(std::strtoull(line.c_str() + 6, nullptr, 10)) / 1024;
    }
    return 0;
}

Result<SensitivityData> dataOf(const Snapshot& snapshot, std::int64_t count)
{
    PT2E_ASSIGN(Batches batches,
                evaluationBatches(*snapshot.model, snapshot.recipe.calibration, count));
    return sensitivityData(*pt2e::dataOf(std::move(batches)), {});
}

struct Figures
{
    double first = 0, all = 0, cancel = 0;
    std::int64_t again = 0; ///< runs more than the whole analysis needed, after a cancelled one
};

/// From the request to stop to the answer, half-way through; then the rest.
Result<void> cancelAndResume(const SnapshotPtr& snapshot, const SensitivityData& data,
                             SensitivityMode mode, std::int64_t wholeRuns, JobContext context,
                             Figures& figures)
{
    PT2E_ASSIGN(const auto sensitivity, Sensitivity::make(snapshot, data, context));
    SensitivityStore store;
    std::stop_source stop;
    context.stop = stop.get_token();
    Clock::time_point asked;
    std::jthread asker;
    const auto result = sensitivity->run(mode, store, context, [&](const SensitivityReport& r) {
        if (r.results.size() == r.wanted / 2 && !asker.joinable()) {
            asker = std::jthread([&] {
                std::this_thread::sleep_for(
                    std::chrono::milliseconds(30)); // in the middle of a run
                asked = Clock::now();
                stop.request_stop();
            });
        }
    });
    if (asker.joinable())
        asker.join();
    figures.cancel = since(asked);
    if (result)
        return fail(ErrorCode::Internal, "cancel", "came too late");
    const std::size_t known = store.size();
    const std::int64_t before = sensitivity->runs();
    context.stop = {};
    PT2E_ASSIGN(const SensitivityReport rest, sensitivity->run(mode, store, context));
    std::size_t fromStore = 0;
    for (const GroupResult& group : rest.results)
        fromStore += group.isFromStore ? 1 : 0;
    const auto missing = static_cast<std::int64_t>(rest.wanted + 1 - known);
    const auto batches = static_cast<std::int64_t>(data.batches.size());
    // The base's run of each batch is needed again, and each missing score.
    figures.again = sensitivity->runs() - before - (missing + 1) * batches;
    std::printf("  %zu of %zu from before, %lld runs for the rest (all at once: %lld)\n", fromStore,
                rest.results.size(), static_cast<long long>(sensitivity->runs() - before),
                static_cast<long long>(wholeRuns));
    return {};
}

Result<bool> measure(const SnapshotPtr& snapshot, const SensitivityData& data, SensitivityMode mode,
                     const JobContext& context)
{
    Figures figures;
    const auto start = Clock::now();
    PT2E_ASSIGN(const auto sensitivity, Sensitivity::make(snapshot, data, context));
    const double made = since(start);
    SensitivityStore store;
    PT2E_ASSIGN(const SensitivityReport report,
                sensitivity->run(mode, store, context, [&](const SensitivityReport& r) {
                    if (r.results.size() == 1 && figures.first == 0)
                        figures.first = since(start);
                }));
    figures.all = since(start);
    std::printf("%s: %zu groups, prepared %.2f s, first %.2f s, all %.1f s, everything quantized "
                "%.2f dB, peak memory %.0f MiB\n",
                modeName(mode), report.results.size(), made, figures.first, figures.all,
                report.quantized ? report.quantized->output.sqnrDb : 0, peakMiB());
    const GroupResult& worst = report.results[worstFirst(report, SensitivityMetric::Sqnr).at(0)];
    std::printf("  what costs most: %s, %.2f dB\n", sensitivity->groups()[worst.group].name.c_str(),
                worst.score.output.sqnrDb);
    PT2E_TRY(cancelAndResume(snapshot, data, mode, sensitivity->runs(), context, figures));
    std::printf("  cancel %.0f ms, computed twice: %lld\n", figures.cancel * 1000,
                static_cast<long long>(figures.again));
    return figures.first <= 1 && figures.all <= 60 && figures.cancel <= 0.2 && figures.again == 0;
}

Result<bool> run(const Options& options)
{
    JobContext context;
    context.threads = options.threads;
    ModelRequest request;
    request.what = options.model;
    PT2E_ASSIGN(ModelPtr model, openModel(request, {}));
    Recipe recipe;
    recipe.calibration.source = CalibrationChoice::Source::Random;
    const SnapshotPtr snapshot =
        Pipeline(std::move(model)).run(recipe, StageKind::Converted, context);
    if (snapshot->error)
        return tl::unexpected<Error>(*snapshot->error);
    PT2E_ASSIGN(const SensitivityData data, dataOf(*snapshot, options.batches));
    std::printf("%s, %zu batches, %d threads\n", options.model.c_str(), data.batches.size(),
                options.threads);
    bool isMet = true;
    for (const SensitivityMode mode : kSensitivityModes) {
        PT2E_ASSIGN(const bool isGood, measure(snapshot, data, mode, context));
        isMet = isMet && isGood;
    }
    return isMet;
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string name = argv[i];
        if (name == "--model")
            options.model = argv[i + 1];
        else if (name == "--batches")
            options.batches = std::atoll(argv[i + 1]);
        else if (name == "--threads")
            options.threads = std::atoi(argv[i + 1]);
    }
    const auto met = run(options);
    if (!met) {
        std::fprintf(stderr, "bench_sensitivity: %s\n", met.error().message().c_str());
        return 2;
    }
    std::printf(*met ? "all targets met\n" : "TARGET MISSED\n");
    return *met ? 0 : 1;
}
