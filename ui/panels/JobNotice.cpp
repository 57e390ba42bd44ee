#include "ui/panels/JobNotice.h"

#include <QApplication>
#include <QWindow>

namespace pt2e::ui {

JobNotice::JobNotice(JobLog& log, const Preferences& preferences, QWidget& window)
    : QObject(&window),
      m_preferences(preferences),
      m_window(window)
{
    connect(&log, &JobLog::ended, this, &JobNotice::tell);
    connect(qApp, &QApplication::focusWindowChanged, this, [this] {
        if (m_tray && m_window.isActiveWindow())
            m_tray->hide();
    });
}

void JobNotice::tell(const QString& job, qint64 milliseconds)
{
    if (milliseconds < kLongMs || !m_preferences.tellsOfLongJobs() || m_window.isActiveWindow())
        return;
    const QString text = tr("Done after %1").arg(durationText(milliseconds));
    QApplication::alert(&m_window);
    if (QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages()) {
        if (!m_tray) {
            m_tray = new QSystemTrayIcon(QApplication::windowIcon(), this);
            m_tray->setToolTip(m_window.windowTitle());
            const auto show = [this] {
                m_window.raise();
                m_window.activateWindow();
            };
            connect(m_tray, &QSystemTrayIcon::messageClicked, this, show);
            connect(m_tray, &QSystemTrayIcon::activated, this, show);
        }
        m_tray->show();
        m_tray->showMessage(job, text, QApplication::windowIcon());
    }
    Q_EMIT told(job, text);
}

} // namespace pt2e::ui
