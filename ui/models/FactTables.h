// What the inspector says of a node, section by section, as tables to copy.
#pragma once

#include "core/view/Tables.h"
#include "ui/models/NodeFacts.h"

#include <vector>

namespace pt2e::ui {

/// Those sections that have something: call, annotation, values (with the histogram or the ranges of the channels behind
/// them), across stages, users, metadata.
std::vector<Table> factTables(const NodeFacts& facts);

} // namespace pt2e::ui
