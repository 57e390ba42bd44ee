// Everything the user chose, and nothing derived. The only thing that is edited, undone and saved.
#pragma once

#include "core/base/Result.h"
#include "core/data/DataFormat.h"
#include "core/passes/Convert.h"
#include "core/quant/Quantizer.h"

#include <string>
#include <variant>
#include <vector>

namespace pt2e {

/// A Point by names, as recipes and dumps write it: "conv2d", or "x->conv2d".
struct NamedPoint
{
    std::string node;
    std::string user; ///< empty: the output of node

    std::string text() const { return user.empty() ? node : node + "->" + user; }
    static Result<NamedPoint> parse(const std::string& text);
    friend bool operator==(const NamedPoint&, const NamedPoint&) = default;
};

/// What an edit puts at a point. Default takes an earlier edit back to what the quantizer said.
/// Shared and derived specs name points by name; they are resolved when the recipe is applied.
struct EditSpec
{
    enum class Kind : std::uint8_t { Default, None, Observed, Fixed, Shared, Derived };
    Kind kind = Kind::None;
    ObservedSpec observed;
    FixedSpec fixed;
    NamedPoint sharedWith;
    std::vector<NamedPoint> derivedFrom;
    DerivedSpec derived; ///< its `from` is unused
    friend bool operator==(const EditSpec&, const EditSpec&) = default;
};

struct Edit
{
    NamedPoint at;
    EditSpec spec;
    /// false: the annotation of the node this edit stands at gets allow_implicit_sharing=False, so that its
    /// inputs keep observers of their own.
    bool allowImplicitSharing = true;
    friend bool operator==(const Edit&, const Edit&) = default;
};

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
    std::vector<Edit> edits; ///< in order of application, after the quantizer
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

/// The recipe with another quantizer that has the same settings: configurations and lists stay, edits do not, as they
/// were made to what the first one said.
Recipe withQuantizer(Recipe recipe, QuantizerFlavor flavor);

/// The recipe with the edit made: an earlier edit at the same point is replaced; Default removes it.
Recipe withEdit(Recipe recipe, const Edit& edit);

} // namespace pt2e
