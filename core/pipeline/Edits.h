// The recipe's edits, applied to what the quantizer annotated.
#pragma once

#include "core/pipeline/NodeNames.h"
#include "core/quant/Annotation.h"

#include <vector>

namespace pt2e {

/// The table with the edits made, in order. An edit that names a missing node or edge is left out and
/// reported through `diagnostics` (code "edit-missing-node").
AnnotationTable applyEdits(AnnotationTable annotations, const std::vector<Edit>& edits,
                           const NodeNames& names, Diagnostics& diagnostics);

/// The spec with its named points found; BadInput names a missing one. Default and None are no spec.
Result<Spec> resolveSpec(const EditSpec& edit, const NodeNames& names);

} // namespace pt2e
