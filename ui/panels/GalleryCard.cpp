#include "ui/panels/GalleryCard.h"

#include "ui/session/Appearance.h"

#include <QPainter>
#include <QPainterPath>

namespace pt2e::ui {

namespace {
constexpr int kSketchWidth = 76;
}

GalleryCard::GalleryCard(QWidget* parent) : QAbstractButton(parent)
{
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GalleryCard::setTexts(const QString& name, const QString& summary, const QString& lesson)
{
    setText(name);
    m_summary = summary;
    m_lesson = lesson;
    setAccessibleName(name);
    setAccessibleDescription(summary + QStringLiteral(". ") + lesson);
    updateGeometry();
    update();
}

QSize GalleryCard::sizeHint() const
{
    return {fontMetrics().averageCharWidth() * 34 + kSketchWidth, fontMetrics().height() * 6 + 18};
}

void GalleryCard::enterEvent(QEnterEvent*) { update(); }

void GalleryCard::leaveEvent(QEvent*) { update(); }

/// The shape of the graph, in a few strokes.
void GalleryCard::paintSketch(QPainter& painter, const QRectF& area) const
{
    const Appearance& look = Appearance::instance();
    const QPen line(look.color(ColorRole::FloatEdge), 1.5);
    const QPen int8(look.color(ColorRole::Int8Edge), 3);
    const auto at = [&area](double x, double y) {
        return QPointF(area.left() + x * area.width(), area.top() + y * area.height());
    };
    const auto path = [&](const QPen& pen, std::initializer_list<QPointF> points) {
        QPainterPath stroke;
        for (const QPointF& point : points)
            stroke.elementCount() == 0 ? stroke.moveTo(point) : stroke.lineTo(point);
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPath(stroke);
    };
    const auto box = [&](double x, double y, bool isObserver = false) {
        const QRectF rect(at(x, y) - QPointF(11, 5), QSizeF(22, 10));
        painter.setPen(
            QPen(look.color(isObserver ? ColorRole::ObserverStroke : ColorRole::OpStroke), 1.3));
        painter.setBrush(look.color(isObserver ? ColorRole::ObserverFill : ColorRole::OpFill));
        painter.drawRoundedRect(rect, isObserver ? 5 : 2.5, isObserver ? 5 : 2.5);
    };
    const QString name = text();
    if (name == QLatin1String("residual")) {
        path(int8, {at(0.4, 0.1), at(0.85, 0.25), at(0.85, 0.65), at(0.4, 0.85)});
        path(line, {at(0.4, 0.05), at(0.4, 0.95)});
        box(0.4, 0.1, true);
        for (const double y : {0.35, 0.6, 0.85})
            box(0.4, y);
    } else if (name == QLatin1String("cat_pool")) {
        for (const double x : {0.22, 0.78}) {
            path(line, {at(0.5, 0.08), at(x, 0.36), at(0.5, 0.64), at(0.5, 0.92)});
            box(x, 0.36);
        }
        box(0.5, 0.08);
        box(0.5, 0.64);
        box(0.5, 0.9, true);
    } else if (name == QLatin1String("stem")) {
        path(int8, {at(0.5, 0.1), at(0.5, 0.5)});
        path(line, {at(0.5, 0.5), at(0.5, 0.95)});
        for (const double y : {0.1, 0.37, 0.63, 0.9})
            box(0.5, y, y == 0.1);
    } else {
        for (const double x : {0.2, 0.5, 0.8}) {
            path(line, {at(0.5, 0.06), at(x, 0.36), at(0.5, 0.68), at(0.5, 0.95)});
            box(x, 0.36);
        }
        box(0.5, 0.06);
        box(0.5, 0.68);
        box(0.5, 0.94);
    }
}

void GalleryCard::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Appearance& look = Appearance::instance();
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    const bool isActive = underMouse() || hasFocus();
    painter.setPen(
        QPen(look.color(isActive ? ColorRole::Selection : ColorRole::Line), hasFocus() ? 2 : 1));
    painter.setBrush(look.color(ColorRole::Canvas));
    painter.drawRoundedRect(area, 8, 8);
    paintSketch(painter, QRectF(14, 14, kSketchWidth - 12, height() - 28));

    const int left = kSketchWidth + 16;
    const int lineHeight = fontMetrics().height();
    QRect line(left, 14, width() - left - 12, lineHeight + 4);
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    bold.setPixelSize(font().pixelSize() + 2);
    painter.setFont(bold);
    painter.setPen(look.color(ColorRole::Text));
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(font());
    QRect body(left, line.bottom() + 6, line.width(), lineHeight * 2);
    painter.drawText(body, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_summary);
    const int used = painter.fontMetrics().boundingRect(body, Qt::TextWordWrap, m_summary).height();
    painter.setPen(look.color(ColorRole::MutedText));
    painter.drawText(
        QRect(left, body.top() + used + 3, line.width(), height() - body.top() - used - 8),
        Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, m_lesson);
}

} // namespace pt2e::ui
