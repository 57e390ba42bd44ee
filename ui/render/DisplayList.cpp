#include "ui/render/DisplayList.h"

#include "ui/render/Fonts.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

namespace {

using Shape = Primitive::Shape;
using Align = Primitive::Align;

QRectF toQt(const RectF& r) { return {r.x, r.y, r.width, r.height}; }

QString toQt(const std::string& text) { return QString::fromStdString(text); }

/// Adds the primitives of items and edges; one function per kind of item.
class ListBuilder
{
public:
    explicit ListBuilder(const Scene& scene) : m_scene(scene), m_measurer(textMeasurer()) {}

    DisplayList build()
    {
        m_list.bounds = toQt(m_scene.bounds);
        // Thin lines first, so that int8 edges stay whole where they cross.
        for (const bool int8 : {false, true})
            for (m_edge = 0; m_edge < static_cast<int>(m_scene.edges.size()); ++m_edge)
                if (m_scene.edges[static_cast<std::size_t>(m_edge)].isInt8 == int8)
                    addEdge(m_scene.edges[static_cast<std::size_t>(m_edge)]);
        m_edge = -1;
        for (m_item = 0; m_item < static_cast<int>(m_scene.items.size()); ++m_item)
            addItem(m_scene.items[static_cast<std::size_t>(m_item)]);
        m_list.primitives.shrink_to_fit(); // it never grows again
        m_list.buildIndex();
        return std::move(m_list);
    }

private:
    Primitive& add(Shape shape, const QRectF& rect)
    {
        Primitive p;
        p.shape = shape;
        p.item = m_item;
        p.edge = m_edge;
        p.rect = rect;
        m_list.primitives.push_back(std::move(p));
        return m_list.primitives.back();
    }

    Primitive& box(Shape shape, const QRectF& rect, ColorRole fill, ColorRole stroke, double width,
                   double radius = 0)
    {
        auto& p = add(shape, rect);
        p.fill = fill;
        p.stroke = stroke;
        p.strokeWidth = width;
        p.radius = radius;
        return p;
    }

    void text(const QString& text, const QRectF& rect, TextRole role, Align align, ColorRole color,
              ColorRole ground)
    {
        if (text.isEmpty())
            return;
        auto& p = add(Shape::Text, rect);
        p.text = text;
        p.role = role;
        p.align = align;
        p.textColor = color;
        p.ground = ground;
    }

    double width(const std::string& text, TextRole role) const
    {
        return m_measurer.width(text, role);
    }

    /// Two texts on one line, centred together.
    void pair(const std::string& first, TextRole firstRole, ColorRole firstColor,
              const std::string& second, TextRole secondRole, ColorRole secondColor,
              const QRectF& line, ColorRole ground)
    {
        constexpr double kGap = 6;
        const double a = width(first, firstRole);
        const double b = second.empty() ? 0 : width(second, secondRole);
        const double total = a + (second.empty() ? 0 : kGap + b);
        const double left = line.center().x() - total / 2;
        text(toQt(first), {left, line.top(), a, line.height()}, firstRole, Align::Left, firstColor,
             ground);
        // Baselines meet: the smaller text moves down by the difference of the ascents' middles.
        const double drop =
            (m_measurer.ascent(firstRole) - m_measurer.lineHeight(firstRole) / 2)
            - (m_measurer.ascent(secondRole) - m_measurer.lineHeight(secondRole) / 2);
        text(toQt(second), {left + a + kGap, line.top() + drop, b, line.height()}, secondRole,
             Align::Left, secondColor, ground);
    }

    void addEdge(const SceneEdge& edge)
    {
        m_item = -1;
        auto& p = add(Shape::Polyline, {});
        for (const auto& point : edge.points)
            p.points.emplace_back(point.x, point.y);
        p.stroke = edge.isInt8 ? ColorRole::Int8Edge : ColorRole::FloatEdge;
        p.strokeWidth = edge.isInt8 ? 3 : 1.4;
        // The short lines of a wing go straight; only those between layers bend.
        p.curved = !m_scene.items[static_cast<std::size_t>(edge.from)].inWing;
        text(toQt(edge.badge), toQt(edge.badgeRect), TextRole::Badge, Align::Left,
             edge.isInt8 ? ColorRole::QuantText : ColorRole::ObserverText, ColorRole::Canvas);
    }

