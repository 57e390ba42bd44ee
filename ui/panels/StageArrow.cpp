#include "ui/panels/StageArrow.h"

#include "ui/session/Appearance.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace pt2e::ui {

namespace {
constexpr int kTip = 12; ///< how far the arrow's tip reaches into the next arrow
constexpr int kPadding = 22;
} // namespace

StageArrow::StageArrow(bool isFirst, QWidget* parent) : QAbstractButton(parent), m_isFirst(isFirst)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void StageArrow::setTexts(const QString& title, const QString& detail)
{
    setText(title);
    m_detail = detail;
    setAccessibleName(detail.isEmpty() ? title : title + QStringLiteral(": ") + detail);
    updateGeometry();
    update();
}

void StageArrow::setState(State state)
{
    m_state = state;
    update();
}

QSize StageArrow::sizeHint() const
{
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const int wide = std::max(QFontMetrics(bold).horizontalAdvance(text()),
                              fontMetrics().horizontalAdvance(m_detail));
    return {std::max(wide + kPadding + 2 * kTip, 120), fontMetrics().height() * 2 + 12};
}

QSize StageArrow::minimumSizeHint() const { return {sizeHint().width(), sizeHint().height()}; }

void StageArrow::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Appearance& look = Appearance::instance();
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
    QPainterPath path;
    path.moveTo(area.topLeft());
    path.lineTo(area.right() - kTip, area.top());
    path.lineTo(area.right(), area.center().y());
    path.lineTo(area.right() - kTip, area.bottom());
    path.lineTo(area.bottomLeft());
    if (!m_isFirst)
        path.lineTo(area.left() + kTip, area.center().y());
    path.closeSubpath();

    QColor fill = look.color(ColorRole::Canvas);
    QColor line = look.color(ColorRole::Line);
    if (m_state == State::Done || m_state == State::Alarm) {
        fill = look.color(ColorRole::Accent);
        fill.setAlphaF(look.theme().isDark() ? 0.22F : 0.11F);
        painter.fillPath(path, look.color(ColorRole::Canvas));
    }
    if (m_state == State::Alarm) {
        line = look.color(ColorRole::Alarm);
    } else if (m_state == State::Failed) {
        line = look.color(ColorRole::ObserverStroke);
    } else if (m_state == State::Running) {
        line = look.color(ColorRole::Accent);
    }
    painter.setPen(QPen(line, m_state == State::Running ? 1.6 : 1,
                        m_state == State::Covered ? Qt::DashLine : Qt::SolidLine));
    painter.setBrush(fill);
    painter.drawPath(path);
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(look.color(ColorRole::Selection), 2));
        painter.drawPath(path);
    }

    const bool isQuiet = m_state == State::Waiting || m_state == State::Covered;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const int left = m_isFirst ? kPadding : kPadding + kTip / 2;
    const int lineHeight = fontMetrics().height();
    const QRect upper(left, 6, width() - left, lineHeight);
    painter.setFont(bold);
    painter.setPen(look.color(isQuiet ? ColorRole::MutedText : ColorRole::Text));
    painter.drawText(upper, Qt::AlignLeft | Qt::AlignVCenter, text());
    painter.setFont(font());
    painter.setPen(look.color(m_state == State::Failed  ? ColorRole::ObserverText
                              : m_state == State::Alarm ? ColorRole::Alarm
                                                        : ColorRole::MutedText));
    painter.drawText(upper.translated(0, lineHeight), Qt::AlignLeft | Qt::AlignVCenter, m_detail);
}

} // namespace pt2e::ui
