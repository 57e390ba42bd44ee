#include "ui/canvas/Minimap.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr double kFrame = 4; ///< between border and graph
constexpr double kCorner = 10; ///< to the edges of the view
constexpr double kMostWidth = 0.22; ///< of the view
constexpr double kMostHeight = 0.36;
constexpr double kWidest = 130;
/// A transformer's strip would be a hair's breadth: below this the two directions have their own scale.
constexpr double kNarrowest = 36;
/// Of the graph: who sees more than that of it at once needs no map. It lies over the graph, and would hide more than it
/// tells.
constexpr double kMostSeen = 0.35;
constexpr int kSmallestView = 160; ///< pixels: no room for a map beside the graph
} // namespace

Minimap::Minimap(QWidget* view) : QWidget(view)
{
    setObjectName(QStringLiteral("minimap"));
    setCursor(Qt::CrossCursor);
    setFocusPolicy(Qt::NoFocus);
    hide();
}

void Minimap::setContent(PaneContentPtr content)
{
    if (content == m_content)
        return;
    m_content = std::move(content);
    m_image = {};
    place();
}

void Minimap::setTheme(const Theme& theme)
{
    if (&theme == m_theme)
        return;
    m_theme = &theme;
    m_image = {};
    update();
}

void Minimap::setWanted(bool wanted)
{
    m_isWanted = wanted;
    place();
}

void Minimap::setSeen(const QRectF& seen)
{
    if (seen == m_seen)
        return;
    m_seen = seen;
    place();
    update();
}

void Minimap::place()
{
    const QRectF bounds = m_content ? m_content->list.bounds : QRectF();
    const QWidget* view = parentWidget();
    const auto areaOf = [](const QRectF& r) { return r.width() * r.height(); };
    const bool isLarger =
        !bounds.isEmpty() && areaOf(m_seen.intersected(bounds)) < kMostSeen * areaOf(bounds);
    if (!m_isWanted || !isLarger || view->width() < kSmallestView
        || view->height() < kSmallestView) {
        hide();
        return;
    }
    const double most = std::min(kWidest, view->width() * kMostWidth) - 2 * kFrame;
    const double high = view->height() * kMostHeight - 2 * kFrame;
    const double scale = std::min({most / bounds.width(), high / bounds.height(), 1.0});
    const QSizeF graph(std::max(bounds.width() * scale, std::min(most, kNarrowest)),
                       std::max(bounds.height() * scale, std::min(high, kNarrowest)));
    const QSize size = (graph + QSizeF(2 * kFrame, 2 * kFrame)).toSize();
    setGeometry(QRect(QPoint(view->width() - size.width() - static_cast<int>(kCorner),
                             view->height() - size.height() - static_cast<int>(kCorner)),
                      size));
    show();
}

QSizeF Minimap::scale() const
{
    const QRectF& bounds = m_content->list.bounds;
    return {(width() - 2 * kFrame) / bounds.width(), (height() - 2 * kFrame) / bounds.height()};
}

QRectF Minimap::seenRect() const
{
    if (!m_content)
        return {};
    const QRectF& bounds = m_content->list.bounds;
    const QSizeF s = scale();
    const QRectF seen = m_seen.intersected(bounds);
    QRectF shown(kFrame + (seen.left() - bounds.left()) * s.width(),
                 kFrame + (seen.top() - bounds.top()) * s.height(), seen.width() * s.width(),
                 seen.height() * s.height());
    // Of a long graph the view shows less than a pixel.
    constexpr double kLeast = 5;
    const QPointF center = shown.center();
    shown.setSize(shown.size().expandedTo({kLeast, kLeast}));
    shown.moveCenter(center);
    return shown;
}

QPointF Minimap::toScene(const QPointF& position) const
{
    const QRectF& bounds = m_content->list.bounds;
    const QSizeF s = scale();
    return {bounds.left() + (position.x() - kFrame) / s.width(),
            bounds.top() + (position.y() - kFrame) / s.height()};
}

void Minimap::paintImage()
{
    ++m_paints;
    const double ratio = devicePixelRatioF();
    m_image = QImage((QSizeF(size()) * ratio).toSize(), QImage::Format_ARGB32_Premultiplied);
    m_image.setDevicePixelRatio(ratio);
    QColor ground = m_theme->color(ColorRole::Canvas);
    ground.setAlpha(235);
    m_image.fill(ground);
    QPainter painter(&m_image);
    const QRectF& bounds = m_content->list.bounds;
    const QSizeF s = scale();
    const auto map = [&](const QPointF& p) {
        return QPointF(kFrame + (p.x() - bounds.left()) * s.width(),
                       kFrame + (p.y() - bounds.top()) * s.height());
    };
    const double dot = 1 / ratio;
    QList<QLineF> lines[2];
    for (const Primitive& p : m_content->list.primitives)
        for (std::size_t i = 1; p.shape == Primitive::Shape::Polyline && i < p.points.size(); ++i)
            lines[p.stroke == ColorRole::Int8Edge ? 1 : 0]
                << QLineF(map(p.points[i - 1]), map(p.points[i]));
    painter.setPen(QPen(m_theme->color(ColorRole::FloatEdge), 0));
    painter.drawLines(lines[0]);
    painter.setPen(QPen(m_theme->color(ColorRole::Int8Edge), 0));
    painter.drawLines(lines[1]);
    for (const Primitive& p : m_content->list.primitives) {
        if (p.item < 0 || !p.stroke || !p.fill)
            continue;
        // As far out on the canvas: the colour of the border says the kind, that of an overlay its level.
        const ColorRole role = *p.fill >= ColorRole::Overlay0 ? *p.fill : *p.stroke;
        const QPointF from = map(p.rect.topLeft());
        const QPointF to = map(p.rect.bottomRight());
        painter.fillRect(QRectF(from.x(), from.y(), std::max(to.x() - from.x(), dot),
                                std::max(to.y() - from.y(), dot)),
                         m_theme->color(role));
    }
    painter.setPen(QPen(m_theme->color(ColorRole::Line), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, height() - 1));
}

void Minimap::paintEvent(QPaintEvent*)
{
    if (!m_content)
        return;
    if (m_image.isNull() || m_image.size() != (QSizeF(size()) * devicePixelRatioF()).toSize())
        paintImage();
    QPainter painter(this);
    painter.drawImage(0, 0, m_image);
    QColor veil = m_theme->color(ColorRole::Selection);
    painter.setPen(QPen(veil, 1.5));
    veil.setAlpha(40);
    painter.setBrush(veil);
    painter.drawRect(seenRect());
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_content)
        Q_EMIT centerWanted(toScene(event->position()));
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && m_content)
        Q_EMIT centerWanted(toScene(event->position()));
}

/// Not for the view below: it would take it as a click on a node.
void Minimap::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }

} // namespace pt2e::ui
