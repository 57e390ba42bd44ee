#include "ui/charts/ValueChart.h"

#include "ui/charts/ChartCopy.h"
#include "ui/charts/Histogram.h"
#include "ui/charts/ValueAxis.h"
#include "ui/session/Appearance.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

ValueChart::ValueChart(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    offerCopyOf(*this);
}

void ValueChart::setData(Data data)
{
    m_data = std::move(data);
    update();
}

QSize ValueChart::sizeHint() const { return {280, 130 + fontMetrics().height()}; }

QSize ValueChart::minimumSizeHint() const { return {140, 90 + fontMetrics().height()}; }

double ValueChart::toX(double value, const QRectF& area) const
{
    return ValueAxis::around(m_data.low, m_data.high, m_data.clipLow, m_data.clipHigh)
        .toX(value, area);
}

void ValueChart::paintSeries(QPainter& painter, const Series& series, const QRectF& area,
                             double top) const
{
    if (series.counts.empty())
        return;
    const double step = (m_data.high - m_data.low) / static_cast<double>(series.counts.size());
    const auto height = [&](float count) {
        return area.height() * std::sqrt(static_cast<double>(count)) / top;
    };
    QPainterPath path(QPointF(toX(m_data.low, area), area.bottom()));
    for (std::size_t bin = 0; bin < series.counts.size(); ++bin) {
        const double left = m_data.low + static_cast<double>(bin) * step;
        const double y = area.bottom() - height(series.counts[bin]);
        path.lineTo(toX(left, area), y);
        path.lineTo(std::max(toX(left + step, area), toX(left, area) + 1), y);
    }
    path.lineTo(path.currentPosition().x(), area.bottom());
    QColor color = Appearance::instance().color(series.color);
    if (series.isFilled) {
        QColor fill = color;
        fill.setAlphaF(0.3F);
        painter.fillPath(path, fill);
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(color, 1.3, series.style));
    painter.drawPath(path);
}

void ValueChart::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Appearance::instance().theme();
    const QRectF area = QRectF(rect()).adjusted(2, 6, -2, -8 - fontMetrics().height());
    double top = 0;
    for (const Series& series : m_data.series) {
        for (const float count : series.counts)
            top = std::max(top, std::sqrt(static_cast<double>(count)));
    }
    for (const Series& series : m_data.series) {
        if (top > 0)
            paintSeries(painter, series, area, top);
    }
    painter.setPen(theme.color(ColorRole::Line));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const double text = area.bottom() + 5;
    const double height = fontMetrics().height();
    const auto mark = [&](double value, bool isLeft, bool isClip) {
        const double x = toX(value, area);
        if (isClip) {
            painter.setPen(QPen(theme.color(ColorRole::ObserverStroke), 1.5, Qt::DashLine));
            painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4));
        }
        painter.setPen(theme.color(isClip ? ColorRole::ObserverText : ColorRole::MutedText));
        painter.drawText(isLeft ? QRectF(x, text, area.right() - x, height)
                                : QRectF(area.left(), text, x - area.left(), height),
                         (isLeft ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignTop,
                         numberText(value, 3));
    };
    if (m_data.series.empty())
        return;
    mark(m_data.clipLow.value_or(m_data.low), true, m_data.clipLow.has_value());
    mark(m_data.clipHigh.value_or(m_data.high), false, m_data.clipHigh.has_value());
}

SeriesKey::SeriesKey(ColorRole color, Qt::PenStyle style, QWidget* parent)
    : QWidget(parent),
      m_color(color),
      m_style(style)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SeriesKey::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(QPen(Appearance::instance().color(m_color), 2, m_style));
    painter.drawLine(QPointF(0, height() / 2.0), QPointF(width(), height() / 2.0));
}

} // namespace pt2e::ui
