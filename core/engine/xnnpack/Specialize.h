// A graph for inputs of other sizes than the exported ones: another batch, or sizes that were symbols.
#pragma once

#include "core/engine/Engine.h"

namespace pt2e::xnn {

/// The same graph with the sizes that these inputs give, found by running it once on LibTorch; sizes
/// that it computes become numbers in the arguments. Fails as the run does where the graph is bound
/// to its own sizes.
Result<GraphPtr> specializeGraph(const GraphPtr& graph, std::span<const Value> inputs,
                                 const JobContext& context);

/// Whether the inputs have the sizes that the graph's placeholders say, all of them numbers.
bool fitsExactly(const Graph& graph, std::span<const Value> inputs);

} // namespace pt2e::xnn
