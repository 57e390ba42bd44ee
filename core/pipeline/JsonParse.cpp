#include "core/pipeline/JsonParse.h"

#include "core/base/RealText.h"
#include "core/base/Surrogates.h"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <rapidjson/encodedstream.h>
#include <rapidjson/error/en.h>
#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

namespace pt2e::json {

namespace {

/// Passes events on to the document; numbers come as text, and what no UTF-8 can be made of is refused.
template<typename Tree>
class NumberHandler
{
public:
    using Ch = char;
    using Size = rapidjson::SizeType;
    explicit NumberHandler(Tree& tree) : m_tree(tree) {}
    /// nullptr: none that RapidJSON does not know of.
    const char* problem() const { return m_problem; }

    bool Null() { return m_tree.Null(); }
    bool Bool(bool value) { return m_tree.Bool(value); }
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }
    bool RawNumber(const char* text, Size length, bool) { return number({text, length}); }
    bool String(const char* text, Size length, bool copy)
    {
        return isText({text, length}) && m_tree.String(text, length, copy);
    }
    bool Key(const char* text, Size length, bool copy)
    {
        return isText({text, length}) && m_tree.Key(text, length, copy);
    }
    bool StartObject() { return m_tree.StartObject(); }
    bool EndObject(Size members) { return m_tree.EndObject(members); }
    bool StartArray() { return m_tree.StartArray(); }
    bool EndArray(Size elements) { return m_tree.EndArray(elements); }

private:
    bool isText(std::string_view text)
    {
        if (hasLoneSurrogate(text))
            m_problem = "half of a surrogate pair in a string";
        return !m_problem;
    }

    bool number(std::string_view text)
    {
        const char* const end = text.data() + text.size();
        if (text.find_first_of(".eE") == std::string_view::npos) {
            std::int64_t integer = 0;
            if (std::from_chars(text.data(), end, integer).ec == std::errc{})
                return m_tree.Int64(integer);
            std::uint64_t large = 0;
            if (std::from_chars(text.data(), end, large).ec == std::errc{})
                return m_tree.Uint64(large);
        }
        const std::optional<double> real = realOf(text);
        if (!real || !std::isfinite(*real)) {
            m_problem = "number too big to be stored in double";
            return false;
        }
        return m_tree.Double(*real);
    }

    Tree& m_tree;
    const char* m_problem = nullptr;
};

std::string messageOf(rapidjson::ParseErrorCode code)
{
    std::string what = rapidjson::GetParseError_En(code);
    if (!what.empty() && what.back() == '.')
        what.pop_back();
    if (!what.empty())
        what[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(what[0])));
    return what;
}

} // namespace

std::optional<ParseProblem> parse(rapidjson::Document& document, std::string_view text)
{
    constexpr unsigned kFlags = rapidjson::kParseIterativeFlag
                                | rapidjson::kParseNumbersAsStringsFlag
                                | rapidjson::kParseValidateEncodingFlag;
    rapidjson::Reader reader;
    rapidjson::MemoryStream bytes(text.data(), text.size());
    rapidjson::EncodedInputStream<rapidjson::UTF8<>, rapidjson::MemoryStream> stream(bytes);
    const char* problem = nullptr;
    const auto generate = [&](auto& tree) {
        NumberHandler handler(tree);
        reader.Parse<kFlags>(stream, handler);
        problem = handler.problem();
        return !reader.HasParseError();
    };
    document.Populate(generate);
    if (!reader.HasParseError())
        return std::nullopt;
    return ParseProblem{reader.GetErrorOffset(),
                        problem ? problem : messageOf(reader.GetParseErrorCode())};
}

} // namespace pt2e::json
