// The look of all widgets: palette and style sheet made from one Theme, and the sizes of type.
#pragma once

#include "ui/render/Theme.h"
#include "ui/session/Preferences.h"

#include <QObject>

namespace pt2e::ui {

/// One per program, made before the first widget. Follows the preferences and, for the system theme, the desktop.
class Appearance : public QObject
{
    Q_OBJECT
public:
    explicit Appearance(Preferences& preferences, QObject* parent = nullptr);

    const Theme& theme() const { return *m_theme; }
    QColor color(ColorRole role) const { return m_theme->color(role); }
    /// Size of body text in pixels: 12, or 16 with large type.
    int textSize() const;
    /// Factor on canvas zoom and paddings: 1, or 1.35 with large type.
    double scale() const;

    /// The one made; panels read colours from it.
    static const Appearance& instance();

Q_SIGNALS:
    void changed();

private:
    void apply();
    static bool systemIsDark();

    Preferences& m_preferences;
    const Theme* m_theme;
    bool m_systemIsDark = false;
};

} // namespace pt2e::ui
