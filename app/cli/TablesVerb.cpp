#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/Pipeline.h"
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
    if (options.table == "diagnosis")
        tables.push_back(diagnosisTable(diagnose(snapshot)));
    return tables;
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
    verb->add_option("--table", options->table, "only this table (default: all but diagnosis)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"diff-ops", "observers", "annotations", "unannotated", "sharing",
                               "coverage", "problems", "diagnosis"}));
    CLI::Option* raw =
        verb->add_flag("--raw", options->raw,
                       "annotations as quantizer.annotate alone writes them on the exported graph");
    verb->add_option("--against", options->against,
                     "torchao, executorch or a recipe file: where its annotations differ; with "
                     "--table unannotated what either leaves float, side by side")
        ->type_name("WHAT")
        ->excludes(raw);
    cli.onRun(*verb, [options, &cli] {
        if (options->against.empty() || options->table.empty() || options->table == "annotations"
            || options->table == "unannotated")
            return run(cli, *options);
        say("tables: --against compares annotations or unannotated, not " + options->table);
        return Result<int>(kWrongUse);
    });
}

} // namespace pt2e::cli
