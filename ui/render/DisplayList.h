// A picture as a plain list of primitives, in painting order. Built from a Scene; painted on the canvas, written as SVG,
// PDF and PNG, and checked by checkDisplayList: one list, so that they cannot differ.
#pragma once

#include "core/view/Scene.h"
#include "ui/render/Theme.h"

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace pt2e {

struct Primitive
{
    enum class Shape : std::uint8_t {
        Rect, ///< `rect` with corners of `radius` (a pill: radius = height / 2)
        Hexagon, ///< in `rect`, points left and right
        TriangleDown,
        TriangleUp,
        Polyline, ///< `points`; `curved`: turns are rounded
        Hatch, ///< diagonal strokes inside `rect`
        Text ///< one line in `rect`, vertically centred
    };
    enum class Align : std::uint8_t { Left, Center, Right };

    // Small ones first: a large graph has hundreds of thousands.
    Shape shape = Shape::Rect;
    bool dashed = false;
    bool curved = false;
    TextRole role = TextRole::Title;
    Align align = Align::Center;
    ColorRole textColor = ColorRole::Text;
    ColorRole ground = ColorRole::Canvas; ///< what the text stands on; for the contrast check
    std::optional<ColorRole> fill;
    std::optional<ColorRole> stroke; ///< Text: unused
    int item = -1; ///< index into Scene::items, or -1
    int edge = -1; ///< index into Scene::edges, or -1
    double radius = 0;
    double strokeWidth = 1;
    QRectF rect;
    std::vector<QPointF> points;
    QString text;

    QRectF bounds() const; ///< with stroke
};

/// Item outlines for halos and hit tests; index = scene item.
struct ItemOutline
{
    QRectF rect; ///< the shape alone
    QRectF full; ///< with its badge text
    double radius = 0;
    bool isGhost = false; ///< lines may pass behind it
};

class DisplayList
{
public:
    DisplayList() = default;
    std::vector<Primitive> primitives; ///< painting order: edges, then items, each with its texts
    std::vector<ItemOutline> items;
    QRectF bounds;

    /// Builds the search grid; call after the last change of primitives. buildDisplayList has done it.
    void buildIndex();
    /// Indices of primitives that touch the area, ascending.
    std::vector<int> primitivesIn(const QRectF& area) const;
    int itemAt(const QPointF& point) const; ///< topmost scene item, or -1
    int edgeAt(const QPointF& point,
               double tolerance) const; ///< nearest scene edge within the tolerance, or -1

private:
    static constexpr double kCell = 512;
    int m_columns = 0;
    int m_rows = 0;
    std::vector<std::vector<int>> m_cells;
};

DisplayList buildDisplayList(const Scene& scene);

/// Faults of a picture, one sentence each; empty if all is well: items or texts that overlap, text that leaves its box,
/// a line that runs through an item it does not belong to, a glyph no font has, text with a contrast below 4.5.
QStringList checkDisplayList(const DisplayList& list, const Theme& theme);

} // namespace pt2e
