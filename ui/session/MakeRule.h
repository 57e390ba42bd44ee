// "Make a rule of this": the edits of chosen operators become a rule for all of their kind.
#pragma once

#include "ui/session/Session.h"

namespace pt2e::ui {

/// The recipe with a rule instead of the edits at these nodes of a stage of Session::entered(); nothing where they have
/// none that could be one.
std::optional<Recipe> recipeWithRule(const Session& session, StageKind stage,
                                     const std::vector<NodeId>& nodes);
/// One step of undo. False if there was nothing to make a rule of.
bool makeRule(Session& session, StageKind stage, const std::vector<NodeId>& nodes);

} // namespace pt2e::ui
