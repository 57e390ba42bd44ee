// What a pass did, kept with the stage it belongs to.
#pragma once

#include "core/ir/Graph.h"

#include <chrono>
#include <string>
#include <vector>

namespace pt2e {

struct PassRecord
{
    std::string name; ///< "conv_bn_fold"
    int nodesAdded = 0;
    int nodesRemoved = 0;
    bool changed = false;
    std::chrono::microseconds time{0};
    GraphPtr after; ///< the graph behind this pass (shared with the next record when unchanged)
};

using PassRecords = std::vector<PassRecord>;

} // namespace pt2e
