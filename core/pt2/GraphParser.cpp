// The frame of a graph: value tables, placeholders, nodes with their arguments, the output.
#include "core/pt2/GraphParser.h"

#include "core/ir/Text.h"
#include "core/pt2/ArgumentNames.h"
#include "core/pt2/NodeMetadata.h"
#include "core/pt2/SymbolExpression.h"

namespace pt2e::pt2 {

namespace {

constexpr rapidjson::SizeType kMaxNodePorts = 1'000'000;

/// How the graph spells it: "torch.ops.aten.relu.default" → "aten.relu.default".
std::string_view graphTarget(std::string_view target)
{
    for (const std::string_view prefix : {"torch.ops.higher_order.", "torch.ops."}) {
        if (target.starts_with(prefix))
            return target.substr(prefix.size());
    }
    return target;
}

/// Functions on symbolic scalars take everything by position, whatever the file calls it.
bool isSymbolicFunction(std::string_view target)
{
    return target.starts_with("_operator.") || target.starts_with("math.")
           || target.starts_with("torch.sym") || target.starts_with("torch._sym")
           || target == "aten.item.default";
}

} // namespace

Result<std::shared_ptr<const RawGraph>> GraphParser::parse(
    const Json& graph, const Place& place, const std::vector<std::string>& literalNames)
{
    if (m_depth > ProgramLimits::kMaxGraphDepth)
        return place.error("sub-graphs are nested deeper than 32 levels");
    if (++m_limits.graphs > ProgramLimits::kMaxGraphs)
        return place.error("has more than 2000 sub-graphs");
    if (!graph.IsObject())
        return place.error("is not an object");
    m_place = &place;
    PT2E_TRY(indexValues(graph, place));
    PT2E_TRY(parseInputs(graph, place, literalNames));
    PT2E_ASSIGN(const Json* nodes, requiredArray(graph, "nodes", place));
    const Place nodesPlace = place.key("nodes");
    for (rapidjson::SizeType i = 0; i < nodes->Size(); ++i)
        PT2E_TRY(parseNode((*nodes)[i], nodesPlace.at(i)));
    PT2E_TRY(parseOutputs(graph, place));
    m_limits.idTable += m_limits.nodes;
    if (m_limits.idTable > ProgramLimits::kMaxIdTable)
        return place.error("has too many sub-graphs for so many nodes");
    return std::make_shared<const RawGraph>(std::move(m_graph));
}

Result<void> GraphParser::indexValues(const Json& graph, const Place& place)
{
    struct Table
    {
        std::string_view key;
        Names* names;
    };
    for (const Table& table :
         {Table{"tensor_values", &m_tensors}, Table{"sym_int_values", &m_symInts},
          Table{"sym_float_values", &m_symFloats}, Table{"sym_bool_values", &m_symBools},
          Table{"custom_obj_values", &m_objects}}) {
        const Json* values = member(graph, table.key);
        if (!values)
            continue;
        if (!values->IsObject())
            return place.key(table.key).error("is not an object");
        table.names->reserve(table.names->size() + values->MemberCount());
        for (auto at = values->MemberBegin(); at != values->MemberEnd(); ++at)
            table.names->emplace(textOf(at->name), &at->value);
    }
    return {};
}

Result<ValueMeta> GraphParser::valueOf(std::string_view name)
{
    ValueMeta val;
    if (const auto it = m_tensors.find(name); it != m_tensors.end()) {
        const Place place = m_place->key("tensor_values");
        PT2E_ASSIGN(std::optional<TensorMeta> meta,
                    parseTensorMeta(*it->second, place.key(name), m_remarks));
        if (meta)
            val.value = std::move(*meta);
        return val;
    }
    if (const auto it = m_symInts.find(name); it != m_symInts.end())
        return symbolValue(*it->second, "SymInt", m_place->key(name));
    if (const auto it = m_symFloats.find(name); it != m_symFloats.end())
        return symbolValue(*it->second, "SymFloat", m_place->key(name));
    if (const auto it = m_symBools.find(name); it != m_symBools.end())
        return symbolValue(*it->second, "SymBool", m_place->key(name));
    if (!m_objects.contains(name))
        m_remarks.warn("no-value", std::string(name),
                       "the file does not say what '" + std::string(name) + "' is");
    return val;
}

Result<ValueMeta> GraphParser::symbolValue(const Json& value, const char* type, const Place& place)
{
    ValueMeta val;
    PT2E_ASSIGN(const JsonUnion found, unionValue(value, place));
    if (found.variant == "as_int" && found.value->IsInt64()) {
        val.value = ValueMeta::Scalar{"int", std::to_string(found.value->GetInt64())};
    } else if (found.variant == "as_bool" && found.value->IsBool()) {
        val.value = ValueMeta::Scalar{"bool", found.value->GetBool() ? "True" : "False"};
    } else if (found.variant == "as_float") {
        PT2E_ASSIGN(const double real, realValue(*found.value, place));
        val.value = ValueMeta::Scalar{"float", pythonFloat(real)};
    } else {
        PT2E_ASSIGN(const std::string_view text, requiredString(*found.value, "expr_str", place));
        const Result<std::string> infix = infixFromStructural(text);
        if (!infix)
            return place.error(infix.error().what);
        val.value = ValueMeta::Scalar{type, *infix};
    }
    return val;
}

// ---- placeholders and output

Result<void> GraphParser::parseInputs(const Json& graph, const Place& place,
                                      const std::vector<std::string>& literalNames)
{
    PT2E_ASSIGN(const Json* inputs, requiredArray(graph, "inputs", place));
    const Place inputsPlace = place.key("inputs");
    for (rapidjson::SizeType i = 0; i < inputs->Size(); ++i) {
        const Place here = inputsPlace.at(i);
        PT2E_ASSIGN(const JsonUnion input, unionValue((*inputs)[i], here));
        RawNode node;
        node.kind = OpKind::Placeholder;
        std::string_view name;
        if (input.variant == "as_tensor" || input.variant == "as_custom_obj"
            || input.variant == "as_token") {
            PT2E_ASSIGN(name, tensorName(*input.value, here));
        } else if (input.variant.starts_with("as_sym_")) {
            const Json* symbol = member(*input.value, "as_name");
            if (!symbol)
                return here.error("is a symbolic input without a name");
            PT2E_ASSIGN(name, stringValue(*symbol, here));
        }
        if (!name.empty()) {
            PT2E_ASSIGN(node.val, valueOf(name));
            node.target = name;
            PT2E_ASSIGN(const std::size_t index, addNode(std::move(node), name, here));
            PT2E_TRY(define(index, name, here));
            continue;
        }
        PT2E_ASSIGN(const Argument literal, scalar(input, here));
        if (const auto* number = literal.get<std::int64_t>())
            node.val.value = ValueMeta::Scalar{"int", std::to_string(*number)};
        else if (const auto* truth = literal.get<bool>())
            node.val.value = ValueMeta::Scalar{"bool", *truth ? "True" : "False"};
        else if (const auto* real = literal.get<double>())
            node.val.value = ValueMeta::Scalar{"float", pythonFloat(*real)};
        else if (const auto* text = literal.get<std::string>())
            node.val.value = ValueMeta::Scalar{"str", *text};
        const bool isNamed = i < literalNames.size() && !literalNames[i].empty();
        node.target = isNamed ? literalNames[i] : "arg" + std::to_string(i);
        const std::string candidate = node.target;
        PT2E_TRY(addNode(std::move(node), candidate, here));
    }
    m_graph.inputCount = m_graph.nodes.size();
    return {};
}

Result<void> GraphParser::parseOutputs(const Json& graph, const Place& place)
{
    PT2E_ASSIGN(const Json* outputs, requiredArray(graph, "outputs", place));
    const Place outputsPlace = place.key("outputs");
    std::vector<Argument> items;
    std::vector<ValueMeta> values;
    for (rapidjson::SizeType i = 0; i < outputs->Size(); ++i) {
        PT2E_ASSIGN(Argument item, argument((*outputs)[i], outputsPlace.at(i)));
        values.push_back(item.node() ? m_graph.nodes[item.node().value].val : ValueMeta{});
        items.push_back(std::move(item));
    }
    RawNode output;
    output.kind = OpKind::Output;
    output.target = "output";
    if (flag(graph, "is_single_tensor_return", false)) {
        if (items.size() != 1)
            return outputsPlace.error("must be one for is_single_tensor_return");
        output.args.push_back(std::move(items.front()));
        output.val = std::move(values.front());
    } else {
        output.args.push_back(Argument::tuple(std::move(items)));
        output.val.value = std::move(values);
    }
    PT2E_TRY(addNode(std::move(output), "output", outputsPlace));
    return {};
}

// ---- nodes

Result<void> GraphParser::parseNode(const Json& node, const Place& place)
{
    RawNode out;
    PT2E_ASSIGN(const std::string_view target, requiredString(node, "target", place));
    out.target = graphTarget(target);
    if (out.target.empty())
        return place.key("target").error("is empty");
    m_currentNode = out.target;
    if (const Json* name = member(node, "name"); name && name->IsString())
        m_currentNode = textOf(*name);
    if (const Json* metadata = member(node, "metadata"))
        out.fileMeta = readNodeMetadata(*metadata);
    m_currentMeta = out.fileMeta;
    PT2E_TRY(parseNodeInputs(node, place, out));
    PT2E_ASSIGN(const Json* outputs, requiredArray(node, "outputs", place));
    if (outputs->Size() > kMaxNodePorts)
        return place.key("outputs").error("are too many");
    PT2E_ASSIGN(const std::string candidate, nameCandidate(node, *outputs, out, place));
    PT2E_ASSIGN(const std::size_t index, addNode(std::move(out), candidate, place));
    return parseNodeOutputs(node, *outputs, place, index);
}

Result<void> GraphParser::parseNodeInputs(const Json& node, const Place& place, RawNode& out)
{
    enum Kind { Positional = 1, Keyword = 2 };
    PT2E_ASSIGN(const Json* inputs, requiredArray(node, "inputs", place));
    if (inputs->Size() > kMaxNodePorts)
        return place.key("inputs").error("are too many");
    const Place inputsPlace = place.key("inputs");
    const bool byPosition = isSymbolicFunction(out.target);
    std::optional<ArgumentNames> names; // looked up only for old files, which do not say the kind
    bool isLookedUp = false;
    for (rapidjson::SizeType i = 0; i < inputs->Size(); ++i) {
        const Place here = inputsPlace.at(i);
        const Json& input = (*inputs)[i];
        PT2E_ASSIGN(const std::string_view name, requiredString(input, "name", here));
        PT2E_ASSIGN(const Json* value, requiredMember(input, "arg", here));
        PT2E_ASSIGN(Argument parsed, argument(*value, here.key("arg")));
        const Json* kind = member(input, "kind");
        int wanted = kind && kind->IsInt64() ? static_cast<int>(kind->GetInt64()) : 0;
        if (byPosition || name.empty()) {
            wanted = Positional;
        } else if (wanted != Positional && wanted != Keyword) {
            if (!isLookedUp)
                names = argumentNames(out.target);
            isLookedUp = true;
            // By position while there is no gap: what comes after one must be named.
            const bool isNext = names ? out.args.size() < names->positional.size()
                                            && names->positional[out.args.size()] == name
                                      : !isUsuallyKeywordOnly(name);
            wanted = isNext && out.kwargs.empty() ? Positional : Keyword;
        }
        if (wanted == Positional)
            out.args.push_back(std::move(parsed));
        else
            out.kwargs.emplace_back(name, std::move(parsed));
    }
    return {};
}

Result<std::size_t> GraphParser::addNode(RawNode node, std::string_view candidate,
                                         const Place& place)
{
    if (++m_limits.nodes > ProgramLimits::kMaxNodes)
        return place.error("the program has more than 2000000 nodes");
    node.name = m_names.create(candidate);
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.size() - 1;
}

Result<void> GraphParser::define(std::size_t index, std::string_view name, const Place& place)
{
    if (!m_defined.emplace(name, static_cast<std::uint32_t>(index)).second)
        return place.error("'" + std::string(name) + "' is defined twice");
    m_graph.nodes[index].name = name; // as sync_fx_node: the file's name wins over FX's rules
    return {};
}

Result<std::shared_ptr<const RawGraph>> parseGraph(const Json& graph, const Place& place,
                                                   const std::vector<std::string>& literalNames,
                                                   Remarks& remarks)
{
    ProgramLimits limits;
    return GraphParser(remarks, limits, 0).parse(graph, place, literalNames);
}

} // namespace pt2e::pt2
