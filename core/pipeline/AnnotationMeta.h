// Annotations in a file: under "quantization_annotation" in a node's "custom" metadata, as a stage dump has them. Only
// calls have metadata in a file: what is said of a constant or input stands in its first user, under "operands".
#pragma once

#include "core/base/Diagnostic.h"
#include "core/ir/Graph.h"
#include "core/pipeline/Model.h"
#include "core/pipeline/NodeNames.h"
#include "core/quant/Annotation.h"
#include "core/quant/Quantizer.h"

#include <memory>
#include <utility>
#include <vector>

namespace pt2e {

/// Annotations of the constants and inputs that a call reads.
using OperandAnnotations = std::vector<std::pair<NodeId, const Annotation*>>;

/// The node's metadata with the annotation (nullptr: none) added. `names` are those of the annotated graph.
std::shared_ptr<const FileMeta> withAnnotation(const std::shared_ptr<const FileMeta>& meta,
                                               const NodeNames& names, const Annotation* annotation,
                                               const OperandAnnotations& operands = {});

/// The annotations that the nodes of a folded graph carry. What cannot be read or names a node that is not there is
/// left out and reported (code "file-annotation").
AnnotationTable annotationsIn(const Graph& folded, Diagnostics& diagnostics);

/// The module's "custom" metadata with the quantizer that made the annotations.
std::string withQuantizer(const std::string& custom, const QuantizerSettings& settings);

/// What the model is folded for: with quantizer "none", annotations that the file carries need the graph they were
/// made on, which is that of the quantizer named in the module's metadata (scalars are constants, dead code is gone).
QuantizerSettings foldSettings(const Model& model, const QuantizerSettings& settings);

} // namespace pt2e
