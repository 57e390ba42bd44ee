// What goes back to Python: a converted model, or the float model with its annotations, as a .pt2 file.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <string>

namespace pt2e {

/// The converted graph as torch.export makes it of the converted module: one get_attr per attribute, in the
/// order of the module's parameters, buffers and constants, ahead of all else; calls named in order after
/// their operators ("quantize_per_tensor_1"); every value with its meta. Annotations stand in each node's
/// "custom" metadata under "quantization_annotation", as in a stage dump.
GraphPtr reexported(const Snapshot& converted);

/// The exported graph with its annotations in the nodes' "custom" metadata.
GraphPtr withAnnotations(const Snapshot& annotated);

/// Writes the converted program. The snapshot must have reached that stage.
Result<void> saveConverted(const std::string& path, const Snapshot& snapshot);
/// Writes the float model with annotations. The snapshot must have been annotated.
Result<void> saveAnnotated(const std::string& path, const Snapshot& snapshot);

} // namespace pt2e
