#include "ui/charts/Legend.h"

#include "ui/session/Appearance.h"

#include <QPainter>

namespace pt2e::ui {

namespace {
constexpr int kSwatch = 14;
constexpr int kGap = 6;
constexpr int kBetween = 14;
} // namespace

Legend::Legend(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void Legend::setEntries(std::vector<Entry> entries)
{
    m_entries = std::move(entries);
    QStringList said;
    for (const Entry& entry : m_entries)
        said << entry.text;
    setAccessibleName(said.join(QStringLiteral(", ")));
    setToolTip(said.join(QLatin1Char('\n')));
    updateGeometry();
    update();
}

QSize Legend::sizeHint() const
{
    int width = 0;
    for (const Entry& entry : m_entries)
        width += kSwatch + kGap + fontMetrics().horizontalAdvance(entry.text) + kBetween;
    return {width, std::max(kSwatch, fontMetrics().height()) + 4};
}

void Legend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Appearance::instance().theme();
    int x = 0;
    for (const Entry& entry : m_entries) {
        const int wide = fontMetrics().horizontalAdvance(entry.text);
        if (x + kSwatch + kGap + wide > width())
            break; // what has no room is in the tool tip
        painter.setPen(theme.color(ColorRole::OpStroke));
        painter.setBrush(theme.color(overlayRole(entry.level)));
        painter.drawRoundedRect(
            QRectF(x + 0.5, (height() - kSwatch) / 2.0 + 0.5, kSwatch - 1, kSwatch - 1), 3, 3);
        x += kSwatch + kGap;
        painter.setPen(theme.color(ColorRole::MutedText));
        painter.drawText(QRect(x, 0, wide + 2, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         entry.text);
        x += wide + kBetween;
    }
}

} // namespace pt2e::ui
