// A graph back to the schema: what NodeOutputs.cpp unfolds is folded here (GraphModuleSerializer).
#include "core/pt2/GraphWriter.h"

#include "core/pt2/Enums.h"
#include "core/pt2/NodeMetadata.h"
#include "core/pt2/SymbolExpression.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <unordered_set>

namespace pt2e::pt2 {

namespace {

enum Kind { Positional = 1, Keyword = 2 };

bool isSymbolic(const ValueMeta& val) { return val.value.index() == 2; }

/// Which of the schema's symbol tables a scalar belongs to: "int", "float" or "bool".
std::string_view symbolType(const ValueMeta& val)
{
    const std::string& type = std::get<ValueMeta::Scalar>(val.value).type;
    if (type == "SymBool" || type == "bool")
        return "bool";
    return type == "SymFloat" || type == "float" ? "float" : "int";
}

bool isHigherOrder(std::string_view target) { return target.find('.') == std::string_view::npos; }

bool isPythonFunction(std::string_view target)
{
    return target.starts_with("_operator.") || target.starts_with("torch.")
           || target.starts_with("math.");
}

} // namespace

tl::unexpected<Error> GraphWriter::wrong(const Node& node, const std::string& what) const
{
    return fail(ErrorCode::Unsupported, "node '" + node.name + "'", what);
}

/// Nodes that the schema has no place for: they become inputs, sub-graph arguments, names of results.
bool GraphWriter::isFolded(const Node& node) const
{
    const auto isMutation = [&] {
        return std::find(m_mutations.begin(), m_mutations.end(), node.id) != m_mutations.end();
    };
    return node.is(OpKind::Placeholder) || node.is(OpKind::GetAttr) || node.is(OpKind::Output)
           || node.calls("getitem") || isMutation();
}

/// The inverse of _insert_copy_for_mutations. Such copies have no value; a copy_ of the model's own code has one
/// and stays a node.
void GraphWriter::findMutations()
{
    const Node* output = m_graph.output();
    NodeId at = output ? m_graph.previousOf(output->id) : NodeId{};
    for (; at; at = m_graph.previousOf(at)) {
        const Node& node = m_graph.node(at);
        if (!node.calls("aten.copy_.default") || !node.val.isNone() || node.args.size() != 2
            || !node.args[0].node() || !node.args[1].node())
            break;
        const Node& target = m_graph.node(node.args[0].node());
        const Attribute* attribute = target.is(OpKind::GetAttr) && m_lifted.contains(target.target)
                                         ? m_graph.attributes().find(target.target)
                                         : nullptr;
        if (attribute ? attribute->kind == AttributeKind::Constant
                      : !target.is(OpKind::Placeholder))
            break;
        m_mutations.push_back(at);
    }
    std::reverse(m_mutations.begin(), m_mutations.end());
}

void GraphWriter::assignNames()
{
    findMutations();
    std::unordered_set<std::string> taken;
    for (const Node& node : m_graph)
        taken.insert(node.name);
    for (const auto& [target, name] : m_lifted)
        taken.insert(name);
    std::map<std::pair<NodeId, std::int64_t>, std::string> items;
    for (const Node& node : m_graph) {
        std::string name = node.name;
        if (node.is(OpKind::GetAttr)) {
            if (const auto it = m_lifted.find(node.target); it != m_lifted.end())
                name = it->second;
        } else if (node.is(OpKind::Placeholder) && !taken.contains(node.target)) {
            // The name as written in Python, where FX had to avoid it ("input" → "input_1").
            name = node.target;
            taken.insert(name);
        } else if (node.calls("getitem") && node.args.size() == 2) {
            // Two getitems of the same result share its one name.
            const auto* index = node.args[1].get<std::int64_t>();
            name =
                items.try_emplace({node.args[0].node(), index ? *index : -1}, name).first->second;
        }
        m_names.emplace(node.id, std::move(name));
    }
}

std::optional<Argument> GraphWriter::literalOf(const Node& placeholder)
{
    if (placeholder.val.isNone())
        return Argument();
    const auto* scalar = std::get_if<ValueMeta::Scalar>(&placeholder.val.value);
    if (!scalar || scalar->type.starts_with("Sym"))
        return std::nullopt;
    if (scalar->type == "bool")
        return Argument(scalar->text == "True");
    if (scalar->type == "int")
        return Argument(std::int64_t{std::strtoll(scalar->text.c_str(), nullptr, 10)});
    if (scalar->type == "float")
        return Argument(std::strtod(scalar->text.c_str(), nullptr));
    return Argument(scalar->text);
}

std::vector<Argument> GraphWriter::results() const
{
    const Node* output = m_graph.output();
    if (!output || output->args.empty())
        return {};
    std::vector<Argument> results;
    for (const NodeId copy : m_mutations)
        results.push_back(m_graph.node(copy).args[1]);
    const ArgumentList* list = output->args[0].get<ArgumentList>();
    for (const Argument& result : list ? list->items : std::vector<Argument>{output->args[0]}) {
        const bool isCopy =
            std::find(m_mutations.begin(), m_mutations.end(), result.node()) != m_mutations.end();
        results.push_back(isCopy ? m_graph.node(result.node()).args[1] : result);
    }
    return results;
}

Result<void> GraphWriter::write(const std::vector<std::pair<std::string, NodeId>>& liftedInputs)
{
    if (m_names.empty())
        assignNames();
    m_json.open();
    m_json.key("inputs");
    m_json.openList();
    for (const auto& [name, id] : liftedInputs) {
        m_values.emplace_back(name, m_graph.node(id).val);
        PT2E_TRY(reference(id, m_graph.node(id)));
    }
    for (const NodeId id : m_graph.placeholders()) {
        const Node& placeholder = m_graph.node(id);
        if (const std::optional<Argument> literal = literalOf(placeholder)) {
            if (!placeholder.users.empty())
                return wrong(placeholder, "its shape is not known");
            PT2E_TRY(argument(*literal, placeholder));
            continue;
        }
        m_values.emplace_back(nameOf(id), placeholder.val);
        PT2E_TRY(reference(id, placeholder));
    }
    m_json.closeList();
    m_json.key("outputs");
    m_json.openList();
    const Node* end = m_graph.output();
    if (!end)
        return fail(ErrorCode::Internal, "graph", "has no output");
    for (const Argument& result : results())
        PT2E_TRY(argument(result, *end));
    m_json.closeList();
    m_json.key("nodes");
    m_json.openList();
    for (const Node& node : m_graph) {
        if (node.is(OpKind::CallModule))
            return wrong(node, "observers have no form in a .pt2 file");
        if (node.is(OpKind::GetAttr) && !node.users.empty() && !m_lifted.contains(node.target)
            && !m_graph.subgraphs().find(node.target))
            return wrong(node, "a sub-graph's own tensor has no form in a .pt2 file "
                               "(torch.export.save refuses it, too)");
        if (!isFolded(node))
            PT2E_TRY(this->node(node));
    }
    m_json.closeList();
    PT2E_TRY(tables());
    m_json.member("is_single_tensor_return", end->args[0].get<ArgumentList>() == nullptr);
    m_json.close();
    return {};
}

Result<void> GraphWriter::tables()
{
    m_json.key("tensor_values");
    m_json.open();
    for (const auto& [name, val] : m_values) {
        if (!val.tensor())
            continue;
        m_json.key(name);
        if (const Result<void> written = writeTensorMeta(m_json, *val.tensor()); !written)
            return fail(ErrorCode::Unsupported, "value '" + name + "'", written.error().what);
    }
    m_json.close();
    for (const std::string_view type : {"int", "bool", "float"}) {
        m_json.key("sym_" + std::string(type) + "_values");
        m_json.open();
        for (const auto& [name, val] : m_values) {
            if (!isSymbolic(val) || symbolType(val) != type)
                continue;
            const auto& scalar = std::get<ValueMeta::Scalar>(val.value);
            m_json.key(name);
            if (scalar.type == "bool") {
                m_json.open();
                m_json.member("as_bool", scalar.text == "True");
                m_json.close();
                continue;
            }
            const Result<void> written = writeSymInt(m_json, SymInt(scalar.text));
            if (!written)
                return fail(ErrorCode::Unsupported, "value '" + name + "'", written.error().what);
        }
        m_json.close();
    }
    m_json.key("custom_obj_values");
    m_json.open();
    m_json.close();
    return {};
}

// ---- nodes

Result<void> GraphWriter::node(const Node& node)
{
    const bool isOp = !isHigherOrder(node.target) && !isPythonFunction(node.target);
    m_json.open();
    m_json.member("target", (isHigherOrder(node.target) ? "torch.ops.higher_order."
                             : isOp                     ? "torch.ops."
                                                        : "")
                                + node.target);
    PT2E_TRY(inputs(node));
    const auto names = isOp ? argumentNames(node.target) : std::nullopt;
    PT2E_TRY(outputs(node, names && names->returnsList));
    m_json.key("metadata");
    m_json.open();
    if (node.fileMeta) {
        for (const auto& [key, text] : writeNodeMetadata(*node.fileMeta))
            m_json.member(key, text);
    }
    m_json.close();
    m_json.key("is_hop_single_tensor_return");
    if (isHigherOrder(node.target))
        m_json.value(node.val.value.index() != 3);
    else
        m_json.null();
    m_json.member("name", node.name);
    m_json.close();
    return {};
}

Result<void> GraphWriter::inputs(const Node& node)
{
    m_json.key("inputs");
    m_json.openList();
    static constexpr std::string_view kPython[] = {"a", "b", "c"};
    std::optional<ArgumentNames> names;
    if (!isHigherOrder(node.target) && !isPythonFunction(node.target)) {
        names = argumentNames(node.target);
        if (!names && !node.args.empty())
            return wrong(node, "the argument names of '" + node.target + "' are not known");
        if (names && node.args.size() > names->positional.size())
            return wrong(node, "has more arguments than '" + node.target + "' takes");
    }
    for (std::size_t i = 0; i < node.args.size(); ++i) {
        const std::string_view name = names ? names->positional[i]
                                      : isPythonFunction(node.target)
                                          ? kPython[std::min<std::size_t>(i, 2)]
                                          : std::string_view();
        PT2E_TRY(input(name, node.args[i], node, false));
    }
    for (const auto& [name, argument] : node.kwargs)
        PT2E_TRY(input(name, argument, node, true));
    m_json.closeList();
    return {};
}

Result<void> GraphWriter::input(std::string_view name, const Argument& argument, const Node& node,
                                bool isKeyword)
{
    m_json.open();
    m_json.member("name", name);
    m_json.key("arg");
    PT2E_TRY(this->argument(argument, node));
    m_json.member("kind", std::int64_t{isKeyword ? Keyword : Positional});
    m_json.close();
    return {};
}

Result<void> GraphWriter::outputs(const Node& node, bool returnsList)
{
    m_json.key("outputs");
    m_json.openList();
    const ValueMeta& val = node.val;
    const auto* values = std::get_if<std::vector<ValueMeta>>(&val.value);
    if (!values) {
        if (!val.isNone())
            PT2E_TRY(output(node.name, val, node));
        else if (!node.users.empty())
            return wrong(node, "the shape of its result is not known");
        m_json.closeList();
        return {};
    }
    std::vector<std::string> names(values->size());
    for (const NodeId id : node.users) {
        const Node& user = m_graph.node(id);
        const auto* index = user.calls("getitem") && user.args.size() == 2
                                ? user.args[1].get<std::int64_t>()
                                : nullptr;
        if (!index || *index < 0 || static_cast<std::size_t>(*index) >= names.size())
            return wrong(node, "its results are used as a whole by '" + user.name + "'");
        names[static_cast<std::size_t>(*index)] = nameOf(id);
    }
    if (returnsList) {
        m_json.open();
        m_json.key("as_tensors");
        m_json.openList();
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].empty())
            names[i] = node.name + "_unused_" + std::to_string(i);
        if (!returnsList) {
            PT2E_TRY(output(names[i], (*values)[i], node));
            continue;
        }
        m_json.open();
        m_json.member("name", names[i]);
        m_json.close();
        m_values.emplace_back(names[i], (*values)[i]);
    }
    if (returnsList) {
        m_json.closeList();
        m_json.close();
    }
    m_json.closeList();
    return {};
}

Result<void> GraphWriter::output(const std::string& name, const ValueMeta& val, const Node& node)
{
    if (std::holds_alternative<std::vector<ValueMeta>>(val.value))
        return wrong(node, "a list among its results has no form here");
    m_json.open();
    if (val.isNone()) {
        m_json.member("as_none", true);
    } else {
        m_json.key(isSymbolic(val) ? "as_sym_" + std::string(symbolType(val))
                                   : std::string("as_tensor"));
        m_json.open();
        m_json.member(isSymbolic(val) ? "as_name" : "name", name);
        m_json.close();
        m_values.emplace_back(name, val);
    }
    m_json.close();
    return {};
}

} // namespace pt2e::pt2
