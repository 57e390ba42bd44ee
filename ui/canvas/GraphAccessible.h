// Names for screen readers: a graph view is a list whose children are the nodes it shows.
#pragma once

namespace pt2e::ui {

class GraphView;

/// Tells Qt how to make accessible objects for graph views; done once however often it is called.
void installGraphAccessibility();
/// The children of this view are other ones now.
void tellGraphChanged(GraphView* view);

} // namespace pt2e::ui
