// JSON as it is written: pieces of text that callers put together.
//
// Reals always carry '.' or 'e' and have the shortest digits that read back (Python's repr), so that a
// dump can be compared with Python's json by text; RapidJSON's writer does not promise either.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::json {

inline constexpr const char* kNull = "null";

/// A string in quotes; control characters escaped, everything else as it is (UTF-8).
std::string text(std::string_view value);
std::string boolean(bool value);
std::string integer(std::int64_t value);
/// Not finite: {"float": "inf"}, "-inf", "nan".
std::string real(double value);

template<typename T, typename Write>
std::string optional(const std::optional<T>& value, Write write)
{
    return value ? write(*value) : std::string(kNull);
}

/// An array on one line: [a, b].
std::string array(const std::vector<std::string>& items);
/// An array of the values, each through `write`.
template<typename Range, typename Write>
std::string arrayOf(const Range& values, Write write)
{
    std::vector<std::string> items;
    for (const auto& value : values)
        items.push_back(write(value));
    return array(items);
}

/// An object in the order of its members, on one line or one member a line.
class Object
{
public:
    Object& add(std::string_view key, std::string value)
    {
        m_members.push_back(text(key) + ": " + std::move(value));
        return *this;
    }
    std::string line() const;
    /// Members indented by `depth` + 1 spaces.
    std::string lines(int depth) const;

private:
    std::vector<std::string> m_members;
};

/// An array with one item a line, indented by `depth` + 1 spaces.
std::string arrayLines(const std::vector<std::string>& items, int depth);

} // namespace pt2e::json
