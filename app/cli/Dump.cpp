#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/StageDump.h"

namespace pt2e::cli {

namespace {

struct Options
{
    ModelOptions model;
    QuantizingOptions quantizing;
    std::string stage;
    std::string output;
    bool noHashes = false;
};

Result<int> run(Cli& cli, const Options& options)
{
    DumpOptions dump;
    dump.tensorHashes = !options.noHashes;
    StageKind upTo = StageKind::Converted;
    if (!options.stage.empty()) {
        PT2E_ASSIGN(upTo, stageFromName(options.stage));
        dump.onlyStage = upTo;
    }
    PT2E_ASSIGN(const SnapshotPtr snapshot,
                reachStages(cli, options.model, options.quantizing, upTo));
    if (snapshot->error && snapshot->error->code == ErrorCode::Cancelled)
        return tl::unexpected<Error>(*snapshot->error);
    // What was reached is worth having even if a later step failed; the dump says which.
    PT2E_ASSIGN(const std::string text, dumpStages(*snapshot, dump));
    PT2E_TRY(writeResult(options.output, text));
    if (snapshot->error)
        return tl::unexpected<Error>(*snapshot->error);
    return kDone;
}

} // namespace

void addDump(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "dump", "the stages as JSON (format pt2e.stages)");
    addModelOptions(*verb, options->model);
    addQuantizingOptions(*verb, options->quantizing);
    verb->add_option("--stage", options->stage, "only exported, prepared or converted")
        ->type_name("S");
    verb->add_flag("--no-hashes", options->noHashes, "leave out the tensors' SHA-256");
    verb->add_option("-o,--output", options->output, "write to a file")->type_name("FILE");
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
