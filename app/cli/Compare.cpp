#include "core/analysis/Compare.h"

#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"
#include "core/analysis/RecipeComparison.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/CompareHtml.h"
#include "core/view/CompareTables.h"
#include "core/view/RecipeTables.h"

#include <filesystem>

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
    std::string beside;
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

/// The other recipe's stages. What it calibrates on is the first one's, so that only the recipes differ.
Result<SnapshotPtr> besides(Cli& cli, const Options& options, const Snapshot& first)
{
    PT2E_ASSIGN(Recipe recipe, recipeBeside(options.beside, first.recipe));
    recipe.calibration = first.recipe.calibration;
    SnapshotPtr second = Pipeline(first.model, ActivationLimits::none())
                             .run(recipe, StageKind::Converted, cli.job());
    sayDiagnostics(second->diagnostics);
    if (second->error)
        return tl::unexpected<Error>(*second->error);
    return second;
}

Result<int> runBeside(Cli& cli, const Options& options, const SnapshotPtr& first)
{
    PT2E_ASSIGN(const SnapshotPtr second, besides(cli, options, *first));
    PT2E_ASSIGN(const auto data, dataFor(options, *first));
    RecipeRunOptions wanted;
    wanted.compare.threads = cli.job().threads;
    if (options.hasTimes) {
        wanted.benchmark.emplace();
        wanted.benchmark->threads = cli.job().threads;
    }
    PT2E_ASSIGN(const RecipeRuns runs, runRecipes(*first, *second, *data, wanted, cli.job()));
    sayDiagnostics(runs.compared[0]->problems);
    const RecipeNames names{nameBeside(options.quantizing, first->recipe, options.beside),
                            std::filesystem::path(options.beside).filename().string()};
    const RecipeComparison comparison = compareRecipes(*first, *second, runs);
    PT2E_TRY(writeResult({}, formatTables({compareSetupTable(*first, *runs.compared[0]),
                                           recipeSummaryTable(comparison, names),
                                           recipeDifferenceTable(comparison, names)},
                                          options.table)));
    return kDone;
}

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, StageKind::Converted));
    if (!options.beside.empty())
        return runBeside(cli, options, snapshot);
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
                   "also what each operator takes in int8 on XNNPACK, on the first batch; with "
                   "--beside what a run takes, both recipes in turn");
    CLI::Option* html =
        verb->add_option("--html", options->html, "also a report with charts, one file by itself")
            ->type_name("FILE.html");
    verb->add_option("--beside", options->beside,
                     "torchao, executorch (with this recipe's settings) or a recipe file: the two "
                     "side by side, with what differs in annotations, observers, q and dq and "
                     "where operators ran")
        ->type_name("RECIPE")
        ->excludes(html);
    addTableOptions(*verb, options->table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
