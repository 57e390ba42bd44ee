#include "ui/render/Painter.h"

#include "ui/render/Fonts.h"
#include "ui/render/Paths.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace pt2e {

namespace {

constexpr double kNoTextBelow = 0.45;
constexpr double kPlainBelow = 0.15;

using Shape = Primitive::Shape;

class ListPainter
{
public:
    ListPainter(QPainter& painter, const DisplayList& list, const Theme& theme,
                const PaintOptions& options)
        : m_painter(painter),
          m_list(list),
          m_theme(theme),
          m_options(options)
    {
        for (std::size_t r = 0; r < m_fonts.size(); ++r)
            m_fonts[r] = sceneFont(static_cast<TextRole>(r));
    }

    void paint(const Highlights& highlights)
    {
        m_painter.save();
        const auto visible =
            m_list.primitivesIn(m_options.exposed.isNull() ? m_list.bounds : m_options.exposed);
        if (m_options.zoom < kPlainBelow) {
            paintPlain(visible);
            paintHalos(highlights);
        } else {
            m_painter.setRenderHint(QPainter::Antialiasing);
            m_painter.setRenderHint(QPainter::TextAntialiasing);
            // Lines, then halos, then items, so that a halo never covers an item's text.
            std::size_t next = 0;
            while (next < visible.size() && m_list.primitives[at(visible[next])].item < 0)
                paintOne(m_list.primitives[at(visible[next++])]);
            paintSelectedEdges(highlights);
            paintHalos(highlights);
            for (; next < visible.size(); ++next)
                paintOne(m_list.primitives[at(visible[next])]);
        }
        paintMarks(highlights);
        m_painter.restore();
    }

private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    /// Far out: filled rectangles and straight lines in one go each.
    void paintPlain(const std::vector<int>& visible)
    {
        m_painter.setRenderHint(QPainter::Antialiasing, false);
        QList<QLineF> thin;
        QList<QLineF> thick;
        for (const int i : visible) {
            const auto& p = m_list.primitives[at(i)];
            if (p.shape != Shape::Polyline || p.points.size() < 2)
                continue;
            auto& lines = p.stroke == ColorRole::Int8Edge ? thick : thin;
            for (std::size_t k = 1; k < p.points.size(); ++k)
                lines += QLineF(p.points[k - 1], p.points[k]);
        }
        m_painter.setPen(QPen(m_theme.color(ColorRole::FloatEdge), 0));
        m_painter.drawLines(thin);
        m_painter.setPen(QPen(m_theme.color(ColorRole::Int8Edge), 0));
        m_painter.drawLines(thick);
        const auto isMarked = [&](int i) {
            const auto& fill = m_list.primitives[at(i)].fill;
            return fill && *fill >= ColorRole::Overlay0;
        };
        // The colours of an overlay are what it is looked at for: the rest steps back.
        const bool hasOverlay = std::any_of(visible.begin(), visible.end(), isMarked);
        for (const int i : visible) {
            const auto& p = m_list.primitives[at(i)];
            if (p.shape == Shape::Text || p.shape == Shape::Polyline || p.shape == Shape::Hatch
                || !p.stroke)
                continue;
            const ColorRole role = isMarked(i) ? *p.fill : hasOverlay ? ColorRole::Line : *p.stroke;
            m_painter.fillRect(p.rect, m_theme.color(role));
            if (isMarked(i)) {
                m_painter.setPen(QPen(m_theme.color(*p.stroke), 0));
                m_painter.setBrush(Qt::NoBrush);
                m_painter.drawRect(p.rect);
            }
        }
    }

    void paintOne(const Primitive& p)
    {
        switch (p.shape) {
        case Shape::Text: paintText(p); return;
        case Shape::Polyline:
            m_painter.setBrush(Qt::NoBrush);
            setPen(p);
            m_painter.drawPath(linePath(p));
            return;
        case Shape::Hatch:
            if (m_options.zoom < kNoTextBelow)
                return;
            setPen(p);
            m_painter.drawLines(hatchLines(p.rect));
            return;
        case Shape::Rect:
        case Shape::Hexagon:
        case Shape::TriangleDown:
        case Shape::TriangleUp:
            setPen(p);
            m_painter.setBrush(p.fill ? QBrush(m_theme.color(*p.fill)) : QBrush(Qt::NoBrush));
            m_painter.drawPath(shapePath(p));
            return;
        }
    }

    void setPen(const Primitive& p)
    {
        if (!p.stroke) {
            m_painter.setPen(Qt::NoPen);
            return;
        }
        QPen pen(m_theme.color(*p.stroke), p.strokeWidth);
        pen.setCapStyle(Qt::FlatCap);
        pen.setJoinStyle(Qt::RoundJoin);
        if (p.dashed)
            pen.setDashPattern({4 / p.strokeWidth, 3 / p.strokeWidth});
        m_painter.setPen(pen);
    }

