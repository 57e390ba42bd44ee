// What speaks against an edit, in words.
#pragma once

#include "core/pipeline/EditCheck.h"

#include <QString>

namespace pt2e::ui {

/// Conflicts in words, one a line; that there are none, too.
QString conflictText(const std::vector<EditConflict>& conflicts);
/// None of them is an error.
bool isApplicable(const std::vector<EditConflict>& conflicts);

} // namespace pt2e::ui
