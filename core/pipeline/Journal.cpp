#include "core/pipeline/Journal.h"

#include "core/pipeline/JsonText.h"
#include "core/pipeline/ProjectJson.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace pt2e {

namespace {

constexpr std::string_view kHead = "pt2e.journal 1\n";
constexpr std::size_t kSumDigits = 16;
constexpr std::size_t kHistoryBytes = std::size_t{512} << 10; ///< that a compaction keeps
constexpr std::uintmax_t kMaxSize = std::uintmax_t{256} << 20;

std::string checksum(std::string_view payload)
{
    return sha256(std::as_bytes(std::span(payload))).substr(0, kSumDigits);
}

/// "<bytes> <checksum>\n<payload>\n".
std::string recordOf(const JournalEntry& entry)
{
    const std::string payload = json::Object()
                                    .add("index", json::integer(entry.index))
                                    .add("text", json::text(entry.text))
                                    .add("time", json::integer(entry.time))
                                    .add("modified", json::boolean(entry.isModified))
                                    .add("project_file", json::text(entry.projectFile))
                                    .add("project", json::project(entry.project, {}))
                                    .lines(0);
    return fmt::format("{} {}\n{}\n", payload.size(), checksum(payload), payload);
}

Result<JournalEntry> readEntry(const std::string& payload, const std::string& where)
{
    rapidjson::Document document;
    PT2E_ASSIGN(const json::Place root, json::Place::parse(document, payload, where));
    JournalEntry entry;
    bool hasProject = false;
    PT2E_TRY(root.members([&](std::string_view key, const json::Place& member) -> Result<void> {
        if (key == "index")
            return member.read(entry.index);
        if (key == "text")
            return member.read(entry.text);
        if (key == "time")
            return member.read(entry.time);
        if (key == "modified")
            return member.read(entry.isModified);
        if (key == "project_file")
            return member.read(entry.projectFile);
        if (key != "project")
            return member.unknownKey();
        hasProject = true;
        PT2E_ASSIGN(entry.project, json::readProject(member, {}));
        return {};
    }));
    if (!hasProject || entry.index < 0)
        return root.error(hasProject ? "'index' must be 0 or more" : "'project' is missing");
    return entry;
}

/// Takes the next whole record off the text. No value: there is none.
std::optional<std::string> takeRecord(std::string_view& text)
{
    std::size_t size = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
    const auto digits = static_cast<std::size_t>(end - text.data());
    const std::size_t head = digits + 1 + kSumDigits + 1; // number, space, checksum, line end
    if (error != std::errc() || text.size() < head || size > text.size() - head
        || text.size() - head - size < 1)
        return std::nullopt;
    const std::string_view payload = text.substr(head, size);
    if (text[digits] != ' ' || text[head - 1] != '\n' || text[head + size] != '\n'
        || text.substr(digits + 1, kSumDigits) != checksum(payload))
        return std::nullopt;
    text.remove_prefix(head + size + 1);
    return std::string(payload);
}

} // namespace

// ---- the history

void JournalHistory::apply(const JournalEntry& entry)
{
    m_last = entry;
    JournalStep step{entry.text, entry.project.recipe, entry.project.marks};
    const std::int64_t at = entry.index - m_base;
    const auto size = static_cast<std::int64_t>(m_steps.size());
    if (m_steps.empty() || at < 0 || at > size) { // what lies between is not known
        m_base = entry.index;
        m_current = 0;
        m_steps = {std::move(step)};
        return;
    }
    m_current = static_cast<std::size_t>(at);
    if (at == size) {
        m_steps.push_back(std::move(step));
    } else if (m_steps[m_current].recipe != step.recipe || m_steps[m_current].marks != step.marks) {
        m_steps.resize(m_current);
        m_steps.push_back(std::move(step));
    }
}

// ---- writing

struct Journal::File
{
    explicit File(int opened) : handle(opened) {}
    ~File() { ::close(handle); }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    /// All of it or nothing.
    bool write(std::string_view text)
    {
        std::string_view left = text;
        while (!left.empty()) {
            const ssize_t put = ::write(handle, left.data(), left.size());
            if (put < 0 && errno == EINTR)
                continue;
            if (put < 0) {
                const int reason = errno;
                const bool isCut = ::ftruncate(handle, size) == 0;
                errno = isCut ? reason : errno;
                return false;
            }
            left.remove_prefix(static_cast<std::size_t>(put));
        }
        size += static_cast<std::int64_t>(text.size());
        return true;
    }

    int handle;
    std::int64_t size = 0;
};

namespace {

/// O_APPEND: behind a cut, writing goes on at the new end.
int openNew(const std::string& path)
{
    return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
}

tl::unexpected<Error> systemError(const std::string& path)
{
    return fail(ErrorCode::Io, path, std::string("cannot be written: ") + std::strerror(errno));
}

} // namespace

