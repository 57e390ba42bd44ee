// Arguments back to the schema's union.
#include "core/pt2/Enums.h"
#include "core/pt2/GraphWriter.h"

#include <algorithm>

namespace pt2e::pt2 {

namespace {

template<typename T>
bool allAre(const ArgumentList& list)
{
    return std::all_of(list.items.begin(), list.items.end(),
                       [](const Argument& item) { return item.get<T>() != nullptr; });
}

} // namespace

Result<void> GraphWriter::argument(const Argument& argument, const Node& user)
{
    if (argument.node())
        return reference(argument.node(), user);
    if (const auto* items = argument.get<ArgumentList>())
        return list(*items, user);
    m_json.open();
    if (argument.isNone()) {
        m_json.member("as_none", true);
    } else if (const auto* truth = argument.get<bool>()) {
        m_json.member("as_bool", *truth);
    } else if (const auto* number = argument.get<std::int64_t>()) {
        m_json.member("as_int", *number);
    } else if (const auto* real = argument.get<double>()) {
        m_json.key("as_float");
        m_json.real(*real);
    } else if (const auto* text = argument.get<std::string>()) {
        m_json.member("as_string", *text);
    } else if (const auto* dtype = argument.get<DType>()) {
        m_json.member("as_scalar_type", dtypeNumber(*dtype));
    } else if (const auto* layout = argument.get<Layout>()) {
        m_json.member("as_layout", layoutNumber(*layout));
    } else if (const auto* format = argument.get<MemoryFormat>()) {
        m_json.member("as_memory_format", memoryFormatNumber(*format));
    } else if (const auto* device = argument.get<Device>()) {
        m_json.key("as_device");
        m_json.open();
        m_json.member("type", device->type);
        m_json.key("index");
        if (device->index >= 0)
            m_json.value(std::int64_t{device->index});
        else
            m_json.null();
        m_json.close();
    } else if (const auto* complex = argument.get<ComplexArgument>()) {
        m_json.key("as_complex");
        m_json.open();
        m_json.key("real");
        m_json.real(complex->real);
        m_json.key("imag");
        m_json.real(complex->imag);
        m_json.close();
    } else {
        return wrong(user, "has an argument that only Python can write");
    }
    m_json.close();
    return {};
}

Result<void> GraphWriter::reference(NodeId id, const Node& user)
{
    const Node& producer = m_graph.node(id);
    m_json.open();
    if (const auto* body =
            producer.is(OpKind::GetAttr) ? m_graph.subgraphs().find(producer.target) : nullptr) {
        m_json.key("as_graph");
        m_json.open();
        m_json.member("name", producer.target);
        m_json.key("graph");
        static const std::unordered_map<std::string, std::string> kNothingLifted;
        GraphWriter inner(m_json, **body, kNothingLifted);
        PT2E_TRY(inner.write({}));
        m_json.close();
    } else if (const auto* scalar = std::get_if<ValueMeta::Scalar>(&producer.val.value)) {
        if (scalar->type == "str")
            return wrong(user, "a text as an input has no form here");
        const bool isBool = scalar->type == "SymBool" || scalar->type == "bool";
        const bool isFloat = scalar->type == "SymFloat" || scalar->type == "float";
        m_json.key(isBool ? "as_sym_bool" : isFloat ? "as_sym_float" : "as_sym_int");
        m_json.open();
        m_json.member("as_name", nameOf(id));
        m_json.close();
    } else {
        m_json.key("as_tensor");
        m_json.open();
        m_json.member("name", nameOf(id));
        m_json.close();
    }
    m_json.close();
    return {};
}

Result<void> GraphWriter::list(const ArgumentList& list, const Node& user)
{
    const auto isSymbol = [this](const Argument& item) {
        return item.node()
               && std::holds_alternative<ValueMeta::Scalar>(m_graph.node(item.node()).val.value);
    };
    const auto open = [this](std::string_view variant) {
        m_json.open();
        m_json.key(variant);
        m_json.openList();
    };
    const auto close = [this]() -> Result<void> {
        m_json.closeList();
        m_json.close();
        return {};
    };
    const auto name = [this](NodeId id, std::string_view key) {
        m_json.open();
        m_json.member(key, nameOf(id));
        m_json.close();
    };
    const std::vector<Argument>& items = list.items;
    if (std::any_of(items.begin(), items.end(), isSymbol)) {
        open("as_sym_ints");
        for (const Argument& item : items) {
            const auto* number = item.get<std::int64_t>();
            if (!number && !isSymbol(item))
                return wrong(user, "mixes symbols with something else in a list");
            if (number)
                PT2E_TRY(writeSymInt(m_json, SymInt(*number)));
            else
                name(item.node(), "as_name");
        }
        return close();
    }
    const bool isHigherOrder = user.target.find('.') == std::string::npos;
    if (items.empty() ? isHigherOrder : allAre<NodeId>(list)) {
        open("as_tensors");
        for (const Argument& item : items)
            name(item.node(), "name");
        return close();
    }
    if (allAre<std::int64_t>(list)) {
        open("as_ints");
        for (const Argument& item : items)
            m_json.value(*item.get<std::int64_t>());
        return close();
    }
    if (allAre<bool>(list)) {
        open("as_bools");
        for (const Argument& item : items)
            m_json.value(*item.get<bool>());
        return close();
    }
    if (allAre<std::string>(list)) {
        open("as_strings");
        for (const Argument& item : items)
            m_json.value(*item.get<std::string>());
        return close();
    }
    const auto isReal = [](const Argument& item) {
        return item.get<double>() || item.get<std::int64_t>();
    };
    if (std::all_of(items.begin(), items.end(), isReal)) {
        open("as_floats");
        for (const Argument& item : items)
            m_json.real(item.get<double>() ? *item.get<double>()
                                           : static_cast<double>(*item.get<std::int64_t>()));
        return close();
    }
    const auto isOptional = [](const Argument& item) { return item.isNone() || item.node(); };
    if (std::all_of(items.begin(), items.end(), isOptional)) {
        open("as_optional_tensors");
        for (const Argument& item : items) {
            m_json.open();
            if (item.isNone()) {
                m_json.member("as_none", true);
            } else {
                m_json.key("as_tensor");
                name(item.node(), "name");
            }
            m_json.close();
        }
        return close();
    }
    return wrong(user, "has a list of a kind that the schema has no form for");
}

} // namespace pt2e::pt2
