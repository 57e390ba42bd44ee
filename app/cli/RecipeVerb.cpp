#include "app/cli/Cli.h"
#include "app/cli/Options.h"
#include "app/cli/RecipeProfiles.h"
#include "app/cli/Verbs.h"
#include "core/pipeline/Edits.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/RecipePython.h"

#include <fmt/format.h>

namespace pt2e::cli {

namespace {

struct Options
{
    std::string file;
    bool json = false;
    std::string output; ///< empty: standard output
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

std::string matchText(const NodeMatch& match)
{
    std::string text = match.position == NodeMatch::Position::All
                           ? "every"
                           : "the " + std::string(positionName(match.position));
    text += " " + (match.op.empty() ? "operator" : match.op);
    if (!match.name.empty())
        text += " named " + match.name;
    if (!match.module.empty())
        text += " in module " + match.module;
    if (match.dtype)
        text += " that gives " + std::string(dtypeName(*match.dtype));
    return text;
}

std::string ruleText(const RecipeRule& rule)
{
    std::string text = matchText(rule.match) + ": ";
    if (rule.skip)
        return text + "left out";
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < rule.inputs.size(); ++i)
        parts.push_back(fmt::format("input {} {}", i, specText(rule.inputs[i])));
    if (rule.otherInputs)
        parts.push_back((parts.empty() ? "inputs " : "other inputs ")
                        + specText(*rule.otherInputs));
    if (rule.output)
        parts.push_back("output " + specText(*rule.output));
    return text + fmt::format("{}", fmt::join(parts, "; "));
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
    text += fmt::format("rules        {}\n", recipe.rules.size());
    for (std::size_t i = 0; i < recipe.rules.size(); ++i)
        text += fmt::format("  {}. {}\n", i + 1, ruleText(recipe.rules[i]));
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

Result<int> toPython(const Options& options)
{
    PT2E_ASSIGN(const Recipe recipe, recipeFromFile(options.file));
    PT2E_TRY(writeResult(options.output, recipeToPython(recipe)));
    return kDone;
}

/// How many operators each rule finds. Rules and edits mean nodes of the graph that annotate works on, so that is made
/// first. An edit of a missing node is an error.
Result<std::string> checkOnModel(Cli& cli, const Options& options, const Recipe& recipe)
{
    PT2E_ASSIGN(const ModelPtr model, openModel(options.model.request, cli.job()));
    PT2E_TRY(cli.loadKernels());
    PT2E_ASSIGN(const auto stage, annotateStage(*model, recipe, cli.job()));
    for (const Diagnostic& diagnostic : stage->diagnostics) {
        if (diagnostic.code == "edit-missing-node")
            return badInput(options.file + ": " + diagnostic.place, diagnostic.message);
        if (diagnostic.code.starts_with("rule-"))
            sayDiagnostics({diagnostic});
    }
    std::string text;
    for (std::size_t i = 0; i < recipe.rules.size(); ++i) {
        const std::size_t count = nodesOf(recipe.rules[i], *stage->folded.graph).size();
        text += fmt::format("rule {} finds {} operator{}\n", i + 1, count, count == 1 ? "" : "s");
    }
    return text;
}

Result<int> check(Cli& cli, const Options& options)
{
    PT2E_ASSIGN(const Recipe recipe, recipeFromFile(options.file));
    std::string found;
    if (!options.model.request.what.empty()) {
        PT2E_ASSIGN(found, checkOnModel(cli, options, recipe));
    }
    PT2E_TRY(writeResult("", options.file + ": correct\n" + found));
    return kDone;
}

void addCheck(CLI::App& recipe, Cli& cli)
{
    const auto options = std::make_shared<Options>();
    const auto profile = std::make_shared<ProfileCheck>();
    CLI::App* verb = cli.addVerb(recipe, "check",
                                 "whether a recipe is correct, and fits a model if one is given");
    verb->add_option("FILE", options->file, "the recipe")->required();
    addModelOptions(*verb, options->model);
    CLI::Option* model = verb->get_option("MODEL")->required(false);
    CLI::Option* name =
        verb->add_option("--profile", profile->profile,
                         "list what this kind of hardware does not allow (see recipe profiles)")
            ->type_name("NAME")
            ->needs(model);
    verb->add_option("--mend", profile->mended, "write the recipe with all of that mended")
        ->type_name("OUT")
        ->needs(name);
    addTableOptions(*verb, profile->format);
    verb->get_option("--json")->needs(name);
    verb->get_option("--csv")->needs(name);
    cli.onRun(*verb, [options, profile, &cli]() -> Result<int> {
        if (profile->profile.empty())
            return check(cli, *options);
        profile->recipe = options->file;
        profile->model = options->model;
        return checkProfile(cli, *profile);
    });
}

} // namespace

void addRecipe(CLI::App& app, Cli& cli)
{
    CLI::App* recipe = app.add_subcommand("recipe", "a recipe as text, checked, or as Python");
    recipe->require_subcommand(1);

    const auto showOptions = std::make_shared<Options>();
    CLI::App* showVerb = cli.addVerb(*recipe, "show", "what a recipe says");
    showVerb->add_option("FILE", showOptions->file, "the recipe")->required();
    showVerb->add_flag("--json", showOptions->json, "print JSON, every setting written out");
    cli.onRun(*showVerb, [showOptions] { return show(*showOptions); });

    addCheck(*recipe, cli);

    const auto format = std::make_shared<TableOptions>();
    CLI::App* profilesVerb =
        cli.addVerb(*recipe, "profiles", "the hardware profiles a recipe can be checked against");
    addTableOptions(*profilesVerb, *format);
    cli.onRun(*profilesVerb, [format] { return listProfiles(*format); });

    const auto pythonOptions = std::make_shared<Options>();
    CLI::App* pythonVerb =
        cli.addVerb(*recipe, "to-python",
                    "a Python module whose class RecipeQuantizer annotates the same with torchao");
    pythonVerb->add_option("FILE", pythonOptions->file, "the recipe")->required();
    pythonVerb->add_option("-o,--output", pythonOptions->output, "write to this file");
    cli.onRun(*pythonVerb, [pythonOptions] { return toPython(*pythonOptions); });
}

} // namespace pt2e::cli
