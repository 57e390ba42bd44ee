// Sharing as one sees it: an observer on the screen stands for points, and one of them is to share with one of another's.
#pragma once

#include "core/pipeline/EditCheck.h"

#include <optional>
#include <vector>

namespace pt2e {

/// The points that an observer node of the prepared graph (or of one of its bodies, `graph`) serves there: the output it
/// reads, and the edges to the nodes that read it. Empty where the node is no observer.
std::vector<Point> pointsOfObserver(const PreparedGraph& prepared, const Graph& graph,
                                    NodeId observer);

struct ShareCheck
{
    bool isShared = false; ///< the two use one observer already; nothing else is said then
    std::optional<Edit> edit; ///< the edit to make, where one of them is possible
    std::vector<EditConflict> conflicts; ///< of that edit, or why there is none
};

/// Which edit lets one of the points `from` share with one of `with`, in that order of preference, as conflictsOf judges
/// it on top of the recipe that the stage was made with. `prepared` may be null. Costs up to two prepares a pair.
ShareCheck checkSharing(const AnnotatedStage& stage, const PreparedGraph* prepared,
                        const Recipe& recipe, const std::vector<Point>& from,
                        const std::vector<Point>& with);

} // namespace pt2e
