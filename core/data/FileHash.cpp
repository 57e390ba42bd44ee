#include "core/data/FileHash.h"

#include "core/tensor/Sha256.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace pt2e {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kPiece = std::size_t{4} << 20;

/// Read, not mapped: a file that becomes shorter meanwhile would end the program.
Result<std::string> hashOfFile(const std::string& path, const JobContext& context)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(ErrorCode::Io, path, std::string("cannot be read: ") + std::strerror(errno));
    std::vector<std::byte> piece(kPiece);
    Sha256 hash;
    for (;;) {
        if (auto going = context.checkpoint(); !going) {
            ::close(file);
            return passOn(going);
        }
        const ssize_t got = ::read(file, piece.data(), piece.size());
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            const std::string reason = std::strerror(errno);
            ::close(file);
            return fail(ErrorCode::Io, path, "cannot be read: " + reason);
        }
        if (got == 0)
            break;
        hash.update(std::span(piece).first(static_cast<std::size_t>(got)));
    }
    ::close(file);
    return hash.finish();
}

/// Regular files in a folder, by their names relative to it. Links to folders are not followed.
Result<std::vector<std::string>> filesIn(const std::string& folder)
{
    std::error_code error;
    std::vector<std::string> names;
    fs::recursive_directory_iterator entry(folder, error);
    for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
        std::error_code unknown;
        if (entry->is_regular_file(unknown))
            names.push_back(entry->path().lexically_relative(folder).string());
    }
    if (error)
        return fail(ErrorCode::Io, folder, "cannot be read: " + error.message());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace

Result<std::string> hashOfPath(const std::string& path, const JobContext& context)
{
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (fs::is_directory(status)) {
        PT2E_ASSIGN(const std::vector<std::string> names, filesIn(path));
        Sha256 all;
        for (const std::string& name : names) {
            PT2E_ASSIGN(const std::string hash, hashOfFile(path + "/" + name, context));
            const std::string line = name + ' ' + hash + '\n';
            all.update(std::as_bytes(std::span(line)));
        }
        return all.finish();
    }
    // A pipe would be waited for without end.
    if (!error && !fs::is_regular_file(status))
        return fail(ErrorCode::Io, path, "is no file and no folder");
    return hashOfFile(path, context);
}

std::string stampOf(const std::string& path)
{
    const auto stampOfFile = [](const std::string& file) {
        struct stat info = {};
        if (::stat(file.c_str(), &info) != 0)
            return std::string();
        return fmt::format("{} {} {} {}.{:09}\n", info.st_dev, info.st_ino, info.st_size,
                           info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
    };
    std::error_code error;
    std::string stamp = stampOfFile(path);
    if (!fs::is_directory(path, error))
        return stamp;
    const Result<std::vector<std::string>> names = filesIn(path);
    if (!names)
        return {};
    for (const std::string& name : *names)
        stamp += name + ' ' + stampOfFile(path + "/" + name);
    return stamp;
}

Result<std::string> FileHasher::hash(const std::string& path, const JobContext& context)
{
    // Before reading: what is written meanwhile makes another stamp.
    const std::string stamp = stampOf(path);
    {
        const std::lock_guard lock(m_mutex);
        const auto known = m_known.find(path);
        if (!stamp.empty() && known != m_known.end() && known->second.stamp == stamp)
            return known->second.hash;
    }
    PT2E_ASSIGN(std::string hash, hashOfPath(path, context));
    const std::lock_guard lock(m_mutex);
    m_known[path] = {stamp, hash};
    return hash;
}

} // namespace pt2e
