#include "ui/session/ModelWatch.h"

#include "core/data/FileHash.h"

#include <QFileInfo>

namespace pt2e::ui {

namespace {
constexpr int kRestMs = 250;
}

ModelWatch::ModelWatch(QObject* parent) : QObject(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, &ModelWatch::look);
    const auto start = [this] { m_rest.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, start);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, start);
}

void ModelWatch::watch(const QString& path)
{
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    m_rest.stop();
    m_path = path;
    m_known = m_seen = path.isEmpty() ? std::string() : stampOf(path.toStdString());
    if (!path.isEmpty() && QFileInfo::exists(path))
        // The folder, too: a file that is replaced by another one of its name is not watched any more.
        m_watcher.addPaths({path, QFileInfo(path).absolutePath()});
}

void ModelWatch::look()
{
    const std::string now = stampOf(m_path.toStdString());
    if (now.empty())
        return; // gone; it may come back
    if (!m_watcher.files().contains(m_path))
        m_watcher.addPath(m_path);
    if (now == m_known)
        return;
    if (now != m_seen) {
        m_seen = now;
        m_rest.start();
        return;
    }
    m_known = now;
    Q_EMIT changed();
}

} // namespace pt2e::ui
