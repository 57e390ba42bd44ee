#include "core/pipeline/JsonText.h"

#include "core/ir/Text.h"

#include <cmath>
#include <fmt/format.h>

namespace pt2e::json {

std::string text(std::string_view value)
{
    std::string out = "\"";
    for (const char c : value) {
        switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\t': out += "\\t"; break;
        case '\r': out += "\\r"; break;
        default:
            if (static_cast<unsigned char>(c) < 0x20)
                out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
            else
                out += c;
        }
    }
    return out + '"';
}

std::string boolean(bool value) { return value ? "true" : "false"; }

std::string integer(std::int64_t value) { return std::to_string(value); }

std::string real(double value)
{
    if (std::isnan(value))
        return R"({"float": "nan"})";
    if (std::isinf(value))
        return value > 0 ? R"({"float": "inf"})" : R"({"float": "-inf"})";
    return pythonFloat(value);
}

namespace {

std::string joined(const std::vector<std::string>& items, std::string_view separator)
{
    std::string out;
    for (const std::string& item : items) {
        if (&item != &items.front())
            out += separator;
        out += item;
    }
    return out;
}

std::string expanded(const std::vector<std::string>& items, int depth, char open, char close)
{
    if (items.empty())
        return {open, close};
    const std::string pad = "\n" + std::string(static_cast<std::size_t>(depth) + 1, ' ');
    const std::string end = "\n" + std::string(static_cast<std::size_t>(depth), ' ');
    return open + pad + joined(items, "," + pad) + end + close;
}

} // namespace

std::string array(const std::vector<std::string>& items) { return "[" + joined(items, ", ") + "]"; }

std::string Object::line() const { return "{" + joined(m_members, ", ") + "}"; }

std::string Object::lines(int depth) const { return expanded(m_members, depth, '{', '}'); }

std::string arrayLines(const std::vector<std::string>& items, int depth)
{
    return expanded(items, depth, '[', ']');
}

} // namespace pt2e::json
