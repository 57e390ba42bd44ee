// Paints a display list, on the canvas and into every raster or vector device.
#pragma once

#include "ui/render/DisplayList.h"

#include <vector>

class QPainter;

namespace pt2e {

/// What stands out; indices into DisplayList::items.
struct Highlights
{
    std::vector<int> selected;
    std::vector<int> related; ///< counterparts of a selection made in another pane
    std::vector<int> changed; ///< by the last edit
    int hovered = -1;
    std::vector<int> selectedEdges; ///< indices into Scene::edges
    std::vector<int> bookmarked; ///< a ribbon at the item's upper edge
    std::vector<int> noted; ///< a sheet beside it
};

struct PaintOptions
{
    /// Device pixels per scene unit; below 0.45 texts are left out, below 0.15 only rectangles and lines are drawn.
    double zoom = 1;
    QRectF exposed; ///< in scene units; null: everything
    bool textAsOutlines = false; ///< independent of the platform's glyph rasteriser (PNG files)
};

/// The painter's transform maps scene units to the device already; the ground is not filled.
void paint(QPainter& painter, const DisplayList& list, const Theme& theme,
           const Highlights& highlights = {}, const PaintOptions& options = {});

/// A small picture of a single item kind for legends and tables, in `rect`.
void paintSymbol(QPainter& painter, ItemKind kind, const QRectF& rect, const Theme& theme);

} // namespace pt2e
