// Private to Reexport.cpp: what torch.export's tracing of a converted module does, rule by rule.
#pragma once

#include "core/ir/GraphEditor.h"
#include "core/pipeline/Snapshot.h"

#include <cstddef>
#include <string>
#include <vector>

namespace pt2e::reexport {

/// A quantize, dequantize or choose_qparams call.
bool isQuantizing(const Node& node);
/// The value of such a call, from that of its input. Convert makes them without.
ValueMeta quantizedMeta(const Node& node, const ValueMeta& input);

/// All attributes that the converted module still has, in PyTorch's order.
std::vector<std::string> attributeOrder(const Snapshot& snapshot);

bool isNoGradRegion(const Node& node);
/// The region's graph; nullptr if it is not there.
const Graph* bodyOf(const Graph& graph, const Node& region);
/// How many getitem nodes torch.fx.passes.split_module makes for the parts of the graph ahead of, in and behind each
/// no_grad region: one per value that another part reads, none where that is a single one. They are gone or renamed
/// in the end, but their names stay used.
std::size_t splitItems(const Graph& graph);

/// Inputs of cond's and map's bodies take the names of what they are given, and the calls in there names that keep
/// clear of these (torch._export.utils._name_hoo_subgraph_placeholders). The last step, with all names made.
void nameBranchInputs(GraphEditor& editor);

} // namespace pt2e::reexport
