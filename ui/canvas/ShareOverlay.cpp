// What ShareDrag says and paints over the view: spots, rings around possible targets, crosses on others, and what would
// happen.
#include "ui/canvas/ShareDrag.h"
#include "ui/models/ConflictText.h"
#include "ui/session/Appearance.h"

#include <QPainter>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr double kSpot = 4.5; ///< radius in pixels
constexpr int kHintWidth = 320;
constexpr QPointF kHintOffset{16, 20}; ///< from the pointer

QColor color(ColorRole role) { return Appearance::instance().color(role); }

QString shown(QString point)
{
    return point.replace(QStringLiteral("->"), QStringLiteral(" \u2192 "));
}
} // namespace

class ShareDrag::Overlay : public QWidget
{
public:
    Overlay(ShareDrag& drag, QWidget& view) : QWidget(&view), m_drag(drag)
    {
        setObjectName(QStringLiteral("shareOverlay"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        m_drag.paint(painter);
    }

private:
    ShareDrag& m_drag;
};

ShareDrag::ShareDrag(Session& session, GraphView& view, StageKind stage, QObject* parent)
    : QObject(parent),
      m_session(session),
      m_view(view),
      m_stage(stage),
      m_overlay(new Overlay(*this, view))
{
    view.installEventFilter(this);
    connect(&m_scroll, &QTimer::timeout, this, &ShareDrag::scrollAtEdge);
    connect(&view, &GraphView::lookChanged, this, &ShareDrag::updateOverlay);
    // What was being dragged may not be there any more.
    connect(&session, &Session::snapshotChanged, this, [this] {
        m_waiting = -1;
        m_press.reset();
        m_hovered = -1;
        end();
        updateOverlay();
    });
}

ShareDrag::~ShareDrag() = default;

/// Nothing is painted and nothing costs while there is nothing to show.
void ShareDrag::updateOverlay()
{
    const bool isWanted = isDragging() || m_hovered >= 0;
    if (isWanted)
        m_overlay->setGeometry(m_view.rect());
    m_overlay->setVisible(isWanted);
    if (isWanted)
        m_overlay->update();
}

void ShareDrag::paint(QPainter& painter)
{
    if (m_content != m_view.content()) // the view is about to show something else
        return;
    for (int i = 0; i < static_cast<int>(m_places.size()); ++i) {
        const SharePlace& place = m_places[static_cast<std::size_t>(i)];
        const bool isShown = isDragging() || (place.item == m_hovered && !place.isBadge);
        if (isShown && m_overlay->rect().contains(positionOf(i).toPoint()))
            paintSpot(painter, place, i);
    }
    if (!isDragging())
        return;
    painter.setPen(QPen(color(ColorRole::Selection), 1.5, Qt::DashLine));
    painter.drawLine(positionOf(m_from), m_pointer);
    paintHint(painter);
}

void ShareDrag::paintSpot(QPainter& painter, const SharePlace& place, int index) const
{
    const QPointF at = positionOf(index);
    QRectF ring(at - QPointF(kSpot, kSpot), QSizeF(2 * kSpot, 2 * kSpot));
    if (place.isBadge)
        ring = m_view.itemRect(place.item).adjusted(-4, -4, 4, 4);
    const double radius = place.isBadge ? 6 : kSpot;
    const Mark mark = isDragging() && index != m_from ? markOf(index) : Mark::Possible;
    const bool isFilled = !place.isBadge && (index == m_from || index == m_aimed);
    painter.setBrush(place.isBadge
                         ? QBrush(Qt::NoBrush)
                         : QBrush(color(isFilled && mark == Mark::Possible ? ColorRole::Selection
                                                                           : ColorRole::Canvas)));
    if (mark == Mark::Possible) {
        painter.setPen(QPen(color(ColorRole::Selection), index == m_aimed ? 3.5 : 2));
        painter.drawRoundedRect(ring, radius, radius);
        return;
    }
    painter.setPen(QPen(color(ColorRole::MutedText), 1, Qt::DotLine));
    painter.drawRoundedRect(ring, radius, radius);
    if (mark != Mark::Impossible)
        return;
    const QPointF corner = place.isBadge ? ring.topRight() : ring.center();
    painter.setPen(QPen(color(ColorRole::MutedText), 1.5));
    painter.drawLine(corner - QPointF(3, 3), corner + QPointF(3, 3));
    painter.drawLine(corner - QPointF(3, -3), corner + QPointF(3, -3));
}

void ShareDrag::paintHint(QPainter& painter) const
{
    const QRectF area = QRectF(m_overlay->rect()).adjusted(6, 6, -6, -6);
    const double width =
        std::min<double>(kHintWidth * Appearance::instance().scale(), area.width() - 20);
    painter.setFont(m_view.font());
    const QRectF text = painter.boundingRect(QRectF(0, 0, width, area.height()),
                                             Qt::AlignLeft | Qt::TextWordWrap, m_hint);
    QRectF box(m_pointer + kHintOffset, text.size() + QSizeF(20, 14));
    // Beside the pointer where there is room, never cut off.
    if (box.bottom() > area.bottom())
        box.moveBottom(m_pointer.y() - kHintOffset.y() / 2);
    box.moveLeft(
        std::clamp(box.left(), area.left(), std::max(area.left(), area.right() - box.width())));
    box.moveTop(
        std::clamp(box.top(), area.top(), std::max(area.top(), area.bottom() - box.height())));
    const bool isImpossible =
        m_aimed >= 0 && (markOf(m_aimed) == Mark::Impossible || markOf(m_aimed) == Mark::Shared);
    painter.setPen(QPen(color(isImpossible ? ColorRole::HatchText : ColorRole::Selection), 1.5));
    painter.setBrush(color(ColorRole::Window));
    painter.drawRoundedRect(box, 6, 6);
    painter.setPen(color(ColorRole::Text));
    painter.drawText(box.adjusted(10, 7, -10, -7), Qt::AlignLeft | Qt::TextWordWrap, m_hint);
}

// ---- words ---------------------------------------------------------------------------------------------------------

QString ShareDrag::nameOf(int place) const
{
    const SharePlace& named = m_places[static_cast<std::size_t>(place)];
    return m_names ? shown(QString::fromStdString(m_names->pointText(named.points.front())))
                   : QString();
}

QString ShareDrag::toolTip(int place) const
{
    const SnapshotPtr& snapshot = m_session.fullSnapshot();
    if (!snapshot || !snapshot->annotated)
        return {};
    const NodeNames names(*snapshot->annotated->folded.graph);
    const Point& point = m_places[static_cast<std::size_t>(place)].points.front();
    return shown(QString::fromStdString(names.pointText(point))) + QLatin1Char('\n')
           + tr("Drag it onto another point to share that one's observer");
}

QString ShareDrag::undoText(const Edit& edit)
{
    return tr("Share %1 with %2")
        .arg(shown(QString::fromStdString(edit.at.text())),
             shown(QString::fromStdString(edit.spec.sharedWith.text())));
}

void ShareDrag::updateHint()
{
    m_hint.clear();
    if (m_aimed < 0) {
        m_hint = tr("Drop %1 on the point whose observer it is to share. Esc gives up.")
                     .arg(nameOf(m_from));
        m_view.setCursor(Qt::ClosedHandCursor);
        return;
    }
    const auto& check = m_checks[static_cast<std::size_t>(m_aimed)];
    switch (markOf(m_aimed)) {
    case Mark::Unknown: m_hint = tr("Looking at %1 …").arg(nameOf(m_aimed)); break;
    case Mark::Shared:
        m_hint = tr("%1 and %2 share one observer already.").arg(nameOf(m_from), nameOf(m_aimed));
        break;
    case Mark::Possible:
        m_hint = tr("%1 shares the observer of %2").arg(nameOf(m_from), nameOf(m_aimed));
        if (!check->conflicts.empty())
            m_hint += QLatin1Char('\n') + conflictText(check->conflicts);
        break;
    case Mark::Impossible: m_hint = conflictText(check->conflicts); break;
    }
    m_view.setCursor(markOf(m_aimed) == Mark::Possible  ? Qt::DragLinkCursor
                     : markOf(m_aimed) == Mark::Unknown ? Qt::ClosedHandCursor
                                                        : Qt::ForbiddenCursor);
}

} // namespace pt2e::ui
