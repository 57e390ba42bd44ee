// Two recipes on one model: where what they make of it differs, and what each of them costs.
//
// Nodes are told apart by their names in the annotated graphs, as the ids of what a stage inserts are each snapshot's own.
#pragma once

#include "core/analysis/Benchmark.h"
#include "core/analysis/Compare.h"
#include "core/quant/Reason.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

/// What of a place is compared; rows of one place stand in this order.
enum class RecipeAspect : std::uint8_t {
    Operator, ///< quantized or float, and why
    Annotation, ///< the spec at a point
    Observer, ///< kind, scale and zero point at a point
    Sharing, ///< which of the points that both observe have the same instance
    Conversion, ///< quantize and dequantize nodes on the way into an operator
    Place ///< the engine and kernel an operator ran on
};
const char* aspectName(RecipeAspect aspect); ///< "annotation", for translators too

/// What one of the recipes says about a place.
struct RecipeWord
{
    std::string text; ///< "-" where it says nothing
    const char* pattern = nullptr; ///< the text with %1 for `argument`, for translators
    std::string argument = {};
    std::optional<Reason> reason = {}; ///< what the text says, as data
};

struct RecipeDifference
{
    RecipeAspect aspect = RecipeAspect::Operator;
    std::string at; ///< "conv2d" or "x->conv2d"
    std::string op; ///< short name of the operator it is about: of an edge the one it leads to
    std::array<NodeId, 2> node; ///< it, in each annotated graph; invalid where one has none
    std::array<RecipeWord, 2> said;
};

/// Numbers of one recipe that need no run.
struct RecipeFigures
{
    Coverage coverage;
    std::optional<std::int64_t> observers; ///< instances; absent before prepare
    std::optional<std::int64_t>
        conversions; ///< quantize and dequantize nodes; absent before convert
    std::optional<std::int64_t>
        weightBytes; ///< as BenchmarkReport::int8Bytes; absent before convert
};

/// Both recipes run on the same data. What was not run is absent.
struct RecipeRuns
{
    std::array<std::shared_ptr<const CompareReport>, 2> compared; ///< both or none
    std::optional<PairedTimes> times;
};

/// Labelled samples under both recipes, on XNNPACK.
struct RecipePredictions
{
    std::int64_t agreeing = 0; ///< put into the same class
    PairedDifference difference; ///< the second against the first
};

/// Absent where the data have no labels, or are not the same.
std::optional<RecipePredictions> comparePredictions(const CompareReport& first,
                                                    const CompareReport& second);

struct RecipeComparison
{
    std::vector<RecipeDifference> differences; ///< in the order of the first annotated graph
    std::array<RecipeFigures, 2> figures;
    RecipeRuns runs;
    std::optional<RecipePredictions> predictions;
};

/// Compares as far as both snapshots reach, at least to the annotated stage (else there is nothing in it). They are of one
/// model; equal recipes have no differences. The runs are those of these snapshots.
RecipeComparison compareRecipes(const Snapshot& first, const Snapshot& second,
                                const RecipeRuns& runs = {});

struct RecipeRunOptions
{
    CompareOptions compare; ///< operators are not compared
    std::optional<BenchmarkOptions> benchmark; ///< absent: no times
};
/// Runs both on the data, and then for time. Both snapshots need the converted stage.
Result<RecipeRuns> runRecipes(const Snapshot& first, const Snapshot& second, const DataSet& data,
                              const RecipeRunOptions& options, const JobContext& context);

} // namespace pt2e
