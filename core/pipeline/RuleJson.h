// Rules of a recipe as JSON.
#pragma once

#include "core/pipeline/EditSpec.h"
#include "core/pipeline/JsonPlace.h"

#include <string>
#include <vector>

namespace pt2e::json {

/// An array, one rule a line; only what was given is written.
std::string rules(const std::vector<RecipeRule>& rules);
Result<void> readRule(const Place& place, RecipeRule& rule);

} // namespace pt2e::json
