// The steps behind Pipeline.h that tests and Pipeline use one by one.
#pragma once

#include "core/pipeline/Pipeline.h"

namespace pt2e {

/// annotateStage on a fold made earlier: nothing is computed, so that an edit is instant.
Result<std::shared_ptr<const AnnotatedStage>> annotateFolded(const FoldedGraph& folded,
                                                             const Recipe& recipe);

/// True if two folds are the same graph with the same node ids. Folding is deterministic, so weights then are
/// equal too, and whatever was kept for the one holds for the other.
bool isSameFold(const FoldedGraph& a, const FoldedGraph& b);

} // namespace pt2e
