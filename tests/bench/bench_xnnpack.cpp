// bench_xnnpack: our half of xnnpack_speed.py: one program, kept alive, that runs when it is told to.
//
//     bench_xnnpack MODEL.pt2 [--threads N] [--values FOLDER] [--operators]
//
// A converted program runs in int8, a float one in float, both on XNNPACK, with the file's example inputs or those of
// FOLDER/inputs.npz; FOLDER/ours.npz is written. Prints
// "compiled MILLISECONDS PARTITIONS NODES", the last being those that LibTorch runs, then for each line "N" on stdin N
// times of one run each in ms, on one line. With --operators it prints instead where each node runs, and each operator's
// time: the median of 50 runs.
#include "core/data/Batches.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/kernels/Kernels.h"
#include "core/pipeline/Model.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <string>

using namespace pt2e;

namespace {

using Clock = std::chrono::steady_clock;

struct Options
{
    std::string model;
    std::string folder;
    int threads = 1;
    bool hasOperators = false;
};

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void printPlan(const std::vector<Assignment>& assignments, double compileMs)
{
    int partitions = 0;
    int onTorch = 0;
    for (const Assignment& one : assignments) {
        partitions = std::max(partitions, one.partition + 1);
        onTorch += one.where == Assignment::Where::LibTorch ? 1 : 0;
    }
    fmt::print("compiled {:.3f} {} {}\n", compileMs, partitions, onTorch);
    std::fflush(stdout);
}

Result<Values> inputsOf(const Model& model, const std::string& folder)
{
    if (folder.empty())
        return model.examples.empty()
                   ? Result<Values>(badInput(model.name, "has no example inputs"))
                   : model.examples.front();
    PT2E_ASSIGN(Batches batches, readBatches(folder + "/inputs.npz", *model.exported, 1));
    return std::move(batches.batches.front());
}

void printAssignments(const Graph& graph, const std::vector<Assignment>& assignments)
{
    constexpr const char* kWhere[] = {"int8", "float", "LibTorch", "constant", "absorbed"};
    for (const Assignment& one : assignments) {
        if (one.where != Assignment::Where::Constant && one.where != Assignment::Where::Absorbed)
            fmt::print("{:9s} {:3d} {:40s} {} {}\n", kWhere[static_cast<int>(one.where)],
                       one.partition, graph.node(one.node).name, one.kernel, one.reason);
    }
}

Result<void> profile(const Model& model, XnnpackProgram& program, const Values& inputs)
{
    constexpr std::size_t kRuns = 50;
    std::vector<XnnpackProgram::OperatorTime> operators;
    std::vector<std::vector<double>> times;
    for (std::size_t run = 0; run < kRuns; ++run) {
        PT2E_TRY(program.run(inputs, {}, {}));
        operators = program.operatorTimes();
        times.resize(operators.size());
        for (std::size_t i = 0; i < operators.size(); ++i)
            times[i].push_back(
                std::chrono::duration<double, std::micro>(operators[i].time).count());
    }
    printAssignments(*model.exported, program.assignments());
    double sum = 0;
    for (std::size_t i = 0; i < operators.size(); ++i) {
        std::nth_element(times[i].begin(), times[i].begin() + kRuns / 2, times[i].end());
        sum += times[i][kRuns / 2];
        fmt::print("{:9.1f} us {:3d} {}\n", times[i][kRuns / 2], operators[i].partition,
                   operators[i].name);
    }
    fmt::print("{:9.1f} us in all\n", sum);
    return {};
}

Result<void> serve(const Options& options)
{
    ModelRequest request;
    request.what = options.model;
    PT2E_ASSIGN(const ModelPtr model, openModel(request, {}));
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    torch->setThreads(options.threads);
    PT2E_ASSIGN(const Values inputs, inputsOf(*model, options.folder));
    XnnpackOptions wanted;
    wanted.threads = options.threads;
    wanted.isProfiled = options.hasOperators;
    const auto start = Clock::now();
    PT2E_ASSIGN(const auto program, makeXnnpackProgram(model->exported, wanted));
    const double compileMs = millisecondsSince(start);
    if (options.hasOperators)
        return profile(*model, *program, inputs);
    if (!options.folder.empty()) {
        PT2E_ASSIGN(const RunReport report, program->run(inputs, {}, {}));
        PT2E_TRY(writeOutputs(options.folder + "/ours.npz", {report.outputs}));
    }
    printPlan(program->assignments(), compileMs);
    for (std::string line; std::getline(std::cin, line);) {
        for (int i = std::atoi(line.c_str()); i > 0; --i) {
            const auto before = Clock::now();
            PT2E_TRY(program->run(inputs, {}, {}));
            fmt::print("{:.4f} ", millisecondsSince(before));
        }
        fmt::print("\n");
        std::fflush(stdout);
    }
    return {};
}

} // namespace

int main(int argc, char** argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
        if (argument == "--threads" && value)
            options.threads = std::atoi(argv[++i]);
        else if (argument == "--values" && value)
            options.folder = argv[++i];
        else if (argument == "--operators")
            options.hasOperators = true;
        else
            options.model = argument;
    }
    if (const auto done = serve(options); !done) {
        fmt::print(stderr, "bench_xnnpack: {}\n", done.error().message());
        return 1;
    }
    return 0;
}
