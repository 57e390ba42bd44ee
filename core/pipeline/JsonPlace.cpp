#include "core/pipeline/JsonPlace.h"

#include "core/pipeline/JsonParse.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace pt2e::json {

namespace {

/// Deeper nesting is refused before parsing: freeing a document recurses.
constexpr int kMaxDepth = 64;

bool isTooDeep(const std::string& text)
{
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            if (++depth > kMaxDepth)
                return true;
        } else if (c == '}' || c == ']') {
            --depth;
        }
    }
    return false;
}

} // namespace

Result<Place> Place::parse(rapidjson::Document& document, const std::string& text, std::string file)
{
    if (isTooDeep(text))
        return badInput(file, fmt::format("nested deeper than {} levels", kMaxDepth));
    if (const std::optional<ParseProblem> problem = json::parse(document, text)) {
        const auto end =
            text.begin() + static_cast<std::ptrdiff_t>(std::min(problem->offset, text.size()));
        const auto line = std::count(text.begin(), end, '\n') + 1;
        const auto lineStart = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
        return badInput(fmt::format("{}:{}:{}", file, line, end - lineStart + 1), problem->what);
    }
    return Place(document, std::move(file), "");
}

std::string Place::where() const { return m_path.empty() ? m_file : m_file + ": " + m_path; }

tl::unexpected<Error> Place::error(const std::string& what) const
{
    return badInput(where(), what);
}

Result<void> Place::members(
    const std::function<Result<void>(std::string_view, const Place&)>& visit) const
{
    if (!m_value->IsObject())
        return error("must be an object");
    std::set<std::string_view> seen;
    for (const auto& member : m_value->GetObject()) {
        const std::string_view key(member.name.GetString(), member.name.GetStringLength());
        const Place place(member.value, m_file,
                          (m_path.empty() ? "" : m_path + ".") + std::string(key));
        if (!seen.insert(key).second)
            return place.error("key stands twice");
        PT2E_TRY(visit(key, place));
    }
    return {};
}

Result<Place::Head> Place::head() const
{
    Head head;
    PT2E_TRY(members([&](std::string_view key, const Place& member) -> Result<void> {
        if (key == "format")
            return member.read(head.format);
        if (key == "version")
            return member.read(head.version);
        return {};
    }));
    return head;
}

Result<void> Place::items(const std::function<Result<void>(const Place&)>& visit) const
{
    if (!m_value->IsArray())
        return error("must be an array");
    std::size_t index = 0;
    for (const auto& item : m_value->GetArray())
        PT2E_TRY(visit(Place(item, m_file, fmt::format("{}[{}]", m_path, index++))));
    return {};
}

Result<void> Place::read(bool& value) const
{
    if (!m_value->IsBool())
        return error("must be true or false");
    value = m_value->GetBool();
    return {};
}

Result<void> Place::read(std::int64_t& value) const
{
    if (!m_value->IsInt64())
        return error("must be an integer");
    value = m_value->GetInt64();
    return {};
}

Result<void> Place::read(std::uint64_t& value) const
{
    if (!m_value->IsUint64())
        return error("must be an integer, 0 or more");
    value = m_value->GetUint64();
    return {};
}

Result<void> Place::read(double& value) const
{
    if (!m_value->IsNumber())
        return error("must be a number");
    value = m_value->GetDouble();
    return {};
}

Result<void> Place::read(std::string& value) const
{
    if (!m_value->IsString())
        return error("must be a string");
    value.assign(m_value->GetString(), m_value->GetStringLength());
    return {};
}

} // namespace pt2e::json
