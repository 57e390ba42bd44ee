#include "app/cli/Options.h"

#include "app/cli/Cli.h"
#include "core/base/ParallelFor.h"
#include "core/pipeline/Pipeline.h"
#include "core/view/BodyView.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>

namespace pt2e::cli {

void addModelOptions(CLI::App& verb, ModelOptions& options)
{
    ModelRequest& request = options.request;
    verb.add_option("MODEL", request.what, "a .pt2 file, or a built-in model's name")->required();
    verb.add_option("--model", request.programName, "the program, where a file holds several")
        ->type_name("NAME");
    verb.add_option("--ch", request.channels, "channels of a built-in model")
        ->type_name("N")
        ->check(CLI::Range(1, 65536));
    verb.add_option("--layers", request.layers, "layers of a built-in model")
        ->type_name("N")
        ->check(CLI::Range(1, 100000));
    verb.add_option("--seed", request.seed, "seed of a built-in model and of random batches")
        ->type_name("N");
}

void addDataOptions(CLI::App& verb, DataOptions& options)
{
    verb.add_option("--mean", options.mean,
                    "pictures, other float inputs: (value - mean) / std, one number or one per "
                    "channel; the value is pixel / 255 (default 0)")
        ->type_name("R,G,B")
        ->delimiter(',');
    verb.add_option("--std", options.std, "see --mean (default 1)")
        ->type_name("R,G,B")
        ->delimiter(',');
    verb.add_option("--resize", options.resize,
                    "pictures: make the shorter side N and cut out the centre (default: stretch "
                    "to the input's size)")
        ->type_name("N")
        ->check(CLI::Range(1, 65536));
    verb.add_option("--raw-shape", options.rawShape,
                    "data without a header: the shape of one sample, as 1x28x28")
        ->type_name("CxHxW");
    verb.add_option("--raw-dtype", options.rawDtype,
                    "data without a header: float32, uint8, … (default: the input's)")
        ->type_name("NAME");
    verb.add_option("--batch-size", options.batchSize,
                    "samples a batch, where the model leaves it open (default 32)")
        ->type_name("N")
        ->check(CLI::Range(1, 65536));
}

namespace {

Result<std::vector<std::int64_t>> shapeFrom(const std::string& text)
{
    std::vector<std::int64_t> shape;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('x', at), text.size());
        std::int64_t size = 0;
        const auto [stop, error] = std::from_chars(text.data() + at, text.data() + end, size);
        if (error != std::errc() || stop != text.data() + end || size <= 0)
            return badInput("--raw-shape " + text, "must be sizes with x between, as 1x28x28");
        shape.push_back(size);
        at = end + 1;
    }
    return shape;
}

} // namespace

Result<DataFormat> DataOptions::over(DataFormat format) const
{
    if (!mean.empty())
        format.mean = mean;
    if (!std.empty())
        format.std = std;
    format.resize = resize.value_or(format.resize);
    format.batchSize = batchSize.value_or(format.batchSize);
    if (!rawShape.empty()) {
        PT2E_ASSIGN(format.rawShape, shapeFrom(rawShape));
    }
    if (!rawDtype.empty()) {
        format.rawDtype = dtypeFromName(rawDtype);
        if (!format.rawDtype)
            return badInput("--raw-dtype " + rawDtype, "is no dtype");
    }
    return format;
}

void addQuantizingOptions(CLI::App& verb, QuantizingOptions& options)
{
    CLI::Option* recipe =
        verb.add_option("--recipe", options.recipe, "a recipe file")->type_name("FILE");
    verb.add_option(
            "--quantizer", options.quantizer,
            "torchao (default), executorch, or none: the annotations that the file carries, if any "
            "(then the default)")
        ->type_name("NAME")
        ->check(CLI::IsMember({"torchao", "executorch", "none"}))
        ->excludes(recipe);
    verb.add_flag("--per-tensor", options.perTensor, "weights per tensor instead of per channel")
        ->excludes(recipe);
    verb.add_flag("--dynamic", options.dynamic, "dynamic activations")->excludes(recipe);
    verb.add_option(
            "--calibration", options.calibration,
            "a .npz, .npy, IDX or raw file, a folder of PNG and JPEG pictures or of .npz files, "
            "random, or examples (default: a file's example inputs if it has any, else random)")
        ->type_name("DATA");
    verb.add_option("--batches", options.batches,
                    "batches to calibrate with (default: all; 8 random ones)")
        ->type_name("N")
        ->check(CLI::NonNegativeNumber);
    addDataOptions(verb, options.data);
}

