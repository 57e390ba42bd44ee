// What the user likes, kept between runs: theme, language, large type, recent files.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

namespace pt2e::ui {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };

class Preferences : public QObject
{
    Q_OBJECT
public:
    /// Reads QSettings of the application.
    explicit Preferences(QObject* parent = nullptr);

    ThemeChoice theme() const { return m_theme; }
    /// "en" or "zh_TW".
    QString language() const { return m_language; }
    bool isTypeLarge() const { return m_largeType; }
    QStringList recentFiles() const { return m_recentFiles; }

    void setTheme(ThemeChoice theme);
    void setLanguage(const QString& language);
    void setLargeType(bool large);
    void addRecentFile(const QString& path);
    void clearRecentFiles();

    static constexpr int kMaxRecentFiles = 12;

Q_SIGNALS:
    void themeChanged();
    void languageChanged();
    void typeSizeChanged();
    void recentFilesChanged();

private:
    ThemeChoice m_theme = ThemeChoice::System;
    QString m_language;
    bool m_largeType = false;
    QStringList m_recentFiles;
};

} // namespace pt2e::ui
