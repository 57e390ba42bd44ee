// JSON as it is read: each value knows its place, so that every error can name it.
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <rapidjson/document.h>
#include <string>
#include <string_view>

namespace pt2e::json {

/// A value of a parsed document and where it stands: "edits[2].spec.kind" of a file.
class Place
{
public:
    /// Parses text; the document must outlive all places in it. Depth is bounded, duplicate keys are
    /// found by members(). The error names line and column.
    static Result<Place> parse(rapidjson::Document& document, const std::string& text,
                               std::string file);

    bool isNull() const { return m_value->IsNull(); }
    bool isString() const { return m_value->IsString(); }
    /// "recipe.json: edits[2].spec"; the where of an error.
    std::string where() const;
    tl::unexpected<Error> error(const std::string& what) const;
    tl::unexpected<Error> unknownKey() const { return error("unknown key"); }

    /// Calls visit for each member in file order. An error if it is no object, or a key stands twice.
    Result<void> members(
        const std::function<Result<void>(std::string_view, const Place&)>& visit) const;
    /// What stands under "format" and "version", before anything else is looked at: another version may have other keys.
    struct Head
    {
        std::string format; ///< empty: none
        std::int64_t version = 0;
    };
    Result<Head> head() const;
    /// Calls visit for each item. An error if it is no array.
    Result<void> items(const std::function<Result<void>(const Place&)>& visit) const;

    Result<void> read(bool& value) const;
    Result<void> read(std::int64_t& value) const;
    Result<void> read(std::uint64_t& value) const;
    Result<void> read(double& value) const; ///< integers are accepted
    Result<void> read(std::string& value) const;
    /// null: none.
    template<typename T>
    Result<void> read(std::optional<T>& value) const
    {
        if (isNull()) {
            value.reset();
            return {};
        }
        T inner{};
        PT2E_TRY(read(inner));
        value = std::move(inner);
        return {};
    }

private:
    Place(const rapidjson::Value& value, std::string file, std::string path)
        : m_value(&value),
          m_file(std::move(file)),
          m_path(std::move(path))
    {}
    const rapidjson::Value* m_value;
    std::string m_file;
    std::string m_path;
};

} // namespace pt2e::json
