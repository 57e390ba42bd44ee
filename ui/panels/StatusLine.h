// What is going on: the running job with its progress and Cancel, else the last message; engine and memory at the right.
#pragma once

#include "ui/jobs/JobLog.h"
#include "ui/session/Session.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace pt2e::ui {

class StatusLine : public QWidget
{
    Q_OBJECT
public:
    explicit StatusLine(Session& session, QWidget* parent = nullptr);

    void showMessage(const QString& message);
    QString message() const;
    void setEngine(const QString& text); ///< "LibTorch 2.13.0 · AVX2"
    QPushButton* cancelButton() const { return m_cancel; }

Q_SIGNALS:
    void said(const QString& message);

protected:
    void changeEvent(QEvent* event) override;
    void timerEvent(QTimerEvent* event) override;

private:
    void refresh();
    void refreshMemory();
    void retranslate();

    Session& m_session;
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_cancel;
    QLabel* m_engine;
    QLabel* m_memory;
    QString m_message;
    bool m_hasSpoken = false; ///< a message came since the timed job began
    QElapsedTimer m_sinceStart;
    std::uint64_t m_timedJob = 0;
    Remaining m_remaining;
    QTimer m_tick; ///< the rest goes down between two reports, too
};

} // namespace pt2e::ui
