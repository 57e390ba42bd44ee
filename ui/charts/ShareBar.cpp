#include "ui/charts/ShareBar.h"

#include "ui/session/Appearance.h"

#include <QPainter>

#include <algorithm>

namespace pt2e::ui {

ShareBar::ShareBar(QWidget* parent) : QWidget(parent)
{
    setFixedHeight(8);
    setMinimumWidth(60);
}

void ShareBar::setShare(double share)
{
    m_share = std::clamp(share, 0.0, 1.0);
    update();
}

void ShareBar::setAlarm(bool isAlarm)
{
    m_isAlarm = isAlarm;
    update();
}

void ShareBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const Appearance& look = Appearance::instance();
    const QRectF area = rect();
    painter.setBrush(look.color(ColorRole::Line));
    if (m_isAlarm)
        painter.setPen(QPen(look.color(ColorRole::Alarm), 1.4));
    painter.drawRoundedRect(m_isAlarm ? area.adjusted(0.7, 0.7, -0.7, -0.7) : area, 4, 4);
    painter.setPen(Qt::NoPen);
    if (m_share <= 0)
        return;
    painter.setBrush(look.color(ColorRole::Accent));
    painter.drawRoundedRect(
        QRectF(area.topLeft(), QSizeF(std::max(area.width() * m_share, 8.0), 8)), 4, 4);
}

} // namespace pt2e::ui
