// What the user likes, kept between runs: theme, language, large type, recent files and projects.
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
    /// The desktop is told when a long job has ended while another window is in front.
    bool tellsOfLongJobs() const { return m_tellsOfLongJobs; }
    QStringList recentFiles() const { return m_recentFiles; }
    QStringList recentProjects() const { return m_recentProjects; }

    void setTheme(ThemeChoice theme);
    void setLanguage(const QString& language);
    void setLargeType(bool large);
    void setTellsOfLongJobs(bool tells);
    void addRecentFile(const QString& path);
    void addRecentProject(const QString& path);
    void clearRecentFiles(); ///< and projects

    static constexpr int kMaxRecentFiles = 12;

Q_SIGNALS:
    void themeChanged();
    void languageChanged();
    void typeSizeChanged();
    void recentFilesChanged(); ///< or projects

private:
    void addRecent(QStringList& list, const QString& key, const QString& path);

    ThemeChoice m_theme = ThemeChoice::System;
    QString m_language;
    bool m_largeType = false;
    bool m_tellsOfLongJobs = true;
    QStringList m_recentFiles;
    QStringList m_recentProjects;
};

} // namespace pt2e::ui
