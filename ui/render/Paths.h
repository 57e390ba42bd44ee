// Geometry that the painter and the SVG writer share, so that both draw the same curves.
#pragma once

#include "ui/render/DisplayList.h"

#include <QLineF>
#include <QPainterPath>
#include <QPolygonF>

namespace pt2e {

/// A polyline whose sideways steps are S-curves with vertical ends; straight where it is straight.
QPainterPath linePath(const Primitive& polyline);
/// Outline of a rectangle, hexagon or triangle.
QPainterPath shapePath(const Primitive& primitive);
/// The strokes of a hatched area, clipped to it.
QList<QLineF> hatchLines(const QRectF& area);
/// Left end of the baseline of a text primitive.
QPointF textOrigin(const Primitive& text);

} // namespace pt2e
