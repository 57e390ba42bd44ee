#include "core/pipeline/SpillFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace pt2e {

namespace {

constexpr const char* kWhere = "activation cache";

std::string temporaryFolder()
{
    const char* given = std::getenv("TMPDIR");
    return given && *given ? given : "/var/tmp";
}

/// Some file systems have no O_TMPFILE; there the file has a name for a moment.
int openUnlinked(const std::string& folder)
{
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0)
        return file;
    std::string name = folder + "/pt2e-XXXXXX";
    const int named = mkostemp(name.data(), O_CLOEXEC);
    if (named >= 0)
        unlink(name.c_str());
    return named;
}

} // namespace

SpillFile::SpillFile(std::uint64_t limit) : m_limit(limit) {}

SpillFile::~SpillFile()
{
    if (m_file >= 0)
        close(m_file);
}

void SpillFile::open()
{
    m_isOpened = true;
    if (m_limit == 0)
        return;
    const std::string folder = temporaryFolder();
    struct statvfs space = {};
    if (statvfs(folder.c_str(), &space) != 0) {
        m_limit = 0;
        return;
    }
    const std::uint64_t isFree = static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize;
    m_limit = std::min(m_limit, isFree / 2);
    m_file = openUnlinked(folder);
}

bool SpillFile::hasRoomFor(std::uint64_t bytes)
{
    if (!m_isOpened)
        open();
    return m_file >= 0 && m_size <= m_limit && bytes <= m_limit - m_size;
}

Result<std::uint64_t> SpillFile::append(std::span<const std::byte> bytes)
{
    const std::uint64_t start = m_size;
    std::uint64_t at = start;
    while (!bytes.empty()) {
        const ssize_t written = pwrite(m_file, bytes.data(), bytes.size(), static_cast<off_t>(at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return fail(ErrorCode::Io, kWhere, std::strerror(written < 0 ? errno : ENOSPC));
        at += static_cast<std::uint64_t>(written);
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    m_size = at;
    return start;
}

Result<std::shared_ptr<const Storage>> SpillFile::read(std::uint64_t offset,
                                                       std::size_t bytes) const
{
    Storage::Allocation memory = Storage::allocate(bytes);
    std::size_t at = 0;
    while (at < bytes) {
        const ssize_t count =
            pread(m_file, memory.data.data() + at, bytes - at, static_cast<off_t>(offset + at));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return fail(ErrorCode::Io, kWhere, count < 0 ? std::strerror(errno) : "file too short");
        at += static_cast<std::size_t>(count);
    }
    return std::make_shared<const Storage>(Storage::Bytes{memory.memory, memory.data});
}

void SpillFile::clear()
{
    m_size = 0;
    if (m_file >= 0 && ftruncate(m_file, 0) != 0) {
        // Nothing is lost: old bytes are overwritten.
    }
}

} // namespace pt2e
