#include "core/pt2/Json.h"

#include "core/base/RealText.h"
#include "core/base/Surrogates.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
#include <unordered_set>

namespace pt2e::pt2 {

namespace {

std::optional<double> wordAsReal(std::string_view word)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const bool isNegative = word.starts_with('-');
    if (isNegative)
        word.remove_prefix(1);
    if (word == "Infinity" || word == "Inf")
        return isNegative ? -kInfinity : kInfinity;
    if (word == "NaN")
        return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

/// Passes events on to the tree while the limits hold.
template<typename Tree>
class LimitedHandler
{
public:
    using Ch = char;
    LimitedHandler(Tree& tree, const JsonLimits& limits) : m_tree(tree), m_limits(limits)
    {
        m_children.push_back(0);
    }
    const std::string& problem() const { return m_problem; }

    bool Null() { return count() && m_tree.Null(); }
    bool Bool(bool value) { return count() && m_tree.Bool(value); }
    // Numbers come as text (kParseNumbersAsStringsFlag), never through these.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool)
    {
        return count() && number({text, length});
    }
    bool String(const char* text, rapidjson::SizeType length, bool copy)
    {
        return count() && isText({text, length}) && m_tree.String(text, length, copy);
    }
    bool Key(const char* text, rapidjson::SizeType length, bool copy)
    {
        return isText({text, length}) && m_tree.Key(text, length, copy);
    }
    bool StartObject() { return count() && enter() && m_tree.StartObject(); }
    bool EndObject(rapidjson::SizeType members)
    {
        m_children.pop_back();
        return m_tree.EndObject(members);
    }
    bool StartArray() { return count() && enter() && m_tree.StartArray(); }
    bool EndArray(rapidjson::SizeType elements)
    {
        m_children.pop_back();
        return m_tree.EndArray(elements);
    }

private:
    bool refuse(std::string problem)
    {
        m_problem = std::move(problem);
        return false;
    }
    bool isText(std::string_view text)
    {
        return !hasLoneSurrogate(text) || refuse("half of a surrogate pair in a string");
    }
    bool count()
    {
        if (++m_values > m_limits.values)
            return refuse("more than " + std::to_string(m_limits.values) + " values");
        if (++m_children.back() > m_limits.children)
            return refuse("a list or object with more than " + std::to_string(m_limits.children)
                          + " entries");
        return true;
    }
    bool enter()
    {
        if (m_children.size() > m_limits.depth)
            return refuse("nested deeper than " + std::to_string(m_limits.depth) + " levels");
        m_children.push_back(0);
        return true;
    }
    bool number(std::string_view text)
    {
        const char* const end = text.data() + text.size();
        if (text.find_first_of(".eEIN") == std::string_view::npos) {
            std::int64_t value = 0;
            const auto [stop, error] = std::from_chars(text.data(), end, value);
            if (error != std::errc{} || stop != end)
                return refuse("the integer " + std::string(text.substr(0, 40))
                              + " does not fit 64 bits");
            return m_tree.Int64(value);
        }
        if (const std::optional<double> word = wordAsReal(text))
            return m_tree.Double(*word);
        const std::optional<double> value = realOf(text);
        if (!value)
            return refuse("'" + std::string(text.substr(0, 40)) + "' is no number");
        return m_tree.Double(*value);
    }

