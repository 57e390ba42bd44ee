#include "core/pt2/PickleWriter.h"

#include "core/pt2/Enums.h"
#include "core/pt2/Json.h"
#include "core/pt2/ZipWriter.h"

#include <bit>
#include <map>

namespace pt2e::pt2 {

namespace {

constexpr int kMaxDepth = 64;

tl::unexpected<Error> unsupported(const std::string& what)
{
    return fail(ErrorCode::Unsupported, "example inputs", what);
}

class Pickler
{
public:
    explicit Pickler(const Values& values) : m_values(values) {}

    Result<std::string> pickle(const Json* spec)
    {
        m_out = "\x80\x02";
        if (spec) {
            PT2E_TRY(node(*spec, 0));
        } else {
            m_out += "((";
            while (m_next < m_values.size())
                PT2E_TRY(leaf());
            m_out += "t}t";
        }
        if (m_next != m_values.size())
            return unsupported("do not fit the program's inputs");
        m_out += '.';
        return m_out;
    }
    const std::vector<std::shared_ptr<const Storage>>& storages() const { return m_storages; }

private:
    Result<void> node(const Json& spec, int depth)
    {
        if (depth > kMaxDepth)
            return unsupported("are nested too deeply");
        const Json* type = member(spec, "type");
        if (!type)
            return leaf();
        const Json* children = member(spec, "children_spec");
        if (!type->IsString() || !children || !children->IsArray())
            return unsupported("have an unknown structure");
        const std::string_view name = textOf(*type);
        if (name == "builtins.dict")
            return dict(spec, *children, depth);
        if (name != "builtins.tuple" && name != "builtins.list")
            return unsupported("hold a " + std::string(name));
        m_out += name == "builtins.list" ? "](" : "(";
        for (const Json& child : children->GetArray())
            PT2E_TRY(node(child, depth + 1));
        m_out += name == "builtins.list" ? 'e' : 't';
        return {};
    }

    Result<void> dict(const Json& spec, const Json& children, int depth)
    {
        PT2E_ASSIGN(const std::string_view context,
                    requiredString(spec, "context", Place("in_spec")));
        PT2E_ASSIGN(const auto keys,
                    JsonDocument::parse(std::as_bytes(std::span(context)), "in_spec"));
        if (!keys->root().IsArray() || keys->root().Size() != children.Size())
            return unsupported("have an unknown structure");
        m_out += "}(";
        for (rapidjson::SizeType i = 0; i < children.Size(); ++i) {
            if (!keys->root()[i].IsString())
                return unsupported("hold a dict whose keys are no strings");
            string(textOf(keys->root()[i]));
            PT2E_TRY(node(children[i], depth + 1));
        }
        m_out += 'u';
        return {};
    }

    Result<void> leaf()
    {
        if (m_next == m_values.size())
            return unsupported("do not fit the program's inputs");
        const Value& value = m_values[m_next++];
        if (value.isNone())
            m_out += 'N';
        else if (const auto* truth = std::get_if<bool>(&value.data))
            m_out += *truth ? '\x88' : '\x89';
        else if (const auto* number = std::get_if<std::int64_t>(&value.data))
            integer(*number);
        else if (const auto* real = std::get_if<double>(&value.data))
            floating(*real);
        else if (const auto* text = std::get_if<std::string>(&value.data))
            string(*text);
        else if (const Tensor* tensor = value.tensor())
            return this->tensor(*tensor);
        else
            return unsupported("hold a " + describeValue(value));
        return {};
    }

    void little(std::uint64_t value, int count)
    {
        for (int i = 0; i < count; ++i)
            m_out += static_cast<char>(value >> (8 * i) & 0xff);
    }
    void integer(std::int64_t value)
    {
        if (value >= 0 && value < 256) {
            m_out += 'K';
            little(static_cast<std::uint64_t>(value), 1);
        } else if (value >= INT32_MIN && value <= INT32_MAX) {
            m_out += 'J';
            little(static_cast<std::uint64_t>(value), 4);
        } else {
            m_out += "\x8a\x08";
            little(static_cast<std::uint64_t>(value), 8);
        }
    }
    void floating(double value)
    {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        m_out += 'G';
        for (int i = 7; i >= 0; --i)
            m_out += static_cast<char>(bits >> (8 * i) & 0xff);
    }
    void string(std::string_view text)
    {
        m_out += 'X';
        little(text.size(), 4);
        m_out += text;
    }
    void global(std::string_view module, std::string_view name)
    {
        m_out += 'c';
        m_out += module;
        m_out += '\n';
        m_out += name;
        m_out += '\n';
    }
    void integers(const std::vector<std::int64_t>& numbers)
    {
        m_out += '(';
        for (const std::int64_t number : numbers)
            integer(number);
        m_out += 't';
    }

    /// torch._utils._rebuild_tensor_v2, or v3 for dtypes that have no storage class of their own.
    Result<void> tensor(const Tensor& tensor)
    {
        std::size_t key = 0;
        while (key < m_storages.size() && m_storages[key] != tensor.storage())
            ++key;
        if (key == m_storages.size())
            m_storages.push_back(tensor.storage());
        const std::string_view typed = storageClassOf(tensor.dtype());
        const std::size_t itemSize = typed.empty() ? 1 : elementSize(tensor.dtype());
        global("torch._utils", typed.empty() ? "_rebuild_tensor_v3" : "_rebuild_tensor_v2");
        m_out += "((";
        string("storage");
        global(typed.empty() ? "torch.storage" : "torch",
               typed.empty() ? std::string_view("UntypedStorage") : typed);
        string(std::to_string(key));
        string("cpu");
        integer(static_cast<std::int64_t>(tensor.storage()->size() / itemSize));
        m_out += "tQ";
        integer(tensor.offset());
        integers(tensor.shape());
        integers(tensor.strides());
        m_out += '\x89';
        global("collections", "OrderedDict");
        m_out += ")R";
        if (typed.empty())
            global("torch", dtypeName(tensor.dtype()));
        m_out += "tR";
        return {};
    }

    const Values& m_values;
    std::size_t m_next = 0;
    std::string m_out;
    std::vector<std::shared_ptr<const Storage>> m_storages;
};

} // namespace

Result<std::string> writeExamples(const Values& values, const std::string& inSpec)
{
    std::unique_ptr<JsonDocument> spec;
    const Json* tree = nullptr;
    if (!inSpec.empty()) {
        PT2E_ASSIGN(spec, JsonDocument::parse(std::as_bytes(std::span(inSpec)), "in_spec"));
        if (!spec->root().IsArray() || spec->root().Size() != 2)
            return unsupported("have an unknown structure");
        tree = &spec->root()[1];
    }
    Pickler pickler(values);
    PT2E_ASSIGN(const std::string pickle, pickler.pickle(tree));
    std::string file;
    ZipWriter zip([&file](std::span<const std::byte> bytes) -> Result<void> {
        file.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        return {};
    });
    PT2E_TRY(zip.add("archive/data.pkl", pickle));
    PT2E_TRY(zip.add("archive/byteorder", "little"));
    for (std::size_t i = 0; i < pickler.storages().size(); ++i) {
        PT2E_ASSIGN(const auto bytes, pickler.storages()[i]->bytes());
        PT2E_TRY(zip.add("archive/data/" + std::to_string(i), bytes));
    }
    PT2E_TRY(zip.add("archive/version", "3\n"));
    PT2E_TRY(zip.finish());
    return file;
}

} // namespace pt2e::pt2
