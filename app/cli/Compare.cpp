#include "core/analysis/Compare.h"

#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"
#include "core/view/CompareHtml.h"
#include "core/view/CompareTables.h"

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    TableOptions table;
    std::string evaluation;
    std::string labels;
    std::optional<std::int64_t> samples;
    std::int64_t nodeBatches = CompareOptions().nodeBatches;
    bool hasTimes = false;
    std::string html;
};

/// What to compare on: what was given, else the data that come with a built-in model, else batches beside those of
/// calibration.
Result<std::unique_ptr<DataSet>> dataFor(const Options& options, const Snapshot& snapshot)
{
    const Model& model = *snapshot.model;
    const CalibrationChoice& calibration = snapshot.recipe.calibration;
    if (options.evaluation.empty()) {
        if (!options.labels.empty())
            return badInput("--labels " + options.labels, "is for data given by --eval");
        if (model.data && !model.data->isInstalled())
            say(model.data->missing());
    }
    const std::int64_t every = options.evaluation.empty() ? kOwnSamples : 0;
    return evaluationData(model, calibration,
                          {options.evaluation, options.labels, calibration.format},
                          options.samples.value_or(every));
}

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, StageKind::Converted));
    PT2E_ASSIGN(const auto data, dataFor(options, *snapshot));
    const CompareOptions wanted{cli.job().threads, options.nodeBatches, options.hasTimes};
    PT2E_ASSIGN(const CompareReport report, compareEngines(*snapshot, *data, wanted, cli.job()));
    sayDiagnostics(report.problems);
    std::vector<Table> tables{compareSetupTable(*snapshot, report)};
    for (Table& table : comparisonTables(report))
        tables.push_back(std::move(table));
    if (options.table.json)
        tables.push_back(compareBatchTable(report));
    if (!options.html.empty())
        PT2E_TRY(writeResult(options.html, compareHtml(*snapshot, report)));
    PT2E_TRY(writeResult({}, formatTables(tables, options.table)));
    return kDone;
}

} // namespace

void addCompare(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "compare",
                                 "what quantizing costs, and where: float model, simulation and "
                                 "XNNPACK on the same data");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--eval", options->evaluation,
                     "data to compare on, of the kinds of --calibration (default: those that come "
                     "with a built-in model; else two batches after those of calibration if there "
                     "are any; else calibration's own)")
        ->type_name("DATA");
    verb->add_option("--labels", options->labels,
                     "the class of each sample, for accuracy: an IDX or .npy file, or CSV whose "
                     "last column it is (default: the names of folders of pictures)")
        ->type_name("FILE");
    verb->add_option("--samples", options->samples,
                     "only the first N samples; 0: all (default: all; 1000 of a built-in model's)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    verb->add_option("--operator-batches", options->nodeBatches,
                     "batches on which each operator is compared too; 0: none (default 2)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    verb->add_flag("--times", options->hasTimes,
                   "also what each operator takes in int8 on XNNPACK, on the first batch");
    verb->add_option("--html", options->html, "also a report with charts, one file by itself")
        ->type_name("FILE.html");
    addTableOptions(*verb, options->table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
