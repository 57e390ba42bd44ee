// What the menus of a node and of a collapsed module say about modules.
#pragma once

#include "ui/session/Session.h"

class QMenu;

namespace pt2e::ui {

/// Expanding for a box (null: the node is none), collapsing the modules around the node, innermost first.
void addModuleActions(QMenu& menu, Session& session, StageKind stage, NodeId node,
                      const SceneItem* box);
/// Path of the innermost module around a node that is not collapsed with it; empty: there is none.
std::string moduleToCollapse(Session& session, StageKind stage, NodeId node);

} // namespace pt2e::ui
