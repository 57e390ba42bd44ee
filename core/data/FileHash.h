// Whether a file or a folder is still what it was.
#pragma once

#include "core/base/JobContext.h"
#include "core/base/Result.h"

#include <map>
#include <mutex>
#include <string>

namespace pt2e {

/// SHA-256 of a file's bytes (what sha256sum prints), 64 hexadecimal digits. Of a folder: over "name hash" lines of all
/// files in it and in its folders, sorted by name; the order in which the system lists them does not matter.
/// Errors: what cannot be read (Io), or Cancelled, which is looked at every few MiB.
Result<std::string> hashOfPath(const std::string& path, const JobContext& context);

/// Keeps what it has hashed as long as names, sizes and times of change say that it is still the same. Any thread.
class FileHasher
{
public:
    /// As hashOfPath().
    Result<std::string> hash(const std::string& path, const JobContext& context);

private:
    struct Known
    {
        std::string stamp;
        std::string hash;
    };
    std::mutex m_mutex;
    std::map<std::string, Known> m_known;
};

/// Sizes and times of change of a file, or of all files in a folder: equal as long as nobody wrote to it. Empty: not there.
std::string stampOf(const std::string& path);

} // namespace pt2e
