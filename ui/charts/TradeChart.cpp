#include "ui/charts/TradeChart.h"

#include "ui/charts/ChartCopy.h"
#include "ui/charts/Histogram.h"
#include "ui/session/Appearance.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {

constexpr double kReach = 9; ///< pixels from a dot that still mean it
constexpr double kDot = 4;

} // namespace

TradeChart::TradeChart(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setFocusPolicy(Qt::StrongFocus);
    offerCopyOf(*this);
}

void TradeChart::setData(Data data)
{
    m_data = std::move(data);
    m_current = m_data.result;
    QStringList said{m_data.valueTitle};
    for (const Dot& dot : m_data.dots)
        said << dot.details;
    setAccessibleName(said.join(QStringLiteral("; ")));
    update();
}

QSize TradeChart::sizeHint() const { return {320, 170}; }

QSize TradeChart::minimumSizeHint() const { return {180, 4 * fontMetrics().height() + 30}; }

std::pair<double, double> TradeChart::span() const
{
    double low = m_data.target.value_or(m_data.dots.empty() ? 0 : m_data.dots.front().value);
    double high = low;
    for (const Dot& dot : m_data.dots) {
        low = std::min(low, dot.value);
        high = std::max(high, dot.value);
    }
    const double margin = high > low ? (high - low) * 0.1 : std::max(std::abs(high) * 0.1, 1e-6);
    return {low - margin, high + margin};
}

QRectF TradeChart::plot() const
{
    const auto [low, high] = span();
    const QFontMetrics metrics = fontMetrics();
    const int left = std::max(metrics.horizontalAdvance(numberText(low, 3)),
                              metrics.horizontalAdvance(numberText(high, 3)))
                     + 8;
    const double top = metrics.height() + 6;
    return {static_cast<double>(left), top, width() - left - 10.0,
            height() - top - metrics.height() - 6};
}

QPointF TradeChart::placeOf(int dot) const
{
    const QRectF area = plot();
    const auto [low, high] = span();
    const Dot& shown = m_data.dots[static_cast<std::size_t>(dot)];
    return {area.left() + 6 + std::clamp(shown.cost, 0.0, 1.0) * (area.width() - 12),
            area.bottom() - (shown.value - low) / (high - low) * area.height()};
}

int TradeChart::dotAt(const QPointF& position) const
{
    int best = -1;
    double nearest = kReach;
    for (int i = 0; i < static_cast<int>(m_data.dots.size()); ++i) {
        const QPointF away = placeOf(i) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance <= nearest) {
            nearest = distance;
            best = i;
        }
    }
    return best;
}

void TradeChart::paintAxes(QPainter& painter) const
{
    const Theme& theme = Appearance::instance().theme();
    const QRectF area = plot();
    const auto [low, high] = span();
    const int text = fontMetrics().height();
    painter.setPen(theme.color(ColorRole::Line));
    painter.drawLine(area.topLeft(), area.bottomLeft());
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    painter.setPen(theme.color(ColorRole::MutedText));
    painter.drawText(QRectF(0, 0, width(), text), Qt::AlignLeft, m_data.valueTitle);
    painter.drawText(QRectF(0, area.top(), area.left() - 4, text), Qt::AlignRight,
                     numberText(high, 3));
    painter.drawText(QRectF(0, area.bottom() - text, area.left() - 4, text), Qt::AlignRight,
                     numberText(low, 3));
    const QRectF below(area.left(), area.bottom() + 3, area.width(), text);
    painter.drawText(below, Qt::AlignLeft, QStringLiteral("0 %"));
    painter.drawText(below, Qt::AlignRight, QStringLiteral("100 %"));
    painter.drawText(below, Qt::AlignHCenter, m_data.costTitle);
    if (!m_data.target)
        return;
    const double y = area.bottom() - (*m_data.target - low) / (high - low) * area.height();
    painter.setPen(QPen(theme.color(ColorRole::Accent), 1, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setPen(theme.color(ColorRole::MutedText));
    const bool isHigh = y - area.top() < text + 4;
    painter.drawText(QRectF(area.left(), isHigh ? y + 4 : y - text - 3, area.width(), text),
                     Qt::AlignRight, m_data.targetText);
}

void TradeChart::paintEvent(QPaintEvent*)
{
    if (m_data.dots.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Appearance::instance().theme();
    paintAxes(painter);
    QPolygonF line;
    const int count = static_cast<int>(m_data.dots.size());
    for (int i = 0; i < count; ++i)
        line << placeOf(i);
    painter.setPen(QPen(theme.color(ColorRole::QuantStroke), 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
    for (int i = 0; i < count; ++i) {
        const bool isResult = i == m_data.result;
        painter.setPen(QPen(theme.color(ColorRole::QuantStroke), 1.5));
        painter.setBrush(theme.color(isResult ? ColorRole::QuantStroke : ColorRole::Canvas));
        painter.drawEllipse(line[i], isResult ? kDot + 2 : kDot, isResult ? kDot + 2 : kDot);
        if (hasFocus() && i == m_current) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(theme.color(ColorRole::Selection), 2));
            painter.drawEllipse(line[i], kDot + 5, kDot + 5);
        }
    }
}

void TradeChart::mousePressEvent(QMouseEvent* event)
{
    const int dot = dotAt(event->position());
    if (dot < 0)
        return;
    m_current = dot;
    update();
    Q_EMIT dotChosen(dot);
}

void TradeChart::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_data.dots.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    m_current = std::clamp(m_current + step, 0, static_cast<int>(m_data.dots.size()) - 1);
    update();
    Q_EMIT dotChosen(m_current);
}

bool TradeChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int dot = dotAt(help->pos());
        if (dot >= 0)
            QToolTip::showText(help->globalPos(),
                               m_data.dots[static_cast<std::size_t>(dot)].details, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace pt2e::ui
