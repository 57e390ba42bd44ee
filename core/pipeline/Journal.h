// What was done since the last save, on disk step by step, so that a crash loses nothing: an append-only file of whole
// records. A record holds all that a project would, with its place in the history of undo; one that was torn by a crash
// is recognised by its checksum and ignored with what stands behind it.
#pragma once

#include "core/pipeline/Project.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pt2e {

/// What one record says.
struct JournalEntry
{
    std::int64_t index = 0; ///< place in the history: 0 is what it began with
    std::string text; ///< name of the step that led there; empty at its beginning
    std::int64_t time = 0; ///< ms since 1970, UTC
    bool isModified = false; ///< the project file does not hold it
    std::string projectFile; ///< empty: it was never saved
    Project project;
};

/// What undo and redo step through.
struct JournalStep
{
    std::string text;
    Recipe recipe;
    NodeMarks marks;
};

/// The history as the records tell it, and the last of them.
class JournalHistory
{
public:
    /// A new step cuts off those behind it; undo, redo and what is no step only move or change the present one.
    void apply(const JournalEntry& entry);
    bool isEmpty() const { return m_steps.empty(); }
    /// At least one: the first is what the others were made from.
    const std::vector<JournalStep>& steps() const { return m_steps; }
    std::size_t current() const { return m_current; } ///< in steps()
    const JournalEntry& last() const { return m_last; }

private:
    std::vector<JournalStep> m_steps;
    std::size_t m_current = 0;
    std::int64_t m_base = 0; ///< index of steps()[0]
    JournalEntry m_last;
};

/// A journal that is being written. One thread, except for what pendingSync() returns. The file stays unless remove() is
/// called.
class Journal
{
public:
    /// The file is created at the first append().
    explicit Journal(std::string path) : m_path(std::move(path)) {}
    Journal(Journal&&) noexcept = default;
    Journal& operator=(Journal&&) = delete;

    const std::string& path() const { return m_path; }
    bool isEmpty() const { return m_history.isEmpty(); }
    /// Written at once, but not yet synced: the end of this program cannot lose it, that of the machine can. A record that
    /// cannot be written whole (full disk) leaves no part of itself.
    Result<void> append(const JournalEntry& entry);

    /// Brings what was appended so far to the disk; for any thread, and it may be run when the journal is gone. Empty:
    /// nothing to do. Behind its success, synced() is called.
    std::function<Result<void>()> pendingSync();
    /// A file that had become too large is replaced by a shorter one with the same present and the newest of the history:
    /// begun by append(), put in place here, when it is safely on the disk.
    Result<void> synced();
    /// Nothing is left to recover; append() begins anew.
    void remove();

    static constexpr std::int64_t kCompactAt = std::int64_t{1} << 20; ///< bytes

private:
    struct File;
    Result<void> begin();
    Result<void> beginCompaction();

    std::string m_path;
    std::shared_ptr<File> m_file;
    std::shared_ptr<File> m_next; ///< the shorter one; records go to both until it is in place
    bool m_isNextSynced = false;
    bool m_isDirty = false; ///< appended to since the last pendingSync()
    std::int64_t m_compactAt = kCompactAt;
    JournalHistory m_history;
};

/// What stands in a journal; nothing if there is no whole record. Those behind a torn one are ignored, whole ones that
/// cannot be read left out; an error if no other is there.
Result<JournalHistory> readJournal(const std::string& path);

} // namespace pt2e
