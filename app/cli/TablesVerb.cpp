#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/Pipeline.h"
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

Result<Table> against(const Options& options, const Snapshot& snapshot)
{
    QuantizingOptions other = options.quantizing;
    other.recipe.clear();
    if (options.against == "torchao" || options.against == "executorch")
        other.quantizer = options.against;
    else
        other.recipe = options.against;
    PT2E_ASSIGN(const Recipe recipe, recipeOf(other, options.model, *snapshot.model));
    return againstTable(snapshot, recipe, options.against);
}

Result<std::vector<Table>> collect(const Options& options, const Snapshot& snapshot)
{
    std::vector<Table> tables;
    const auto wants = [&](const char* id) {
        return options.table.empty() ? options.against.empty() && !options.raw
                                     : options.table == id;
    };
    if (wants("diff-ops"))
        tables = opCountTables(snapshot);
    if (wants("observers"))
        tables.push_back(observerTable(snapshot));
    if (options.raw) {
        PT2E_ASSIGN(Table raw, rawAnnotationTable(snapshot));
        tables.push_back(std::move(raw));
    } else if (wants("annotations")) {
        tables.push_back(annotationTable(snapshot));
    }
    if (wants("unannotated"))
        tables.push_back(unannotatedTable(snapshot));
    if (wants("sharing"))
        tables.push_back(sharingTable(snapshot));
    if (wants("coverage"))
        tables.push_back(coverageTable(snapshot));
    if (wants("problems"))
        tables.push_back(problemsTable(snapshot));
    if (!options.against.empty()) {
        PT2E_ASSIGN(Table table, against(options, snapshot));
        tables.push_back(std::move(table));
    }
    return tables;
}

Result<int> run(Cli& cli, const Options& options)
{
    const StageKind upTo = options.raw ? StageKind::Exported : stageFor(options);
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, upTo));
    PT2E_ASSIGN(const std::vector<Table> tables, collect(options, *snapshot));
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
    CLI::Option* table =
        verb->add_option("--table", options->table, "only this table (default: all)")
            ->type_name("NAME")
            ->check(CLI::IsMember({"diff-ops", "observers", "annotations", "unannotated", "sharing",
                                   "coverage", "problems"}));
    verb->add_flag("--raw", options->raw,
                   "annotations as quantizer.annotate alone writes them on the exported graph");
    verb->add_option("--against", options->against,
                     "where the annotations differ from torchao's, executorch's or a recipe's")
        ->type_name("WHAT")
        ->excludes(table);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
