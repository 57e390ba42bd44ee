#include "core/pipeline/Recipe.h"

#include "core/pipeline/DataFormatJson.h"
#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/JsonText.h"
#include "core/pipeline/RecipeJson.h"
#include "core/pipeline/RuleJson.h"
#include "core/pipeline/ShippedModels.h"
#include "core/pipeline/SpecJson.h"

#include <algorithm>

namespace pt2e {

using json::Place;

CalibrationChoice calibrationOnOwnData(const ModelData& data)
{
    CalibrationChoice choice;
    choice.source = CalibrationChoice::Source::File;
    choice.path = data.calibration;
    choice.batches = data.calibrationBatches;
    return choice;
}

Recipe withQuantizer(Recipe recipe, QuantizerFlavor flavor)
{
    recipe.quantizer.flavor = flavor;
    recipe.edits.clear();
    return recipe;
}

Recipe withEdit(Recipe recipe, const Edit& edit)
{
    std::erase_if(recipe.edits, [&](const Edit& earlier) { return earlier.at == edit.at; });
    if (edit.spec.kind != EditSpec::Kind::Default)
        recipe.edits.push_back(edit);
    return recipe;
}

Recipe withEdits(Recipe recipe, const std::vector<Edit>& edits)
{
    for (const Edit& edit : edits)
        recipe = withEdit(std::move(recipe), edit);
    return recipe;
}

// ---- writing

namespace {

constexpr const char* kFormat = "pt2e.recipe";
constexpr std::int64_t kVersion = 1;

std::string configJson(const QuantizationConfig& config)
{
    return json::Object()
        .add("per_channel", json::boolean(config.perChannel))
        .add("dynamic", json::boolean(config.dynamic))
        .add("act_qmin", json::integer(config.actQmin))
        .add("act_qmax", json::integer(config.actQmax))
        .add("weight_qmin", json::integer(config.weightQmin))
        .add("weight_qmax", json::integer(config.weightQmax))
        .line();
}

std::string namedConfigsJson(const std::vector<NamedConfig>& configs)
{
    return json::arrayOf(configs, [](const NamedConfig& named) {
        return json::array({json::text(named.name), json::optional(named.config, configJson)});
    });
}

std::string quantizerJson(const QuantizerSettings& settings, const std::vector<RecipeRule>& rules)
{
    return json::Object()
        .add("flavor", json::text(flavorName(settings.flavor)))
        .add("global", json::optional(settings.global, configJson))
        .add("module_name", namedConfigsJson(settings.moduleName))
        .add("module_type", namedConfigsJson(settings.moduleType))
        .add("operator_type", namedConfigsJson(settings.operatorType))
        .add("rules", json::rules(rules))
        .lines(1);
}

std::string calibrationJson(const CalibrationChoice& choice)
{
    using Source = CalibrationChoice::Source;
    const std::string source = choice.source == Source::Examples ? "examples"
                               : choice.source == Source::Random ? "random"
                                                                 : choice.path;
    json::Object written;
    written.add("source", json::text(source))
        .add("batches", json::optional(choice.batches, json::integer))
        .add("seed", std::to_string(choice.seed));
    if (choice.format != DataFormat())
        written.add("format", json::dataFormat(choice.format));
    return written.line();
}

} // namespace

std::string writeRecipe(const Recipe& recipe)
{
    std::vector<std::string> edits;
    for (const Edit& edit : recipe.edits) {
        json::Object written;
        written.add("at", json::text(edit.at.text())).add("spec", json::editSpec(edit.spec));
        if (!edit.allowImplicitSharing)
            written.add("allow_implicit_sharing", json::boolean(false));
        edits.push_back(written.line());
    }
    const std::string convert =
        json::Object()
            .add("fold_quantize", json::boolean(recipe.convert.foldQuantize))
            .add("duplicate_dq", json::boolean(recipe.convert.duplicateDq))
            .line();
    return json::Object()
               .add("format", json::text(kFormat))
               .add("version", json::integer(kVersion))
               .add("quantizer", quantizerJson(recipe.quantizer, recipe.rules))
               .add("edits", json::arrayLines(edits, 1))
               .add("calibration", calibrationJson(recipe.calibration))
               .add("convert", convert)
               .add("run", json::Object().add("threads", json::integer(recipe.threads)).line())
               .lines(0)
           + "\n";
}

// ---- reading

namespace {

Result<void> readConfig(const Place& place, std::optional<QuantizationConfig>& config)
{
    config.reset();
    if (place.isNull())
        return {};
    config.emplace();
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "per_channel")
            return member.read(config->perChannel);
        if (key == "dynamic")
            return member.read(config->dynamic);
        if (key == "act_qmin")
            return member.read(config->actQmin);
        if (key == "act_qmax")
            return member.read(config->actQmax);
        if (key == "weight_qmin")
            return member.read(config->weightQmin);
        if (key == "weight_qmax")
            return member.read(config->weightQmax);
        return member.unknownKey();
    }));
    if (config->actQmin > config->actQmax)
        return place.error("act_qmin is larger than act_qmax");
    if (config->weightQmin > config->weightQmax)
        return place.error("weight_qmin is larger than weight_qmax");
    return {};
}

Result<void> readFlavor(const Place& place, QuantizerFlavor& flavor)
{
    std::string name;
    PT2E_TRY(place.read(name));
    for (const QuantizerFlavor known :
         {QuantizerFlavor::None, QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch}) {
        if (flavorName(known) == name) {
            flavor = known;
            return {};
        }
    }
    return place.error("must be torchao, executorch or none");
}

