// Real numbers as JSON and Python write them.
#pragma once

#include <optional>
#include <string_view>

namespace pt2e {

/// The double nearest to a decimal number ("-1.5e-3"), as Python's float() gives it, whatever the locale: 0 where it
/// is too small, an infinity where it is too large. None if the text is anything else, or has something behind it.
std::optional<double> realOf(std::string_view text);

} // namespace pt2e
