// What a pass did, kept with the stage it belongs to.
#pragma once

#include "core/ir/Graph.h"

#include <chrono>
#include <string>
#include <vector>

namespace pt2e {

/// A node that a pass took out of the graph, and what took it over.
struct RemovedNode
{
    NodeId node;
    std::string name;
    OpKind kind = OpKind::CallFunction;
    std::string target;
    /// The node that stands for it from then on: the convolution of a folded batch_norm and of its parameters, the q
    /// of an observer, the constant of a folded quantize. Invalid when it is simply gone (dead code). It may itself be
    /// removed by a later pass.
    NodeId into;
    friend bool operator==(const RemovedNode&, const RemovedNode&) = default;
};

struct PassRecord
{
    std::string name; ///< "conv_bn_fold"
    std::string
        body; ///< path of the sub-graph it worked on ("loop/inner"); empty for the top graph
    int nodesAdded = 0;
    int nodesRemoved = 0;
    bool changed = false;
    std::chrono::microseconds time{0};
    GraphPtr after; ///< the graph behind this pass (shared with the next record when unchanged)
    std::vector<RemovedNode> removed; ///< in the order of the graph before
};

using PassRecords = std::vector<PassRecord>;

} // namespace pt2e
