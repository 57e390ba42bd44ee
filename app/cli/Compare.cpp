#include "core/analysis/Compare.h"

#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    TableOptions table;
    std::string evaluation;
};

Cell text(std::string value) { return {std::move(value), std::nullopt, false}; }

Cell number(double value, const char* format)
{
    return {fmt::format(fmt::runtime(format), value), value, true};
}

TableRow row(std::vector<Cell> cells, std::vector<NodeId> nodes = {})
{
    return {std::move(cells), std::move(nodes)};
}

/// What the figures depend on.
Table setupTable(const Snapshot& snapshot, const CompareReport& report)
{
    Table table{"setup", "Setup", {"what", "value"}, {}, {}};
    const auto add = [&](const char* what, std::string value) {
        table.rows.push_back(row({text(what), text(std::move(value))}));
    };
    add("model", snapshot.model->name);
    add("calibrated on", snapshot.calibrated ? snapshot.calibrated->data : "-");
    add("compared on", report.data);
    add("XNNPACK", fmt::format("{}; {}", report.xnnpackInfo.snapshot,
                               fmt::join(report.xnnpackInfo.instructionSets, " ")));
    add("LibTorch", fmt::format("{}; {}, BLAS {}", report.torchInfo.version,
                                report.torchInfo.cpuCapability, report.torchInfo.blas));
    add("threads", std::to_string(report.threads));
    return table;
}

std::string stepsText(const std::optional<StepError>& steps)
{
    if (!steps)
        return "-";
    if (steps->differing == 0)
        return "equal";
    const auto percent = [&](std::int64_t elements) {
        return 100.0 * static_cast<double>(elements) / static_cast<double>(steps->count);
    };
    const std::string differing =
        fmt::format("max {}; {:.2g} % differ", steps->maxSteps, percent(steps->differing));
    return steps->farApart == 0
               ? differing
               : fmt::format("{}, {:.2g} % by more than 1", differing, percent(steps->farApart));
}

/// SQNR: the signal is the output named second.
Table outputTable(const CompareReport& report)
{
    Table table{
        "compare",
        "Outputs (SQNR: the signal is the run compared with; steps: of the output's quantization)",
        {"output", "run", "compared with", "SQNR dB", "cosine", "max abs", "steps"},
        {},
        {StageKind::Exported}};
    for (const OutputComparison& output : report.outputs) {
        const auto add = [&](const char* run, const char* with, const TensorError& error,
                             std::string steps) {
            table.rows.push_back(
                row({text(output.name), text(run), text(with), number(error.sqnrDb, "{:.2f}"),
                     number(error.cosine, "{:.6f}"), number(error.maxAbs, "{:.4g}"),
                     text(std::move(steps))}));
        };
        add("simulated", "float", output.simulated, "-");
        add("XNNPACK", "float", output.xnnpack, "-");
        add("XNNPACK", "simulated", output.kernels, stepsText(output.steps));
    }
    return table;
}

const char* whereText(Assignment::Where where)
{
    switch (where) {
    case Assignment::Where::XnnpackInt8: return "XNNPACK int8";
    case Assignment::Where::XnnpackFloat: return "XNNPACK float";
    case Assignment::Where::LibTorch: return "LibTorch";
    case Assignment::Where::Constant: return "constant";
    case Assignment::Where::Absorbed: break;
    }
    return "absorbed";
}

/// The operators; quantize and dequantize follow them.
Table placementTable(const CompareReport& report)
{
    Table table{"placement",
                "Where each operator ran",
                {"op", "runs on", "partition", "kernel", "reason"},
                {},
                {StageKind::Converted}};
    for (const Assignment& assignment : report.assignments) {
        const Node& node = report.converted->node(assignment.node);
        if (!node.is(OpKind::CallFunction) || node.target.starts_with("quantized_decomposed."))
            continue;
        table.rows.push_back(row(
            {text(node.name), text(whereText(assignment.where)),
             text(assignment.partition < 0 ? "-" : std::to_string(assignment.partition)),
             text(assignment.kernel), text(assignment.reason.empty() ? "-" : assignment.reason)},
            {node.id}));
    }
    return table;
}

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, StageKind::Converted));
    Batches data;
    if (options.evaluation.empty()) {
        PT2E_ASSIGN(data, evaluationBatches(*snapshot->model, snapshot->recipe.calibration));
    } else {
        PT2E_ASSIGN(data, readBatches(options.evaluation, *snapshot->model->exported));
    }
    PT2E_ASSIGN(const CompareReport report,
                compareEngines(*snapshot, data, cli.job().threads, cli.job()));
    PT2E_TRY(writeResult({}, formatTables({setupTable(*snapshot, report), outputTable(report),
                                           placementTable(report)},
                                          options.table)));
    return kDone;
}

} // namespace

void addCompare(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(
        app, "compare", "outputs of the float model, the simulation and XNNPACK side by side");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--eval", options->evaluation,
                     "FILE.npz or FILE.npy to compare on (default: two batches after those of "
                     "calibration if there are any, else calibration's own)")
        ->type_name("FILE");
    addTableOptions(*verb, options->table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
