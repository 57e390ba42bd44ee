// Words of a file as a terminal may show them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pt2e::cli {

/// Control characters and those that turn the reading direction are escaped.
std::string printable(std::string_view text);
std::string bytesText(std::uint64_t bytes); ///< "4.6 KiB"

} // namespace pt2e::cli
