// How much of a model an annotation covers.
#pragma once

#include "core/pipeline/Snapshot.h"

namespace pt2e {

/// Of the annotated graph, sub-graphs included. Ops: call_function nodes without getitem; quantized: with a
/// valid annotation. MACs: convolutions, linear, matmul; a symbolic size counts as 1. Weight bytes: float
/// bytes of the parameters the graph reads, and the share of them that convert stores as int8.
Coverage coverageOf(const Graph& graph, const AnnotationTable& annotations);

/// Multiply-accumulates of one node, 0 for what is no convolution, linear or matmul.
std::int64_t macsOf(const Graph& graph, const Node& node);

} // namespace pt2e
