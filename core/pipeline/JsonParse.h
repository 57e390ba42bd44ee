// JSON text to a RapidJSON document, without recursion.
#pragma once

#include <cstddef>
#include <optional>
#include <rapidjson/document.h>
#include <string>
#include <string_view>

namespace pt2e::json {

struct ParseProblem
{
    std::size_t offset = 0; ///< in bytes
    std::string what; ///< lower case, without a full stop
};

/// What is wrong with the text, or nothing. Numbers are exact: integers of 64 bits, all others the nearest double, one
/// that no double holds is a problem. RapidJSON's own conversion is not used: it shifts by undefined counts at "0e58".
std::optional<ParseProblem> parse(rapidjson::Document& document, std::string_view text);

} // namespace pt2e::json
