// Journals of what is not saved: this window's own, and those that a crash left behind. GUI thread only; the disk is
// waited for on a lane.
#pragma once

#include "core/pipeline/Journal.h"
#include "ui/session/Document.h"

#include <QLockFile>
#include <QObject>
#include <QTimer>

#include <memory>
#include <vector>

namespace pt2e::ui {

class Autosave : public QObject
{
    Q_OBJECT
public:
    /// Both must outlive it.
    Autosave(Document& document, JobRunner& jobs, QObject* parent = nullptr);
    ~Autosave() override;

    /// Work that somebody lost, newest first. It is reserved for this window until that ends.
    struct Found
    {
        QString path;
        std::unique_ptr<QLockFile> lock;
        JournalHistory history;
    };
    const std::vector<Found>& found() const { return m_found; }
    /// Looks for such work: journals whose owner has died.
    void scan();
    /// Opens the newest. Its journal stays until the work stands in this window's own.
    void recoverNewest();
    void discardNewest();
    /// The user has decided what is to become of the present work: nothing is left to recover.
    void end();

    /// In the user's folder for data of this application.
    static QString folder();

Q_SIGNALS:
    void foundChanged();
    /// The journal cannot be written; once until it can be again.
    void failed(const QString& message);

private:
    void record();
    void recordAll();
    void restart(bool isRecovered);
    void append(const JournalEntry& entry);
    void sync();

    Document& m_document;
    JobRunner& m_jobs;
    std::unique_ptr<QLockFile> m_lock; ///< of m_journal, as long as it has one
    std::unique_ptr<Journal> m_journal;
    QTimer m_sync;
    QTimer m_view;
    std::vector<Found> m_found;
    QString m_recovering; ///< path of the one that is being opened
    bool m_hasFailed = false;
};

} // namespace pt2e::ui
