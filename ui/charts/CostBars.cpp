#include "ui/charts/CostBars.h"

#include "ui/charts/ChartCopy.h"
#include "ui/session/Appearance.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QToolTip>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kGap = 10;
constexpr int kLeastPlot = 80;
constexpr int kMostNames = 240;
constexpr int kLevels = 6; ///< of the overlay's scale from harmless to bad

/// As the overlay colours an error: from harmless to bad.
ColorRole roleOf(double length)
{
    const int level = std::clamp(static_cast<int>(length * kLevels), 0, kLevels - 1);
    return static_cast<ColorRole>(static_cast<int>(ColorRole::Overlay0) + level);
}

} // namespace

CostBars::CostBars(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    offerCopyOf(*this);
}

void CostBars::setRows(std::vector<Row> rows, Scale scale)
{
    m_rows = std::move(rows);
    m_scale = std::move(scale);
    m_hovered = -1;
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_rows.size()) - 1));
    QStringList said{m_scale.title};
    for (const Row& row : m_rows)
        said << row.name + QLatin1Char(' ') + row.text;
    setAccessibleName(said.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

void CostBars::setChosen(const QString& name)
{
    m_chosen = name;
    update();
}

int CostBars::rowHeight() const { return fontMetrics().height() + 7; }

int CostBars::headHeight() const { return fontMetrics().height() + 6; }

int CostBars::nameWidth() const
{
    int width = 0;
    for (const Row& row : m_rows)
        width = std::max(width, fontMetrics().horizontalAdvance(row.name));
    return std::min(width, std::max(kMostNames, this->width() / 2 - kLeastPlot));
}

int CostBars::textWidth() const
{
    int width = 0;
    for (const Row& row : m_rows)
        width = std::max(width, fontMetrics().horizontalAdvance(row.text));
    return width;
}

QRect CostBars::rowRect(int row) const
{
    return {0, headHeight() + row * rowHeight(), width(), rowHeight()};
}

QSize CostBars::sizeHint() const
{
    return {nameWidth() + textWidth() + 220 + 3 * kGap,
            headHeight() + static_cast<int>(m_rows.size()) * rowHeight() + 4};
}

QSize CostBars::minimumSizeHint() const
{
    return {std::min(nameWidth(), 140) + textWidth() + kLeastPlot + 3 * kGap, sizeHint().height()};
}

int CostBars::rowAt(const QPointF& position) const
{
    const int row = (static_cast<int>(position.y()) - headHeight()) / rowHeight();
    return position.y() >= headHeight() && row < static_cast<int>(m_rows.size()) ? row : -1;
}

void CostBars::paintRow(QPainter& painter, int number) const
{
    const Theme& theme = Appearance::instance().theme();
    const Row& row = m_rows[static_cast<std::size_t>(number)];
    const QRect line = rowRect(number);
    if (row.name == m_chosen) {
        QColor ground = theme.color(ColorRole::Selection);
        ground.setAlpha(40);
        painter.fillRect(line, ground);
    }
    const int names = nameWidth();
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(QRect(kGap, line.top(), names, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(row.name, Qt::ElideRight, names));
    const double plot = width() - names - textWidth() - 4.0 * kGap;
    const QRectF bar(names + 2.0 * kGap, line.top() + 3,
                     std::max(2.0, plot * std::clamp(row.length, 0.0, 1.0)), line.height() - 6);
    painter.setPen(QPen(theme.color(ColorRole::Line), 1));
    painter.setBrush(theme.color(roleOf(row.length)));
    painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(theme.color(ColorRole::Text));
    painter.drawText(QRectF(bar.right() + 6, line.top(), textWidth() + kGap, line.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, row.text);
    const bool isCurrent = hasFocus() && number == m_current;
    if (isCurrent || number == m_hovered) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.color(isCurrent ? ColorRole::Selection : ColorRole::Hover));
        painter.drawRect(QRectF(line).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void CostBars::paintEvent(QPaintEvent* event)
{
    if (m_rows.empty())
        return;
    QPainter painter(this);
    const Theme& theme = Appearance::instance().theme();
    const int left = nameWidth() + 2 * kGap;
    const double plot = width() - nameWidth() - textWidth() - 4.0 * kGap;
    const QRectF head(left, 0, plot, headHeight());
    painter.setPen(theme.color(ColorRole::MutedText));
    painter.drawText(QRectF(kGap, 0, nameWidth(), headHeight()), Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_scale.title, Qt::ElideRight, nameWidth()));
    painter.drawText(head, Qt::AlignLeft | Qt::AlignVCenter, m_scale.start);
    painter.drawText(head, Qt::AlignRight | Qt::AlignVCenter, m_scale.end);
    painter.setPen(theme.color(ColorRole::Line));
    painter.drawLine(QPointF(left - 0.5, headHeight()), QPointF(left - 0.5, height()));
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        if (rowRect(row).intersects(event->rect()))
            paintRow(painter, row);
    }
}

void CostBars::moveTo(int row)
{
    m_current = std::clamp(row, 0, std::max(0, static_cast<int>(m_rows.size()) - 1));
    for (QWidget* parent = parentWidget(); parent; parent = parent->parentWidget()) {
        if (auto* area = qobject_cast<QScrollArea*>(parent)) {
            const QPoint middle = rowRect(m_current).center();
            area->ensureVisible(middle.x(), middle.y(), 0, rowHeight());
            break;
        }
    }
    update();
}

void CostBars::mousePressEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position());
    if (row < 0)
        return;
    m_current = row;
    Q_EMIT rowChosen(row);
}

void CostBars::mouseMoveEvent(QMouseEvent* event)
{
    const int row = rowAt(event->position());
    if (row != m_hovered) {
        m_hovered = row;
        update();
    }
}

void CostBars::leaveEvent(QEvent*)
{
    m_hovered = -1;
    update();
}

void CostBars::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Up: moveTo(m_current - 1); return;
    case Qt::Key_Down: moveTo(m_current + 1); return;
    case Qt::Key_Home: moveTo(0); return;
    case Qt::Key_End: moveTo(static_cast<int>(m_rows.size()) - 1); return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (!m_rows.empty())
            Q_EMIT rowChosen(m_current);
        return;
    default: QWidget::keyPressEvent(event);
    }
}

bool CostBars::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int row = rowAt(help->pos());
        if (row >= 0)
            QToolTip::showText(help->globalPos(), m_rows[static_cast<std::size_t>(row)].details,
                               this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace pt2e::ui
