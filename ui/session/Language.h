// The language of the window: installs the translators.
#pragma once

#include "ui/session/Preferences.h"

#include <QObject>
#include <QTranslator>

namespace pt2e::ui {

/// Follows the preferences. One per program, made before the first widget.
class Language : public QObject
{
    Q_OBJECT
public:
    explicit Language(Preferences& preferences, QObject* parent = nullptr);
    ~Language() override;

private:
    void apply();

    Preferences& m_preferences;
    QTranslator m_own;
    QTranslator m_qt; ///< Qt's own dialogs, where Qt's translations are installed
};

} // namespace pt2e::ui
