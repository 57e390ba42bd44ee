#include "core/analysis/Benchmark.h"

#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"
#include "core/view/TableCells.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    TableOptions table;
    BenchmarkOptions benchmark;
};

/// What the figures depend on.
Table setupTable(const Model& model, const BenchmarkReport& report)
{
    Table table{"setup", "Setup", {"what", "value"}, {}, {}};
    const auto add = [&](const char* what, std::string value) {
        table.rows.push_back({{textCell(what), textCell(std::move(value))}, {}});
    };
    add("model", model.name);
    add("XNNPACK", fmt::format("{}; {}", report.xnnpackInfo.snapshot,
                               fmt::join(report.xnnpackInfo.instructionSets, " ")));
    add("LibTorch", fmt::format("{}; {}, BLAS {}, {} threads", report.torchInfo.version,
                                report.torchInfo.cpuCapability, report.torchInfo.blas,
                                report.torchInfo.threads));
    add("XNNPACK threads", std::to_string(report.options.threads));
    add("rounds", fmt::format("{}, after {} to warm up, engines in turn", report.options.rounds,
                              report.options.warmUps));
    return table;
}

Table timeTable(const BenchmarkReport& report)
{
    Table table{"times",
                "Times in ms",
                {"engine", "median", "95 % interval", "spread", "min", "compile"},
                {},
                {}};
    for (const EngineTimes& engine : report.engines) {
        const EngineTimes::Interval interval = engine.medianInterval();
        table.rows.push_back(
            {{textCell(engine.engine), numberCell(engine.median(), "{:.3f}"),
              textCell(fmt::format("{:.3f} to {:.3f}", interval.low, interval.high)),
              numberCell(engine.spread(), "{:.3f}"),
              numberCell(engine.milliseconds.front(), "{:.3f}"),
              numberCell(engine.compileMs, "{:.1f}")},
             {}});
    }
    return table;
}

Table resultTable(const BenchmarkReport& report)
{
    Table table{"result", "Result", {"what", "value"}, {}, {}};
    const auto add = [&](const char* what, Cell value) {
        table.rows.push_back({{textCell(what), std::move(value)}, {}});
    };
    if (report.speedUp)
        add("int8 is faster than the faster float engine by",
            textCell(fmt::format("{:.2f}x ({})", report.speedUp->factor, report.speedUp->against)));
    if (report.floatBytes > 0)
        add("weights, float", numberCell(static_cast<double>(report.floatBytes), "{:.0f} bytes"));
    add("weights, converted", numberCell(static_cast<double>(report.int8Bytes), "{:.0f} bytes"));
    return table;
}

Table operatorTable(const BenchmarkReport& report)
{
    Table table{"operators",
                "Times of XNNPACK's operators in int8, in execution order",
                {"operator", "partition", "microseconds", "share"},
                {},
                {}};
    double sum = 0;
    for (const auto& one : report.operators)
        sum += static_cast<double>(one.time.count());
    for (const auto& one : report.operators) {
        const auto time = static_cast<double>(one.time.count());
        table.rows.push_back(
            {{textCell(one.name), textCell(one.partition < 0 ? "-" : std::to_string(one.partition)),
              numberCell(time / 1e3, "{:.0f}"),
              numberCell(sum > 0 ? 100 * time / sum : 0, "{:.1f} %")},
             {}});
    }
    return table;
}

Result<Values> inputsOf(const Model& model, const CalibrationChoice& calibration)
{
    if (!model.examples.empty())
        return model.examples.front();
    PT2E_ASSIGN(const Batches batches, evaluationBatches(model, calibration, 1));
    if (batches.batches.empty())
        return badInput(model.name, "has no example inputs");
    return batches.batches.front();
}

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(ModelPtr model, openModel(options.model.request, cli.job()));
    GraphPtr floatGraph = model->exported;
    GraphPtr converted = model->exported;
    CalibrationChoice calibration;
    if (model->form.kind == ProgramKind::Converted) {
        floatGraph = nullptr;
    } else {
        PT2E_ASSIGN(const SnapshotPtr snapshot,
                    runStages(cli, options.model, options.quantizing, StageKind::Converted));
        model = snapshot->model;
        floatGraph = model->exported;
        converted = snapshot->converted->graph;
        calibration = snapshot->recipe.calibration;
    }
    PT2E_TRY(cli.loadKernels());
    PT2E_ASSIGN(const Values inputs, inputsOf(*model, calibration));
    BenchmarkOptions wanted = options.benchmark;
    wanted.threads = cli.job().threads;
    PT2E_ASSIGN(const BenchmarkReport report,
                benchmark(floatGraph, converted, inputs, wanted, cli.job()));
    std::vector<Table> tables{setupTable(*model, report), timeTable(report), resultTable(report)};
    if (wanted.hasOperators)
        tables.push_back(operatorTable(report));
    PT2E_TRY(writeResult({}, formatTables(tables, options.table)));
    return kDone;
}

} // namespace

void addBench(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(
        app, "bench", "times of the float model and of int8 on XNNPACK, and the weights' sizes");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--rounds", options->benchmark.rounds, "runs of each engine (default 30)")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    verb->add_option("--warm-up", options->benchmark.warmUps,
                     "rounds before that do not count (default 10)")
        ->type_name("N")
        ->check(CLI::Range(0, 100000));
    verb->add_flag("--operators", options->benchmark.hasOperators,
                   "also the time of each of XNNPACK's operators");
    addTableOptions(*verb, options->table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
