#include "ui/charts/IntervalChart.h"

#include "ui/charts/ChartCopy.h"
#include "ui/session/Appearance.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pt2e::ui {

namespace {

constexpr int kGap = 10;
constexpr int kLeastPlot = 60;

QString percentText(double share) { return QString::number(100 * share, 'f', 2); }

QString valueText(const IntervalChart::Row& row)
{
    return QStringLiteral("%1 %").arg(percentText(row.value));
}

QString intervalText(const IntervalChart::Row& row)
{
    return QStringLiteral("%1\u2009–\u2009%2").arg(percentText(row.low), percentText(row.high));
}

} // namespace

IntervalChart::IntervalChart(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    offerCopyOf(*this);
}

void IntervalChart::setRows(std::vector<Row> rows)
{
    m_rows = std::move(rows);
    QStringList said;
    for (const Row& row : m_rows)
        said << QStringLiteral("%1 %2 (%3)").arg(row.name, valueText(row), intervalText(row));
    setAccessibleName(said.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

int IntervalChart::rowHeight() const { return fontMetrics().height() + 10; }

int IntervalChart::nameWidth() const
{
    int width = 0;
    for (const Row& row : m_rows)
        width = std::max(width, fontMetrics().horizontalAdvance(row.name));
    return width;
}

int IntervalChart::textWidth() const
{
    int width = 0;
    for (const Row& row : m_rows)
        width = std::max(width, fontMetrics().horizontalAdvance(valueText(row)) + kGap
                                    + fontMetrics().horizontalAdvance(intervalText(row)));
    return width;
}

QSize IntervalChart::sizeHint() const
{
    const int rows = static_cast<int>(m_rows.size());
    return {nameWidth() + textWidth() + 130 + 2 * kGap,
            rows * rowHeight() + fontMetrics().height() + 8};
}

QSize IntervalChart::minimumSizeHint() const
{
    return {nameWidth() + textWidth() + kLeastPlot + 2 * kGap, sizeHint().height()};
}

std::pair<double, double> IntervalChart::domain() const
{
    double low = 1;
    double high = 0;
    for (const Row& row : m_rows) {
        low = std::min(low, row.low);
        high = std::max(high, row.high);
    }
    const double margin = std::max(0.002, (high - low) * 0.08);
    return {std::max(0.0, low - margin), std::min(1.0, high + margin)};
}

void IntervalChart::paintEvent(QPaintEvent*)
{
    if (m_rows.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Appearance::instance().theme();
    const QRectF plot(nameWidth() + kGap, 0, width() - nameWidth() - textWidth() - 2 * kGap,
                      static_cast<double>(m_rows.size()) * rowHeight());
    const auto [low, high] = domain();
    const auto toX = [&, low = low, high = high](double share) {
        return plot.left() + (share - low) / (high - low) * plot.width();
    };
    painter.setPen(theme.color(ColorRole::Line));
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    // The first row is what the others are compared with.
    painter.setPen(QPen(theme.color(ColorRole::Line), 1, Qt::DashLine));
    painter.drawLine(QPointF(toX(m_rows.front().value), plot.top()),
                     QPointF(toX(m_rows.front().value), plot.bottom()));
    const int textTop = static_cast<int>(plot.bottom()) + 3;
    painter.setPen(theme.color(ColorRole::MutedText));
    const QRectF ticks(plot.left(), textTop, plot.width(), fontMetrics().height());
    painter.drawText(ticks, Qt::AlignLeft, QStringLiteral("%1 %").arg(percentText(low)));
    painter.drawText(ticks, Qt::AlignRight, percentText(high));
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const Row& row = m_rows[i];
        const QRectF line(0, static_cast<double>(i) * rowHeight(), width(), rowHeight());
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, row.name);
        const double y = line.center().y();
        painter.setPen(QPen(theme.color(ColorRole::QuantStroke), 2));
        painter.drawLine(QPointF(toX(row.low), y), QPointF(toX(row.high), y));
        for (const double end : {row.low, row.high})
            painter.drawLine(QPointF(toX(end), y - 4), QPointF(toX(end), y + 4));
        painter.setBrush(theme.color(ColorRole::QuantStroke));
        painter.drawEllipse(QPointF(toX(row.value), y), 4, 4);
        painter.setPen(theme.color(ColorRole::MutedText));
        painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, intervalText(row));
        painter.setPen(theme.color(ColorRole::Text));
        const int interval = fontMetrics().horizontalAdvance(intervalText(row)) + kGap;
        painter.drawText(line.adjusted(0, 0, -interval, 0), Qt::AlignRight | Qt::AlignVCenter,
                         valueText(row));
    }
}

} // namespace pt2e::ui