    void addItem(const SceneItem& item)
    {
        const QRectF rect = toQt(item.rect);
        m_list.items.push_back({rect, rect, 4, false});
        switch (item.kind) {
        case ItemKind::Op: addOp(item, rect); break;
        case ItemKind::Module: addModule(item, rect); break;
        case ItemKind::Placeholder:
        case ItemKind::Output:
            m_list.items.back().radius = rect.height() / 2;
            box(Shape::Rect, rect, ColorRole::PillFill,
                item.isFocus ? ColorRole::Focus : ColorRole::PillStroke, item.isFocus ? 2.4 : 1.2,
                rect.height() / 2);
            pair(item.title, TextRole::Title, ColorRole::Text, item.detail, TextRole::Detail,
                 ColorRole::MutedText, rect, ColorRole::PillFill);
            break;
        case ItemKind::Weight:
            box(Shape::Rect, rect, ColorRole::TagFill,
                item.isFocus ? ColorRole::Focus : ColorRole::TagStroke, item.isFocus ? 2 : 1, 4);
            text(toQt(item.title), rect, TextRole::Badge, Align::Center, ColorRole::TagText,
                 ColorRole::TagFill);
            break;
        case ItemKind::Observer:
            box(Shape::Hexagon, rect, ColorRole::ObserverFill,
                item.isFocus ? ColorRole::Focus : ColorRole::ObserverStroke,
                item.isFocus ? 2.4 : 1.4);
            text(toQt(item.number), rect, TextRole::Badge, Align::Center, ColorRole::ObserverText,
                 ColorRole::ObserverFill);
            badge(item, rect, ColorRole::ObserverText);
            break;
        case ItemKind::Quantize:
        case ItemKind::Dequantize:
            box(item.kind == ItemKind::Quantize ? Shape::TriangleDown : Shape::TriangleUp, rect,
                ColorRole::QuantFill, item.isFocus ? ColorRole::Focus : ColorRole::QuantStroke,
                item.isFocus ? 2.4 : 1.4);
            badge(item, rect, ColorRole::QuantText);
            break;
        case ItemKind::Ghost:
            m_list.items.back().isGhost = true;
            box(Shape::Rect, rect, ColorRole::Canvas, ColorRole::GhostStroke, 1.1, 3).dashed = true;
            text(toQt(item.detail), rect, TextRole::Badge, Align::Center, ColorRole::GhostText,
                 ColorRole::Canvas);
            break;
        case ItemKind::Stub:
            m_list.items.back().radius = rect.height() / 2;
            box(Shape::Rect, rect, ColorRole::StubFill, ColorRole::StubStroke, 1.1,
                rect.height() / 2)
                .dashed = true;
            text(toQt(item.title), rect, TextRole::Badge, Align::Center, ColorRole::StubText,
                 ColorRole::StubFill);
            break;
        }
    }

    void addOp(const SceneItem& item, const QRectF& rect)
    {
        constexpr double kRadius = 6;
        m_list.items.back().radius = kRadius;
        const bool hasOverlay = item.overlay >= 0;
        const ColorRole ground = hasOverlay ? overlayRole(item.overlay) : ColorRole::OpFill;
        // On a coloured ground only the strongest ink can be read.
        const ColorRole muted = hasOverlay ? ColorRole::Text : ColorRole::MutedText;
        const std::string& detail = hasOverlay ? item.overlayText : item.detail;
        box(Shape::Rect, rect, ground, item.isFocus ? ColorRole::Focus : ColorRole::OpStroke,
            item.isFocus ? 2.4 : 1.3, kRadius);
        if (item.isUnquantized) {
            // A hatched band inside both sides; the word in the detail line says the same.
            constexpr double kBand = 7;
            for (const double x : {rect.left() + 1, rect.right() - 1 - kBand}) {
                auto& hatch = add(Shape::Hatch, {x, rect.top() + 2, kBand, rect.height() - 4});
                hatch.stroke = ColorRole::Hatch;
                hatch.strokeWidth = 1.2;
            }
        }
        QRectF head = rect;
        if (!detail.empty() || !item.mark.empty()) {
            head = {rect.left(), rect.top() + 4, rect.width(), 18};
            const QRectF line(rect.left(), rect.top() + 23, rect.width(), 14);
            const auto mark = item.mark.empty() || detail.empty() ? item.mark : "· " + item.mark;
            const ColorRole markInk = hasOverlay ? ColorRole::Text : ColorRole::HatchText;
            if (detail.empty())
                text(toQt(mark), line, TextRole::Detail, Align::Center, markInk, ground);
            else
                pair(detail, TextRole::Detail, muted, mark, TextRole::Detail, markInk, line,
                     ground);
        }
        pair(item.title, TextRole::Title, ColorRole::Text, item.name, TextRole::Name, muted, head,
             ground);
    }

