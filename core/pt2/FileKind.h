// What kind of file this is; for people who open the wrong one, a sentence that says which.
#pragma once

#include "core/pt2/Zip.h"

#include <string>
#include <vector>

namespace pt2e::pt2 {

/// For bytes that are no zip file: what they are instead.
std::string describeOtherFile(std::span<const std::byte> bytes);

struct Contents
{
    bool isOldZip = false;
    std::string root; ///< "name/" for an archive, empty for an old zip
    std::vector<std::string> programs; ///< in directory order
    bool lacksFormat = false; ///< an archive without its archive_format record
};
/// Finds the programs in a zip file, or says what it is instead.
Result<Contents> findPrograms(const ZipReader& zip);

} // namespace pt2e::pt2
