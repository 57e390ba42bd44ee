#include "ui/charts/Histogram.h"

#include "ui/charts/ChartCopy.h"
#include "ui/charts/ValueAxis.h"
#include "ui/render/Theme.h"
#include "ui/session/Appearance.h"

#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

QString numberText(double value, int digits)
{
    QString text = QString::number(value, 'g', digits);
    if (text.startsWith(QLatin1Char('-')))
        text[0] = QChar(0x2212);
    return text;
}

Histogram::Histogram(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    offerCopyOf(*this);
}

void Histogram::setData(Data data)
{
    m_data = std::move(data);
    m_taken = End::None;
    update();
}

QRectF Histogram::area() const
{
    return QRectF(rect()).adjusted(2, 6, -2, -8 - fontMetrics().height());
}

double Histogram::clipX(bool isHigh) const
{
    return toX((isHigh ? m_data.clipHigh : m_data.clipLow).value_or(0), area());
}

Histogram::End Histogram::endAt(const QPointF& position) const
{
    constexpr double kReach = 6;
    if (!m_areClipsMovable || !m_data.clipLow || !m_data.clipHigh)
        return End::None;
    const double low = std::fabs(position.x() - clipX(false));
    const double high = std::fabs(position.x() - clipX(true));
    if (std::min(low, high) > kReach)
        return End::None;
    return low < high ? End::Low : End::High;
}

void Histogram::mousePressEvent(QMouseEvent* event)
{
    m_taken = event->button() == Qt::LeftButton ? endAt(event->position()) : End::None;
    m_before = m_data;
    event->setAccepted(m_taken != End::None);
}

void Histogram::mouseMoveEvent(QMouseEvent* event)
{
    if (m_taken == End::None) {
        if (endAt(event->position()) != End::None)
            setCursor(Qt::SizeHorCursor);
        else
            unsetCursor();
        return;
    }
    const double x = std::clamp(event->position().x(), area().left(), area().right());
    const ValueAxis axis =
        ValueAxis::around(m_before.low, m_before.high, m_before.clipLow, m_before.clipHigh);
    const double value = axis.low + (x - area().left()) / area().width() * (axis.high - axis.low);
    // Zero is always a code: the two ends stay on their sides of it.
    if (m_taken == End::Low)
        m_data.clipLow = std::min(value, 0.0);
    else
        m_data.clipHigh = std::max(value, 0.0);
    update();
}

void Histogram::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_taken == End::None || event->button() != Qt::LeftButton)
        return;
    m_taken = End::None;
    const bool isMoved = m_data.clipLow != m_before.clipLow || m_data.clipHigh != m_before.clipHigh;
    if (isMoved && *m_data.clipHigh > *m_data.clipLow)
        Q_EMIT clipsMoved(*m_data.clipLow, *m_data.clipHigh);
    else
        setData(m_before);
}

QSize Histogram::sizeHint() const { return {280, 140 + fontMetrics().height()}; }

QSize Histogram::minimumSizeHint() const { return {140, 90 + fontMetrics().height()}; }

double Histogram::toX(double value, const QRectF& area) const
{
    const Data& data = m_taken == End::None ? m_data : m_before;
    return ValueAxis::around(data.low, data.high, data.clipLow, data.clipHigh).toX(value, area);
}

void Histogram::paintBins(QPainter& painter, const QRectF& area) const
{
    const double left = toX(m_data.low, area);
    const double right = toX(m_data.high, area);
    // As many bars as there is room for; a bar is the sum of its bins.
    const auto bins = static_cast<int>(m_data.counts.size());
    const int bars = std::clamp(static_cast<int>((right - left) / 5), 1, bins);
    std::vector<double> heights(static_cast<std::size_t>(bars), 0.0);
    for (int bin = 0; bin < bins; ++bin)
        heights[static_cast<std::size_t>(static_cast<long long>(bin) * bars / bins)] +=
            static_cast<double>(m_data.counts[static_cast<std::size_t>(bin)]);
    const double top = *std::max_element(heights.begin(), heights.end());
    if (!(top > 0))
        return;
    const Theme& theme = Appearance::instance().theme();
    QColor color = theme.color(ColorRole::Selection);
    color.setAlphaF(theme.isDark() ? 0.65F : 0.45F);
    const double width = (right - left) / bars;
    for (int bar = 0; bar < bars; ++bar) {
        const double height = area.height() * heights[static_cast<std::size_t>(bar)] / top;
        painter.fillRect(
            QRectF(left + bar * width, area.bottom() - height, std::max(width - 1, 1.0), height),
            color);
    }
}

void Histogram::paintRanges(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Appearance::instance().theme();
    const auto count = m_data.ranges.size();
    const double step = area.height() / static_cast<double>(count);
    QColor color = theme.color(ColorRole::Selection);
    color.setAlphaF(theme.isDark() ? 0.65F : 0.45F);
    for (std::size_t i = 0; i < count; ++i) {
        const double left = toX(m_data.ranges[i].first, area);
        const double right = toX(m_data.ranges[i].second, area);
        const double gap = step > 4 ? 1.5 : 0;
        painter.fillRect(QRectF(left, area.top() + static_cast<double>(i) * step + gap / 2,
                                std::max(right - left, 1.0), std::max(step - gap, 0.5)),
                         color);
    }
}

void Histogram::paintClips(QPainter& painter, const QRectF& area) const
{
    const Theme& theme = Appearance::instance().theme();
    const auto line = [&](double value, Qt::Alignment side) {
        const double x = toX(value, area);
        painter.setPen(QPen(theme.color(ColorRole::ObserverStroke), 1.5, Qt::DashLine));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom() + 4));
        painter.setPen(theme.color(ColorRole::ObserverText));
        const double height = fontMetrics().height();
        const QRectF text = side == Qt::AlignLeft
                                ? QRectF(x, area.bottom() + 5, area.width(), height)
                                : QRectF(x - area.width(), area.bottom() + 5, area.width(), height);
        painter.drawText(text, static_cast<int>(side) | Qt::AlignTop, numberText(value, 3));
    };
    if (m_data.clipLow)
        line(*m_data.clipLow, Qt::AlignLeft);
    if (m_data.clipHigh)
        line(*m_data.clipHigh, Qt::AlignRight);
}

void Histogram::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = Appearance::instance().theme();
    const QRectF area = this->area();
    if (!m_data.ranges.empty())
        paintRanges(painter, area);
    else if (!m_data.counts.empty())
        paintBins(painter, area);
    painter.setPen(theme.color(ColorRole::Line));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setRenderHint(QPainter::Antialiasing);
    paintClips(painter, area);
    if (!m_data.clipLow && (!m_data.counts.empty() || !m_data.ranges.empty())) {
        painter.setPen(theme.color(ColorRole::MutedText));
        const QRectF text(area.left(), area.bottom() + 5, area.width(), fontMetrics().height());
        painter.drawText(text, Qt::AlignLeft | Qt::AlignTop, numberText(m_data.low, 3));
        painter.drawText(text, Qt::AlignRight | Qt::AlignTop, numberText(m_data.high, 3));
    }
}

} // namespace pt2e::ui
