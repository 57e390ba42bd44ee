// Says that a long job has ended to someone who is looking at another window.
#pragma once

#include "ui/jobs/JobLog.h"
#include "ui/session/Preferences.h"

#include <QSystemTrayIcon>
#include <QWidget>

namespace pt2e::ui {

class JobNotice : public QObject
{
    Q_OBJECT
public:
    JobNotice(JobLog& log, const Preferences& preferences, QWidget& window);

    static constexpr int kLongMs = 10000;

Q_SIGNALS:
    /// What was told; also where the desktop has no place to show it.
    void told(const QString& title, const QString& text);

private:
    void tell(const QString& job, qint64 milliseconds);

    const Preferences& m_preferences;
    QWidget& m_window;
    QSystemTrayIcon* m_tray =
        nullptr; ///< made with the first message, gone once the window is looked at
};

} // namespace pt2e::ui
