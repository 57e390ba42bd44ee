#include "core/pt2/Examples.h"

#include "core/pt2/Json.h"

#include <optional>

namespace pt2e::pt2 {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxLeaves = 100'000;

/// Flattens as torch.utils._pytree does: tuples, lists and dicts in order, everything else is a leaf.
class Flattener
{
public:
    explicit Flattener(TorchSave& file) : m_file(file) {}

    /// spec: the tree spec of this value, or nullptr.
    Result<void> flatten(PickleRef ref, const Json* spec, int depth)
    {
        const PickleValue value = m_file.pickle()[ref];
        if (depth > kMaxDepth)
            return wrong("is nested too deeply");
        if (value.kind == PickleKind::Tuple || value.kind == PickleKind::List) {
            for (std::size_t i = 0; i < value.items.size(); ++i)
                PT2E_TRY(flatten(value.items[i], child(spec, i), depth + 1));
            return {};
        }
        if (value.kind == PickleKind::Dict)
            return flattenDict(value, spec, depth);
        if (m_values.size() == kMaxLeaves)
            return wrong("has too many values");
        PT2E_ASSIGN(Value leaf, m_file.leaf(ref));
        m_values.push_back(std::move(leaf));
        return {};
    }

    Values take() { return std::move(m_values); }

private:
    tl::unexpected<Error> wrong(const std::string& what) const
    {
        return badInput(m_file.label(), what);
    }

    static const Json* child(const Json* spec, std::size_t index)
    {
        const Json* children = spec ? member(*spec, "children_spec") : nullptr;
        return children && children->IsArray() && index < children->Size()
                   ? &(*children)[static_cast<rapidjson::SizeType>(index)]
                   : nullptr;
    }

    Result<void> flattenDict(const PickleValue& dict, const Json* spec, int depth)
    {
        const std::optional<std::vector<std::string>> order = keysOf(spec);
        if (order && order->size() * dict.items.size() > 1'000'000)
            return wrong("has a dict with too many keys");
        if (order) {
            for (std::size_t i = 0; i < order->size(); ++i) {
                const std::optional<PickleRef> item = find(dict, (*order)[i]);
                if (!item)
                    return wrong("lacks the input '" + (*order)[i] + "'");
                PT2E_TRY(flatten(*item, child(spec, i), depth + 1));
            }
            return {};
        }
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2)
            PT2E_TRY(flatten(dict.items[i + 1], nullptr, depth + 1));
        return {};
    }

    std::optional<PickleRef> find(const PickleValue& dict, const std::string& key) const
    {
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
            const PickleValue& name = m_file.pickle()[dict.items[i]];
            if (name.kind == PickleKind::String && name.text == key)
                return dict.items[i + 1];
        }
        return std::nullopt;
    }

    /// A dict's context is the JSON text of its list of keys; nothing if they are not all strings.
    static std::optional<std::vector<std::string>> keysOf(const Json* spec)
    {
        const Json* type = spec ? member(*spec, "type") : nullptr;
        const Json* context = spec ? member(*spec, "context") : nullptr;
        if (!type || !type->IsString() || textOf(*type) != "builtins.dict" || !context
            || !context->IsString())
            return std::nullopt;
        const std::string_view text = textOf(*context);
        const auto keys = JsonDocument::parse(std::as_bytes(std::span(text)), "context");
        if (!keys || !(*keys)->root().IsArray())
            return std::nullopt;
        std::vector<std::string> names;
        for (const Json& key : (*keys)->root().GetArray()) {
            if (!key.IsString())
                return std::nullopt;
            names.emplace_back(textOf(key));
        }
        return names;
    }

    TorchSave& m_file;
    Values m_values;
};

} // namespace

Result<Values> readExamples(TorchSave& file, const std::string& inSpec)
{
    const PickleValue& root = file.pickle()[file.pickle().root];
    if (root.kind == PickleKind::None)
        return Values{};
    std::unique_ptr<JsonDocument> spec;
    const Json* tree = nullptr;
    if (!inSpec.empty()) {
        auto parsed = JsonDocument::parse(std::as_bytes(std::span(inSpec)), "in_spec");
        if (parsed) {
            spec = std::move(*parsed);
            // [version, node]
            if (spec->root().IsArray() && spec->root().Size() == 2)
                tree = &spec->root()[1];
        }
    }
    Flattener flattener(file);
    PT2E_TRY(flattener.flatten(file.pickle().root, tree, 0));
    return flattener.take();
}

} // namespace pt2e::pt2
