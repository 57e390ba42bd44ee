// What mends a violation of a hardware profile: rules for all operators of a kind where they get the same, else edits.
#pragma once

#include "core/pipeline/HardwareProfile.h"
#include "core/pipeline/Pipeline.h"
#include "core/pipeline/RuleWriter.h"

#include <span>
#include <vector>

namespace pt2e {

/// What makes these violations (of one constraint, found in this snapshot) vanish. What reads or gives a value in the
/// same format, shares with it or is derived from it changes along, so that nothing is quantized twice: violations of
/// the same constraint at those points vanish, too.
///
///   no-dynamic    observed by a histogram, with the range the quantizer uses
///   symmetric     the same observer with a symmetric scheme, int8 for uint8; a fixed scale covers the same range
///   per-tensor    the same with the scheme per tensor
///   same-…        further inputs and the output share with the first input
///   int32-bias    derived from input and weight; where a weight has scales per channel and not as many as the bias has
///                 values (transposed convolutions), the weight gets one scale
///   power-of-two  fixed at the next larger power of two, from the calibrated scale: always edits; weights get one
///                 scale for the tensor, as fixed numbers know no channels
RecipeChange mendOf(const Snapshot& snapshot, std::span<const Violation> violations);

/// The recipe with all that the profile does not allow mended, constraint by constraint in their order, the model
/// calibrated again after each. Fails where a stage fails; Internal if something cannot be mended.
Result<Recipe> mendedRecipe(Pipeline& pipeline, Recipe recipe, const HardwareProfile& profile,
                            const JobContext& context);

} // namespace pt2e
