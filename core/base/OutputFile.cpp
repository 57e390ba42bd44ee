#include "core/base/OutputFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pt2e {

Result<OutputFile> OutputFile::create(const std::string& path)
{
    OutputFile made;
    made.m_path = path;
    made.m_target = path;
    struct stat info = {};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode))
            return fail(ErrorCode::Io, path, "cannot be written: is a folder");
        if (!S_ISREG(info.st_mode)) {
            // Renaming over /dev/null would take the device away.
            made.m_file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
            if (made.m_file < 0)
                return made.systemError("cannot be written");
            return made;
        }
        std::error_code unresolved;
        const auto target = std::filesystem::canonical(path, unresolved);
        if (!unresolved)
            made.m_target = target.string();
    }
    std::string name = made.m_target + ".XXXXXX";
    made.m_file = ::mkostemp(name.data(), O_CLOEXEC);
    if (made.m_file < 0)
        return made.systemError("cannot be written");
    made.m_temporary = std::move(name);
    // mkstemp makes files that only the owner can read; give what the user's mask allows instead.
    const mode_t mask = ::umask(0);
    ::umask(mask);
    if (::fchmod(made.m_file, 0666 & ~mask) != 0)
        return made.systemError("cannot be written");
    return made;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_file(std::exchange(other.m_file, -1))
{}

OutputFile::~OutputFile()
{
    if (m_file >= 0)
        ::close(m_file);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<void> OutputFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        const ssize_t put = ::write(m_file, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return systemError("cannot be written");
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return {};
}

Result<void> OutputFile::commit()
{
    const bool isPlaced = m_temporary.empty(); // a device or pipe, which cannot be synced either
    if (!isPlaced && ::fsync(m_file) != 0)
        return systemError("cannot be written");
    if (::close(std::exchange(m_file, -1)) != 0)
        return systemError("cannot be written");
    if (!isPlaced && ::rename(m_temporary.c_str(), m_target.c_str()) != 0)
        return systemError("cannot be put in place");
    m_temporary.clear();
    return {};
}

tl::unexpected<Error> OutputFile::systemError(const std::string& what) const
{
    return fail(ErrorCode::Io, m_path, what + ": " + std::strerror(errno));
}

} // namespace pt2e
