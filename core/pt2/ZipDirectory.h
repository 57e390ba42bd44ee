// Private to the zip reader: the central directory, with every check of it.
#pragma once

#include "core/pt2/Zip.h"

namespace pt2e::pt2 {

/// All entries in directory order, their places and sizes checked against each other and the file.
Result<std::vector<ZipEntry>> parseZipDirectory(std::span<const std::byte> file,
                                                const std::string& label);

/// "record 'name'", for errors.
std::string quotedRecord(std::string_view name);

} // namespace pt2e::pt2
