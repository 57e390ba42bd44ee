#include "core/pipeline/ReexportRules.h"

#include "core/ir/Namespace.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

namespace pt2e::reexport {

namespace {

ValueMeta metaOf(DType dtype, std::vector<SymInt> shape, std::vector<SymInt> strides)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.shape = std::move(shape);
    meta.strides = std::move(strides);
    return {meta};
}

/// named_parameters and named_buffers: a module's own before those of its children, children as they came.
void inModuleOrder(const std::vector<std::string>& names, std::size_t prefix,
                   std::vector<std::string>& ordered)
{
    std::vector<std::string> children;
    std::unordered_map<std::string, std::vector<std::string>> namesOf;
    for (const std::string& name : names) {
        const std::size_t dot = name.find('.', prefix);
        if (dot == std::string::npos) {
            ordered.push_back(name);
            continue;
        }
        const std::string child = name.substr(0, dot + 1);
        if (!namesOf.contains(child))
            children.push_back(child);
        namesOf[child].push_back(name);
    }
    for (const std::string& child : children)
        inModuleOrder(namesOf[child], child.size(), ordered);
}

bool isItemOf(const Graph& graph, const Node& node)
{
    return node.calls("getitem") && node.arg(0).node()
           && isNoGradRegion(graph.node(node.arg(0).node()));
}

std::size_t outputCount(const Graph& body)
{
    const Node* output = body.output();
    const auto* list = output ? output->arg(0).get<ArgumentList>() : nullptr;
    return list ? list->items.size() : 1;
}

// ---- names in branches

/// torch._export.utils._rename_without_collisions, for nodes that are no inputs.
class ExportNames
{
public:
    void use(const std::string& name)
    {
        m_used.insert(name);
        if (const auto [prefix, number] = split(name); number >= 0)
            m_largest[prefix] = std::max(m_largest[prefix], number);
    }

    std::string free(const std::string& name)
    {
        std::string made = name;
        if (m_used.contains(name)) {
            const auto [prefix, number] = split(name);
            made = prefix + "_" + std::to_string(m_largest[prefix] + 1);
        }
        use(made);
        return made;
    }

private:
    /// At the last "_" in front of a digit, as the pattern (.*)_(\d+) does; number -1: there is none.
    static std::pair<std::string, long> split(const std::string& name)
    {
        for (std::size_t at = name.rfind('_'); at != std::string::npos && at > 0;
             at = name.rfind('_', at - 1)) {
            long number = -1;
            std::from_chars(name.data() + at + 1, name.data() + name.size(), number);
            if (number >= 0 && name[at + 1] != '-')
                return {name.substr(0, at), number};
        }
        return {name, -1};
    }

    std::unordered_set<std::string> m_used;
    std::unordered_map<std::string, long> m_largest;
};

/// The name that a node has as an input of the program, or its own.
std::string exportedName(const Graph& graph, const Node& node)
{
    const Attribute* attribute =
        node.is(OpKind::GetAttr) ? graph.attributes().find(node.target) : nullptr;
    if (!attribute)
        return node.is(OpKind::Placeholder) ? node.target : node.name;
    const std::string prefix = attribute->kind == AttributeKind::Parameter  ? "p_"
                               : attribute->kind == AttributeKind::Constant ? "c_"
                                                                            : "b_";
    return Namespace().create(prefix + snakeCase(node.target));
}

void appendNames(const Graph& graph, const Argument& list, std::vector<std::string>& names)
{
    if (const auto* operands = list.get<ArgumentList>()) {
        for (const Argument& operand : operands->items)
            names.push_back(operand.node() ? exportedName(graph, graph.node(operand.node()))
                                           : std::string());
    }
}

GraphPtr withInputNames(const Graph& branch, const std::vector<std::string>& names)
{
    GraphEditor editor{Graph(branch)};
    ExportNames used;
    std::size_t input = 0;
    for (const NodeId id : editor.graph().order()) {
        const Node& node = editor.graph().node(id);
        if (node.is(OpKind::Placeholder)) {
            const std::string name =
                input < names.size() && !names[input].empty() ? names[input] : node.name;
            ++input;
            used.use(name);
            editor.setName(id, name);
            editor.setTarget(id, name);
        } else if (node.is(OpKind::CallFunction)) {
            editor.setName(id, used.free(node.name));
        }
    }
    nameBranchInputs(editor);
    return std::move(editor).publish();
}

} // namespace