namespace {

CalibrationChoice calibrationOf(const QuantizingOptions& options, CalibrationChoice choice,
                                const ModelOptions& model, const Model& opened, bool hasRecipe)
{
    using Source = CalibrationChoice::Source;
    if (options.calibration) {
        choice.path.clear();
        if (*options.calibration == "random") {
            choice.source = Source::Random;
        } else if (*options.calibration == "examples") {
            choice.source = Source::Examples;
        } else {
            choice.source = Source::File;
            choice.path = *options.calibration;
        }
    } else if (!hasRecipe && opened.data && opened.data->isInstalled()) {
        choice = calibrationOnOwnData(*opened.data);
    } else if (!hasRecipe) {
        const bool fromExamples = !opened.path.empty() && !opened.examples.empty();
        choice.source = fromExamples ? Source::Examples : Source::Random;
    }
    if (options.batches)
        choice.batches = options.batches;
    if (!hasRecipe)
        choice.seed = model.request.seed;
    return choice;
}

/// Opens the model while LibTorch is being loaded.
Result<ModelPtr> openForStages(Cli& cli, const ModelOptions& model, StageKind upTo)
{
    using Clock = std::chrono::steady_clock;
    const JobContext& job = cli.job();
    const bool loads = upTo != StageKind::Exported;
    ModelPtr opened;
    std::array<double, 2> seconds{};
    const auto step = [&](std::size_t i) -> Result<void> {
        const auto start = Clock::now();
        if (i == 0) {
            PT2E_ASSIGN(opened, openModel(model.request, job));
        } else {
            PT2E_TRY(kernels());
        }
        seconds[i] = std::chrono::duration<double>(Clock::now() - start).count();
        return {};
    };
    PT2E_TRY(parallelFor(job, loads ? 2 : 1, step));
    cli.sayTime("opening the model", seconds[0]);
    if (loads)
        cli.sayTime("loading LibTorch", seconds[1]);
    return opened;
}

} // namespace

Result<std::string> readFile(const std::string& path)
{
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (!file)
        return fail(ErrorCode::Io, path, std::strerror(errno));
    std::string text;
    std::array<char, 65536> buffer;
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file))
        text.append(buffer.data(), count);
    const bool failed = std::ferror(file) != 0;
    std::fclose(file);
    if (failed)
        return fail(ErrorCode::Io, path, "cannot be read");
    return text;
}

Result<Recipe> recipeFromFile(const std::string& path)
{
    PT2E_ASSIGN(const std::string text, readFile(path));
    return readRecipe(text, path);
}

Result<Recipe> recipeOf(const QuantizingOptions& options, const ModelOptions& model,
                        const Model& opened)
{
    Recipe recipe;
    const bool hasRecipe = !options.recipe.empty();
    if (hasRecipe) {
        PT2E_ASSIGN(recipe, recipeFromFile(options.recipe));
    } else {
        recipe.quantizer.flavor = QuantizerFlavor::TorchAo;
        if (options.quantizer == "executorch")
            recipe.quantizer.flavor = QuantizerFlavor::ExecuTorch;
        else if (options.quantizer == "none"
                 || (!options.quantizer && opened.form.kind == ProgramKind::Annotated))
            recipe.quantizer.flavor = QuantizerFlavor::None;
        recipe.quantizer.global->perChannel = !options.perTensor;
        recipe.quantizer.global->dynamic = options.dynamic;
    }
    recipe.calibration = calibrationOf(options, recipe.calibration, model, opened, hasRecipe);
    PT2E_ASSIGN(recipe.calibration.format, options.data.over(recipe.calibration.format));
    return recipe;
}

Result<Recipe> recipeBeside(const std::string& what, const Recipe& recipe)
{
    for (const QuantizerFlavor flavor : {QuantizerFlavor::TorchAo, QuantizerFlavor::ExecuTorch}) {
        if (what == flavorName(flavor))
            return withQuantizer(recipe, flavor);
    }
    return recipeFromFile(what);
}

std::string nameBeside(const QuantizingOptions& options, const Recipe& recipe,
                       const std::string& what)
{
    const std::string name(flavorName(recipe.quantizer.flavor));
    return options.recipe.empty() && name != what ? name : "here";
}

