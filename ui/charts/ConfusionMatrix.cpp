#include "ui/charts/ConfusionMatrix.h"

#include "ui/charts/ChartCopy.h"
#include "ui/session/Appearance.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pt2e::ui {

namespace {

constexpr int kGap = 8;
constexpr int kTextCell = 13; ///< cells lower than this have no number in them

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto of = [share](float x, float y) {
        return static_cast<float>((1 - share) * static_cast<double>(x)
                                  + share * static_cast<double>(y));
    };
    return QColor::fromRgbF(of(a.redF(), b.redF()), of(a.greenF(), b.greenF()),
                            of(a.blueF(), b.blueF()));
}

} // namespace

ConfusionMatrix::ConfusionMatrix(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    offerCopyOf(*this);
    measureLabels();
}

void ConfusionMatrix::setCounts(Counts counts, QStringList classNames)
{
    m_counts = std::move(counts);
    m_names = std::move(classNames);
    m_chosen.reset();
    m_hovered.reset();
    m_current = {0, 0};
    measureLabels();
    m_mostRight = m_mostWrong = 1;
    for (std::size_t label = 0; label < m_counts.size(); ++label) {
        for (std::size_t predicted = 0; predicted < m_counts[label].size(); ++predicted) {
            std::int64_t& most = label == predicted ? m_mostRight : m_mostWrong;
            most = std::max(most, m_counts[label][predicted]);
        }
    }
    updateGeometry();
    update();
}

void ConfusionMatrix::setChosen(std::optional<Cell> cell)
{
    m_chosen = cell;
    if (cell)
        m_current = *cell;
    update();
}

void ConfusionMatrix::measureLabels()
{
    int width = 0;
    for (const QString& name : m_names)
        width = std::max(width, fontMetrics().horizontalAdvance(name));
    const int number =
        fontMetrics().horizontalAdvance(QString::number(std::max(0, classes() - 1))) + 6;
    m_labelWidth = std::min(width, 160) + number + kGap + 4;
}

int ConfusionMatrix::headHeight() const { return fontMetrics().height() + 4; }

QSizeF ConfusionMatrix::cellSize() const
{
    if (m_counts.empty())
        return {};
    constexpr double kWidest = 64;
    constexpr double kHighest = 34;
    return {std::clamp((width() - labelWidth() - 2.0) / classes(), 3.0, kWidest),
            std::clamp((height() - headHeight() - 2.0) / classes(), 3.0, kHighest)};
}

QRect ConfusionMatrix::cellRect(Cell cell) const
{
    const QSizeF size = cellSize();
    const auto x = [&](int i) {
        return labelWidth() + static_cast<int>(std::lround(i * size.width()));
    };
    const auto y = [&](int i) {
        return headHeight() + static_cast<int>(std::lround(i * size.height()));
    };
    return {QPoint(x(cell.second), y(cell.first)),
            QPoint(x(cell.second + 1) - 1, y(cell.first + 1) - 1)};
}

std::optional<ConfusionMatrix::Cell> ConfusionMatrix::cellAt(const QPointF& position) const
{
    const QSizeF size = cellSize();
    if (size.isEmpty() || position.x() < labelWidth() || position.y() < headHeight())
        return std::nullopt;
    const Cell cell(static_cast<int>((position.y() - headHeight()) / size.height()),
                    static_cast<int>((position.x() - labelWidth()) / size.width()));
    return cell.first < classes() && cell.second < classes() ? std::optional(cell) : std::nullopt;
}

QString ConfusionMatrix::sentence(Cell cell) const
{
    const auto& row = m_counts[static_cast<std::size_t>(cell.first)];
    const std::int64_t all = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    const std::int64_t count = row[static_cast<std::size_t>(cell.second)];
    return cell.first == cell.second
               ? tr("%1 of %2 samples of %3 are recognised")
                     .arg(count)
                     .arg(all)
                     .arg(m_names.value(cell.first))
               : tr("%1 of %2 samples of %3 are taken for %4")
                     .arg(count)
                     .arg(all)
                     .arg(m_names.value(cell.first), m_names.value(cell.second));
}

QSize ConfusionMatrix::sizeHint() const
{
    return {labelWidth() + classes() * 30 + 2, headHeight() + classes() * 20 + 2};
}

QSize ConfusionMatrix::minimumSizeHint() const
{
    // Of many classes the cells become dots; more than that has to be scrolled.
    const bool hasDots = classes() > 40;
    const QString longest = QString::number(std::max(m_mostRight, m_mostWrong));
    const int high = hasDots ? 3 : fontMetrics().height() + 1;
    const int wide = hasDots ? 3 : std::max(fontMetrics().horizontalAdvance(longest) + 2, high);
    return {labelWidth() + classes() * wide + 2, headHeight() + classes() * high + 2};
}