    void paintText(const Primitive& p)
    {
        if (m_options.zoom < kNoTextBelow)
            return;
        const auto& font = m_fonts[static_cast<std::size_t>(p.role)];
        if (m_options.textAsOutlines) {
            QPainterPath path;
            path.addText(textOrigin(p), font, p.text);
            m_painter.fillPath(path, m_theme.color(p.textColor));
            return;
        }
        m_painter.setFont(font);
        m_painter.setPen(m_theme.color(p.textColor));
        m_painter.drawText(textOrigin(p), p.text);
    }

    void paintSelectedEdges(const Highlights& highlights)
    {
        for (const auto& p : m_list.primitives) {
            if (highlights.selectedEdges.empty() || p.item >= 0)
                break; // edges come first
            if (p.shape != Shape::Polyline
                || std::find(highlights.selectedEdges.begin(), highlights.selectedEdges.end(),
                             p.edge)
                       == highlights.selectedEdges.end())
                continue;
            m_painter.setBrush(Qt::NoBrush);
            m_painter.setPen(QPen(m_theme.color(ColorRole::Selection), p.strokeWidth + 1.6));
            m_painter.drawPath(linePath(p));
        }
    }

    void paintHalos(const Highlights& highlights)
    {
        if (highlights.hovered >= 0)
            halo(highlights.hovered, ColorRole::Hover, Qt::SolidLine, 2, 3);
        for (const int i : highlights.changed)
            halo(i, ColorRole::Changed, Qt::DotLine, 3, 7);
        for (const int i : highlights.related)
            halo(i, ColorRole::Related, Qt::DashLine, 2.5, 4);
        for (const int i : highlights.selected)
            halo(i, ColorRole::Selection, Qt::SolidLine, 3, 4);
    }

    void halo(int item, ColorRole role, Qt::PenStyle style, double width, double distance)
    {
        if (item < 0 || at(item) >= m_list.items.size())
            return;
        const auto& outline = m_list.items[at(item)];
        m_painter.setBrush(Qt::NoBrush);
        // Far out a halo stays three device pixels wide.
        m_painter.setPen(
            QPen(m_theme.color(role), std::max(width, 3 / std::max(m_options.zoom, 0.01)), style));
        m_painter.drawRoundedRect(outline.rect.adjusted(-distance, -distance, distance, distance),
                                  outline.radius + distance, outline.radius + distance);
    }

    /// In scene units; far out no smaller than can be seen.
    void paintMarks(const Highlights& highlights)
    {
        constexpr double kRight = 6, kWidth = 9, kHeight = 12, kStep = 13, kLeast = 5;
        const double scale = std::max(1.0, kLeast / kWidth / std::max(m_options.zoom, 0.01));
        m_painter.setRenderHint(QPainter::Antialiasing);
        const auto place = [&](int item, double step) {
            const QRectF& rect = m_list.items[at(item)].rect;
            const double right = rect.right() - (kRight + step) * scale;
            return QRectF(right - kWidth * scale, rect.top() - 9 * scale, kWidth * scale,
                          kHeight * scale);
        };
        m_painter.setPen(QPen(m_theme.color(ColorRole::Canvas), scale));
        m_painter.setBrush(m_theme.color(ColorRole::Accent));
        for (const int i : highlights.bookmarked) {
            const QRectF ribbon = place(i, 0);
            m_painter.drawPolygon(QPolygonF(
                {ribbon.topLeft(), ribbon.topRight(), ribbon.bottomRight(),
                 QPointF(ribbon.center().x(), ribbon.bottom() - 4 * scale), ribbon.bottomLeft()}));
        }
        for (const int i : highlights.noted) {
            const QRectF sheet = place(i, kStep);
            m_painter.setPen(QPen(m_theme.color(ColorRole::Accent), 1.4 * scale));
            m_painter.setBrush(m_theme.color(ColorRole::Canvas));
            m_painter.drawRect(sheet);
            for (const double part : {0.3, 0.55, 0.8})
                m_painter.drawLine(
                    QPointF(sheet.left() + 2 * scale, sheet.top() + part * sheet.height()),
                    QPointF(sheet.right() - 2 * scale, sheet.top() + part * sheet.height()));
        }
    }

    QPainter& m_painter;
    const DisplayList& m_list;
    const Theme& m_theme;
    const PaintOptions& m_options;
    std::array<QFont, 4> m_fonts;
};

} // namespace

void paint(QPainter& painter, const DisplayList& list, const Theme& theme,
           const Highlights& highlights, const PaintOptions& options)
{
    ListPainter(painter, list, theme, options).paint(highlights);
}

void paintSymbol(QPainter& painter, ItemKind kind, const QRectF& rect, const Theme& theme)
{
    Scene scene;
    SceneItem item;
    item.kind = kind;
    const double height = kind == ItemKind::Observer ? rect.height() : rect.height() * 0.8;
    const double width =
        kind == ItemKind::Observer || kind == ItemKind::Quantize || kind == ItemKind::Dequantize
            ? std::min(rect.width(), height * 1.15)
            : rect.width();
    item.rect = {rect.center().x() - width / 2, rect.center().y() - height / 2, width, height};
    item.inWing = true; // no badge
    scene.items.push_back(item);
    scene.bounds = {rect.x(), rect.y(), rect.width(), rect.height()};
    paint(painter, buildDisplayList(scene), theme);
}

} // namespace pt2e
