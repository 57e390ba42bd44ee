#include "ui/canvas/ShareDrag.h"

#include "core/pipeline/Edits.h"
#include "ui/models/ConflictText.h"

#include <QApplication>
#include <QCursor>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPointer>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {
const QString kTag = QStringLiteral("share-check");
constexpr double kReach = 8; ///< pixels around a spot in which it is taken hold of
constexpr double kSmallestZoom = 0.35; ///< below, nobody can aim at a spot
constexpr int kEdge = 28; ///< pixels at the view's border where a drag moves what is seen
constexpr int kScrollStep = 14; ///< pixels a tick
constexpr int kScrollTick = 30; ///< ms

/// The places in the order in which one wants to know about them: where the pointer is, then the nearest.
std::vector<int> orderFrom(const std::vector<SharePlace>& places, int from, int aimed)
{
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
        if (i != from)
            order.push_back(i);
    }
    const QPointF start = places[static_cast<std::size_t>(from)].at;
    const auto distance = [&](int i) {
        return i == aimed ? -1 : (places[static_cast<std::size_t>(i)].at - start).manhattanLength();
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return distance(a) < distance(b); });
    return order;
}
} // namespace

const std::vector<SharePlace>& ShareDrag::places()
{
    const SnapshotPtr& snapshot = m_session.entered();
    if (m_content == m_view.content() && m_snapshot == snapshot)
        return m_places;
    m_content = m_view.content();
    m_snapshot = snapshot;
    m_places.clear();
    const GraphPtr stage = graphOf(snapshot, m_stage);
    const GraphPtr folded = graphOf(snapshot, StageKind::Annotated);
    const bool canShare = m_stage == StageKind::Exported || m_stage == StageKind::Annotated
                          || m_stage == StageKind::Prepared;
    if (m_content && stage && folded && canShare)
        m_places = sharePlaces(*m_content, *folded, *stage,
                               m_stage == StageKind::Prepared ? snapshot->prepared.get() : nullptr);
    return m_places;
}

QPointF ShareDrag::positionOf(int place) const
{
    const auto& look = m_view.look();
    return (m_places[static_cast<std::size_t>(place)].at - look.center) * look.zoom
           + QPointF(m_view.width(), m_view.height()) / 2;
}

