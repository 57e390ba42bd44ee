#include "core/ir/GraphEditor.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Save.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

constexpr std::string_view kQuantized = "quantized_decomposed.";

// ---- values that convert's own nodes have

ValueMeta metaOf(DType dtype, std::vector<SymInt> shape, std::vector<SymInt> strides)
{
    TensorMeta meta;
    meta.dtype = dtype;
    meta.shape = std::move(shape);
    meta.strides = std::move(strides);
    return {meta};
}

/// The value of a quantize, dequantize or choose_qparams node, from that of its input.
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

// ---- the module's attributes in PyTorch's order

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

// ---- what tracing does to names

bool isNoGradRegion(const Node& node) { return node.calls("wrap_with_set_grad_enabled"); }

bool isItemOf(const Graph& graph, const Node& node)
{
    return node.calls("getitem") && node.arg(0).node()
           && isNoGradRegion(graph.node(node.arg(0).node()));
}

const Graph* bodyOf(const Graph& graph, const Node& region)
{
    const NodeId name = region.arg(1).node();
    const GraphPtr* body = name ? graph.subgraphs().find(graph.node(name).target) : nullptr;
    return body ? body->get() : nullptr;
}

std::size_t outputCount(const Graph& body)
{
    const Node* output = body.output();
    const auto* list = output ? output->arg(0).get<ArgumentList>() : nullptr;
    return list ? list->items.size() : 1;
}

/// How many getitem nodes torch.fx.passes.split_module makes for the parts of the graph ahead of, in and behind each
/// no_grad region: one per value that another part reads, none where that is a single one. They are gone or renamed
/// in the end, but their names stay used.
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

class Reexport
{
public:
    explicit Reexport(const Snapshot& snapshot)
        : m_snapshot(snapshot),
          m_graph(*snapshot.converted->graph),
          m_names(*snapshot.annotated->folded.graph),
          m_editor(GraphEditor(Graph(m_graph)).nextId())
    {}

    GraphPtr run()
    {
        for (const auto& [name, body] : m_graph.subgraphs())
            m_editor.setSubgraph(name, body);
        attributes();
        for (const Node& node : m_graph) {
            if (node.is(OpKind::GetAttr) && m_attributes.contains(node.target))
                m_ids[node.id] = m_attributes[node.target];
        }
        for (const NodeId id : m_graph.placeholders())
            m_ids[id] = add(m_graph.node(id));
        inputSizes();
        for (std::size_t i = splitItems(m_graph); i > 0; --i)
            usedName("getitem");
        for (const Node& node : m_graph) {
            if (m_ids.contains(node.id))
                continue;
            if (isNoGradRegion(node) && bodyOf(m_graph, node)) {
                addRegion(node);
                continue;
            }
            m_ids[node.id] = add(node);
            addItems(node);
        }
        return std::move(m_editor).publish();
    }

private:
    void attributes()
    {
        for (const std::string& name : attributeOrder(m_snapshot)) {
            Attribute attribute = *m_graph.attributes().find(name);
            // Copying a module makes buffers of all that is no parameter.
            if (attribute.kind != AttributeKind::Parameter)
                attribute.kind = AttributeKind::Buffer;
            NewNode node;
            node.kind = OpKind::GetAttr;
            node.target = name;
            TensorMeta meta = attribute.value.meta();
            meta.requiresGrad =
                attribute.kind == AttributeKind::Parameter && isFloatingPoint(meta.dtype);
            node.val = {meta};
            m_editor.setAttribute(name, std::move(attribute));
            m_attributes[name] = m_editor.append(std::move(node));
        }
    }

    /// Sizes of inputs stand right behind the inputs, where export puts them for all symbols.
    void inputSizes()
    {
        for (const Node& node : m_graph) {
            const NodeId input = node.calls("aten.sym_size.int") ? node.arg(0).node() : NodeId();
            if (input && m_graph.node(input).is(OpKind::Placeholder))
                m_ids[node.id] = add(node);
        }
    }

    /// A name that a node got which is not there any more, by FX's rule.
    std::string usedName(const std::string& candidate)
    {
        NewNode node;
        node.target = "getitem";
        node.nameCandidate = candidate;
        const NodeId made = m_editor.append(std::move(node));
        const std::string name = m_editor.graph().node(made).name;
        m_editor.erase(made);
        return name;
    }

