// Two recipes side by side as tables, for the command line and the window.
#pragma once

#include "core/analysis/RecipeComparison.h"
#include "core/view/Tables.h"

#include <array>
#include <string>

namespace pt2e {

/// What heads the columns of the two recipes: "torchao", "executorch", "now", "before", … They differ.
using RecipeNames = std::array<std::string, 2>;

/// "recipes": what each quantizes, keeps and costs; the last column is the second less the first. What was not run has no
/// row.
Table recipeSummaryTable(const RecipeComparison& comparison, const RecipeNames& names);
/// "recipe-differences": where the recipes differ, place by place; a row's node is that of the first.
Table recipeDifferenceTable(const RecipeComparison& comparison, const RecipeNames& names);

} // namespace pt2e