    /// A plate with a plus sign, two for a run of modules, and a bar for the share of its ops that is int8.
    void addModule(const SceneItem& item, const QRectF& rect)
    {
        constexpr double kRadius = 6;
        m_list.items.back().radius = kRadius;
        const bool hasOverlay = item.overlay >= 0;
        const ColorRole ground = hasOverlay ? overlayRole(item.overlay) : ColorRole::PillFill;
        const ColorRole muted = hasOverlay ? ColorRole::Text : ColorRole::MutedText;
        const ColorRole stroke = item.isFocus ? ColorRole::Focus : ColorRole::OpStroke;
        const double strokeWidth = item.isFocus ? 2.4 : 1.8;
        QRectF front = rect;
        if (item.module && item.module->paths.size() > 1) {
            front.adjust(0, 0, -kModulePlate, -kModulePlate);
            box(Shape::Rect, front.translated(kModulePlate, kModulePlate), ground, stroke, 1.2,
                kRadius);
        }
        box(Shape::Rect, front, ground, stroke, strokeWidth, kRadius);
        const QRectF plus = toQt(Scene::expanderOf(item));
        box(Shape::Rect, plus, ColorRole::Canvas, muted, 1.1, 3);
        text(QStringLiteral("+"), plus, TextRole::Badge, Align::Center, ColorRole::Text,
             ColorRole::Canvas);
        pair(item.title, TextRole::Title, ColorRole::Text, item.name, TextRole::Name, muted,
             {plus.right(), front.top() + 4, front.right() - kModulePadding / 2 - plus.right(), 18},
             ground);
        text(toQt(hasOverlay ? item.overlayText : item.detail),
             {front.left(), front.top() + 23, front.width(), 14}, TextRole::Detail, Align::Center,
             muted, ground);
        if (item.module && item.module->quantized >= 0 && item.module->ops > 0) {
            QRectF bar(front.left() + kModulePadding, front.bottom() - 8,
                       front.width() - 2 * kModulePadding, 4);
            add(Shape::Rect, bar).fill = ColorRole::Line;
            bar.setWidth(bar.width() * item.module->quantized / item.module->ops);
            if (item.module->quantized > 0)
                add(Shape::Rect, bar).fill = ColorRole::Int8Edge;
        }
    }

    void badge(const SceneItem& item, const QRectF& rect, ColorRole color)
    {
        if (item.inWing || item.badge.empty())
            return;
        constexpr double kGap = 6;
        const double height = m_measurer.lineHeight(TextRole::Badge);
        const QRectF place(rect.right() + kGap, rect.center().y() - height / 2,
                           width(item.badge, TextRole::Badge), height);
        text(toQt(item.badge), place, TextRole::Badge, Align::Left, color, ColorRole::Canvas);
        m_list.items.back().full = rect.united(place);
    }

    const Scene& m_scene;
    const FontTextMeasurer& m_measurer;
    DisplayList m_list;
    int m_item = -1;
    int m_edge = -1;
};

double distanceToSegment(const QPointF& p, const QPointF& a, const QPointF& b)
{
    const QPointF ab = b - a;
    const double length = QPointF::dotProduct(ab, ab);
    const double t = length > 0 ? std::clamp(QPointF::dotProduct(p - a, ab) / length, 0.0, 1.0) : 0;
    const QPointF d = p - (a + t * ab);
    return std::sqrt(QPointF::dotProduct(d, d));
}

} // namespace

