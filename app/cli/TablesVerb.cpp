#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/analysis/EvaluationData.h"
#include "core/view/ConvergenceTable.h"
#include "core/view/DiagnosisTable.h"
#include "core/view/Tables.h"

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    TableOptions format;
    std::string table;
    std::string against;
    bool raw = false;
    std::string evaluation;
    std::string labels;
    std::optional<std::int64_t> samples;

    /// Tables that come of running the quantized model.
    bool needsRuns() const { return table == "diagnosis" || table == "convergence"; }
};

/// The stage a table needs; all need the converted one.
StageKind stageFor(const Options& options)
{
    if (!options.against.empty() || options.table == "annotations" || options.table == "unannotated"
        || options.table == "coverage")
        return StageKind::Annotated;
    if (options.table == "sharing")
        return StageKind::Prepared;
    if (options.table == "observers")
        return StageKind::Calibrated;
    return StageKind::Converted;
}

Result<Table> against(Cli& cli, const Options& options, const Snapshot& snapshot)
{
    PT2E_ASSIGN(const Recipe recipe, recipeBeside(options.against, snapshot.recipe));
    PT2E_ASSIGN(const std::shared_ptr<const AnnotatedStage> there,
                annotateStage(*snapshot.model, recipe, cli.job()));
    if (options.table == "unannotated")
        return unannotatedAgainst(*snapshot.annotated,
                                  nameBeside(options.quantizing, snapshot.recipe, options.against),
                                  *there, options.against);
    return againstTable(*snapshot.annotated, *there, options.against);
}

std::vector<Table> collect(const Options& options, const Snapshot& snapshot)
{
    std::vector<Table> tables;
    const auto wants = [&](const char* id) {
        return options.table.empty() ? !options.raw : options.table == id;
    };
    if (wants("diff-ops"))
        tables = opCountTables(snapshot);
    if (wants("observers"))
        tables.push_back(observerTable(snapshot));
    if (wants("annotations"))
        tables.push_back(annotationTable(snapshot));
    if (wants("unannotated"))
        tables.push_back(unannotatedTable(snapshot));
    if (wants("sharing"))
        tables.push_back(sharingTable(snapshot));
    if (wants("coverage"))
        tables.push_back(coverageTable(snapshot));
    if (wants("problems"))
        tables.push_back(problemsTable(snapshot));
    return tables;
}

Result<std::unique_ptr<DataSet>> dataFor(const Options& options, const Snapshot& snapshot)
{
    const Model& model = *snapshot.model;
    const CalibrationChoice& calibration = snapshot.recipe.calibration;
    if (options.evaluation.empty() && model.data && !model.data->isInstalled())
        say(model.data->missing());
    const std::int64_t every = options.evaluation.empty() ? kSensitivitySamples : 0;
    return evaluationData(model, calibration,
                          {options.evaluation, options.labels, calibration.format},
                          options.samples.value_or(every), kSensitivityBatches);
}

/// On top of the stages, what a comparison on the first batches shows.
Result<Table> diagnosisOf(Cli& cli, const Snapshot& snapshot, const DataSet& data)
{
    CompareOptions wanted;
    wanted.threads = cli.job().threads;
    PT2E_ASSIGN(const CompareReport report, compareEngines(snapshot, data, wanted, cli.job()));
    sayDiagnostics(report.problems);
    return diagnosisTable(diagnose(snapshot, &report));
}

Result<Table> convergenceOf(Cli& cli, const Reached& reached, const DataSet& data)
{
    const Snapshot& snapshot = *reached.snapshot;
    PT2E_ASSIGN(const SensitivityData read, sensitivityData(data, cli.job()));
    sayDiagnostics(read.problems);
    const auto batches = static_cast<std::size_t>(snapshot.calibrated->batches);
    PT2E_ASSIGN(const CalibratedStages stages,
                reached.pipeline->calibratedAfter(snapshot, convergenceCounts(batches), cli.job()));
    PT2E_ASSIGN(const OutputConvergence found,
                outputConvergence(snapshot, stages, read, cli.job()));
    say("calibrated on " + found.calibration + "; judged on " + found.data);
    return convergenceTable(found);
}

Result<int> runWithData(Cli& cli, const Options& options)
{
    if (options.evaluation.empty() && !options.labels.empty())
        return badInput("--labels " + options.labels, "is for data given by --eval");
    PT2E_ASSIGN(const Reached reached,
                reachAndKeep(cli, options.model, options.quantizing, StageKind::Converted));
    const Snapshot& snapshot = *reached.snapshot;
    if (snapshot.error)
        return tl::unexpected<Error>(*snapshot.error);
    PT2E_ASSIGN(const auto data, dataFor(options, snapshot));
    std::vector<Table> tables(1);
    if (options.table == "diagnosis") {
        PT2E_ASSIGN(tables.front(), diagnosisOf(cli, snapshot, *data));
    } else {
        PT2E_ASSIGN(tables.front(), convergenceOf(cli, reached, *data));
    }
    PT2E_TRY(writeResult("", formatTables(tables, options.format)));
    return kDone;
}

Result<int> run(Cli& cli, const Options& options)
{
    const StageKind upTo = options.raw ? StageKind::Exported : stageFor(options);
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                reachStages(cli, options.model, options.quantizing, upTo));
    const Model& model = *snapshot->model;
    const bool wantsAll = options.table.empty() && options.against.empty() && !options.raw;
    std::vector<Table> tables;
    if (wantsAll && model.form.isQuantized()) {
        tables.push_back(quantizedValuesTable(*model.exported, model.form));
    } else if (snapshot->error) {
        return tl::unexpected<Error>(*snapshot->error);
    } else if (options.raw) {
        PT2E_ASSIGN(tables.emplace_back(), rawAnnotationTable(*snapshot));
    } else if (!options.against.empty()) {
        PT2E_ASSIGN(tables.emplace_back(), against(cli, options, *snapshot));
    } else {
        tables = collect(options, *snapshot);
    }
    PT2E_TRY(writeResult("", formatTables(tables, options.format)));
    return kDone;
}

} // namespace

void addTables(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        cli.addVerb(app, "tables", "op counts, observers, annotations and more as tables");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    addTableOptions(*verb, options->format);
    verb->add_option("--table", options->table,
                     "only this table (default: all but diagnosis and convergence, which run the "
                     "quantized model)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"diff-ops", "observers", "annotations", "unannotated", "sharing",
                               "coverage", "problems", "diagnosis", "convergence"}));
    verb->add_option("--eval", options->evaluation,
                     "data to run diagnosis and convergence on (default: as of sensitivity)")
        ->type_name("DATA");
    verb->add_option("--labels", options->labels, "the class of each sample of --eval")
        ->type_name("FILE");
    verb->add_option("--samples", options->samples, "only the first N samples; 0: all")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    CLI::Option* raw =
        verb->add_flag("--raw", options->raw,
                       "annotations as quantizer.annotate alone writes them on the exported graph");
    verb->add_option("--against", options->against,
                     "torchao, executorch or a recipe file: where its annotations differ; with "
                     "--table unannotated what either leaves float, side by side")
        ->type_name("WHAT")
        ->excludes(raw);
    cli.onRun(*verb, [options, &cli] {
        if (options->needsRuns() && options->against.empty() && !options->raw)
            return runWithData(cli, *options);
        if (options->against.empty() || options->table.empty() || options->table == "annotations"
            || options->table == "unannotated")
            return run(cli, *options);
        say("tables: --against compares annotations or unannotated, not " + options->table);
        return Result<int>(kWrongUse);
    });
}

} // namespace pt2e::cli