bool isQuantizing(const Node& node) { return node.target.starts_with("quantized_decomposed."); }

ValueMeta quantizedMeta(const Node& node, const ValueMeta& input)
{
    if (node.target.find("choose_qparams") != std::string::npos)
        return {std::vector<ValueMeta>{metaOf(DType::Float64, {1}, {1}),
                                       metaOf(DType::Int64, {1}, {1})}};
    const TensorMeta* meta = input.tensor();
    if (!meta)
        return {};
    DType dtype = DType::Float32;
    if (node.target.starts_with("quantized_decomposed.dequantize")) {
        const Argument* given = node.kwarg("out_dtype");
        if (given && given->get<DType>())
            dtype = *given->get<DType>();
    } else if (!node.args.empty() && node.args.back().get<DType>()) {
        dtype = *node.args.back().get<DType>();
    }
    return metaOf(dtype, meta->shape, meta->strides);
}

/// All that the converted module still has: what the graph reads behind observers_to_qdq, for which the last module
/// is made, less what constant folding deletes, and then what folding adds.
std::vector<std::string> attributeOrder(const Snapshot& snapshot)
{
    const Graph& converted = *snapshot.converted->graph;
    std::vector<std::string> names;
    std::unordered_set<std::string> seen;
    const auto addAll = [&](const Graph& graph) {
        for (const Node& node : graph) {
            if (node.is(OpKind::GetAttr) && converted.attributes().contains(node.target)
                && seen.insert(node.target).second)
                names.push_back(node.target);
        }
    };
    for (const PassRecord& pass : snapshot.converted->passes) {
        if (pass.name == "observers_to_qdq")
            addAll(*pass.after);
    }
    addAll(converted);
    std::vector<std::string> ordered;
    inModuleOrder(names, 0, ordered);
    std::stable_partition(ordered.begin(), ordered.end(), [&](const std::string& name) {
        return converted.attributes().find(name)->kind == AttributeKind::Parameter;
    });
    return ordered;
}

bool isNoGradRegion(const Node& node) { return node.calls("wrap_with_set_grad_enabled"); }

const Graph* bodyOf(const Graph& graph, const Node& region)
{
    const NodeId name = region.arg(1).node();
    const GraphPtr* body = name ? graph.subgraphs().find(graph.node(name).target) : nullptr;
    return body ? body->get() : nullptr;
}

std::size_t splitItems(const Graph& graph)
{
    std::unordered_map<NodeId, std::size_t> partOf;
    std::vector<std::size_t> values(1);
    for (const Node& node : graph) {
        if (isNoGradRegion(node)) {
            const Graph* body = bodyOf(graph, node);
            values.push_back(body ? outputCount(*body) : 1);
            partOf[node.id] = values.size() - 1;
            values.push_back(0);
        } else if (node.is(OpKind::CallFunction)) {
            partOf[node.id] =
                isItemOf(graph, node) ? partOf.at(node.arg(0).node()) : values.size() - 1;
        }
    }
    if (values.size() == 1)
        return 0;
    for (const auto& [id, own] : partOf) {
        const Node& node = graph.node(id);
        if (isNoGradRegion(node) || isItemOf(graph, node))
            continue;
        const bool isRead = std::any_of(node.users.begin(), node.users.end(), [&](NodeId user) {
            const auto it = partOf.find(user);
            return it == partOf.end() || it->second != own;
        });
        values[own] += isRead ? 1 : 0;
    }
    std::size_t count = 0;
    for (const std::size_t value : values)
        count += value > 1 ? value : 0;
    return count;
}

void nameBranchInputs(GraphEditor& editor)
{
    for (const NodeId id : editor.graph().order()) {
        const Graph& graph = editor.graph();
        const Node& node = graph.node(id);
        const bool isCond = node.calls("cond");
        if (!isCond && !node.calls("map_impl"))
            continue;
        std::vector<std::string> names;
        for (std::size_t i = isCond ? 3 : 1; i < node.args.size(); ++i)
            appendNames(graph, node.args[i], names);
        for (std::size_t i = isCond ? 1 : 0; i < (isCond ? 3U : 1U); ++i) {
            const NodeId attribute = node.arg(i).node();
            const std::string name = attribute ? graph.node(attribute).target : std::string();
            if (const GraphPtr* branch = graph.subgraphs().find(name))
                editor.setSubgraph(name, withInputNames(**branch, names));
        }
    }
}

} // namespace pt2e::reexport