Result<Reached> reachAndKeep(Cli& cli, const ModelOptions& model,
                             const QuantizingOptions& quantizing, StageKind upTo,
                             const ActivationLimits& limits)
{
    PT2E_ASSIGN(ModelPtr opened, openForStages(cli, model, upTo));
    PT2E_ASSIGN(const Recipe recipe, recipeOf(quantizing, model, *opened));
    auto pipeline = std::make_unique<Pipeline>(std::move(opened), limits);
    SnapshotPtr snapshot = pipeline->run(recipe, upTo, cli.job());
    // Only now: the stages use their threads side by side, each with one thread of LibTorch's.
    if (upTo != StageKind::Exported)
        PT2E_TRY(cli.loadKernels());
    for (const StageTime& time : snapshot->times)
        cli.sayTime(stageName(time.stage), time.seconds);
    sayDiagnostics(snapshot->diagnostics);
    return Reached{std::move(snapshot), std::move(pipeline)};
}

Result<SnapshotPtr> reachStages(Cli& cli, const ModelOptions& model,
                                const QuantizingOptions& quantizing, StageKind upTo)
{
    PT2E_ASSIGN(Reached reached,
                reachAndKeep(cli, model, quantizing, upTo, ActivationLimits::none()));
    return std::move(reached.snapshot);
}

Result<SnapshotPtr> runStages(Cli& cli, const ModelOptions& model,
                              const QuantizingOptions& quantizing, StageKind upTo)
{
    PT2E_ASSIGN(SnapshotPtr snapshot, reachStages(cli, model, quantizing, upTo));
    if (snapshot->error)
        return tl::unexpected<Error>(*snapshot->error);
    return snapshot;
}

Result<StageKind> stageFromName(const std::string& name)
{
    for (const StageKind stage : {StageKind::Exported, StageKind::Annotated, StageKind::Prepared,
                                  StageKind::Calibrated, StageKind::Converted}) {
        if (stageName(stage) == name)
            return stage;
    }
    return badInput("stage '" + name + "'",
                    "not one of exported, annotated, prepared, calibrated, converted");
}

void addBodyOption(CLI::App& verb, std::string& path)
{
    verb.add_option("--body", path, "look into a sub-graph: its attribute, or loop/inner")
        ->type_name("PATH");
}

namespace {

void listBodies(const Graph& graph, const std::string& around, std::string& list)
{
    for (const auto& [name, body] : graph.subgraphs()) {
        list += (list.empty() ? "" : ", ") + around + name;
        if (body)
            listBodies(*body, around + name + "/", list);
    }
}

} // namespace

Result<SnapshotPtr> lookInto(const SnapshotPtr& snapshot, const std::string& path)
{
    SnapshotPtr inside = snapshotOfBody(snapshot, path);
    if (inside)
        return inside;
    std::string list;
    listBodies(*snapshot->model->exported, "", list);
    return badInput("--body " + path, list.empty() ? "the model has no sub-graphs"
                                                   : "no such sub-graph; there are " + list);
}

Result<std::vector<StageKind>> stagesFromNames(const std::string& names)
{
    std::vector<StageKind> stages;
    for (std::size_t at = 0; at <= names.size();) {
        const std::size_t comma = std::min(names.find(',', at), names.size());
        PT2E_ASSIGN(const StageKind stage, stageFromName(names.substr(at, comma - at)));
        stages.push_back(stage);
        at = comma + 1;
    }
    return stages;
}

void addTableOptions(CLI::App& verb, TableOptions& options)
{
    CLI::Option* json = verb.add_flag("--json", options.json, "print JSON");
    verb.add_flag("--csv", options.csv, "print CSV")->excludes(json);
}

std::string formatTables(const std::vector<Table>& tables, const TableOptions& options)
{
    std::string text;
    for (const Table& table : tables) {
        const bool isFirst = &table == &tables.front();
        if (options.json)
            text += (isFirst ? "" : ",\n") + tableAsJson(table);
        else if (options.csv)
            text += (tables.size() > 1 ? "# " + table.title + "\n" : "") + tableAsCsv(table);
        else
            text += (isFirst ? "" : "\n") + table.title + "\n" + tableAsText(table);
    }
    if (options.json)
        return tables.size() == 1 ? text + "\n" : "[" + text + "]\n";
    return text;
}

} // namespace pt2e::cli
