// Rewrites a converted graph into one that gives the same bits, with more of it quantized.
//
// Ops that only move values or take the larger of them commute with quantizing: where their input is
// dequantized, their result is quantized with the same parameters and nothing changes; where their
// result is quantized, their input may be quantized instead. So reshapes, slices, pools, paddings and
// the like between quantized ops run in int8 although the quantizer did not annotate them.
#pragma once

#include "core/ir/Graph.h"

namespace pt2e::xnn {

/// Nodes keep their ids. Also: parts of a split become slices, spellings of cat become cat.
GraphPtr spreadQuantization(const GraphPtr& graph);

} // namespace pt2e::xnn
