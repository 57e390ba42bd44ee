// Bookmarks and notes as a table.
#pragma once

#include "core/pipeline/Project.h"
#include "core/view/Tables.h"

namespace pt2e {

/// Node, op, bookmark, note; bookmarks first, in the order they were made. A node that the model does not have stands there
/// without an op.
Table marksTable(const NodeMarks& marks, const Graph& exported);

} // namespace pt2e
