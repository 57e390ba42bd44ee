#include "core/pt2/File.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

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

} // namespace pt2e::pt2
