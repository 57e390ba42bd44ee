// A file that appears only when it is complete.
#pragma once

#include "core/base/Result.h"

#include <cstddef>
#include <span>
#include <string>

namespace pt2e {

/// Writes under a temporary name in the same folder, syncs, renames. On failure nothing stays behind and what stood at
/// the path before is untouched. A symbolic link stays, its target is replaced; a device or pipe is written to as it is.
class OutputFile
{
public:
    static Result<OutputFile> create(const std::string& path);
    OutputFile(OutputFile&& other) noexcept;
    OutputFile& operator=(OutputFile&&) = delete;
    ~OutputFile(); ///< removes the temporary file unless commit() succeeded
    Result<void> write(std::span<const std::byte> bytes);
    Result<void> commit();

private:
    OutputFile() = default;
    tl::unexpected<Error> systemError(const std::string& what) const;
    std::string m_path; ///< as the user named it, for messages
    std::string m_target; ///< the file to replace
    std::string m_temporary; ///< empty when there is nothing to rename or remove
    int m_file = -1;
};

} // namespace pt2e
