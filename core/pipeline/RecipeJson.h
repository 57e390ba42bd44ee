// A recipe as a part of another document.
#pragma once

#include "core/pipeline/JsonPlace.h"
#include "core/pipeline/Recipe.h"

namespace pt2e::json {

/// The object that readRecipe() reads, format and version included.
Result<Recipe> readRecipe(const Place& place);

} // namespace pt2e::json