QRectF Primitive::bounds() const
{
    QRectF r = rect;
    if (shape == Shape::Polyline && !points.empty()) {
        double left = points.front().x();
        double right = left;
        double top = points.front().y();
        double bottom = top;
        for (const auto& p : points) {
            left = std::min(left, p.x());
            right = std::max(right, p.x());
            top = std::min(top, p.y());
            bottom = std::max(bottom, p.y());
        }
        r = {left, top, right - left, bottom - top};
    }
    const double half = stroke ? strokeWidth / 2 + 0.5 : 0;
    return r.adjusted(-half, -half, half, half);
}

DisplayList buildDisplayList(const Scene& scene) { return ListBuilder(scene).build(); }

void DisplayList::buildIndex()
{
    const auto cells = [](double extent) {
        return std::max(1, static_cast<int>(std::ceil(extent / kCell)));
    };
    m_columns = cells(bounds.width());
    m_rows = cells(bounds.height());
    m_cells.assign(static_cast<std::size_t>(m_columns) * static_cast<std::size_t>(m_rows), {});
    for (std::size_t i = 0; i < primitives.size(); ++i) {
        const auto r = primitives[i].bounds();
        const auto cell = [&](double at, double origin, int count) {
            return std::clamp(static_cast<int>((at - origin) / kCell), 0, count - 1);
        };
        for (int y = cell(r.top(), bounds.top(), m_rows);
             y <= cell(r.bottom(), bounds.top(), m_rows); ++y)
            for (int x = cell(r.left(), bounds.left(), m_columns);
                 x <= cell(r.right(), bounds.left(), m_columns); ++x)
                m_cells[static_cast<std::size_t>(y * m_columns + x)].push_back(static_cast<int>(i));
    }
}

std::vector<int> DisplayList::primitivesIn(const QRectF& area) const
{
    std::vector<int> found;
    if (m_cells.empty())
        return found;
    const auto cell = [&](double at, double origin, int count) {
        return std::clamp(static_cast<int>((at - origin) / kCell), 0, count - 1);
    };
    const int firstX = cell(area.left(), bounds.left(), m_columns);
    const int lastX = cell(area.right(), bounds.left(), m_columns);
    const int firstY = cell(area.top(), bounds.top(), m_rows);
    const int lastY = cell(area.bottom(), bounds.top(), m_rows);
    if (firstX == 0 && firstY == 0 && lastX == m_columns - 1 && lastY == m_rows - 1) {
        found.resize(primitives.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            found[i] = static_cast<int>(i);
        return found;
    }
    for (int y = firstY; y <= lastY; ++y)
        for (int x = firstX; x <= lastX; ++x) {
            const auto& part = m_cells[static_cast<std::size_t>(y * m_columns + x)];
            found.insert(found.end(), part.begin(), part.end());
        }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase_if(found, [&](int i) {
        const auto r = primitives[static_cast<std::size_t>(i)].bounds();
        return r.right() < area.left() || r.left() > area.right() || r.bottom() < area.top()
               || r.top() > area.bottom();
    });
    return found;
}

int DisplayList::itemAt(const QPointF& point) const
{
    const auto near = primitivesIn({point.x() - 1, point.y() - 1, 2, 2});
    for (auto it = near.rbegin(); it != near.rend(); ++it) {
        const auto& p = primitives[static_cast<std::size_t>(*it)];
        if (p.item >= 0 && items[static_cast<std::size_t>(p.item)].full.contains(point))
            return p.item;
    }
    return -1;
}

int DisplayList::edgeAt(const QPointF& point, double tolerance) const
{
    int best = -1;
    double nearest = tolerance;
    for (const int i : primitivesIn(
             {point.x() - tolerance, point.y() - tolerance, 2 * tolerance, 2 * tolerance})) {
        const auto& p = primitives[static_cast<std::size_t>(i)];
        if (p.edge < 0 || p.shape != Shape::Polyline)
            continue;
        for (std::size_t k = 1; k < p.points.size(); ++k) {
            const double d = distanceToSegment(point, p.points[k - 1], p.points[k]);
            if (d <= nearest) {
                nearest = d;
                best = p.edge;
            }
        }
    }
    return best;
}

} // namespace pt2e
