#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/Save.h"

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    std::string output;
    bool annotationsOnly = false;
};

Result<int> run(Cli& cli, const Options& options)
{
    const StageKind upTo = options.annotationsOnly ? StageKind::Annotated : StageKind::Converted;
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                runStages(cli, options.model, options.quantizing, upTo));
    if (options.annotationsOnly)
        PT2E_TRY(saveAnnotated(options.output, *snapshot));
    else
        PT2E_TRY(saveConverted(options.output, *snapshot));
    return kDone;
}

} // namespace

void addQuantize(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        cli.addVerb(app, "quantize", "calibrates, converts and writes the converted program");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_flag("--annotations-only", options->annotationsOnly,
                   "write the float model, with the annotations in its nodes' metadata");
    verb->add_option("-o,--output", options->output, "the file")->type_name("OUT.pt2")->required();
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
