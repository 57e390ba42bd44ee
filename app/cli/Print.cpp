#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/ir/Text.h"
#include "core/pipeline/Pipeline.h"

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    std::string stage = "exported";
    std::string body;
};

Result<int> run(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const StageKind stage, stageFromName(options.stage));
    PT2E_ASSIGN(const SnapshotPtr whole, runStages(cli, options.model, options.quantizing, stage));
    PT2E_ASSIGN(const SnapshotPtr snapshot, lookInto(whole, options.body));
    PT2E_TRY(writeResult("", printGraph(*snapshot->graph(stage)) + "\n"));
    return kDone;
}

} // namespace

void addPrint(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "print", "a stage's graph as Python's print(graph) shows it");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--stage", options->stage,
                     "exported (default), annotated, prepared, calibrated or converted")
        ->type_name("S");
    addBodyOption(*verb, options->body);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
