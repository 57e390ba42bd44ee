#include "ui/panels/ObserverBadge.h"

#include "ui/session/Appearance.h"

#include <QPainter>
#include <QPolygonF>

namespace pt2e::ui {

ObserverBadge::ObserverBadge(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void ObserverBadge::setNumber(int number)
{
    m_number = number;
    const QString text = number < 0 ? tr("no observer") : tr("observer %1").arg(number);
    setToolTip(text);
    setAccessibleName(text);
    update();
}

QSize ObserverBadge::sizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("000")) + 12,
            fontMetrics().height() + 6};
}

void ObserverBadge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Appearance& look = Appearance::instance();
    const QRectF area = QRectF(rect()).adjusted(1, 1, -1, -1);
    if (m_number < 0) {
        painter.setPen(look.color(ColorRole::MutedText));
        painter.drawText(area, Qt::AlignCenter, QStringLiteral("\u2013"));
        return;
    }
    const double tip = area.height() / 3;
    const QPolygonF hexagon({{area.left(), area.center().y()},
                             {area.left() + tip, area.top()},
                             {area.right() - tip, area.top()},
                             {area.right(), area.center().y()},
                             {area.right() - tip, area.bottom()},
                             {area.left() + tip, area.bottom()}});
    painter.setPen(QPen(look.color(ColorRole::ObserverStroke), 1.3));
    painter.setBrush(look.color(ColorRole::ObserverFill));
    painter.drawPolygon(hexagon);
    painter.setPen(look.color(ColorRole::ObserverText));
    painter.drawText(area, Qt::AlignCenter, QString::number(m_number));
}

} // namespace pt2e::ui
