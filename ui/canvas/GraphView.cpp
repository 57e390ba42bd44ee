#include "ui/canvas/GraphView.h"

#include "ui/canvas/GraphAccessible.h"
#include "ui/render/Fonts.h"

#include <QElapsedTimer>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {
constexpr double kMargin = 24; ///< pixels kept free around a fitted graph
constexpr double kFitMaxZoom = 1.25;
constexpr double kReadableZoom = 0.6;
constexpr double kStartMaxZoom = 0.85; ///< where not all of the graph fits in
} // namespace

GraphView::GraphView(QWidget* parent) : QWidget(parent), m_minimap(new Minimap(this))
{
    connect(m_minimap, &Minimap::centerWanted, this, [this](const QPointF& center) {
        moveLook({center, m_look.zoom}, true);
    });
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(120, 120);
    grabGesture(Qt::PinchGesture);
    installGraphAccessibility();
}

GraphView::~GraphView() = default;

void GraphView::setContent(PaneContentPtr content)
{
    // The keyboard stays at its node if that is still there.
    const NodeId current = m_content && m_current >= 0
                               ? m_content->scene.items[static_cast<std::size_t>(m_current)].node
                               : NodeId{};
    // Another graph is shown from its start, the same one stays where it is.
    const bool isOther = !m_content || (content && content->body != m_content->body);
    // Modules were collapsed or expanded: what one looks at stays where it is on the screen.
    const bool isRefolded = !isOther && content && content->modules != m_content->modules;
    const int anchor = isRefolded ? anchorItem() : -1;
    const NodeId kept =
        anchor >= 0 ? m_content->scene.items[static_cast<std::size_t>(anchor)].node : NodeId{};
    const QPointF place = anchor >= 0 ? itemRect(anchor).center() : QPointF();
    m_content = std::move(content);
    m_highlights = {};
    m_current = -1;
    if (m_content) {
        m_highlights.changed = m_content->changed;
        const auto items = m_content->itemsOfNodes({current});
        if (current.isValid() && !items.empty())
            m_current = items.front();
        if (isOther)
            showStart();
        else if (const auto now = m_content->itemsOfNodes({kept}); !now.empty())
            setLook({m_look.center + (itemRect(now.front()).center() - place) / m_look.zoom,
                     m_look.zoom});
        else
            setLook(m_look); // the graph may have become smaller
    }
    m_minimap->setContent(m_content);
    updateMinimap();
    invalidate();
    tellGraphChanged(this);
}

/// What is chosen and in sight, else what is next to the middle; -1: nothing is in sight.
int GraphView::anchorItem() const
{
    const auto isSeen = [this](int item) {
        return item >= 0 && rect().contains(itemRect(item).center().toPoint());
    };
    for (const auto* items : {&m_highlights.selected, &m_highlights.related})
        if (!items->empty() && isSeen(items->back()))
            return items->back();
    if (isSeen(m_current))
        return m_current;
    int best = -1;
    double nearest = 0;
    for (int i = 0; i < static_cast<int>(m_content->list.items.size()); ++i) {
        if (!isSeen(i))
            continue;
        const QPointF away = itemRect(i).center() - QRectF(rect()).center();
        const double distance = QPointF::dotProduct(away, away);
        if (best < 0 || distance < nearest) {
            best = i;
            nearest = distance;
        }
    }
    return best;
}

void GraphView::setCover(const QString& title, const QString& hint)
{
    if (title == m_coverTitle && hint == m_coverHint)
        return;
    m_coverTitle = title;
    m_coverHint = hint;
    update();
}

void GraphView::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_minimap->setTheme(theme);
    invalidate();
}

void GraphView::setTypeScale(double scale)
{
    const double change = scale / m_typeScale;
    if (change == 1)
        return;
    m_typeScale = scale;
    Look look = m_look;
    look.zoom *= change;
    setLook(look); // every pane does this by itself
}

void GraphView::setToolTipSource(std::function<QString(const SceneItem&)> source)
{
    m_toolTip = std::move(source);
}

void GraphView::setSelectedNodes(const std::vector<NodeId>& nodes, bool isOwn)
{
    if (!m_content)
        return;
    std::vector<int> items = m_content->itemsOfNodes(nodes);
    Highlights next = m_highlights;
    next.selected.clear();
    next.related.clear();
    next.selectedEdges.clear();
    (isOwn ? next.selected : next.related) = items;
    if (next.selected == m_highlights.selected && next.related == m_highlights.related)
        return;
    m_highlights = std::move(next);
    if (!items.empty() && std::find(items.begin(), items.end(), m_current) == items.end())
        m_current = items.back();
    if (nodes.empty())
        m_current = -1;
    invalidate();
}

