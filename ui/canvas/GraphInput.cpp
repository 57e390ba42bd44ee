// Mouse, wheel, gestures and keys of GraphView.
#include "ui/canvas/GraphView.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QGestureEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPinchGesture>
#include <QPointingDevice>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e::ui {

namespace {
constexpr double kZoomStep = 1.2;
constexpr double kKeyPan = 60; ///< pixels

/// All that a collapsed module stands for, the node that the keyboard and the inspector are at last.
std::vector<NodeId> nodesOf(const SceneItem& module)
{
    std::vector<NodeId> nodes = module.folded;
    nodes.push_back(module.node);
    return nodes;
}
} // namespace

void GraphView::setHovered(int item)
{
    if (item == m_highlights.hovered)
        return;
    for (const int touched : {item, m_highlights.hovered}) {
        if (touched >= 0)
            m_dirty += pixelRect(touched).intersected(rect());
    }
    m_highlights.hovered = item;
    setCursor(item >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void GraphView::choose(int item, bool extend)
{
    if (item < 0)
        return;
    m_current = item;
    const SceneItem& chosen = m_content->scene.items[static_cast<std::size_t>(item)];
    if (chosen.kind == ItemKind::Stub)
        Q_EMIT stubClicked(chosen.node);
    else if (chosen.kind == ItemKind::Module)
        Q_EMIT moduleClicked(nodesOf(chosen), extend);
    else
        Q_EMIT nodeClicked(chosen.node, extend);
}

void GraphView::wheelEvent(QWheelEvent* event)
{
    const bool isTouchPad =
        event->device() && event->device()->type() == QInputDevice::DeviceType::TouchPad;
    const bool zooms = event->modifiers().testFlag(Qt::ControlModifier)
                       || (!isTouchPad && !event->modifiers().testFlag(Qt::ShiftModifier));
    if (zooms) {
        zoomBy(std::pow(kZoomStep, event->angleDelta().y() / 120.0), event->position());
    } else {
        QPointF pixels =
            event->pixelDelta().isNull() ? QPointF(event->angleDelta()) / 2 : event->pixelDelta();
        if (!isTouchPad && pixels.x() == 0)
            pixels = pixels.transposed(); // Shift and a wheel: sideways
        panBy(pixels.toPoint());
    }
    event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton)
        return;
    m_pressed = event->position();
    m_lastMouse = event->position();
    m_isPanning = event->button() == Qt::MiddleButton;
}

void GraphView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_pressed) {
        setHovered(itemAt(event->position()));
        return;
    }
    if (!m_isPanning
        && (event->position() - *m_pressed).manhattanLength()
               >= QApplication::startDragDistance()) {
        m_isPanning = true;
        setHovered(-1);
        setCursor(Qt::ClosedHandCursor);
    }
    if (m_isPanning) {
        const QPointF moved = (event->position() - m_lastMouse).toPoint();
        m_lastMouse += moved;
        panBy(moved);
    }
}

void GraphView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_pressed)
        return;
    m_pressed.reset();
    if (m_isPanning) {
        m_isPanning = false;
        setCursor(Qt::ArrowCursor);
        return;
    }
    const int item = itemAt(event->position());
    if (item >= 0 && isExpander(item, event->position()))
        open(item);
    else if (item >= 0)
        choose(item, event->modifiers().testFlag(Qt::ControlModifier));
    else
        Q_EMIT groundClicked();
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const int item = event->button() == Qt::LeftButton ? itemAt(event->position()) : -1;
    if (item >= 0 && m_content->scene.items[static_cast<std::size_t>(item)].kind != ItemKind::Stub)
        open(item);
}

void GraphView::open(int item)
{
    const SceneItem& opened = m_content->scene.items[static_cast<std::size_t>(item)];
    // Of a run of modules the first: it shows what all of them are.
    if (opened.kind == ItemKind::Module && opened.module)
        Q_EMIT expandWanted({opened.module->paths.front()});
    else
        Q_EMIT nodeDoubleClicked(opened.node);
}

bool GraphView::isExpander(int item, const QPointF& position) const
{
    constexpr double kSmallest = 6; ///< pixels: what is smaller is not aimed at
    const SceneItem& aimed = m_content->scene.items[static_cast<std::size_t>(item)];
    const RectF sign = Scene::expanderOf(aimed);
    return aimed.kind == ItemKind::Module && sign.width * m_look.zoom >= kSmallest
           && QRectF(sign.x, sign.y, sign.width, sign.height)
                  .adjusted(-3, -3, 3, 3)
                  .contains(toScene(position));
}

void GraphView::contextMenuEvent(QContextMenuEvent* event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const int item = byKey ? m_current : itemAt(event->pos());
    QPoint at = event->globalPos();
    if (byKey && item >= 0)
        at = mapToGlobal(itemRect(item).center().toPoint());
    const NodeId node =
        item >= 0 ? m_content->scene.items[static_cast<std::size_t>(item)].node : NodeId{};
    Q_EMIT contextMenuWanted(node, at);
}

