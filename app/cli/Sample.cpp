#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/ShippedModels.h"
#include "core/pt2/Writer.h"
#include "core/zoo/Zoo.h"

#include <fmt/format.h>

namespace pt2e::cli {

namespace {

struct Options
{
    std::string name;
    ZooOptions zoo;
    std::string output;
    bool list = false;
    TableOptions format;
};

Table builtInModels()
{
    Table table;
    table.id = "models";
    table.title = "built-in models";
    table.columns = {"name", "options", "description"};
    for (const ZooEntry& entry : zooEntries()) {
        std::string takes = "--seed";
        takes += entry.takesChannels ? ", --ch" : "";
        takes += entry.takesLayers ? ", --layers" : "";
        table.rows.push_back({{{std::string(entry.name), {}, false},
                               {std::move(takes), {}, false},
                               {std::string(entry.description), {}, false}},
                              {}});
    }
    for (const ShippedModel& model : shippedModels()) {
        table.rows.push_back({{{std::string(model.name), {}, false},
                               {"", {}, false},
                               {std::string(model.description), {}, false}},
                              {}});
    }
    return table;
}

Result<int> run(Cli& cli, const Options& options)
{
    if (options.list) {
        PT2E_TRY(writeResult("", formatTables({builtInModels()}, options.format)));
        return kDone;
    }
    if (options.name.empty() || options.output.empty()) {
        say("sample: give a NAME and -o FILE.pt2, or --list");
        return kWrongUse;
    }
    if (const ShippedModel* shipped = findShippedModel(options.name)) {
        const auto* text = reinterpret_cast<const char*>(shipped->file.data());
        PT2E_TRY(writeResult(options.output, {text, shipped->file.size()}));
        return kDone;
    }
    PT2E_TRY(cli.loadKernels());
    PT2E_ASSIGN(const ZooModel model, buildZooModel(options.name, options.zoo));
    PT2E_TRY(writeProgram(options.output, *model.graph, model.example));
    return kDone;
}

} // namespace

void addSample(CLI::App& app, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    CLI::App* verb = cli.addVerb(app, "sample", "writes a built-in model as a .pt2 file");
    verb->add_option("NAME", options->name, "a built-in model's name");
    verb->add_option("--ch", options->zoo.channels, "channels")->type_name("N");
    verb->add_option("--layers", options->zoo.layers, "layers")->type_name("N");
    verb->add_option("--seed", options->zoo.seed, "seed of the weights")->type_name("N");
    verb->add_option("-o,--output", options->output, "the file")->type_name("FILE.pt2");
    verb->add_flag("--list", options->list, "lists the built-in models");
    addTableOptions(*verb, options->format);
    cli.onRun(*verb, [options, &cli] { return run(cli, *options); });
}

} // namespace pt2e::cli