void GraphView::setMarkedNodes(const std::vector<NodeId>& bookmarked,
                               const std::vector<NodeId>& noted)
{
    if (!m_content)
        return;
    const auto items = [this](const std::vector<NodeId>& nodes) {
        std::vector<int> found = m_content->itemsOfNodes(nodes);
        std::erase_if(found, [this](int item) {
            const SceneItem& shown = m_content->scene.items[static_cast<std::size_t>(item)];
            return shown.kind == ItemKind::Ghost || shown.kind == ItemKind::Stub;
        });
        return found;
    };
    const std::vector<int> ribbons = items(bookmarked), sheets = items(noted);
    if (ribbons == m_highlights.bookmarked && sheets == m_highlights.noted)
        return;
    m_highlights.bookmarked = ribbons;
    m_highlights.noted = sheets;
    invalidate();
}

// ---- where it looks ------------------------------------------------------------------------------------------------

QPointF GraphView::toScene(const QPointF& position) const
{
    return m_look.center + (position - QPointF(width(), height()) / 2) / m_look.zoom;
}

QPointF GraphView::toWidget(const QPointF& point) const
{
    return (point - m_look.center) * m_look.zoom + QPointF(width(), height()) / 2;
}

GraphView::Look GraphView::clamped(Look look) const
{
    look.zoom = std::clamp(look.zoom, kMinZoom, kMaxZoom);
    if (m_content) {
        // Some of the graph always stays in sight.
        const QRectF& bounds = m_content->list.bounds;
        look.center.setX(std::clamp(look.center.x(), bounds.left(), bounds.right()));
        look.center.setY(std::clamp(look.center.y(), bounds.top(), bounds.bottom()));
    }
    return look;
}

void GraphView::setLook(const Look& look) { moveLook(look, false); }

void GraphView::moveLook(const Look& look, bool tellOthers)
{
    const Look next = clamped(look);
    if (next == m_look)
        return;
    m_look = next;
    updateMinimap();
    update();
    if (tellOthers)
        Q_EMIT lookChanged(m_look);
}

void GraphView::updateMinimap()
{
    m_minimap->setSeen({toScene({0, 0}), toScene({double(width()), double(height())})});
}

void GraphView::fit()
{
    if (!m_content || m_content->list.bounds.isEmpty())
        return;
    const QRectF& bounds = m_content->list.bounds;
    const double zoom = std::min((width() - 2 * kMargin) / bounds.width(),
                                 (height() - 2 * kMargin) / bounds.height());
    moveLook({bounds.center(), std::clamp(zoom, kMinZoom, kFitMaxZoom * m_typeScale)}, true);
}

void GraphView::showStart()
{
    if (!m_content || m_content->list.bounds.isEmpty())
        return;
    fit();
    if (m_look.zoom >= kReadableZoom * m_typeScale)
        return;
    const QRectF& bounds = m_content->list.bounds;
    const double zoom = std::clamp((width() - 2 * kMargin) / bounds.width(),
                                   kReadableZoom * m_typeScale, kStartMaxZoom * m_typeScale);
    // The first node stands in the middle, but no ground is shown that could show the graph.
    const int first = firstItem();
    const double half = (width() / 2.0 - kMargin) / zoom;
    double x = first < 0 ? bounds.center().x()
                         : m_content->list.items[static_cast<std::size_t>(first)].rect.center().x();
    x = bounds.width() <= 2 * half ? bounds.center().x()
                                   : std::clamp(x, bounds.left() + half, bounds.right() - half);
    moveLook({{x, bounds.top() + (height() / 2.0 - kMargin) / zoom}, zoom}, true);
}

void GraphView::zoomBy(double factor, const QPointF& anchor)
{
    const QPointF fixed = toScene(anchor);
    Look look = m_look;
    look.zoom = std::clamp(look.zoom * factor, kMinZoom, kMaxZoom);
    look.center = fixed - (anchor - QPointF(width(), height()) / 2) / look.zoom;
    moveLook(look, true);
}

void GraphView::panBy(const QPointF& pixels)
{
    moveLook({m_look.center - pixels / m_look.zoom, m_look.zoom}, true);
}

void GraphView::ensureVisible(const std::vector<NodeId>& nodes)
{
    if (!m_content)
        return;
    QRectF wanted;
    for (const int item : m_content->itemsOfNodes(nodes))
        wanted |= m_content->list.items[static_cast<std::size_t>(item)].full;
    if (wanted.isNull())
        return;
    const QRectF seen(toScene({kMargin, kMargin}),
                      toScene({width() - kMargin, height() - kMargin}));
    if (!seen.contains(wanted.center()))
        moveLook({wanted.center(), m_look.zoom}, true);
}

