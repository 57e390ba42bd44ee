// Writing JSON text, and the two forms of values that every part of a program uses.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/TensorMeta.h"

#include <cstdint>
#include <map>
#include <optional>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <string>
#include <string_view>

namespace pt2e::pt2 {

/// RapidJSON's writer with the few forms we need.
class JsonText
{
public:
    void open() { m_writer.StartObject(); }
    void close() { m_writer.EndObject(); }
    void openList() { m_writer.StartArray(); }
    void closeList() { m_writer.EndArray(); }
    void key(std::string_view name)
    {
        m_writer.Key(name.data(), static_cast<rapidjson::SizeType>(name.size()));
    }
    void null() { m_writer.Null(); }
    void value(bool truth) { m_writer.Bool(truth); }
    void value(std::int64_t number) { m_writer.Int64(number); }
    void value(std::string_view text)
    {
        m_writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
    }
    void real(double number); ///< shortest digits; words for what is not finite
    template<typename T>
    void member(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }
    void member(std::string_view name, const char* content)
    {
        member(name, std::string_view(content));
    }
    /// Example sizes for the size expressions that are written; null: none are known. Not owned.
    void setHints(const std::map<std::string, std::int64_t>* hints) { m_hints = hints; }
    std::optional<std::int64_t> hintOf(const std::string& expression) const;
    std::string text() const { return {m_buffer.GetString(), m_buffer.GetSize()}; }

private:
    rapidjson::StringBuffer m_buffer;
    rapidjson::Writer<rapidjson::StringBuffer> m_writer{m_buffer};
    const std::map<std::string, std::int64_t>* m_hints = nullptr;
};

/// TensorMeta object. Unknown strides are written as those of a contiguous tensor.
Result<void> writeTensorMeta(JsonText& json, const TensorMeta& meta, std::int64_t offset = 0);
/// {"as_int": …}, or the expression with its hint. Fails for text that is no arithmetic of symbols and integers.
Result<void> writeSymInt(JsonText& json, const SymInt& size);

} // namespace pt2e::pt2
