#include "ui/session/Autosave.h"

#include <QDir>
#include <QStandardPaths>
#include <QUuid>

#include <algorithm>

namespace pt2e::ui {

namespace {

constexpr int kSyncMs = 1000; ///< at most so often
constexpr int kViewMs = 500; ///< what is seen is written when it rests
const QString kSuffix = QStringLiteral(".journal");

QString lockOf(const QString& journal)
{
    return journal.left(journal.size() - kSuffix.size()) + QStringLiteral(".lock");
}

/// Taken by this process, or null: its owner lives.
std::unique_ptr<QLockFile> takeLock(const QString& path)
{
    auto lock = std::make_unique<QLockFile>(path);
    lock->setStaleLockTime(0); // a living owner keeps it however long it lives
    return lock->tryLock(0) ? std::move(lock) : nullptr;
}

void removeJournal(const QString& path)
{
    QFile::remove(path);
    QFile::remove(path + QStringLiteral(".new"));
}

} // namespace

QString Autosave::folder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation)
           + QStringLiteral("/journals");
}

Autosave::Autosave(Document& document, JobRunner& jobs, QObject* parent)
    : QObject(parent),
      m_document(document),
      m_jobs(jobs)
{
    m_sync.setSingleShot(true);
    m_sync.setInterval(kSyncMs);
    m_view.setSingleShot(true);
    m_view.setInterval(kViewMs);
    connect(&document, &Document::edited, this, &Autosave::record);
    connect(&document, &Document::replaced, this, &Autosave::restart);
    connect(&document, &Document::viewed, this, [this] {
        if (m_journal)
            m_view.start();
    });
    connect(&m_view, &QTimer::timeout, this, &Autosave::record);
    connect(&m_sync, &QTimer::timeout, this, &Autosave::sync);
}

/// What was neither saved nor given up is offered again, as after a crash.
Autosave::~Autosave() = default;

// ---- this window's own

void Autosave::record()
{
    if (!m_journal && !m_document.isModified())
        return;
    if (m_journal && !m_journal->isEmpty())
        append(m_document.entry());
    else
        recordAll();
}

/// Begins a journal: the steps there are, then what is now.
void Autosave::recordAll()
{
    if (!m_journal) {
        const QString name = QUuid::createUuid().toString(QUuid::Id128);
        const QString path = folder() + QLatin1Char('/') + name + kSuffix;
        QDir().mkpath(folder());
        m_lock = takeLock(lockOf(path));
        if (!m_lock) {
            if (!std::exchange(m_hasFailed, true))
                Q_EMIT failed(tr("%1: cannot be written").arg(folder()));
            return;
        }
        m_journal = std::make_unique<Journal>(path.toStdString());
    }
    const JournalEntry now = m_document.entry();
    const std::vector<JournalStep> steps = m_document.history();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        JournalEntry entry = now;
        entry.index = static_cast<std::int64_t>(i);
        entry.text = steps[i].text;
        entry.project.recipe = steps[i].recipe;
        entry.project.marks = steps[i].marks;
        append(entry);
    }
    append(now);
}

void Autosave::append(const JournalEntry& entry)
{
    const Result<void> written = m_journal->append(entry);
    if (!m_sync.isActive())
        m_sync.start();
    if (!written && !m_hasFailed)
        Q_EMIT failed(QString::fromStdString(written.error().message()));
    m_hasFailed = !written;
}

void Autosave::sync()
{
    std::function<Result<void>()> pending = m_journal ? m_journal->pendingSync() : nullptr;
    if (!pending)
        return;
    m_jobs.start(
        Lane::Interactive, QStringLiteral("journal"), {},
        [this, pending = std::move(pending), journal = m_journal->path()](JobPort&) -> Delivery {
            const Result<void> synced = pending();
            return [this, synced, journal] {
                if (!m_journal || m_journal->path() != journal)
                    return;
                const Result<void> placed = synced ? m_journal->synced() : synced;
                if (!placed && !std::exchange(m_hasFailed, true))
                    Q_EMIT failed(QString::fromStdString(placed.error().message()));
            };
        });
}

void Autosave::end()
{
    m_view.stop();
    m_sync.stop();
    if (m_journal)
        m_journal->remove();
    m_journal = nullptr;
    m_lock = nullptr;
}

/// Another piece of work is open. Whoever opened it has asked what is to become of the one before.
void Autosave::restart(bool isRecovered)
{
    end();
    if (!isRecovered)
        return;
    recordAll();
    const auto taken = std::find_if(m_found.begin(), m_found.end(), [this](const Found& found) {
        return found.path == m_recovering;
    });
    if (taken == m_found.end() || m_hasFailed)
        return; // it stays where it is
    removeJournal(taken->path);
    m_found.erase(taken);
    Q_EMIT foundChanged();
}

// ---- what others left

void Autosave::scan()
{
    const QDir folder(Autosave::folder());
    for (const QString& name : folder.entryList({QLatin1Char('*') + kSuffix}, QDir::Files)) {
        const QString path = folder.filePath(name);
        std::unique_ptr<QLockFile> lock = takeLock(lockOf(path));
        if (!lock)
            continue;
        Result<JournalHistory> history = readJournal(path.toStdString());
        if (!history)
            continue; // another version's
        if (history->isEmpty() || !history->last().isModified)
            removeJournal(path);
        else
            m_found.push_back({path, std::move(lock), std::move(*history)});
    }
    std::sort(m_found.begin(), m_found.end(), [](const Found& a, const Found& b) {
        return a.history.last().time > b.history.last().time;
    });
    Q_EMIT foundChanged();
}

void Autosave::recoverNewest()
{
    if (m_found.empty())
        return;
    m_recovering = m_found.front().path;
    m_document.recover(m_found.front().history);
}

void Autosave::discardNewest()
{
    if (m_found.empty())
        return;
    removeJournal(m_found.front().path);
    m_found.erase(m_found.begin());
    Q_EMIT foundChanged();
}

} // namespace pt2e::ui
