// From specs at points to rules: what every operator of a kind gets becomes a rule, the rest edits.
#pragma once

#include "core/pipeline/Edits.h"

#include <map>
#include <optional>
#include <vector>

namespace pt2e {

/// What a recipe gets: rules behind those it has, edits at their points.
struct RecipeChange
{
    std::vector<RecipeRule> rules; ///< each for one operator target
    std::vector<Edit> edits;
    bool isEmpty() const { return rules.empty() && edits.empty(); }
    friend bool operator==(const RecipeChange&, const RecipeChange&) = default;
};

/// The rules and edits that put `wanted` at its points and nothing anywhere else. A place of an operator ("input 0 of
/// every conv2d") becomes part of a rule where all operators of that target in the model get the same there, or have it
/// already; where the recipe has an edit at one of those points, and for what differs, it becomes edits.
/// With `asEdits` all of it.
RecipeChange changeFor(const AnnotatedStage& stage, const Recipe& recipe,
                       const std::map<Point, EditSpec>& wanted, bool asEdits = false);

/// The recipe with it. A rule joins one for the same operators where none behind that one finds any of them.
Recipe withChange(Recipe recipe, const RecipeChange& change);

/// The edits at these nodes (of the stage's graph) as one rule for the operator of the last node, in their place; where
/// the nodes' edits differ, the last node's count. Edits that name a point of another operator stay as they are. Nothing
/// if none can become part of a rule.
std::optional<Recipe> withRuleOfEdits(const AnnotatedStage& stage, const Recipe& recipe,
                                      const std::vector<NodeId>& nodes);

/// "$input0", "$output": how a rule names a point of this operator; nothing for any other point.
std::optional<NamedPoint> relativeTo(const NamedPoint& point, const std::string& node,
                                     const std::vector<std::string>& inputs);

} // namespace pt2e