void GraphView::leaveEvent(QEvent*) { setHovered(-1); }

bool GraphView::event(QEvent* event)
{
    if (event->type() == QEvent::Gesture) {
        auto* gestures = static_cast<QGestureEvent*>(event);
        if (auto* pinch = static_cast<QPinchGesture*>(gestures->gesture(Qt::PinchGesture))) {
            zoomBy(pinch->scaleFactor(), mapFromGlobal(pinch->centerPoint()));
            return true;
        }
    }
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int item = itemAt(help->pos());
        if (item >= 0 && m_toolTip)
            QToolTip::showText(help->globalPos(),
                               m_toolTip(m_content->scene.items[static_cast<std::size_t>(item)]),
                               this, itemRect(item).toAlignedRect());
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

int GraphView::firstItem() const
{
    int best = -1;
    for (std::size_t i = 0; i < m_content->scene.items.size(); ++i) {
        const SceneItem& item = m_content->scene.items[i];
        if (item.kind == ItemKind::Weight || item.kind == ItemKind::Ghost
            || item.kind == ItemKind::Stub)
            continue;
        if (best < 0 || item.rect.y < m_content->scene.items[static_cast<std::size_t>(best)].rect.y)
            best = static_cast<int>(i);
    }
    return best;
}

/// Down and Up follow an edge; Left and Right go to what stands beside the item. -1: there is nothing.
int GraphView::neighbour(int item, int key) const
{
    const auto at = static_cast<std::size_t>(item);
    const Scene& scene = m_content->scene;
    const auto isWeight = [&scene](int i) {
        return scene.items[static_cast<std::size_t>(i)].kind == ItemKind::Weight;
    };
    if (key == Qt::Key_Down || key == Qt::Key_Up) {
        const bool isDown = key == Qt::Key_Down;
        int fallback = -1;
        for (const int edge : isDown ? m_content->edgesOut[at] : m_content->edgesIn[at]) {
            const SceneEdge& way = scene.edges[static_cast<std::size_t>(edge)];
            const int other = isDown ? way.to : way.from;
            if (!isWeight(other))
                return other;
            fallback = other;
        }
        return fallback;
    }
    const RectF& own = scene.items[at].rect;
    const double middle = own.x + own.width / 2;
    const double y = own.y + own.height / 2;
    int best = -1;
    double bestDistance = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
        const RectF& other = scene.items[i].rect;
        const double dx = other.x + other.width / 2 - middle;
        if (i == at || (key == Qt::Key_Left ? dx >= -1 : dx <= 1))
            continue;
        const double dy = std::abs(other.y + other.height / 2 - y);
        const double distance = std::abs(dx) + 6 * dy;
        if (dy <= 3 * own.height && distance < bestDistance) {
            bestDistance = distance;
            best = static_cast<int>(i);
        }
    }
    return best;
}

void GraphView::keyPressEvent(QKeyEvent* event)
{
    const QPointF middle(width() / 2.0, height() / 2.0);
    const bool isShift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kZoomStep, middle); return;
    case Qt::Key_Minus: zoomBy(1 / kZoomStep, middle); return;
    case Qt::Key_0:
    case Qt::Key_Space: fit(); return;
    case Qt::Key_1: moveLook({m_look.center, 1}, true); return;
    case Qt::Key_Escape: Q_EMIT groundClicked(); return;
    default: break;
    }
    if (!m_content || event->modifiers().testFlag(Qt::AltModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    int next = -1;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: {
        if (isShift) {
            const bool isSideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
            const double step =
                event->key() == Qt::Key_Left || event->key() == Qt::Key_Up ? kKeyPan : -kKeyPan;
            panBy(isSideways ? QPointF(step, 0) : QPointF(0, step));
            return;
        }
        next = m_current < 0 ? firstItem() : neighbour(m_current, event->key());
        break;
    }
    case Qt::Key_Home: next = firstItem(); break;
    case Qt::Key_PageDown: panBy({0, -height() * 0.8}); return;
    case Qt::Key_PageUp: panBy({0, height() * 0.8}); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_current >= 0)
            open(m_current);
        return;
    default: QWidget::keyPressEvent(event); return;
    }
    if (next >= 0) {
        const SceneItem& item = m_content->scene.items[static_cast<std::size_t>(next)];
        m_current = next;
        // A stub is walked onto, not opened: Enter and a click do that.
        if (item.kind == ItemKind::Module)
            Q_EMIT moduleClicked(nodesOf(item), false);
        else if (item.kind != ItemKind::Stub)
            Q_EMIT nodeClicked(item.node, false);
        ensureVisible({item.node});
        m_current = next;
    }
}

} // namespace pt2e::ui
