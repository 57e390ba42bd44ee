// Notices that somebody else writes to the file of the open model. GUI thread only.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <string>

namespace pt2e::ui {

class ModelWatch : public QObject
{
    Q_OBJECT
public:
    explicit ModelWatch(QObject* parent = nullptr);
    /// As it is now, it is what is known; empty: nothing to watch.
    void watch(const QString& path);

Q_SIGNALS:
    /// The file is another one than it was, and has been at rest for a moment. Once per change.
    void changed();

private:
    void look();

    QFileSystemWatcher m_watcher;
    QTimer m_rest; ///< runs while the file may still be written to
    QString m_path;
    std::string m_known; ///< stampOf() it
    std::string m_seen; ///< and when it was looked at last
};

} // namespace pt2e::ui
