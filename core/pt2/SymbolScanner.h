// Private to the size expressions: words, numbers and quoted names of a text, one after the other.
#pragma once

#include "core/base/Result.h"

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pt2e::pt2 {

inline constexpr std::size_t kMaxLength = 64 * 1024;
inline constexpr int kMaxDepth = 64;

inline bool isWord(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

inline bool fitsInt64(std::string_view digits)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc{} && end == digits.data() + digits.size();
}

class SymbolScanner
{
public:
    explicit SymbolScanner(std::string_view text) : m_text(text) {}
    void skipSpace()
    {
        while (m_at < m_text.size() && m_text[m_at] == ' ')
            ++m_at;
    }
    bool accept(std::string_view wanted)
    {
        skipSpace();
        if (!m_text.substr(m_at).starts_with(wanted))
            return false;
        m_at += wanted.size();
        return true;
    }
    std::string_view word()
    {
        skipSpace();
        const std::size_t from = m_at;
        while (m_at < m_text.size() && isWord(m_text[m_at]))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }
    /// Everything up to the closing quote.
    std::optional<std::string_view> quoted()
    {
        skipSpace();
        if (m_at >= m_text.size() || (m_text[m_at] != '\'' && m_text[m_at] != '"'))
            return std::nullopt;
        const std::size_t end = m_text.find(m_text[m_at], m_at + 1);
        if (end == std::string_view::npos)
            return std::nullopt;
        const std::string_view inside = m_text.substr(m_at + 1, end - m_at - 1);
        m_at = end + 1;
        return inside;
    }
    /// A number with sign, fraction, exponent.
    std::string_view number()
    {
        skipSpace();
        const std::size_t from = m_at;
        while (m_at < m_text.size()
               && (isWord(m_text[m_at]) || m_text[m_at] == '.' || m_text[m_at] == '-'
                   || m_text[m_at] == '+'))
            ++m_at;
        return m_text.substr(from, m_at - from);
    }
    bool atEnd()
    {
        skipSpace();
        return m_at == m_text.size();
    }
    char peek()
    {
        skipSpace();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

private:
    std::string_view m_text;
    std::size_t m_at = 0;
};

inline tl::unexpected<Error> wrongExpression(const std::string& what)
{
    return badInput({}, "size expression " + what);
}

} // namespace pt2e::pt2
