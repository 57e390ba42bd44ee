#include "ui/charts/ConvergenceChart.h"

#include "ui/charts/ChartCopy.h"
#include "ui/charts/Histogram.h"
#include "ui/render/Theme.h"
#include "ui/session/Appearance.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr double kLeastSpan = 1; ///< of a curve
}

ConvergenceChart::ConvergenceChart(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    offerCopyOf(*this);
}

void ConvergenceChart::setData(Data data)
{
    m_data = std::move(data);
    update();
}

QSize ConvergenceChart::sizeHint() const { return {200, 74 + 2 * fontMetrics().height()}; }

/// A number below each point.
void ConvergenceChart::paintBatches(QPainter& painter, const std::function<double(std::size_t)>& x,
                                    double top) const
{
    const double width = 4.0 * fontMetrics().averageCharWidth() + 12;
    for (std::size_t i = 0; i < m_data.batches.size(); ++i) {
        const double left = std::clamp(x(i) - width / 2, 0.0, this->width() - width);
        painter.drawText(QRectF(left, top, width, fontMetrics().height()),
                         static_cast<int>(i + 1 == m_data.batches.size() && left < x(i) - width / 2
                                              ? Qt::AlignRight
                                              : Qt::AlignHCenter)
                             | Qt::AlignTop,
                         QString::number(m_data.batches[i]));
    }
}

void ConvergenceChart::paintEvent(QPaintEvent*)
{
    const bool isBand = !m_data.high.empty();
    const std::vector<double>& upper = isBand ? m_data.high : m_data.low;
    const std::size_t count = std::min(m_data.low.size(), upper.size());
    if (count == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Appearance::instance().theme();
    double least = *std::min_element(m_data.low.begin(), m_data.low.end());
    double most = *std::max_element(upper.begin(), upper.end());
    // A curve that hardly moves is to look like that.
    const double slack = isBand ? 0 : std::max(0.0, kLeastSpan - (most - least)) / 2;
    least -= slack;
    most += slack;
    const int line = fontMetrics().height();
    const int names = std::max(fontMetrics().horizontalAdvance(numberText(least, 3)),
                               fontMetrics().horizontalAdvance(numberText(most, 3)))
                      + 8;
    const QRectF area = QRectF(rect()).adjusted(names, 10, -6, -4 - line);
    const auto x = [&](std::size_t i) {
        return count == 1
                   ? area.center().x()
                   : area.left()
                         + static_cast<double>(i) / static_cast<double>(count - 1) * area.width();
    };
    const auto y = [&](double value) {
        return most > least ? area.bottom() - (value - least) / (most - least) * area.height()
                            : area.center().y();
    };
    QPolygonF low;
    QPolygonF high;
    for (std::size_t i = 0; i < count; ++i) {
        low << QPointF(x(i), y(m_data.low[i]));
        high << QPointF(x(i), y(upper[i]));
    }
    QPolygonF band = high;
    std::for_each(low.rbegin(), low.rend(), [&](const QPointF& point) { band << point; });
    QColor fill = theme.color(ColorRole::Selection);
    fill.setAlphaF(theme.isDark() ? 0.35F : 0.2F);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawPolygon(band);
    painter.setBrush(theme.color(ColorRole::ObserverStroke));
    for (const QPolygonF& curve : {low, high}) {
        painter.setPen(QPen(theme.color(ColorRole::ObserverStroke), 1.5));
        painter.drawPolyline(curve);
        for (const QPointF& point : count <= 40 ? curve : QPolygonF())
            painter.drawEllipse(point, 2, 2);
    }
    painter.setPen(theme.color(ColorRole::MutedText));
    const auto beside = [&](double value) {
        painter.drawText(QRectF(0, std::clamp(y(value) - line / 2.0, 0.0, height() - 2.0 * line),
                                names - 6, line),
                         Qt::AlignRight | Qt::AlignVCenter, numberText(value, 3));
    };
    beside(most);
    beside(least);
    const auto below = [&](std::size_t i, Qt::Alignment side) {
        painter.drawText(QRectF(area.left() - 20, area.bottom() + 4, area.width() + 26, line),
                         static_cast<int>(side) | Qt::AlignTop, QString::number(i + 1));
    };
    if (m_data.batches.size() == count) {
        paintBatches(
            painter, [&](std::size_t i) { return x(i); }, area.bottom() + 4);
    } else {
        painter.drawText(QRectF(area.left() - 3, area.bottom() + 4, 20, line),
                         Qt::AlignLeft | Qt::AlignTop, QStringLiteral("1"));
        if (count > 1)
            below(count - 1, Qt::AlignRight);
    }
    if (m_data.enough > 1) {
        const auto named = std::find(m_data.batches.begin(), m_data.batches.end(), m_data.enough);
        const double at = x(named == m_data.batches.end()
                                ? static_cast<std::size_t>(m_data.enough) - 1
                                : static_cast<std::size_t>(named - m_data.batches.begin()));
        painter.setPen(QPen(theme.color(ColorRole::Text), 1, Qt::DashLine));
        painter.drawLine(QPointF(at, area.top() - 4), QPointF(at, area.bottom() + 3));
    }
}

} // namespace pt2e::ui
