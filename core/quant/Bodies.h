// Which sub-graphs quantization goes into.
#pragma once

#include "core/ir/Graph.h"

#include <string>
#include <vector>

namespace pt2e {

/// Attributes of the bodies that torchao's prepare_pt2e and convert_pt2e go into, in their order: the combine function
/// of every scan, then the body of every while_loop. Left alone by both, and run as they are: the condition of a loop,
/// branches of cond, regions of wrap_with_set_grad_enabled, bodies of all other higher-order operators.
std::vector<std::string> visitedBodies(const Graph& graph);

} // namespace pt2e
