// Arguments: the schema's union of that name, one variant after the other.
#include "core/pt2/Enums.h"
#include "core/pt2/GraphParser.h"

namespace pt2e::pt2 {

namespace {

Result<Argument> deviceArgument(const Json& value, const Place& place)
{
    PT2E_ASSIGN(const std::string_view type, requiredString(value, "type", place));
    Device device{std::string(type), -1};
    if (const Json* index = member(value, "index")) {
        PT2E_ASSIGN(const std::int64_t number, intValue(*index, place.key("index")));
        if (number < -1 || number > 1024)
            return place.key("index").error("is not a device number");
        device.index = static_cast<int>(number);
    }
    return Argument(std::move(device));
}

template<typename Enum>
Argument enumArgument(std::optional<Enum> known, std::string_view kind, std::int64_t number)
{
    if (known)
        return Argument(*known);
    return Argument(OpaqueArgument{std::string(kind) + " #" + std::to_string(number)});
}

} // namespace

Result<std::string_view> tensorName(const Json& value, const Place& place)
{
    if (value.IsString())
        return textOf(value);
    return requiredString(value, "name", place);
}

Result<Argument> GraphParser::argument(const Json& value, const Place& place)
{
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    if (found.variant == "as_tensor" || found.variant == "as_token"
        || found.variant == "as_custom_obj") {
        PT2E_ASSIGN(const std::string_view name, tensorName(*found.value, place));
        if (found.variant == "as_custom_obj" && !m_defined.contains(name))
            return unknown("custom object '" + std::string(name) + "'");
        return reference(name, place);
    }
    if (found.variant == "as_optional_tensor")
        return listItem("as_optional_tensors", *found.value, place);
    if (found.variant == "as_sym_int" || found.variant == "as_sym_bool"
        || found.variant == "as_sym_float")
        return symbolic(*found.value, place);
    if (found.variant == "as_graph")
        return subgraph(*found.value, place);
    if (found.variant == "as_string_to_argument")
        return dictionary(*found.value, place);
    if (found.value->IsArray() && found.variant != "as_none")
        return list(found, place);
    return scalar(found, place);
}

Result<Argument> GraphParser::scalar(const JsonUnion& value, const Place& place)
{
    const Json& payload = *value.value;
    if (value.variant == "as_none")
        return Argument();
    if (value.variant == "as_bool") {
        PT2E_ASSIGN(const bool truth, boolValue(payload, place));
        return Argument(truth);
    }
    if (value.variant == "as_float") {
        PT2E_ASSIGN(const double real, realValue(payload, place));
        return Argument(real);
    }
    if (value.variant == "as_string") {
        PT2E_ASSIGN(const std::string_view text, stringValue(payload, place));
        return Argument(std::string(text));
    }
    if (value.variant == "as_operator") {
        PT2E_ASSIGN(const std::string_view text, stringValue(payload, place));
        return Argument(OpaqueArgument{std::string(text)});
    }
    if (value.variant == "as_device")
        return deviceArgument(payload, place);
    if (value.variant == "as_complex") {
        PT2E_ASSIGN(const Json* real, requiredMember(payload, "real", place));
        PT2E_ASSIGN(const Json* imag, requiredMember(payload, "imag", place));
        ComplexArgument number;
        PT2E_ASSIGN(number.real, realValue(*real, place.key("real")));
        PT2E_ASSIGN(number.imag, realValue(*imag, place.key("imag")));
        return Argument(number);
    }
    const bool isEnum = value.variant == "as_scalar_type" || value.variant == "as_layout"
                        || value.variant == "as_memory_format";
    if (!isEnum && value.variant != "as_int")
        return unknown(std::string(value.variant));
    PT2E_ASSIGN(const std::int64_t number, intValue(payload, place));
    if (value.variant == "as_scalar_type")
        return enumArgument(dtypeFromNumber(number), "dtype", number);
    if (value.variant == "as_layout")
        return enumArgument(layoutFromNumber(number), "layout", number);
    if (value.variant == "as_memory_format")
        return enumArgument(memoryFormatFromNumber(number), "memory format", number);
    return Argument(number);
}

Result<Argument> GraphParser::list(const JsonUnion& value, const Place& place)
{
    std::vector<Argument> items;
    items.reserve(value.value->Size());
    for (rapidjson::SizeType i = 0; i < value.value->Size(); ++i) {
        PT2E_ASSIGN(Argument item, listItem(value.variant, (*value.value)[i], place.at(i)));
        items.push_back(std::move(item));
    }
    return Argument::list(std::move(items));
}

Result<Argument> GraphParser::listItem(std::string_view variant, const Json& item,
                                       const Place& place)
{
    if (variant == "as_tensors") {
        PT2E_ASSIGN(const std::string_view name, tensorName(item, place));
        return reference(name, place);
    }
    if (variant == "as_optional_tensors") {
        PT2E_ASSIGN(const JsonUnion optional, unionValue(item, place));
        if (optional.variant == "as_none")
            return Argument();
        PT2E_ASSIGN(const std::string_view name, tensorName(*optional.value, place));
        return reference(name, place);
    }
    if (variant == "as_sym_ints" || variant == "as_sym_bools" || variant == "as_sym_floats")
        return symbolic(item, place);
    if (variant == "as_ints")
        return scalar({"as_int", &item}, place);
    if (variant == "as_floats")
        return scalar({"as_float", &item}, place);
    if (variant == "as_bools")
        return scalar({"as_bool", &item}, place);
    if (variant == "as_strings")
        return scalar({"as_string", &item}, place);
    const bool isInts = variant == "as_int_lists";
    if (isInts || variant == "as_float_lists" || variant == "as_nested_tensors") {
        if (!item.IsArray())
            return place.error("is not a list");
        const std::string_view inner = isInts                        ? "as_ints"
                                       : variant == "as_float_lists" ? "as_floats"
                                                                     : "as_tensors";
        PT2E_ASSIGN(Argument items, list({inner, &item}, place));
        items.get<ArgumentList>()->isTuple = isInts; // as Python reads them: Triton grids
        return items;
    }
    return unknown(std::string(variant));
}

Result<Argument> GraphParser::subgraph(const Json& value, const Place& place)
{
    PT2E_ASSIGN(const std::string_view name, requiredString(value, "name", place));
    PT2E_ASSIGN(const Json* graph, requiredObject(value, "graph", place));
    GraphParser inner(m_remarks, m_limits, m_depth + 1);
    PT2E_ASSIGN(std::shared_ptr<const RawGraph> body, inner.parse(*graph, place.key("graph"), {}));
    m_graph.bodies.set(std::string(name), std::move(body));
    RawNode node;
    node.kind = OpKind::GetAttr;
    node.target = name;
    node.fileMeta = m_currentMeta;
    PT2E_ASSIGN(const std::size_t index, addNode(std::move(node), name, place));
    return Argument(NodeId{static_cast<std::uint32_t>(index)});
}

Result<Argument> GraphParser::dictionary(const Json& value, const Place& place)
{
    if (!value.IsObject())
        return place.error("is not an object");
    std::vector<Argument> pairs;
    for (auto at = value.MemberBegin(); at != value.MemberEnd(); ++at) {
        PT2E_ASSIGN(Argument item, argument(at->value, place.key(textOf(at->name))));
        pairs.push_back(Argument::tuple({Argument(std::string(textOf(at->name))), item}));
    }
    m_remarks.warn("dict-argument", m_currentNode,
                   "a dict argument is shown as a list of pairs; the node cannot be run");
    return Argument::list(std::move(pairs));
}

Result<Argument> GraphParser::reference(std::string_view name, const Place& place) const
{
    const auto it = m_defined.find(name);
    if (it == m_defined.end())
        return place.error("uses '" + std::string(name) + "', which is not defined before");
    return Argument(NodeId{it->second});
}

Result<Argument> GraphParser::symbolic(const Json& value, const Place& place) const
{
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    if (found.variant == "as_name") {
        PT2E_ASSIGN(const std::string_view name, stringValue(*found.value, place));
        return reference(name, place);
    }
    if (found.variant == "as_int") {
        PT2E_ASSIGN(const std::int64_t number, intValue(*found.value, place));
        return Argument(number);
    }
    if (found.variant == "as_bool") {
        PT2E_ASSIGN(const bool truth, boolValue(*found.value, place));
        return Argument(truth);
    }
    if (found.variant == "as_float") {
        PT2E_ASSIGN(const double real, realValue(*found.value, place));
        return Argument(real);
    }
    return place.error("has the unknown variant '" + std::string(found.variant) + "'");
}

Argument GraphParser::unknown(const std::string& variant)
{
    m_remarks.warn("unknown-argument", m_currentNode,
                   "an argument of the kind '" + variant
                       + "' is not known; the node cannot be run");
    return Argument(OpaqueArgument{"<" + variant + ">"});
}

} // namespace pt2e::pt2
