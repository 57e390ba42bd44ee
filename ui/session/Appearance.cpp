#include "ui/session/Appearance.h"

#include "ui/render/Fonts.h"

#include <QApplication>
#include <QFile>
#include <QFont>
#include <QGuiApplication>
#include <QPalette>
#include <QStyle>
#include <QStyleHints>

#include <utility>

/// The macro must stand outside of all namespaces.
static void initResources() { Q_INIT_RESOURCE(pt2e); }

namespace pt2e::ui {

namespace {

Appearance* s_instance = nullptr;

QColor mixed(const QColor& a, const QColor& b, double shareOfB)
{
    const auto blend = [shareOfB](int x, int y) {
        return static_cast<int>(x * (1 - shareOfB) + y * shareOfB + 0.5);
    };
    return {blend(a.red(), b.red()), blend(a.green(), b.green()), blend(a.blue(), b.blue())};
}

QPalette paletteOf(const Theme& theme)
{
    QPalette palette;
    const QColor text = theme.color(ColorRole::Text);
    const QColor muted = theme.color(ColorRole::MutedText);
    const QColor card = theme.color(ColorRole::Canvas);
    const QColor window = theme.color(ColorRole::Window);
    palette.setColor(QPalette::Window, window);
    palette.setColor(QPalette::WindowText, text);
    palette.setColor(QPalette::Base, card);
    palette.setColor(QPalette::AlternateBase, mixed(card, window, 0.5));
    palette.setColor(QPalette::Text, text);
    palette.setColor(QPalette::PlaceholderText, muted);
    palette.setColor(QPalette::Button, mixed(card, window, 0.6));
    palette.setColor(QPalette::ButtonText, text);
    palette.setColor(QPalette::ToolTipBase, card);
    palette.setColor(QPalette::ToolTipText, text);
    palette.setColor(QPalette::Highlight, mixed(card, theme.color(ColorRole::Selection), 0.28));
    palette.setColor(QPalette::HighlightedText, text);
    palette.setColor(QPalette::Link, theme.color(ColorRole::QuantText));
    palette.setColor(QPalette::Mid, theme.color(ColorRole::Line));
    palette.setColor(QPalette::Light, card);
    palette.setColor(QPalette::Midlight, theme.color(ColorRole::Line));
    palette.setColor(QPalette::Dark, theme.color(ColorRole::Line));
    palette.setColor(QPalette::Shadow, theme.color(ColorRole::Line));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, mixed(muted, window, 0.35));
    return palette;
}

QString styleSheetOf(const Theme& theme, int textSize)
{
    QFile file(QStringLiteral(":/pt2e/style.qss"));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    QString sheet = QString::fromUtf8(file.readAll());
    const QColor card = theme.color(ColorRole::Canvas);
    const QColor window = theme.color(ColorRole::Window);
    const QColor accent = theme.color(ColorRole::Accent);
    const QColor selection = theme.color(ColorRole::Selection);
    const std::pair<const char*, QString> values[] = {
        {"@window@", window.name()},
        {"@card@", card.name()},
        {"@field@", mixed(card, window, theme.isDark() ? 0.5 : 0.7).name()},
        {"@line@", theme.color(ColorRole::Line).name()},
        {"@text@", theme.color(ColorRole::Text).name()},
        {"@muted@", theme.color(ColorRole::MutedText).name()},
        {"@disabled@", mixed(theme.color(ColorRole::MutedText), card, 0.45).name()},
        {"@accent@", accent.name()},
        {"@accentHover@", mixed(accent, theme.color(ColorRole::Text), 0.12).name()},
        {"@accentSoft@", mixed(card, accent, 0.13).name()},
        {"@accentText@", theme.color(ColorRole::AccentText).name()},
        {"@accentInk@", (theme.isDark() ? accent : mixed(accent, Qt::black, 0.25)).name()},
        {"@hover@", mixed(card, theme.color(ColorRole::Text), 0.06).name()},
        {"@row@", mixed(card, selection, theme.isDark() ? 0.30 : 0.16).name()},
        {"@focus@", selection.name()},
        {"@link@", theme.color(ColorRole::QuantText).name()},
        {"@warn@", theme.color(ColorRole::ObserverText).name()},
        {"@alarm@", theme.color(ColorRole::Alarm).name()},
        {"@scroll@", mixed(card, theme.color(ColorRole::Text), 0.22).name()},
        {"@mode@", theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light")},
        {"@px@", QString::number(textSize) + QStringLiteral("px")},
        {"@small@", QString::number(textSize - 1) + QStringLiteral("px")},
        {"@big@", QString::number(textSize + 3) + QStringLiteral("px")},
        {"@huge@", QString::number(textSize * 2) + QStringLiteral("px")},
    };
    for (const auto& [key, value] : values)
        sheet.replace(QLatin1String(key), value);
    return sheet;
}

} // namespace

Appearance::Appearance(Preferences& preferences, QObject* parent)
    : QObject(parent),
      m_preferences(preferences),
      m_theme(&Theme::light()),
      m_systemIsDark(systemIsDark())
{
    s_instance = this;
    initResources();
    QApplication::setStyle(QStringLiteral("Fusion"));
    connect(&m_preferences, &Preferences::themeChanged, this, &Appearance::apply);
    connect(&m_preferences, &Preferences::typeSizeChanged, this, &Appearance::apply);
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, this, [this] {
        m_systemIsDark = systemIsDark();
        apply();
    });
#endif
    apply();
}

bool Appearance::systemIsDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
#endif
}

int Appearance::textSize() const { return m_preferences.isTypeLarge() ? 16 : 12; }

double Appearance::scale() const { return m_preferences.isTypeLarge() ? 1.35 : 1.0; }

const Appearance& Appearance::instance()
{
    Q_ASSERT(s_instance);
    return *s_instance;
}

void Appearance::apply()
{
    const bool isDark = m_preferences.theme() == ThemeChoice::Dark
                        || (m_preferences.theme() == ThemeChoice::System && m_systemIsDark);
    m_theme = isDark ? &Theme::dark() : &Theme::light();
    QFont font;
    font.setFamilies(sansFamilies());
    font.setPixelSize(textSize());
    QApplication::setFont(font);
    QApplication::setPalette(paletteOf(*m_theme));
    qApp->setStyleSheet(styleSheetOf(*m_theme, textSize()));
    Q_EMIT changed();
}

} // namespace pt2e::ui
