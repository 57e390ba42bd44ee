// Operators that run sub-graphs: cond, while_loop, scan, the regions of torch.no_grad and torch.autocast.
#pragma once

#include "core/engine/reference/Frame.h"

#include <string>
#include <string_view>

namespace pt2e::reference {

/// "cond" from "cond" or "higher_order.cond"; empty if the target is no higher-order operator that can be run.
std::string higherOrderFunction(std::string_view target);

/// A sub-graph given as an argument, or what stands for one: its name, since values hold no graphs.
/// args are the node's arguments; where the node names a sub-graph stands its attribute name as a string.
/// The result is a list, as the operator gives a tuple.
Result<Value> callHigherOrder(Frame& frame, const std::string& function, const Values& args);

} // namespace pt2e::reference