int ShareDrag::placeAt(const QPointF& position)
{
    if (m_view.look().zoom < kSmallestZoom)
        return -1;
    const int item = m_view.itemAt(position);
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < static_cast<int>(places().size()); ++i) {
        const SharePlace& place = m_places[static_cast<std::size_t>(i)];
        if (place.isBadge && place.item == item)
            return i;
        const QPointF away = positionOf(i) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (!place.isBadge && distance <= nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

ShareDrag::Mark ShareDrag::markOf(int place) const
{
    const auto& check = m_checks[static_cast<std::size_t>(place)];
    if (!check)
        return Mark::Unknown;
    return check->isShared ? Mark::Shared : check->edit ? Mark::Possible : Mark::Impossible;
}

// ---- events --------------------------------------------------------------------------------------------------------

bool ShareDrag::eventFilter(QObject* watched, QEvent* event)
{
    if (m_isReplaying || watched != &m_view)
        return false;
    switch (event->type()) {
    case QEvent::MouseButtonPress: return press(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseMove: return move(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseButtonRelease: return release(static_cast<QMouseEvent&>(*event));
    case QEvent::MouseButtonDblClick: m_press.reset(); return isDragging();
    case QEvent::KeyPress: return key(static_cast<QKeyEvent&>(*event));
    case QEvent::ContextMenu: return isDragging();
    case QEvent::ToolTip: {
        const auto& help = static_cast<QHelpEvent&>(*event);
        const int place = isDragging() ? -1 : placeAt(help.pos());
        if (place < 0 || m_places[static_cast<std::size_t>(place)].isBadge)
            return isDragging();
        QToolTip::showText(help.globalPos(), toolTip(place), &m_view);
        return true;
    }
    case QEvent::Leave:
        if (!isDragging())
            hover({-1, -1});
        return false;
    case QEvent::FocusOut:
    case QEvent::Hide:
    case QEvent::WindowDeactivate:
        m_press.reset();
        end();
        return false;
    case QEvent::Resize: updateOverlay(); return false;
    default: return false;
    }
}

bool ShareDrag::press(QMouseEvent& event)
{
    if (isDragging())
        return true;
    m_waiting = -1;
    const int place = event.button() == Qt::LeftButton && event.modifiers() == Qt::NoModifier
                          ? placeAt(event.position())
                          : -1;
    if (place < 0)
        return false;
    m_view.setFocus(Qt::MouseFocusReason);
    m_press = Press{place, event.position()};
    return true;
}

bool ShareDrag::move(QMouseEvent& event)
{
    m_pointer = event.position();
    if (m_press
        && (m_pointer - m_press->at).manhattanLength() >= QApplication::startDragDistance()) {
        const int place = m_press->place;
        m_press.reset();
        begin(place);
    }
    if (isDragging()) {
        aim(placeAt(m_pointer));
        updateOverlay();
        return true;
    }
    if (!m_press && event.buttons() == Qt::NoButton)
        hover(m_pointer);
    return m_press.has_value();
}

/// A place was clicked and not dragged: the view gets to know what it has missed.
void ShareDrag::replayPress()
{
    const QPointF at = m_press->at;
    m_press.reset();
    QMouseEvent missed(QEvent::MouseButtonPress, at, m_view.mapToGlobal(at), Qt::LeftButton,
                       Qt::LeftButton, Qt::NoModifier);
    m_isReplaying = true;
    QApplication::sendEvent(&m_view, &missed);
    m_isReplaying = false;
}

bool ShareDrag::release(QMouseEvent& event)
{
    if (isDragging()) {
        if (event.button() == Qt::LeftButton)
            drop(placeAt(event.position()));
        return true;
    }
    if (m_press && event.button() == Qt::LeftButton)
        replayPress();
    return false;
}

bool ShareDrag::key(QKeyEvent& event)
{
    if (!isDragging())
        return false;
    if (event.key() == Qt::Key_Escape)
        end();
    return true;
}

void ShareDrag::hover(const QPointF& position)
{
    int item = -1;
    if (m_view.look().zoom >= kSmallestZoom && !places().empty()) {
        const int place = placeAt(position);
        item =
            place >= 0 ? m_places[static_cast<std::size_t>(place)].item : m_view.itemAt(position);
    }
    if (item == m_hovered)
        return;
    m_hovered = item;
    updateOverlay();
}

// ---- the drag ------------------------------------------------------------------------------------------------------

void ShareDrag::begin(int place)
{
    const SnapshotPtr& snapshot = m_session.fullSnapshot();
    if (!snapshot || !snapshot->annotated)
        return;
    m_from = place;
    m_aimed = -1;
    m_hovered = -1;
    m_checks.assign(m_places.size(), std::nullopt);
    // The names point into the graph: it is kept with them.
    struct Named
    {
        SnapshotPtr snapshot;
        NodeNames names;
    };
    auto named =
        std::make_shared<Named>(Named{snapshot, NodeNames(*snapshot->annotated->folded.graph)});
    m_names = std::shared_ptr<const NodeNames>(named, &named->names);
    m_view.setCursor(Qt::ClosedHandCursor);
    m_scroll.start(kScrollTick);
    updateHint();
    check();
}

void ShareDrag::end()
{
    if (!isDragging())
        return;
    m_from = -1;
    m_aimed = -1;
    m_scroll.stop();
    if (m_waiting < 0)
        m_session.jobs().cancel(kTag);
    m_view.setCursor(Qt::ArrowCursor);
    updateOverlay();
}

void ShareDrag::aim(int place)
{
    if (place == m_from)
        place = -1;
    if (place == m_aimed)
        return;
    m_aimed = place;
    if (place >= 0 && markOf(place) == Mark::Unknown)
        check(); // this one first
    updateHint();
}

/// What is not known yet, on the lane: the place under the pointer first.
void ShareDrag::check()
{
    const SnapshotPtr snapshot = m_session.fullSnapshot();
    std::vector<int> order = orderFrom(m_places, m_from, m_aimed);
    std::erase_if(order,
                  [this](int i) { return m_checks[static_cast<std::size_t>(i)].has_value(); });
    if (order.empty())
        return;
    m_session.jobs().start(Lane::Interactive, kTag, {},
                           [self = QPointer(this), snapshot, places = m_places, from = m_from,
                            order = std::move(order)](JobPort& port) -> Delivery {
                               for (const int place : order) {
                                   if (port.context().stop.stop_requested())
                                       break;
                                   auto check =
                                       checkSharing(*snapshot->annotated, snapshot->prepared.get(),
                                                    snapshot->recipe,
                                                    places[static_cast<std::size_t>(from)].points,
                                                    places[static_cast<std::size_t>(place)].points);
                                   port.publish([self, place, check = std::move(check)] {
                                       if (self)
                                           self->take(place, check);
                                   });
                               }
                               return {};
                           });
}

void ShareDrag::take(int place, const ShareCheck& check)
{
    if (static_cast<std::size_t>(place) >= m_checks.size())
        return;
    m_checks[static_cast<std::size_t>(place)] = check;
    if (place == m_waiting) {
        m_waiting = -1;
        m_session.jobs().cancel(kTag);
        apply(place);
        return;
    }
    if (place == m_aimed)
        updateHint();
    updateOverlay();
}

void ShareDrag::drop(int place)
{
    const bool isTarget = place >= 0 && place != m_from;
    const bool isKnown = isTarget && markOf(place) != Mark::Unknown;
    const int from = m_from;
    m_waiting = isTarget && !isKnown ? place : -1;
    end();
    if (isKnown) {
        m_from = from; // for its name
        apply(place);
        m_from = -1;
    }
}

void ShareDrag::apply(int place)
{
    const ShareCheck& check = *m_checks[static_cast<std::size_t>(place)];
    if (!check.edit) {
        // Why nothing happens is read where it was let go.
        const QString why =
            check.isShared ? tr("They share one observer already.") : conflictText(check.conflicts);
        QToolTip::showText(m_view.mapToGlobal(positionOf(place)).toPoint(), why, &m_view);
        return;
    }
    const Edit edit = *check.edit; // the change lets go of the checks
    m_session.changeRecipe(withEdit(m_session.recipe(), edit), undoText(edit));
}

/// At the border of the view what is seen moves on, towards points that are not in sight.
void ShareDrag::scrollAtEdge()
{
    const QRectF inner = QRectF(m_view.rect()).adjusted(kEdge, kEdge, -kEdge, -kEdge);
    if (!isDragging() || inner.contains(m_pointer))
        return;
    const auto step = [](double at, double low, double high) {
        return at < low ? kScrollStep : at > high ? -kScrollStep : 0;
    };
    m_view.panBy(QPointF(step(m_pointer.x(), inner.left(), inner.right()),
                         step(m_pointer.y(), inner.top(), inner.bottom())));
    aim(placeAt(m_pointer));
}

} // namespace pt2e::ui
