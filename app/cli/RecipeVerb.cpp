#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/Recipe.h"

#include <fmt/format.h>

namespace pt2e::cli {

namespace {

struct Options
{
    std::string file;
    bool json = false;
    ModelOptions model;
};

std::string configText(const std::optional<QuantizationConfig>& config)
{
    if (!config)
        return "none";
    return fmt::format("{}, {}, activations {}..{}, weights {}..{}",
                       config->perChannel ? "per channel" : "per tensor",
                       config->dynamic ? "dynamic" : "static", config->actQmin, config->actQmax,
                       config->weightQmin, config->weightQmax);
}

std::string specText(const EditSpec& spec)
{
    using Kind = EditSpec::Kind;
    switch (spec.kind) {
    case Kind::Default: return "as the quantizer says";
    case Kind::None: return "none";
    case Kind::Observed:
        return fmt::format("{} by {}", dtypeName(spec.observed.dtype),
                           observerClassName(spec.observed.observer.kind));
    case Kind::Fixed:
        return fmt::format("{} with scale {} and zero point {}", dtypeName(spec.fixed.dtype),
                           spec.fixed.scale, spec.fixed.zeroPoint);
    case Kind::Shared: return "shared with " + spec.sharedWith.text();
    case Kind::Derived: break;
    }
    std::string from;
    for (const NamedPoint& point : spec.derivedFrom)
        from += (from.empty() ? "" : ", ") + point.text();
    return fmt::format("{} derived from {}", dtypeName(spec.derived.dtype), from);
}

std::string namedConfigsText(const char* label, const std::vector<NamedConfig>& configs)
{
    std::string text;
    for (const NamedConfig& named : configs)
        text += fmt::format("{:<13}{}: {}\n", label, named.name, configText(named.config));
    return text;
}

std::string recipeText(const Recipe& recipe)
{
    using Source = CalibrationChoice::Source;
    const CalibrationChoice& data = recipe.calibration;
    std::string text = fmt::format("quantizer    {}\n", flavorName(recipe.quantizer.flavor));
    text += fmt::format("global       {}\n", configText(recipe.quantizer.global));
    text += namedConfigsText("module", recipe.quantizer.moduleName);
    text += namedConfigsText("module type", recipe.quantizer.moduleType);
    text += namedConfigsText("operator", recipe.quantizer.operatorType);
    text += fmt::format("calibration  {}, {}, seed {}\n",
                        data.source == Source::Examples ? "example inputs"
                        : data.source == Source::Random ? "random"
                                                        : data.path,
                        data.batches                    ? fmt::format("{} batches", *data.batches)
                        : data.source == Source::Random ? "8 batches"
                                                        : "all batches",
                        data.seed);
    text += fmt::format("convert      fold quantize: {}, duplicate dq: {}\n",
                        recipe.convert.foldQuantize ? "yes" : "no",
                        recipe.convert.duplicateDq ? "yes" : "no");
    text += fmt::format("threads      {}\n",
                        recipe.threads > 0 ? std::to_string(recipe.threads) : "all");
    text += fmt::format("edits        {}\n", recipe.edits.size());
    for (const Edit& edit : recipe.edits)
        text += fmt::format("  {}: {}\n", edit.at.text(), specText(edit.spec));
    return text;
}

Result<int> show(const Options& options)
{
    PT2E_ASSIGN(const Recipe recipe, recipeFromFile(options.file));
    PT2E_TRY(writeResult("", options.json ? writeRecipe(recipe) : recipeText(recipe)));
    return kDone;
}

/// The edits name nodes of the graph that annotate works on, so that is made first.
Result<void> checkEdits(Cli& cli, const Options& options, const Recipe& recipe)
{
    PT2E_ASSIGN(const ModelPtr model, openModel(options.model.request, cli.job()));
    PT2E_TRY(cli.loadKernels());
    PT2E_ASSIGN(const auto stage, annotateStage(*model, recipe, cli.job()));
    for (const Diagnostic& diagnostic : stage->diagnostics) {
        if (diagnostic.code == "edit-missing-node")
            return badInput(options.file + ": " + diagnostic.place, diagnostic.message);
    }
    return {};
}

Result<int> check(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const Recipe recipe, recipeFromFile(options.file));
    if (!options.model.request.what.empty())
        PT2E_TRY(checkEdits(cli, options, recipe));
    PT2E_TRY(writeResult("", options.file + ": correct\n"));
    return kDone;
}

} // namespace

void addRecipe(CLI::App& app, Cli& cli)
{
    CLI::App* recipe = app.add_subcommand("recipe", "a recipe as text, or checked");
    recipe->require_subcommand(1);

    const auto showOptions = std::make_shared<Options>();
    CLI::App* showVerb = cli.addVerb(*recipe, "show", "what a recipe says");
    showVerb->add_option("FILE", showOptions->file, "the recipe")->required();
    showVerb->add_flag("--json", showOptions->json, "print JSON, every setting written out");
    cli.onRun(*showVerb, [showOptions] { return show(*showOptions); });

    const auto checkOptions = std::make_shared<Options>();
    CLI::App* checkVerb = cli.addVerb(
        *recipe, "check", "whether a recipe is correct, and fits a model if one is given");
    checkVerb->add_option("FILE", checkOptions->file, "the recipe")->required();
    addModelOptions(*checkVerb, checkOptions->model);
    checkVerb->get_option("MODEL")->required(false);
    cli.onRun(*checkVerb, [checkOptions, &cli] { return check(cli, *checkOptions); });
}

} // namespace pt2e::cli