int GraphView::itemAt(const QPointF& position) const
{
    return m_content ? m_content->list.itemAt(toScene(position)) : -1;
}

QRectF GraphView::itemRect(int item) const
{
    const QRectF rect = m_content->list.items[static_cast<std::size_t>(item)].rect;
    return {toWidget(rect.topLeft()), rect.size() * m_look.zoom};
}

QRect GraphView::pixelRect(int item) const
{
    const QRectF full = m_content->list.items[static_cast<std::size_t>(item)].full;
    return QRectF(toWidget(full.topLeft()), full.size() * m_look.zoom)
        .toAlignedRect()
        .adjusted(-8, -8, 8, 8);
}

// ---- painting ------------------------------------------------------------------------------------------------------

void GraphView::invalidate()
{
    m_isPictureValid = false;
    update();
}

void GraphView::refresh()
{
    const double ratio = devicePixelRatioF();
    const QSize wanted = (QSizeF(size()) * ratio).toSize();
    if (m_picture.size() != wanted || m_picture.devicePixelRatio() != ratio) {
        m_picture = QPixmap(wanted);
        m_picture.setDevicePixelRatio(ratio);
        m_isPictureValid = false;
    }
    if (!m_isPictureValid || m_pictureLook.zoom != m_look.zoom) {
        m_dirty = rect();
    } else if (m_pictureLook != m_look) {
        const QPointF shift = (m_pictureLook.center - m_look.center) * m_look.zoom;
        const QPoint whole = shift.toPoint();
        const bool isWhole = std::abs(shift.x() - whole.x()) < 1e-3
                             && std::abs(shift.y() - whole.y()) < 1e-3
                             && ratio == std::floor(ratio);
        if (isWhole && m_dirty.isEmpty()) {
            const int scale = static_cast<int>(ratio);
            m_picture.scroll(whole.x() * scale, whole.y() * scale, m_picture.rect());
            m_dirty = QRegion(rect()) - QRegion(rect().translated(whole));
        } else {
            m_dirty = rect();
        }
    }
    m_pictureLook = m_look;
    m_isPictureValid = true;
    if (m_dirty.isEmpty())
        return;
    QElapsedTimer timer;
    timer.start();
    paintRegion(m_dirty);
    m_dirty = {};
    m_lastPaintMs = static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

void GraphView::paintRegion(const QRegion& region)
{
    QPainter painter(&m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const QRect& part : region) {
        painter.resetTransform();
        painter.setClipRect(part);
        painter.fillRect(part, m_theme->color(ColorRole::Canvas));
        if (!m_content)
            continue;
        painter.translate(QPointF(width(), height()) / 2);
        painter.scale(m_look.zoom, m_look.zoom);
        painter.translate(-m_look.center);
        PaintOptions options;
        options.zoom = m_look.zoom;
        // Halos reach beyond the shape they belong to.
        options.exposed =
            QRectF(toScene(part.topLeft()), toScene(part.bottomRight() + QPoint(1, 1)))
                .adjusted(-8, -8, 8, 8);
        paint(painter, m_content->list, *m_theme, m_highlights, options);
    }
}

void GraphView::paintEvent(QPaintEvent*)
{
    refresh();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_picture);
    if (!m_content)
        paintCover(painter);
    if (hasFocus()) {
        // Where the keyboard is: a line below the pane's title.
        painter.fillRect(QRect(0, 0, width(), 2), m_theme->color(ColorRole::Selection));
    }
}

void GraphView::paintCover(QPainter& painter) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    QFont title = font();
    title.setPixelSize(font().pixelSize() + 3);
    title.setWeight(QFont::DemiBold);
    const QRect area = rect().adjusted(16, 16, -16, -16);
    const int lineHeight = QFontMetrics(title).height();
    const QRect upper(area.left(), area.center().y() - lineHeight * 2, area.width(),
                      lineHeight * 2);
    const QRect lower(area.left(), area.center().y() + 4, area.width(), area.height() / 2);
    painter.setFont(title);
    painter.setPen(m_theme->color(ColorRole::MutedText));
    painter.drawText(upper, Qt::AlignHCenter | Qt::AlignBottom | Qt::TextWordWrap, m_coverTitle);
    painter.setFont(font());
    painter.drawText(lower, Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_coverHint);
}

void GraphView::resizeEvent(QResizeEvent*)
{
    m_isPictureValid = false;
    updateMinimap();
}

} // namespace pt2e::ui
