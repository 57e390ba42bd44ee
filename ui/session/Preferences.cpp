#include "ui/session/Preferences.h"

#include <QFileInfo>
#include <QLocale>
#include <QSettings>

#include <algorithm>

namespace pt2e::ui {

namespace {

const QString kTells = QStringLiteral("tellOfLongJobs");
const QString kFiles = QStringLiteral("recentFiles");
const QString kProjects = QStringLiteral("recentProjects");

QString systemLanguage()
{
    const QStringList names = QLocale::system().uiLanguages();
    for (const QString& name : names) {
        if (name.startsWith(QLatin1String("zh-TW")) || name.startsWith(QLatin1String("zh-Hant"))
            || name.startsWith(QLatin1String("zh-HK")))
            return QStringLiteral("zh_TW");
        if (name.startsWith(QLatin1String("en")))
            break;
    }
    return QStringLiteral("en");
}

} // namespace

Preferences::Preferences(QObject* parent) : QObject(parent)
{
    const QSettings settings;
    const int theme = settings.value(QStringLiteral("theme"), 0).toInt();
    m_theme = static_cast<ThemeChoice>(std::clamp(theme, 0, 2));
    m_language = settings.value(QStringLiteral("language")).toString();
    if (m_language != QLatin1String("en") && m_language != QLatin1String("zh_TW"))
        m_language = systemLanguage();
    m_largeType = settings.value(QStringLiteral("largeType"), false).toBool();
    m_tellsOfLongJobs = settings.value(kTells, true).toBool();
    m_recentFiles = settings.value(kFiles).toStringList();
    m_recentProjects = settings.value(kProjects).toStringList();
}

void Preferences::setTheme(ThemeChoice theme)
{
    if (theme == m_theme)
        return;
    m_theme = theme;
    QSettings().setValue(QStringLiteral("theme"), static_cast<int>(theme));
    Q_EMIT themeChanged();
}

void Preferences::setLanguage(const QString& language)
{
    if (language == m_language)
        return;
    m_language = language;
    QSettings().setValue(QStringLiteral("language"), language);
    Q_EMIT languageChanged();
}

void Preferences::setLargeType(bool large)
{
    if (large == m_largeType)
        return;
    m_largeType = large;
    QSettings().setValue(QStringLiteral("largeType"), large);
    Q_EMIT typeSizeChanged();
}

void Preferences::setTellsOfLongJobs(bool tells)
{
    m_tellsOfLongJobs = tells;
    QSettings().setValue(kTells, tells);
}

void Preferences::addRecent(QStringList& list, const QString& key, const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    list.removeAll(absolute);
    list.prepend(absolute);
    while (list.size() > kMaxRecentFiles)
        list.removeLast();
    QSettings().setValue(key, list);
    Q_EMIT recentFilesChanged();
}

void Preferences::addRecentFile(const QString& path) { addRecent(m_recentFiles, kFiles, path); }

void Preferences::addRecentProject(const QString& path)
{
    addRecent(m_recentProjects, kProjects, path);
}

void Preferences::clearRecentFiles()
{
    m_recentFiles.clear();
    m_recentProjects.clear();
    QSettings().remove(kFiles);
    QSettings().remove(kProjects);
    Q_EMIT recentFilesChanged();
}

} // namespace pt2e::ui
