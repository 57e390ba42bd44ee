#include "ui/session/Language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace pt2e::ui {

Language::Language(Preferences& preferences, QObject* parent)
    : QObject(parent),
      m_preferences(preferences)
{
    connect(&preferences, &Preferences::languageChanged, this, &Language::apply);
    apply();
}

Language::~Language()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
}

void Language::apply()
{
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_qt);
    const QString language = m_preferences.language();
    QLocale::setDefault(QLocale(language));
    // The English file holds nothing but plural forms.
    if (m_own.load(QStringLiteral(":/pt2e/i18n/pt2e_%1.qm").arg(language)))
        QCoreApplication::installTranslator(&m_own);
    if (language != QLatin1String("en")
        && m_qt.load(QStringLiteral("qtbase_") + language,
                     QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
}

} // namespace pt2e::ui
