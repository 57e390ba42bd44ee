// Which slots are shown: focus nodes and what lies within so many hops. Internal to core/view.
#pragma once

#include "core/base/Result.h"
#include "core/view/UnionGraph.h"

#include <string>
#include <unordered_set>
#include <vector>

namespace pt2e {

struct Focus
{
    bool isEverything = true;
    std::vector<bool> visible; ///< per slot
    std::unordered_set<const Node*> nodes; ///< the focus nodes themselves, constants included
    /// Per core slot and direction (0 up, 1 down): hidden neighbours that are not named one by one.
    std::vector<std::vector<int>> more[2];
    std::vector<std::vector<std::string>> missing; ///< per stage: focus names it does not have
};

/// Fails if no focus name is in any stage.
Result<Focus> findFocus(const UnionGraph& graph, const ViewOptions& options);

} // namespace pt2e
