// A recipe as Python: a class that annotates exactly the same with torchao.
#pragma once

#include "core/pipeline/Recipe.h"

#include <string>

namespace pt2e {

/// The text of a module with a class RecipeQuantizer for prepare_pt2e, for torchao 0.18 (and ExecuTorch 1.5 where that
/// is the recipe's quantizer). Calibration data, convert's options and threads are not part of a quantizer. Where the
/// recipe's quantizer is None the class begins with no annotations; those a model file carries are not read.
std::string recipeToPython(const Recipe& recipe);

} // namespace pt2e
