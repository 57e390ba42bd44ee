// What a user asks for at a point, by names; and rules that ask for it at every operator they find.
#pragma once

#include "core/base/Result.h"
#include "core/quant/NodeMatch.h"
#include "core/quant/Quantizer.h"

#include <optional>
#include <string>
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

/// What to put at the operators a rule finds. Points in its specs are relative to the operator: "$input0" is the edge
/// from its first input (in the order of Node::inputs), "$output" its output. What has kind Default stays as it was.
struct RecipeRule
{
    NodeMatch match;
    bool skip = false; ///< takes the annotation away; what follows is then empty
    std::vector<EditSpec>
        inputs; ///< of the first inputs; those an operator does not have count for nothing
    std::optional<EditSpec> otherInputs; ///< of all inputs behind those
    std::optional<EditSpec> output;
    bool allowImplicitSharing = true; ///< as in Edit
    friend bool operator==(const RecipeRule&, const RecipeRule&) = default;
};

/// The number of the input that "$input3" names; no value for "$output". BadInput for anything else.
Result<std::optional<std::size_t>> relativeInput(const std::string& name);

} // namespace pt2e
