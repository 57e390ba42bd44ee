#include "core/pipeline/Save.h"

#include "core/ir/GraphEditor.h"
#include "core/pipeline/JsonText.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/SpecJson.h"

#include <algorithm>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>
#include <unordered_map>
#include <unordered_set>

namespace pt2e {

namespace {

constexpr const char* kAnnotationKey = "quantization_annotation";
constexpr std::string_view kQuantized = "quantized_decomposed.";

// ---- annotations as metadata

std::string annotationText(const NodeNames& names, const Annotation& annotation)
{
    const auto point = [&](const Point& p) { return names.pointText(p); };
    const auto input = [&](const auto& item) {
        return json::array({json::text(names.nameOf(item.first)), json::spec(item.second, point)});
    };
    return json::Object()
        .add("inputs", json::arrayOf(annotation.inputs, input))
        .add("output", json::spec(annotation.output, point))
        .line();
}

/// The user's own entries stay; what is no object cannot take a key and is left alone.
std::string withKey(const std::string& custom, const std::string& value)
{
    rapidjson::Document document;
    document.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag>(
        custom.empty() ? "{}" : custom.c_str());
    if (document.HasParseError() || !document.IsObject())
        return custom;
    rapidjson::Document added(&document.GetAllocator());
    added.Parse<rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag>(value.c_str());
    document.RemoveMember(kAnnotationKey);
    document.AddMember(rapidjson::StringRef(kAnnotationKey), added, document.GetAllocator());
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
    document.Accept(writer);
    return buffer.GetString();
}

std::shared_ptr<const FileMeta> annotated(const std::shared_ptr<const FileMeta>& meta,
                                          const std::string& annotation)
{
    auto changed = meta ? std::make_shared<FileMeta>(*meta) : std::make_shared<FileMeta>();
    changed->custom = withKey(changed->custom, annotation);
    for (auto& [key, text] : changed->raw) {
        if (key == "custom")
            text = changed->custom;
    }
    return changed;
}

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

/// All that the converted module still has: what its graph reads, and what only folded nodes read where
/// folding left it (the module is made before folding).
std::vector<std::string> attributeOrder(const Snapshot& snapshot)
{
    const Graph& converted = *snapshot.converted->graph;
    std::vector<std::string> names;
    std::vector<std::string> frozen;
    std::unordered_set<std::string> seen;
    const auto add = [&](const Node& node) {
        if (!node.is(OpKind::GetAttr) || !converted.attributes().contains(node.target)
            || !seen.insert(node.target).second)
            return;
        const bool isFrozen = node.target.starts_with("_frozen_param");
        (isFrozen ? frozen : names).push_back(node.target);
    };
    // The graph's order before folding: that of the prepared graph, with convert's own nodes between.
    auto at = converted.begin();
    for (const Node& node : *snapshot.prepared->graph) {
        if (!converted.contains(node.id)) {
            add(node);
            continue;
        }
        while (at != converted.end() && at->id != node.id)
            add(*at++);
    }
    for (; at != converted.end(); ++at)
        add(*at);
    names.insert(names.end(), frozen.begin(), frozen.end());
    std::vector<std::string> ordered;
    inModuleOrder(names, 0, ordered);
    const auto group = [&](const std::string& name) {
        switch (converted.attributes().find(name)->kind) {
        case AttributeKind::Parameter: return 0;
        case AttributeKind::Constant: return 2;
        default: return 1;
        }
    };
    std::stable_sort(
        ordered.begin(), ordered.end(),
        [&](const std::string& a, const std::string& b) { return group(a) < group(b); });
    return ordered;
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
        for (const Node& node : m_graph) {
            if (m_ids.contains(node.id))
                continue;
            m_ids[node.id] = add(node);
            addItems(node);
        }
        return std::move(m_editor).publish();
    }

private:
    void attributes()
    {
        for (const std::string& name : attributeOrder(m_snapshot)) {
            const Attribute& attribute = *m_graph.attributes().find(name);
            NewNode node;
            node.kind = OpKind::GetAttr;
            node.target = name;
            TensorMeta meta = attribute.value.meta();
            meta.requiresGrad =
                attribute.kind == AttributeKind::Parameter && isFloatingPoint(meta.dtype);
            node.val = {meta};
            m_editor.setAttribute(name, attribute);
            m_attributes[name] = m_editor.append(std::move(node));
        }
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
            node.fileMeta = annotated(old.fileMeta, annotationText(m_names, *annotation));
        return m_editor.append(std::move(node));
    }

    /// Tracing takes all results of a call apart at once, those that nothing reads too.
    void addItems(const Node& call)
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

Result<void> save(const std::string& path, const Graph& graph, const Model& model)
{
    return writeProgram(path, graph, model.examples.empty() ? Values() : model.examples.front(),
                        model.fileOptions);
}

} // namespace

GraphPtr reexported(const Snapshot& converted) { return Reexport(converted).run(); }

GraphPtr withAnnotations(const Snapshot& annotatedModel)
{
    const NodeNames names(*annotatedModel.annotated->folded.graph);
    GraphEditor editor{Graph(*annotatedModel.model->exported)};
    for (const NodeId id : editor.graph().order()) {
        const Annotation* annotation = annotatedModel.annotated->annotations.find(id);
        const Node& node = editor.graph().node(id);
        if (annotation && annotation->isValid() && node.is(OpKind::CallFunction))
            editor.setFileMeta(id, annotated(node.fileMeta, annotationText(names, *annotation)));
    }
    return std::move(editor).publish();
}

Result<void> saveConverted(const std::string& path, const Snapshot& snapshot)
{
    return save(path, *reexported(snapshot), *snapshot.model);
}

Result<void> saveAnnotated(const std::string& path, const Snapshot& snapshot)
{
    return save(path, *withAnnotations(snapshot), *snapshot.model);
}

} // namespace pt2e
