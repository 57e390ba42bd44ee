// What the quantizers do without a word although people expect otherwise: we do the same, and say so.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/quant/Quantizer.h"

namespace pt2e {

/// Diagnostics about what a quantizer annotated, before edits, and why it left out the rest (explainUnannotated); of the
/// graph, then of the bodies that quantization visits ("body/name"). Codes:
/// "cat-not-matched", "sub-graph-left-out", "left-to-relu", "weight-taken", "setting-misses-weight" (warnings: an op
/// stays float that people count on); "guard", "observed-before-clamp", "not-fused", "transpose-axis",
/// "one-entry-for-two" (notes); "operator-settings-ignored", "integer-became-float" (warnings).
Diagnostics surprises(const Graph& graph, const AnnotationTable& annotations,
                      const std::vector<WhyNot>& reasons, const QuantizerSettings& settings);
/// "no-observer-for-several": annotated outputs (by an edit, say) that prepare inserts no observer for.
Diagnostics unobservedOutputs(const Graph& graph, const AnnotationTable& annotations);

} // namespace pt2e
