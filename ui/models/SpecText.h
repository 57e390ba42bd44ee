// Quantization specs in words.
#pragma once

#include "core/ir/Graph.h"
#include "core/quant/Spec.h"

#include <QString>

namespace pt2e::ui {

/// "int8 −128…127 · affine", "int8 · per channel, axis 0", "shares with x → conv2d", "none (float32)".
/// The graph gives names to the points of shared and derived specs.
QString specText(const Spec& spec, const Graph& graph);
/// "x → conv2d", or "conv2d" for an output.
QString pointText(const Point& point, const Graph& graph);

} // namespace pt2e::ui
