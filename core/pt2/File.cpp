#include "core/pt2/File.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pt2e::pt2 {

namespace {

std::string errorText(int number) { return std::strerror(number); }

class OpenFile
{
public:
    explicit OpenFile(int file) : m_file(file) {}
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    ~OpenFile()
    {
        if (m_file >= 0)
            ::close(m_file);
    }
    int get() const { return m_file; }

private:
    int m_file;
};

Result<Storage::Bytes> copyFile(int file, std::size_t size, const std::string& path)
{
    Storage::Allocation allocation = Storage::allocate(size);
    std::size_t done = 0;
    while (done < size) {
        const ssize_t got = ::read(file, allocation.data.data() + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(ErrorCode::Io, path, "cannot be read: " + errorText(errno));
        if (got == 0)
            return fail(ErrorCode::Io, path, "became shorter while it was read");
        done += static_cast<std::size_t>(got);
    }
    return Storage::Bytes{allocation.memory, allocation.data};
}

Result<Storage::Bytes> mapFile(int file, std::size_t size, const std::string& path)
{
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED)
        return fail(ErrorCode::Io, path, "cannot be mapped into memory: " + errorText(errno));
    std::shared_ptr<const void> owner(
        memory, [size](const void* mapped) { ::munmap(const_cast<void*>(mapped), size); });
    return Storage::Bytes{std::move(owner), {static_cast<const std::byte*>(memory), size}};
}

} // namespace

Result<Storage::Bytes> readWholeFile(const std::string& path)
{
    // O_NONBLOCK: opening a pipe must not wait for a writer.
    const OpenFile file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0)
        return fail(ErrorCode::Io, path, errno == ENOENT ? "no such file" : errorText(errno));
    struct stat info = {};
    if (::fstat(file.get(), &info) != 0)
        return fail(ErrorCode::Io, path, errorText(errno));
    if (S_ISDIR(info.st_mode))
        return badInput(path, "is a directory, not a .pt2 file");
    if (!S_ISREG(info.st_mode))
        return badInput(path, "is not a regular file");
    if (info.st_size == 0)
        return badInput(path, "is empty");
    const auto size = static_cast<std::size_t>(info.st_size);
    return size <= kCopyBelow ? copyFile(file.get(), size, path) : mapFile(file.get(), size, path);
}

// ---- AtomicFile

Result<AtomicFile> AtomicFile::create(const std::string& path)
{
    AtomicFile made;
    made.m_path = path;
    std::string name = path + ".XXXXXX";
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

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_path(std::move(other.m_path)),
      m_temporary(std::exchange(other.m_temporary, {})),
      m_file(std::exchange(other.m_file, -1))
{}

AtomicFile::~AtomicFile()
{
    if (m_file >= 0)
        ::close(m_file);
    if (!m_temporary.empty())
        ::unlink(m_temporary.c_str());
}

Result<void> AtomicFile::write(std::span<const std::byte> bytes)
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

Result<void> AtomicFile::commit()
{
    if (::fsync(m_file) != 0)
        return systemError("cannot be written");
    const int closed = ::close(std::exchange(m_file, -1));
    if (closed != 0)
        return systemError("cannot be written");
    if (::rename(m_temporary.c_str(), m_path.c_str()) != 0)
        return systemError("cannot be put in place");
    m_temporary.clear();
    return {};
}

tl::unexpected<Error> AtomicFile::systemError(const std::string& what) const
{
    return fail(ErrorCode::Io, m_path, what + ": " + errorText(errno));
}

} // namespace pt2e::pt2