/// [name, CONFIG|null]. As in a Python dict, no name stands twice.
Result<void> readNamedConfig(const Place& place, std::vector<NamedConfig>& configs)
{
    NamedConfig named;
    int count = 0;
    PT2E_TRY(place.items([&](const Place& item) -> Result<void> {
        switch (count++) {
        case 0: return item.read(named.name);
        case 1: return readConfig(item, named.config);
        default: return item.error("too many items: must be [name, configuration or null]");
        }
    }));
    if (count < 2)
        return place.error("must be [name, configuration or null]");
    if (std::any_of(configs.begin(), configs.end(),
                    [&](const NamedConfig& earlier) { return earlier.name == named.name; }))
        return place.error("'" + named.name + "' stands twice");
    configs.push_back(std::move(named));
    return {};
}

Result<void> readNamedConfigs(const Place& place, std::vector<NamedConfig>& configs)
{
    configs.clear();
    return place.items([&](const Place& item) { return readNamedConfig(item, configs); });
}

/// set_module_name refuses None, so a recipe cannot say it either.
Result<void> readModuleNames(const Place& place, std::vector<NamedConfig>& configs)
{
    PT2E_TRY(readNamedConfigs(place, configs));
    for (const NamedConfig& named : configs) {
        if (!named.config)
            return place.error(
                "'" + named.name
                + "' has no configuration: a module name must have one, only a module "
                  "type or an operator may have null");
    }
    return {};
}

Result<void> readQuantizer(const Place& place, QuantizerSettings& settings,
                           std::vector<RecipeRule>& rules)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "flavor")
            return readFlavor(member, settings.flavor);
        if (key == "global")
            return readConfig(member, settings.global);
        if (key == "module_name")
            return readModuleNames(member, settings.moduleName);
        if (key == "module_type")
            return readNamedConfigs(member, settings.moduleType);
        if (key == "operator_type")
            return readNamedConfigs(member, settings.operatorType);
        if (key == "rules") {
            return member.items(
                [&](const Place& item) { return json::readRule(item, rules.emplace_back()); });
        }
        return member.unknownKey();
    });
}

Result<void> readEdit(const Place& place, Edit& edit)
{
    bool hasSpec = false;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "at") {
            std::string text;
            PT2E_TRY(member.read(text));
            auto point = NamedPoint::parse(text);
            if (!point)
                return member.error(point.error().what);
            edit.at = std::move(*point);
            return {};
        }
        if (key == "spec") {
            hasSpec = true;
            PT2E_ASSIGN(edit.spec, json::readEditSpec(member));
            return {};
        }
        if (key == "allow_implicit_sharing")
            return member.read(edit.allowImplicitSharing);
        return member.unknownKey();
    }));
    if (edit.at.node.empty())
        return place.error("'at' is missing");
    if (!hasSpec)
        return place.error("'spec' is missing");
    return {};
}

Result<void> readCalibration(const Place& place, CalibrationChoice& choice)
{
    using Source = CalibrationChoice::Source;
    PT2E_TRY(place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "batches")
            return member.read(choice.batches);
        if (key == "seed")
            return member.read(choice.seed);
        if (key == "format")
            return json::readDataFormat(member, choice.format);
        if (key != "source")
            return member.unknownKey();
        std::string source;
        PT2E_TRY(member.read(source));
        if (source.empty())
            return member.error("must be 'examples', 'random' or a path");
        choice.source = source == "examples" ? Source::Examples
                        : source == "random" ? Source::Random
                                             : Source::File;
        choice.path = choice.source == Source::File ? source : "";
        return {};
    }));
    if (choice.batches && *choice.batches < 0)
        return place.error("batches must be 0 or more");
    return {};
}

Result<void> readConvert(const Place& place, ConvertOptions& options)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "fold_quantize")
            return member.read(options.foldQuantize);
        if (key == "duplicate_dq")
            return member.read(options.duplicateDq);
        return member.unknownKey();
    });
}

Result<void> readRun(const Place& place, int& threads)
{
    return place.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key != "threads")
            return member.unknownKey();
        std::int64_t count = 0;
        PT2E_TRY(member.read(count));
        if (count < 0 || count > 1024)
            return member.error("must be 0 to 1024");
        threads = static_cast<int>(count);
        return {};
    });
}

} // namespace

Result<Recipe> json::readRecipe(const Place& root)
{
    Recipe recipe;
    PT2E_ASSIGN(const Place::Head head, root.head());
    if (head.format != kFormat)
        return root.error("not a recipe: 'format' must be 'pt2e.recipe'");
    if (head.version != kVersion)
        return root.error("version " + std::to_string(head.version)
                          + " of the format is not known");
    PT2E_TRY(root.members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "format" || key == "version")
            return {};
        if (key == "quantizer")
            return readQuantizer(member, recipe.quantizer, recipe.rules);
        if (key == "edits") {
            return member.items([&](const Place& item) -> Result<void> {
                return readEdit(item, recipe.edits.emplace_back());
            });
        }
        if (key == "calibration")
            return readCalibration(member, recipe.calibration);
        if (key == "convert")
            return readConvert(member, recipe.convert);
        if (key == "run")
            return readRun(member, recipe.threads);
        return member.unknownKey();
    }));
    return recipe;
}

Result<Recipe> readRecipe(const std::string& text, const std::string& fileName)
{
    rapidjson::Document document;
    PT2E_ASSIGN(const Place root, Place::parse(document, text, fileName));
    return json::readRecipe(root);
}

} // namespace pt2e
