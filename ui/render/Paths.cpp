#include "ui/render/Paths.h"

#include "ui/render/Fonts.h"

#include <algorithm>
#include <cmath>

namespace pt2e {

QPainterPath linePath(const Primitive& polyline)
{
    QPainterPath path;
    if (polyline.points.empty())
        return path;
    path.moveTo(polyline.points.front());
    for (std::size_t i = 1; i < polyline.points.size(); ++i) {
        const QPointF& a = polyline.points[i - 1];
        const QPointF& b = polyline.points[i];
        if (!polyline.curved || std::abs(a.x() - b.x()) < 0.01 || std::abs(a.y() - b.y()) < 0.01) {
            path.lineTo(b);
            continue;
        }
        const double middle = (a.y() + b.y()) / 2;
        path.cubicTo({a.x(), middle}, {b.x(), middle}, b);
    }
    return path;
}

QPainterPath shapePath(const Primitive& primitive)
{
    const QRectF& r = primitive.rect;
    QPainterPath path;
    switch (primitive.shape) {
    case Primitive::Shape::Hexagon: {
        const double inset = r.height() * 0.28;
        path.addPolygon(QPolygonF({{r.left(), r.center().y()},
                                   {r.left() + inset, r.top()},
                                   {r.right() - inset, r.top()},
                                   {r.right(), r.center().y()},
                                   {r.right() - inset, r.bottom()},
                                   {r.left() + inset, r.bottom()}}));
        break;
    }
    case Primitive::Shape::TriangleDown:
        path.addPolygon(QPolygonF({r.topLeft(), r.topRight(), {r.center().x(), r.bottom()}}));
        break;
    case Primitive::Shape::TriangleUp:
        path.addPolygon(QPolygonF({r.bottomLeft(), {r.center().x(), r.top()}, r.bottomRight()}));
        break;
    default: path.addRoundedRect(r, primitive.radius, primitive.radius); return path;
    }
    path.closeSubpath();
    return path;
}

QList<QLineF> hatchLines(const QRectF& area)
{
    constexpr double kStep = 5;
    QList<QLineF> lines;
    // Rising at 45°: x + y constant.
    for (double sum = area.left() + area.top() + kStep / 2; sum < area.right() + area.bottom();
         sum += kStep) {
        const double x1 = std::max(area.left(), sum - area.bottom());
        const double x2 = std::min(area.right(), sum - area.top());
        if (x2 - x1 > 0.5)
            lines += QLineF(x1, sum - x1, x2, sum - x2);
    }
    return lines;
}

QPointF textOrigin(const Primitive& text)
{
    const auto& measurer = textMeasurer();
    const double baseline =
        text.rect.center().y() - measurer.lineHeight(text.role) / 2 + measurer.ascent(text.role);
    double x = text.rect.left();
    if (text.align != Primitive::Align::Left) {
        const double slack = text.rect.width() - measurer.width(text.text.toStdString(), text.role);
        x += text.align == Primitive::Align::Center ? slack / 2 : slack;
    }
    return {x, baseline};
}

} // namespace pt2e
