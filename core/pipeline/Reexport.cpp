#include "core/ir/GraphEditor.h"
#include "core/pipeline/AnnotationMeta.h"
#include "core/pipeline/NodeNames.h"
#include "core/pipeline/ReexportRules.h"
#include "core/pipeline/Save.h"

#include <unordered_map>

namespace pt2e {

namespace {

using namespace reexport;

/// One graph traced anew: the converted one, or a body in it.
class Reexport
{
public:
    /// names: those of the annotated graph.
    Reexport(const Snapshot& snapshot, const NodeNames& names, const Graph& graph,
             std::uint32_t firstId)
        : m_snapshot(snapshot),
          m_graph(graph),
          m_names(names),
          m_editor(firstId)
    {}

    GraphPtr run()
    {
        liftedAttributes();
        for (const NodeId id : m_graph.placeholders())
            m_ids[id] = add(m_graph.node(id));
        inputSizes();
        calls();
        nameBranchInputs(m_editor);
        return std::move(m_editor).publish();
    }

private:
    /// Inputs of a body are counted, its calls take their names among themselves; its attributes stay as they are.
    GraphPtr runBody(std::uint32_t& nextId)
    {
        for (const auto& [name, attribute] : m_graph.attributes())
            m_editor.setAttribute(name, attribute);
        int count = 0;
        for (const NodeId id : m_graph.placeholders()) {
            Node traced = m_graph.node(id);
            traced.target = "arg" + std::to_string(count++) + "_1";
            m_ids[id] = add(traced);
        }
        calls();
        nextId = m_editor.nextId();
        return std::move(m_editor).publish();
    }

    void bodies()
    {
        for (const auto& [name, body] : m_graph.subgraphs()) {
            std::uint32_t nextId = m_editor.nextId();
            m_editor.setSubgraph(name,
                                 Reexport(m_snapshot, m_names, *body, nextId).runBody(nextId));
            m_editor.setNextId(nextId);
        }
    }

    void calls()
    {
        bodies();
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
    }

    void liftedAttributes()
    {
        std::unordered_map<std::string, NodeId> made;
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
            made[name] = m_editor.append(std::move(node));
        }
        for (const Node& node : m_graph) {
            if (const auto it = made.find(node.target);
                node.is(OpKind::GetAttr) && it != made.end())
                m_ids[node.id] = it->second;
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
        return isQuantizing(old) ? quantizedMeta(old, input) : old.val;
    }

    const Snapshot& m_snapshot;
    const Graph& m_graph;
    const NodeNames& m_names;
    GraphEditor m_editor;
    std::unordered_map<NodeId, NodeId> m_ids;
};

} // namespace

GraphPtr reexported(const Snapshot& converted)
{
    const Graph& graph = *converted.converted->graph;
    const NodeNames names(*converted.annotated->folded.graph);
    return Reexport(converted, names, graph, GraphEditor(Graph(graph)).nextId()).run();
}

} // namespace pt2e
