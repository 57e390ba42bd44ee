// Where in a pane points can be taken hold of: observers, the ends of edges at operators, and operators' outputs.
#pragma once

#include "core/passes/Prepare.h"
#include "ui/canvas/PaneContent.h"

#include <QPointF>

#include <vector>

namespace pt2e::ui {

struct SharePlace
{
    int item = -1; ///< the observer, or the operator that the place belongs to
    bool isBadge = false; ///< the whole item; else a spot at `at`
    QPointF at; ///< in scene units
    std::vector<Point> points; ///< what it stands for; the one that says most first
};

/// Of what a pane shows. `folded` is the annotated graph or the body of it that is shown; `stage` the pane's graph, with
/// `prepared` where that is the prepared one (else null). Points of values that are no floats are left out.
std::vector<SharePlace> sharePlaces(const PaneContent& content, const Graph& folded,
                                    const Graph& stage, const PreparedGraph* prepared);

} // namespace pt2e::ui