    Tree& m_tree;
    const JsonLimits& m_limits;
    std::vector<std::size_t> m_children;
    std::size_t m_values = 0;
    std::string m_problem;
};

/// The first key that stands twice in one object, if any. Depth was limited by the parser.
const Json* duplicateKey(const Json& value)
{
    if (value.IsArray()) {
        for (const Json& item : value.GetArray()) {
            if (item.IsObject() || item.IsArray()) {
                if (const Json* found = duplicateKey(item))
                    return found;
            }
        }
        return nullptr;
    }
    constexpr rapidjson::SizeType kScanBelow = 12;
    const bool isSmall = value.MemberCount() < kScanBelow;
    std::unordered_set<std::string_view> seen;
    for (auto at = value.MemberBegin(); at != value.MemberEnd(); ++at) {
        if (isSmall) {
            for (auto other = value.MemberBegin(); other != at; ++other) {
                if (textOf(other->name) == textOf(at->name))
                    return &at->name;
            }
        } else if (!seen.insert(textOf(at->name)).second) {
            return &at->name;
        }
        if (at->value.IsObject() || at->value.IsArray()) {
            if (const Json* found = duplicateKey(at->value))
                return found;
        }
    }
    return nullptr;
}

} // namespace

std::string Place::text() const
{
    if (!m_parent)
        return std::string(m_name);
    std::string text = m_parent->text();
    if (m_index >= 0)
        return text + "[" + std::to_string(m_index) + "]";
    return text + (m_parent->m_parent ? "." : ": ") + std::string(m_name);
}

Result<std::unique_ptr<JsonDocument>> JsonDocument::parse(std::span<const std::byte> text,
                                                          const std::string& where,
                                                          const JsonLimits& limits)
{
    static constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    std::string_view source(reinterpret_cast<const char*>(text.data()), text.size());
    if (source.starts_with(kByteOrderMark))
        source.remove_prefix(kByteOrderMark.size());
    std::unique_ptr<JsonDocument> made(new JsonDocument);
    // RapidJSON checks a character that is cut off at the end byte by byte: up to three more than it has.
    constexpr std::size_t kEndBytes = 4;
    made->m_text.reserve(source.size() + kEndBytes);
    made->m_text.assign(source.begin(), source.end());
    made->m_text.insert(made->m_text.end(), kEndBytes, '\0');

    constexpr unsigned kFlags = rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag
                                | rapidjson::kParseNumbersAsStringsFlag
                                | rapidjson::kParseNanAndInfFlag
                                | rapidjson::kParseValidateEncodingFlag;
    rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, JsonMemory> reader;
    rapidjson::InsituStringStream stream(made->m_text.data());
    std::string problem;
    const auto generate = [&](auto& tree) {
        LimitedHandler handler(tree, limits);
        reader.Parse<kFlags>(stream, handler);
        problem = handler.problem();
        return !reader.HasParseError();
    };
    made->m_document.Populate(generate);
    if (reader.HasParseError() && problem.empty())
        problem = std::string("not valid json: ")
                  + rapidjson::GetParseError_En(reader.GetParseErrorCode());
    if (problem.empty() && stream.Tell() != source.size())
        problem = "not valid json: text after the end";
    if (!problem.empty()) {
        if (problem.ends_with('.'))
            problem.pop_back();
        return badInput(where + ": byte " + std::to_string(stream.Tell()), problem);
    }
    const Json& root = made->m_document;
    if (!root.IsObject() && !root.IsArray())
        return badInput(where, "not a json object");
    if (const Json* key = duplicateKey(root))
        return badInput(where,
                        "key '" + std::string(textOf(*key)) + "' stands twice in one object");
    return made;
}

// ---- looking things up

std::string_view textOf(const Json& string)
{
    return {string.GetString(), string.GetStringLength()};
}

const Json* member(const Json& object, std::string_view key)
{
    if (!object.IsObject())
        return nullptr;
    for (auto at = object.MemberBegin(); at != object.MemberEnd(); ++at) {
        if (textOf(at->name) == key)
            return at->value.IsNull() ? nullptr : &at->value;
    }
    return nullptr;
}

Result<const Json*> requiredMember(const Json& object, std::string_view key, const Place& place)
{
    if (!object.IsObject())
        return place.error("is not an object");
    const Json* found = member(object, key);
    if (!found)
        return place.error("key '" + std::string(key) + "' is missing");
    return found;
}

Result<const Json*> requiredObject(const Json& object, std::string_view key, const Place& place)
{
    PT2E_ASSIGN(const Json* found, requiredMember(object, key, place));
    if (!found->IsObject())
        return place.key(key).error("is not an object");
    return found;
}

Result<const Json*> requiredArray(const Json& object, std::string_view key, const Place& place)
{
    PT2E_ASSIGN(const Json* found, requiredMember(object, key, place));
    if (!found->IsArray())
        return place.key(key).error("is not a list");
    return found;
}

Result<std::string_view> requiredString(const Json& object, std::string_view key,
                                        const Place& place)
{
    PT2E_ASSIGN(const Json* found, requiredMember(object, key, place));
    return stringValue(*found, place.key(key));
}

Result<std::string_view> stringValue(const Json& value, const Place& place)
{
    if (!value.IsString())
        return place.error("is not a string");
    return textOf(value);
}

Result<std::int64_t> intValue(const Json& value, const Place& place)
{
    if (!value.IsInt64())
        return place.error("is not an integer");
    return value.GetInt64();
}

Result<bool> boolValue(const Json& value, const Place& place)
{
    if (!value.IsBool())
        return place.error("is not a boolean");
    return value.GetBool();
}

Result<double> realValue(const Json& value, const Place& place)
{
    if (value.IsDouble())
        return value.GetDouble();
    if (value.IsInt64())
        return static_cast<double>(value.GetInt64());
    if (value.IsString()) {
        if (const std::optional<double> word = wordAsReal(textOf(value)))
            return *word;
    }
    return place.error("is not a number");
}

bool flag(const Json& object, std::string_view key, bool fallback)
{
    const Json* found = member(object, key);
    return found && found->IsBool() ? found->GetBool() : fallback;
}

Result<JsonUnion> unionValue(const Json& value, const Place& place)
{
    if (!value.IsObject())
        return place.error("is not an object");
    JsonUnion found;
    for (auto at = value.MemberBegin(); at != value.MemberEnd(); ++at) {
        if (at->value.IsNull())
            continue;
        if (found.value)
            return place.error("has two variants, '" + std::string(found.variant) + "' and '"
                               + std::string(textOf(at->name)) + "'");
        found = {textOf(at->name), &at->value};
    }
    if (!found.value) {
        // A lone {"as_none": null} says what it means.
        if (value.MemberCount() == 1 && textOf(value.MemberBegin()->name) == "as_none")
            return JsonUnion{"as_none", &value.MemberBegin()->value};
        return place.error("has no variant");
    }
    return found;
}

} // namespace pt2e::pt2
