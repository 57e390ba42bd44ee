// The op counts of all stages in one table.
#pragma once

#include "core/view/Tables.h"

namespace pt2e::ui {

/// Core makes one table per pair of neighbouring stages (as the notebook prints them); the window has one with a
/// column per stage and the change before it. Rows with a change first, then the others, each part by name.
Table mergedOpCounts(const std::vector<Table>& pairs);

} // namespace pt2e::ui
