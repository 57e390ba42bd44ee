// MainWindow: the menus of how things look: overlays, theme, language, large type.
#include "ui/panels/MainWindow.h"
#include "ui/session/Overlays.h"

#include <QActionGroup>
#include <QMenu>

namespace pt2e::ui {

void MainWindow::makeOverlayMenu(QMenu* view)
{
    QMenu* menu = view->addMenu(QString());
    m_texts.push_back({menu->menuAction(), QT_TRANSLATE_NOOP("Menu", "O&verlay")});
    auto* group = new QActionGroup(this);
    const std::pair<const char*, std::optional<OverlayKind>> kOverlays[] = {
        {QT_TRANSLATE_NOOP("Menu", "No overlay"), std::nullopt},
        {QT_TRANSLATE_NOOP("Menu", "Overlay: error"), OverlayKind::Error},
        {QT_TRANSLATE_NOOP("Menu", "Overlay: engine"), OverlayKind::Engine},
        {QT_TRANSLATE_NOOP("Menu", "Overlay: time"), OverlayKind::Time},
        {QT_TRANSLATE_NOOP("Menu", "Overlay: weight bytes"), OverlayKind::Bytes},
    };
    for (const auto& [text, kind] : kOverlays) {
        QAction* action =
            addAction(menu, text, {}, [this, kind = kind] { m_overlays->show(kind); });
        action->setCheckable(true);
        action->setChecked(!kind);
        group->addAction(action);
        m_needModel.push_back(action);
        connect(m_overlays, &Overlays::changed, action,
                [this, action, kind = kind] { action->setChecked(m_overlays->kind() == kind); });
    }
}

void MainWindow::makePreferenceMenus(QMenu* view)
{
    QMenu* themes = view->addMenu(QString());
    m_texts.push_back({themes->menuAction(), QT_TRANSLATE_NOOP("Menu", "T&heme")});
    auto* themeGroup = new QActionGroup(this);
    const std::pair<const char*, ThemeChoice> kThemes[] = {
        {QT_TRANSLATE_NOOP("Menu", "As the system"), ThemeChoice::System},
        {QT_TRANSLATE_NOOP("Menu", "Light theme"), ThemeChoice::Light},
        {QT_TRANSLATE_NOOP("Menu", "Dark theme"), ThemeChoice::Dark},
    };
    for (const auto& [text, choice] : kThemes) {
        QAction* action = addAction(themes, text, {},
                                    [this, choice = choice] { m_preferences.setTheme(choice); });
        action->setCheckable(true);
        action->setChecked(m_preferences.theme() == choice);
        themeGroup->addAction(action);
    }
    QMenu* languages = view->addMenu(QString());
    m_texts.push_back({languages->menuAction(), QT_TRANSLATE_NOOP("Menu", "&Language")});
    auto* languageGroup = new QActionGroup(this);
    // Each language in its own words, whatever the window's language is.
    const std::pair<QString, QString> kLanguages[] = {
        {QStringLiteral("English"), QStringLiteral("en")},
        {QStringLiteral("繁體中文"), QStringLiteral("zh_TW")}};
    for (const auto& [name, code] : kLanguages) {
        QAction* action = languages->addAction(
            name, this, [this, code = code] { m_preferences.setLanguage(code); });
        action->setObjectName(QStringLiteral("language.") + code);
        action->setCheckable(true);
        action->setChecked(m_preferences.language() == code);
        languageGroup->addAction(action);
        m_commands.push_back(action);
    }
    QAction* tells =
        addAction(view, QT_TRANSLATE_NOOP("Menu", "Tell when a long job ends"), {},
                  [this] { m_preferences.setTellsOfLongJobs(!m_preferences.tellsOfLongJobs()); });
    tells->setCheckable(true);
    tells->setChecked(m_preferences.tellsOfLongJobs());
    QAction* large = addAction(view, QT_TRANSLATE_NOOP("Menu", "Lar&ge type"),
                               QKeySequence(QStringLiteral("Ctrl+Shift+L")), [this] {
                                   m_preferences.setLargeType(!m_preferences.isTypeLarge());
                               });
    large->setCheckable(true);
    large->setChecked(m_preferences.isTypeLarge());
    connect(&m_preferences, &Preferences::typeSizeChanged, large,
            [this, large] { large->setChecked(m_preferences.isTypeLarge()); });
}

} // namespace pt2e::ui
