// Everything the user chose, and nothing derived. The only thing that is edited, undone and saved.
#pragma once

#include "core/base/Result.h"
#include "core/data/DataFormat.h"
#include "core/passes/Convert.h"
#include "core/pipeline/EditSpec.h"

#include <optional>
#include <string>
#include <vector>

namespace pt2e {

struct CalibrationChoice
{
    enum class Source : std::uint8_t { Examples, Random, File };
    Source source = Source::Random;
    std::string path; ///< File: a file or a folder
    std::optional<std::int64_t> batches; ///< absent: all; 8 for Random
    std::uint64_t seed = 0;
    DataFormat format; ///< File
    friend bool operator==(const CalibrationChoice&, const CalibrationChoice&) = default;
};

struct Recipe
{
    QuantizerSettings quantizer;
    std::vector<RecipeRule> rules; ///< in order of application, after the quantizer
    std::vector<Edit> edits; ///< in order of application, after the rules
    CalibrationChoice calibration;
    ConvertOptions convert;
    int threads = 0; ///< run.threads; 0: all
    friend bool operator==(const Recipe&, const Recipe&) = default;
};

/// Calibration on the data that come with a model.
CalibrationChoice calibrationOnOwnData(const struct ModelData& data);

/// JSON of format "pt2e.recipe" version 1. Reading: unknown keys are an error with their place.
std::string writeRecipe(const Recipe& recipe);
Result<Recipe> readRecipe(const std::string& json, const std::string& fileName);

/// The recipe with another quantizer that has the same settings: configurations, lists and rules stay, edits do not, as they
/// were made to what the first one said.
Recipe withQuantizer(Recipe recipe, QuantizerFlavor flavor);

/// The recipe with the edit made: an earlier edit at the same point is replaced; Default removes it.
Recipe withEdit(Recipe recipe, const Edit& edit);
/// The same for one after the other.
Recipe withEdits(Recipe recipe, const std::vector<Edit>& edits);

} // namespace pt2e
