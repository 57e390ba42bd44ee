// Options that several verbs have, always spelled the same.
#pragma once

#include "core/pipeline/Pipeline.h"
#include "core/view/Tables.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e::cli {

class Cli;

/// MODEL, --model, --ch, --layers, --seed.
struct ModelOptions
{
    ModelRequest request;
};
void addModelOptions(CLI::App& verb, ModelOptions& options);

/// --mean, --std, --resize, --raw-shape, --raw-dtype, --batch-size: how files become inputs.
struct DataOptions
{
    std::vector<double> mean;
    std::vector<double> std;
    std::optional<std::int64_t> resize;
    std::string rawShape;
    std::string rawDtype;
    std::optional<std::int64_t> batchSize;

    /// What was given replaces what is there.
    Result<DataFormat> over(DataFormat format) const;
};
void addDataOptions(CLI::App& verb, DataOptions& options);

/// --recipe or --quantizer, --per-tensor, --dynamic; --calibration, --batches and the data options. `--seed` is the
/// model's.
struct QuantizingOptions
{
    std::string recipe;
    std::optional<std::string> quantizer;
    bool perTensor = false;
    bool dynamic = false;
    std::optional<std::string> calibration;
    std::optional<std::int64_t> batches;
    DataOptions data;
};
void addQuantizingOptions(CLI::App& verb, QuantizingOptions& options);

/// The recipe that the options mean for this model (the default of --calibration depends on it).
Result<Recipe> recipeOf(const QuantizingOptions& options, const ModelOptions& model,
                        const Model& opened);

/// A file's bytes.
Result<std::string> readFile(const std::string& path);

/// The recipe in a file.
Result<Recipe> recipeFromFile(const std::string& path);

/// What stands beside a recipe: a quantizer's name (the recipe's own settings with that one, without edits), else the recipe
/// of a file.
Result<Recipe> recipeBeside(const std::string& what, const Recipe& recipe);
/// The name of the options' own recipe where `what` heads the column beside it: two columns must not have one name.
std::string nameBeside(const QuantizingOptions& options, const Recipe& recipe,
                       const std::string& what);

/// Opens the model and runs the stages up to `upTo` with the options' recipe; the snapshot has what was reached
/// and the error that stopped it. Fails if the model or the recipe cannot be opened. Diagnostics go to stderr.
Result<SnapshotPtr> reachStages(Cli& cli, const ModelOptions& model,
                                const QuantizingOptions& quantizing, StageKind upTo);

/// As reachStages, with the pipeline that made the snapshot; it keeps what it has computed for further questions.
struct Reached
{
    SnapshotPtr snapshot;
    std::unique_ptr<Pipeline> pipeline;
};
Result<Reached> reachAndKeep(Cli& cli, const ModelOptions& model,
                             const QuantizingOptions& quantizing, StageKind upTo,
                             const ActivationLimits& limits = ActivationLimits::defaults());

/// As reachStages; the error of the stage that failed is the error here.
Result<SnapshotPtr> runStages(Cli& cli, const ModelOptions& model,
                              const QuantizingOptions& quantizing, StageKind upTo);

/// --body PATH: into which sub-graph to look.
void addBodyOption(CLI::App& verb, std::string& path);
/// The snapshot as seen from inside a sub-graph; the error lists those there are. An empty path: the snapshot itself.
Result<SnapshotPtr> lookInto(const SnapshotPtr& snapshot, const std::string& path);

/// "exported", "annotated", "prepared", "calibrated", "converted".
Result<StageKind> stageFromName(const std::string& name);
/// "exported,prepared,converted", in the order given.
Result<std::vector<StageKind>> stagesFromNames(const std::string& names);

/// --json, --csv: how tables are printed (text without either).
struct TableOptions
{
    bool json = false;
    bool csv = false;
};
void addTableOptions(CLI::App& verb, TableOptions& options);
/// Text: titles and tables with blank lines between. JSON: one object, or an array if there are several.
/// CSV: tables one after another, each headed by a line "# title" where there are several.
std::string formatTables(const std::vector<Table>& tables, const TableOptions& options);

} // namespace pt2e::cli
