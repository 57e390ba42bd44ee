// JSON of untrusted files: parsed without recursion into a RapidJSON tree, with every limit checked
// before the tree is handed out. Keeps key order and the whole int64 range; reads bare NaN and Infinity.
#pragma once

#include "core/base/Result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <rapidjson/document.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::pt2 {

/// RapidJSON does not look at what malloc returns; this one throws, and the reader catches that.
struct JsonMemory
{
    static constexpr bool kNeedFree = true;
    void* Malloc(std::size_t size) { return size == 0 ? nullptr : checked(std::malloc(size)); }
    void* Realloc(void* old, std::size_t, std::size_t size)
    {
        if (size != 0)
            return checked(std::realloc(old, size));
        std::free(old);
        return nullptr;
    }
    static void Free(void* old) { std::free(old); }

private:
    static void* checked(void* memory)
    {
        if (!memory)
            throw std::bad_alloc();
        return memory;
    }
};

using JsonPool = rapidjson::MemoryPoolAllocator<JsonMemory>;
using Json = rapidjson::GenericValue<rapidjson::UTF8<>, JsonPool>;

/// Where in a document a value stands: a chain on the stack, turned into text only for an error.
class Place
{
public:
    explicit Place(std::string_view file) : m_name(file) {}
    Place key(std::string_view name) const { return Place(this, name, -1); }
    Place at(std::size_t index) const { return Place(this, {}, static_cast<std::int64_t>(index)); }
    /// "model.json: graph.nodes[3].inputs".
    std::string text() const;
    tl::unexpected<Error> error(std::string what) const
    {
        return badInput(text(), std::move(what));
    }

private:
    Place(const Place* parent, std::string_view name, std::int64_t index)
        : m_parent(parent),
          m_name(name),
          m_index(index)
    {}
    const Place* m_parent = nullptr;
    std::string_view m_name;
    std::int64_t m_index = -1;
};

struct JsonLimits
{
    unsigned depth = 200;
    std::size_t values = 24'000'000; ///< in the document
    std::size_t children = 4'000'000; ///< of one array or object
};

/// A parsed document; owns the text that its strings point into.
class JsonDocument
{
public:
    /// where is how errors call the document; they give the byte offset.
    static Result<std::unique_ptr<JsonDocument>> parse(std::span<const std::byte> text,
                                                       const std::string& where,
                                                       const JsonLimits& limits = {});
    const Json& root() const { return m_document; }

private:
    using Document = rapidjson::GenericDocument<rapidjson::UTF8<>, JsonPool, JsonMemory>;
    JsonDocument() = default;
    std::vector<char> m_text;
    Document m_document;
};

// ---- looking things up; a key that is absent and one that is null are the same (2.6 leaves out what
// later versions write as null)

std::string_view textOf(const Json& string);
/// The member, or nullptr when absent, null, or when this is no object.
const Json* member(const Json& object, std::string_view key);
Result<const Json*> requiredMember(const Json& object, std::string_view key, const Place& place);
Result<const Json*> requiredObject(const Json& object, std::string_view key, const Place& place);
Result<const Json*> requiredArray(const Json& object, std::string_view key, const Place& place);
Result<std::string_view> requiredString(const Json& object, std::string_view key,
                                        const Place& place);
Result<std::string_view> stringValue(const Json& value, const Place& place);
Result<std::int64_t> intValue(const Json& value, const Place& place);
Result<bool> boolValue(const Json& value, const Place& place);
/// A real: a number, a bare NaN or Infinity, or (since 2.7) the same words as a string.
Result<double> realValue(const Json& value, const Place& place);
/// The member as bool, or the fallback when it is absent or something else.
bool flag(const Json& object, std::string_view key, bool fallback);

/// A union: an object whose only non-null key names the variant. `as_none` may carry anything.
struct JsonUnion
{
    std::string_view variant;
    const Json* value = nullptr;
};
Result<JsonUnion> unionValue(const Json& value, const Place& place);

} // namespace pt2e::pt2