    /// A no_grad region is traced with the rest and split off afterwards: its nodes take their names among all others,
    /// and the call that takes their place has the name of the region's result.
    void addRegion(const Node& old)
    {
        GraphEditor body{Graph(*bodyOf(m_graph, old))};
        std::size_t operand = 2;
        std::vector<std::string> results;
        for (const NodeId id : body.graph().order()) {
            const Node& node = body.graph().node(id);
            if (node.is(OpKind::Placeholder)) {
                const NodeId given = old.arg(operand++).node();
                if (!given || m_graph.node(given).is(OpKind::GetAttr))
                    continue;
                const std::string name = m_editor.graph().node(m_ids.at(given)).name;
                body.setName(id, name);
                body.setTarget(id, name);
            } else if (node.is(OpKind::CallFunction)) {
                body.setName(id, usedName(std::string(shortOpName(node.target))));
            }
        }
        if (const auto* list = body.graph().output()->arg(0).get<ArgumentList>()) {
            for (const Argument& item : list->items)
                results.push_back(item.node() ? body.graph().node(item.node()).name
                                              : std::string());
        }
        m_editor.setSubgraph(m_graph.node(old.arg(1).node()).target, std::move(body).publish());
        const NodeId call = m_ids[old.id] = add(old);
        if (results.size() == 1 && !results[0].empty())
            m_editor.setName(call, results[0]);
        addItems(old, results.size() > 1 ? results : std::vector<std::string>());
    }

    NodeId add(const Node& old)
    {
        const auto map = [this](NodeId id) { return Argument(m_ids.at(id)); };
        NewNode node;
        node.kind = old.kind;
        node.target = old.target;
        for (const Argument& argument : old.args)
            node.args.push_back(mapNodes(argument, map));
        for (const auto& [key, argument] : old.kwargs)
            node.kwargs.emplace_back(key, mapNodes(argument, map));
        node.val = valueOf(old);
        const bool isOperator =
            old.target.find('.') != std::string::npos && !old.target.starts_with("_operator.")
            && !old.target.starts_with("torch.") && !old.target.starts_with("aten.sym_");
        if (old.is(OpKind::CallFunction))
            node.nameCandidate = isOperator || old.calls("getitem")
                                     ? std::string(shortOpName(old.target))
                                     : old.name;
        node.fileMeta = old.fileMeta;
        const Annotation* annotation = m_snapshot.annotated->annotations.find(old.id);
        if (annotation && annotation->isValid() && old.is(OpKind::CallFunction))
            node.fileMeta = withAnnotation(old.fileMeta, m_names, annotation);
        return m_editor.append(std::move(node));
    }

    /// Tracing takes all results of a call apart at once, those that nothing reads too.
    void addItems(const Node& call, const std::vector<std::string>& names = {})
    {
        const ValueMeta val = m_editor.graph().node(m_ids[call.id]).val;
        const auto* items = std::get_if<std::vector<ValueMeta>>(&val.value);
        for (std::size_t i = 0; call.is(OpKind::CallFunction) && items && i < items->size(); ++i) {
            NewNode item;
            item.target = "getitem";
            item.args = {Argument(m_ids[call.id]), Argument(static_cast<std::int64_t>(i))};
            item.nameCandidate = "getitem";
            item.val = (*items)[i];
            const NodeId made = m_editor.append(std::move(item));
            if (i < names.size() && !names[i].empty())
                m_editor.setName(made, names[i]);
            for (const NodeId user : call.users) {
                const Node& node = m_graph.node(user);
                const auto* index = node.calls("getitem") && node.args.size() == 2
                                        ? node.args[1].get<std::int64_t>()
                                        : nullptr;
                if (!index || *index != static_cast<std::int64_t>(i))
                    continue;
                m_ids[user] = made;
                m_editor.setFileMeta(made, node.fileMeta);
            }
        }
    }

    ValueMeta valueOf(const Node& old)
    {
        if (!old.val.isNone() || !old.is(OpKind::CallFunction) || old.args.empty())
            return old.val;
        const NodeId first = old.args[0].node();
        if (!first)
            return old.val;
        const ValueMeta& input = m_editor.graph().node(m_ids.at(first)).val;
        if (old.target.starts_with(kQuantized))
            return quantizedMeta(old, input);
        return old.val;
    }

    const Snapshot& m_snapshot;
    const Graph& m_graph;
    NodeNames m_names;
    GraphEditor m_editor;
    std::unordered_map<NodeId, NodeId> m_ids;
    std::unordered_map<std::string, NodeId> m_attributes;
};

} // namespace

GraphPtr reexported(const Snapshot& converted) { return Reexport(converted).run(); }

} // namespace pt2e
