// Bookmarks and notes as the window makes them.
#pragma once

#include "ui/session/Session.h"

#include <string>

namespace pt2e::ui {

/// The node of the exported graph that the selection is about, by the name it has in NodeMarks: the one selected last, or
/// what the selected one came from. Empty: there is none.
std::string markableNode(const Session& session);
/// One undoable step; false if there is no such node.
bool toggleBookmark(Session& session);

} // namespace pt2e::ui