void ConfusionMatrix::paintCell(QPainter& painter, Cell cell) const
{
    const Theme& theme = Appearance::instance().theme();
    const QRect rect = cellRect(cell);
    const std::int64_t count =
        m_counts[static_cast<std::size_t>(cell.first)][static_cast<std::size_t>(cell.second)];
    const bool isRight = cell.first == cell.second;
    const double share =
        static_cast<double>(count) / static_cast<double>(isRight ? m_mostRight : m_mostWrong);
    const QColor ground = theme.color(ColorRole::Canvas);
    const QColor hue = theme.color(isRight ? ColorRole::QuantStroke : ColorRole::Hatch);
    const QColor fill =
        count == 0 ? mixed(ground, theme.color(ColorRole::Text), 0.03)
                   : mixed(ground, hue, 0.12 + (theme.isDark() ? 0.36 : 0.46) * std::sqrt(share));
    const int gap = rect.height() >= 8 ? 1 : 0;
    painter.fillRect(rect.adjusted(0, 0, -gap, -gap), fill);
    if (rect.height() >= kTextCell && count > 0) {
        const QColor text = theme.color(ColorRole::Text);
        painter.setPen(contrastRatio(text, fill) >= contrastRatio(ground, fill) ? text : ground);
        painter.drawText(rect, Qt::AlignCenter, QString::number(count));
    }
}

void ConfusionMatrix::paintEvent(QPaintEvent* event)
{
    if (m_counts.empty())
        return;
    QPainter painter(this);
    const Theme& theme = Appearance::instance().theme();
    const bool hasTexts = cellSize().height() >= fontMetrics().height() - 2;
    const int number =
        fontMetrics().horizontalAdvance(QString::number(std::max(0, classes() - 1))) + 6;
    for (int i = 0; hasTexts && i < classes(); ++i) {
        const QRect row = cellRect({i, 0});
        const QRect text(0, row.top(), labelWidth() - kGap - number, row.height());
        painter.setPen(theme.color(ColorRole::Text));
        painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter,
                         fontMetrics().elidedText(m_names.value(i), Qt::ElideRight, text.width()));
        painter.setPen(theme.color(ColorRole::MutedText));
        painter.drawText(QRect(labelWidth() - kGap - number, row.top(), number, row.height()),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(i));
        const QRect column = cellRect({0, i});
        painter.drawText(QRect(column.left(), 0, column.width(), headHeight()), Qt::AlignCenter,
                         QString::number(i));
    }
    for (int label = 0; label < classes(); ++label) {
        if (!cellRect({label, 0})
                 .united(cellRect({label, classes() - 1}))
                 .intersects(event->rect()))
            continue;
        for (int predicted = 0; predicted < classes(); ++predicted)
            paintCell(painter, {label, predicted});
    }
    const auto frame = [&](const std::optional<Cell>& cell, const QColor& color, double width) {
        if (!cell)
            return;
        painter.setPen(QPen(color, width));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(cellRect(*cell)).adjusted(0.5, 0.5, -0.5, -0.5));
    };
    frame(m_hovered, theme.color(ColorRole::Hover), 1.5);
    frame(m_chosen, theme.color(ColorRole::Text), 2);
    if (hasFocus())
        frame(m_current, theme.color(ColorRole::Selection), 2);
}

void ConfusionMatrix::mousePressEvent(QMouseEvent* event)
{
    if (const auto cell = cellAt(event->position())) {
        m_current = *cell;
        Q_EMIT cellChosen(cell->first, cell->second);
    }
}

void ConfusionMatrix::mouseMoveEvent(QMouseEvent* event)
{
    const auto cell = cellAt(event->position());
    if (cell != m_hovered) {
        m_hovered = cell;
        update();
    }
}

void ConfusionMatrix::leaveEvent(QEvent* event)
{
    m_hovered.reset();
    update();
    QWidget::leaveEvent(event);
}

void ConfusionMatrix::moveTo(Cell cell)
{
    m_current = {std::clamp(cell.first, 0, classes() - 1),
                 std::clamp(cell.second, 0, classes() - 1)};
    setAccessibleDescription(sentence(m_current));
    update();
}

void ConfusionMatrix::keyPressEvent(QKeyEvent* event)
{
    const auto [label, predicted] = m_current;
    if (m_counts.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Left: moveTo({label, predicted - 1}); return;
    case Qt::Key_Right: moveTo({label, predicted + 1}); return;
    case Qt::Key_Up: moveTo({label - 1, predicted}); return;
    case Qt::Key_Down: moveTo({label + 1, predicted}); return;
    case Qt::Key_Space:
    case Qt::Key_Return:
    case Qt::Key_Enter: Q_EMIT cellChosen(label, predicted); return;
    default: QWidget::keyPressEvent(event);
    }
}

bool ConfusionMatrix::event(QEvent* event)
{
    if (event->type() == QEvent::FontChange)
        measureLabels();
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto cell = cellAt(help->pos());
        if (cell)
            QToolTip::showText(help->globalPos(), sentence(*cell), this, cellRect(*cell));
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace pt2e::ui
