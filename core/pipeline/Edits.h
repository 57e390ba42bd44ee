// The recipe's rules and edits, applied to what the quantizer annotated.
#pragma once

#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Snapshot.h"
#include "core/quant/Annotation.h"

#include <vector>

namespace pt2e {

/// The table with the rules applied, in order, each to what it finds in the graph and in the bodies that quantization
/// visits. Diagnostics: a rule that finds nothing ("rule-finds-nothing"), and one whose spec names an input that an
/// operator does not have ("rule-missing-input"); that spec is left out.
AnnotationTable applyRules(AnnotationTable annotations, const std::vector<RecipeRule>& rules,
                           const Graph& graph, const NodeNames& names, Diagnostics& diagnostics);

/// The operators a rule finds, in the order they are annotated.
std::vector<NodeId> nodesOf(const RecipeRule& rule, const Graph& graph);

/// The table with the edits made, in order. An edit that names a missing node or edge is left out and
/// reported through `diagnostics` (code "edit-missing-node").
AnnotationTable applyEdits(AnnotationTable annotations, const std::vector<Edit>& edits,
                           const NodeNames& names, Diagnostics& diagnostics);

/// The edits that make the annotation of the node `name` what it is in `other` (of the same model, perhaps under another
/// quantizer): its inputs in order, then its output; what only `now` has is set to none. Empty where `other` has no such
/// node or no annotation of it.
std::vector<Edit> editsLike(const AnnotatedStage& other, const AnnotatedStage& now,
                            const std::string& name);

/// The point as recipes write it.
NamedPoint namedPoint(const Point& point, const NodeNames& names);

/// The spec with its points by name, as a recipe writes it.
EditSpec editSpecOf(const Spec& spec, const NodeNames& names);

/// The spec with its named points found; BadInput names a missing one. Default and None are no spec.
Result<Spec> resolveSpec(const EditSpec& edit, const NodeNames& names);

} // namespace pt2e
