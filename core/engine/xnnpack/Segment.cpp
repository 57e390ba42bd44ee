#include "core/engine/xnnpack/Segment.h"

#include "core/engine/xnnpack/Quantization.h"
#include "core/ir/GraphEditor.h"

namespace pt2e::xnn {

namespace {

/// Copies nodes of a graph into a new one; what is not copied becomes a placeholder.
class Carver
{
public:
    Carver(const Graph& graph, const std::vector<NodeId>& nodes)
        : m_graph(graph),
          m_editor(firstFreeId(graph))
    {
        m_members.insert(nodes.begin(), nodes.end());
        for (const auto& [name, attribute] : graph.attributes())
            m_editor.setAttribute(name, attribute);
        for (const auto& [name, module] : graph.modules())
            m_editor.setModule(name, module);
        for (const auto& [name, body] : graph.subgraphs())
            m_editor.setSubgraph(name, body);
    }

    void addInputs(const std::vector<NodeId>& nodes)
    {
        for (const NodeId id : nodes) {
            for (const NodeId input : m_graph.node(id).inputs())
                addInput(input);
        }
    }

    void addNode(NodeId id)
    {
        if (m_copies.contains(id))
            return;
        const Node& source = m_graph.node(id);
        for (const NodeId input : source.inputs())
            addNode(input); // constants only: all else is there already
        const auto mapped = [this](NodeId old) { return Argument(m_copies.at(old)); };
        NewNode node{source.kind, source.target,   {}, {}, source.name,
                     source.val,  source.fileMeta, {}};
        for (const Argument& argument : source.args)
            node.args.push_back(mapNodes(argument, mapped));
        for (const auto& [key, argument] : source.kwargs)
            node.kwargs.emplace_back(key, mapNodes(argument, mapped));
        m_copies[id] = m_editor.append(std::move(node));
    }

    GraphPtr finish(const std::vector<NodeId>& wanted)
    {
        std::vector<Argument> results;
        for (const NodeId id : wanted)
            results.emplace_back(m_copies.at(id));
        NewNode output;
        output.kind = OpKind::Output;
        output.target = "output";
        output.args = {Argument::tuple(std::move(results))};
        m_editor.append(std::move(output));
        return std::move(m_editor).publish();
    }

    std::vector<NodeId> inputs;
    const std::unordered_map<NodeId, NodeId>& copies() const { return m_copies; }

private:
    static std::uint32_t firstFreeId(const Graph& graph)
    {
        // Bodies keep their ids; ours must not meet them.
        return graph.subgraphs().empty() ? 0 : GraphEditor(graph).nextId();
    }

    bool isTakenAlong(const Node& node) const
    {
        if (node.is(OpKind::GetAttr))
            return true;
        if (!isLookup(node)
            && (!node.is(OpKind::CallFunction)
                || !node.target.starts_with("quantized_decomposed.")))
            return false;
        for (const NodeId input : node.inputs()) {
            if (!isTakenAlong(m_graph.node(input)))
                return false;
        }
        return true;
    }

    void addInput(NodeId id)
    {
        const Node& node = m_graph.node(id);
        if (m_members.contains(id) || m_copies.contains(id) || isTakenAlong(node))
            return;
        NewNode placeholder;
        placeholder.kind = OpKind::Placeholder;
        placeholder.target = node.name;
        placeholder.val = node.val;
        m_copies[id] = m_editor.append(std::move(placeholder));
        inputs.push_back(id);
    }

    const Graph& m_graph;
    GraphEditor m_editor;
    std::unordered_set<NodeId> m_members;
    std::unordered_map<NodeId, NodeId> m_copies; ///< node of the graph → own node
};

} // namespace

Result<Segment> Segment::make(const Graph& graph, const std::vector<NodeId>& nodes,
                              const std::vector<NodeId>& wanted)
{
    Carver carver(graph, nodes);
    carver.addInputs(nodes);
    for (const NodeId id : nodes)
        carver.addNode(id);
    Segment segment;
    segment.m_outputs = wanted;
    segment.m_nodes.insert(nodes.begin(), nodes.end());
    const GraphPtr carved = carver.finish(wanted);
    segment.m_inputs = carver.inputs;
    for (const auto& [origin, copy] : carver.copies())
        segment.m_originOf[copy] = origin;
    PT2E_ASSIGN(segment.m_program, makeReferenceProgram(carved));
    return segment;
}

Result<void> Segment::run(std::unordered_map<NodeId, Value>& values, const RunOptions& options,
                          const JobContext& context, bool isTimed)
{
    using Clock = std::chrono::steady_clock;
    Values inputs;
    inputs.reserve(m_inputs.size());
    for (const NodeId id : m_inputs)
        inputs.push_back(values.at(id));
    RunOptions own;
    own.state = options.state;
    const auto isOurs = [this](NodeId id) {
        const auto origin = m_originOf.find(id);
        return origin != m_originOf.end() && m_nodes.contains(origin->second);
    };
    if (options.onValue) {
        own.wants = [&](NodeId id) {
            return isOurs(id) && (!options.wants || options.wants(m_originOf.at(id)));
        };
        own.onValue = [&](NodeId id, const Value& value) -> Result<void> {
            return isOurs(id) ? options.onValue(m_originOf.at(id), value) : Result<void>();
        };
    }
    if (isTimed) {
        // Told after each node: from one to the next is what the second took.
        m_times.clear();
        own.wants = isOurs;
        own.onValue = [&, before = Clock::now()](NodeId id,
                                                 const Value& value) mutable -> Result<void> {
            const NodeId origin = m_originOf.at(id);
            m_times.push_back({origin, Clock::now() - before});
            if (options.onValue && (!options.wants || options.wants(origin)))
                PT2E_TRY(options.onValue(origin, value));
            before = Clock::now();
            return {};
        };
    }
    PT2E_ASSIGN(RunReport report, m_program->run(inputs, own, context));
    if (report.outputs.size() != m_outputs.size())
        return fail(ErrorCode::Internal, "segment",
                    "a value between two parts of the graph is not a single tensor");
    for (std::size_t i = 0; i < m_outputs.size(); ++i)
        values[m_outputs[i]] = std::move(report.outputs[i]);
    return {};
}

} // namespace pt2e::xnn