Result<void> Journal::begin()
{
    const int handle = openNew(m_path);
    if (handle < 0)
        return systemError(m_path);
    m_file = std::make_shared<File>(handle);
    if (m_file->write(kHead))
        return {};
    const auto failed = systemError(m_path);
    m_file = nullptr;
    return failed;
}

Result<void> Journal::append(const JournalEntry& entry)
{
    if (!m_file)
        PT2E_TRY(begin());
    const std::string record = recordOf(entry);
    if (!m_file->write(record))
        return systemError(m_path);
    m_history.apply(entry);
    m_isDirty = true;
    if (m_next && !m_next->write(record)) {
        m_next = nullptr; // the longer one goes on
        ::unlink((m_path + ".new").c_str());
    }
    if (!m_next && m_file->size > m_compactAt)
        return beginCompaction();
    return {};
}

/// The newest steps that fit, each as a record of its own, and what is now.
Result<void> Journal::beginCompaction()
{
    const JournalEntry& last = m_history.last();
    const std::vector<JournalStep>& steps = m_history.steps();
    const auto recordAt = [&](std::size_t i) {
        JournalEntry entry = last;
        entry.index = last.index + static_cast<std::int64_t>(i)
                      - static_cast<std::int64_t>(m_history.current());
        entry.text = steps[i].text;
        entry.project.recipe = steps[i].recipe;
        entry.project.marks = steps[i].marks;
        return recordOf(entry);
    };
    std::vector<std::string> records;
    std::size_t size = 0;
    // Back from the last step, or from the present one where too much lies ahead of it.
    for (std::size_t i = steps.size(); i-- > 0;) {
        records.push_back(recordAt(i));
        size += records.back().size();
        if (size > kHistoryBytes && i > m_history.current()) {
            records.clear();
            size = 0;
            i = m_history.current() + 1;
        } else if (size > kHistoryBytes) {
            break;
        }
    }
    std::string text(kHead);
    for (auto record = records.rbegin(); record != records.rend(); ++record)
        text += *record;
    text += recordAt(m_history.current());
    const std::string path = m_path + ".new";
    const int handle = openNew(path);
    m_compactAt = std::max(kCompactAt, 2 * static_cast<std::int64_t>(text.size()));
    if (handle < 0)
        return systemError(path);
    m_next = std::make_shared<File>(handle);
    m_isNextSynced = false;
    if (m_next->write(text))
        return {};
    const auto failed = systemError(path);
    m_next = nullptr;
    ::unlink(path.c_str());
    return failed;
}

std::function<Result<void>()> Journal::pendingSync()
{
    if (!m_isDirty)
        return {};
    m_isDirty = false;
    m_isNextSynced = m_next != nullptr;
    return [file = m_file, next = m_next, path = m_path]() -> Result<void> {
        if (::fdatasync(file->handle) != 0 || (next && ::fdatasync(next->handle) != 0))
            return systemError(path);
        return {};
    };
}

Result<void> Journal::synced()
{
    // What came since the sync is in both files.
    if (!m_next || !m_isNextSynced)
        return {};
    if (::rename((m_path + ".new").c_str(), m_path.c_str()) != 0)
        return systemError(m_path);
    m_file = std::exchange(m_next, nullptr);
    return {};
}

void Journal::remove()
{
    if (m_next)
        ::unlink((m_path + ".new").c_str());
    if (m_file)
        ::unlink(m_path.c_str());
    m_next = nullptr;
    m_file = nullptr;
    m_isDirty = false;
    m_compactAt = kCompactAt;
    m_history = {};
}

// ---- reading

Result<JournalHistory> readJournal(const std::string& path)
{
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error)
        return fail(ErrorCode::Io, path, "cannot be read: " + error.message());
    if (size > kMaxSize)
        return fail(ErrorCode::Io, path, "is larger than any journal");
    std::string text(static_cast<std::size_t>(size), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    std::string_view left = text;
    JournalHistory history;
    if (kHead.starts_with(left))
        return history; // it was only begun
    if (!left.starts_with(kHead))
        return badInput(path, "is no journal that this program knows");
    left.remove_prefix(kHead.size());
    int number = 0;
    std::optional<Error> unreadable;
    while (const std::optional<std::string> payload = takeRecord(left)) {
        Result<JournalEntry> entry =
            readEntry(*payload, fmt::format("{}: record {}", path, number++));
        if (entry)
            history.apply(*entry);
        else
            unreadable = std::move(entry).error();
    }
    if (history.isEmpty() && unreadable)
        return tl::unexpected<Error>(*unreadable);
    return history;
}

} // namespace pt2e
