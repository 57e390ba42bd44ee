// torchao.quantization.pt2e.prepare: one observer instance per sharing group, observer nodes where annotations ask.
#include "core/passes/Bodies.h"
#include "core/passes/Catalogue.h"

#include <algorithm>
#include <optional>
#include <unordered_set>

namespace pt2e {

namespace {

std::string pointName(const Graph& graph, const Point& point)
{
    const std::string name = graph.node(point.node).name;
    return point.isEdge() ? name + "->" + graph.node(point.user).name : name;
}

/// _get_obs_or_fq_map: what each annotated point uses; nothing for points that are not observed.
class Instances
{
public:
    Instances(const Graph& graph, PrepareState& state) : m_graph(graph), m_state(state) {}

    Result<void> create();
    /// Nothing if the point has no entry; an invalid id if its entry is "not observed".
    std::optional<ObserverId> at(const Point& point) const
    {
        const auto it = m_of.find(point);
        return it == m_of.end() ? std::nullopt : std::optional(it->second);
    }

private:
    Result<ObserverId> make(const Point& point, const Spec& spec);

    const Graph& m_graph;
    PrepareState& m_state;
    std::unordered_map<Point, ObserverId> m_of;
};

Result<void> Instances::create()
{
    std::unordered_map<std::size_t, ObserverId> ofGroup;
    for (const auto& [point, spec] : m_state.sharing.specs) {
        const std::size_t group = m_state.sharing.groupOf.at(point);
        auto it = ofGroup.find(group);
        if (it == ofGroup.end()) {
            PT2E_ASSIGN(const ObserverId id, make(point, spec));
            it = ofGroup.emplace(group, id).first;
        }
        m_of[point] = it->second;
        if (it->second)
            m_state.instanceOf.emplace(point, it->second);
    }
    return {};
}

/// _create_obs_or_fq_from_qspec.
Result<ObserverId> Instances::make(const Point& point, const Spec& spec)
{
    const std::string where = "prepare: '" + pointName(m_graph, point) + "'";
    if (isNone(spec))
        return ObserverId{};
    const auto present = [&](const Point& other) -> Result<ObserverId> {
        const auto it = m_of.find(other);
        if (it == m_of.end())
            return badInput(where, "refers to '" + pointName(m_graph, other)
                                       + "', which has no observer yet (torchao raises "
                                         "AssertionError here)");
        return it->second;
    };
    if (const auto* shared = std::get_if<SharedSpec>(&spec))
        return present(shared->with);
    auto config = observerConfig(spec);
    if (!config)
        return tl::unexpected<Error>({config.error().code, where, config.error().message()});
    if (const auto* derived = std::get_if<DerivedSpec>(&spec)) {
        // An invalid id, of a point that is not observed, has no qparams when it comes to converting.
        for (const Point& from : derived->from) {
            PT2E_ASSIGN(const ObserverId id, present(from));
            config->derivedFrom.push_back(id);
        }
    }
    const ObserverId id{static_cast<std::uint32_t>(m_state.instances.size())};
    m_state.instances.push_back({id, spec, *config});
    return id;
}

/// Puts observer nodes into the graph, node by node in the order it had before.
class Inserter
{
public:
    Inserter(GraphEditor& editor, PrepareState& state, const Instances& instances)
        : m_editor(editor),
          m_state(state),
          m_instances(instances)
    {}
    Result<void> visit(NodeId id);

private:
    const Graph& graph() const { return m_editor.graph(); }
    std::optional<ObserverId> instanceOf(const Node& node) const
    {
        const ModuleRef* module =
            node.is(OpKind::CallModule) ? graph().modules().find(node.target) : nullptr;
        return module ? std::optional(module->instance) : std::nullopt;
    }
    NodeId withoutObservers(NodeId id) const;
    Argument observedInput(NodeId user, const Argument& argument);
    NodeId observedNode(NodeId user, NodeId current);
    bool isMutableBufferDestination(const Node& user, NodeId original) const;
    NodeId insertAfter(NodeId producer, ObserverId instance);
    Result<void> observeOutput(NodeId id);

    GraphEditor& m_editor;
    PrepareState& m_state;
    const Instances& m_instances;
};

NodeId Inserter::withoutObservers(NodeId id) const
{
    while (instanceOf(graph().node(id)))
        id = graph().node(id).arg(0).node();
    return id;
}

NodeId Inserter::insertAfter(NodeId producer, ObserverId instance)
{
    NewNode node;
    node.kind = OpKind::CallModule;
    node.target = m_editor.freeAttributeName("activation_post_process_");
    node.args = {producer};
    node.origin = {OriginKind::Inserted, withoutObservers(producer), "insert_observers"};
    const ObserverKind kind = m_state.instances[instance.value].config.kind;
    m_editor.setModule(node.target, {std::string(observerClassName(kind)), instance});
    InsertPoint at = InsertPoint::after(producer);
    return m_editor.insert(at, std::move(node));
}

/// _is_mutable_buffer_destination: the op writes its first argument, which comes from a buffer and from no input.
bool Inserter::isMutableBufferDestination(const Node& user, NodeId original) const
{
    if (!user.is(OpKind::CallFunction) || !mutatesArgument(user.target)
        || user.arg(0).node() != original)
        return false;
    bool hasBuffer = false;
    std::vector<NodeId> open = {original};
    std::unordered_set<NodeId> seen(open.begin(), open.end());
    while (!open.empty()) {
        const Node& node = graph().node(open.back());
        open.pop_back();
        if (node.is(OpKind::Placeholder))
            return false;
        if (node.is(OpKind::GetAttr)) {
            const Attribute* attribute = graph().attributes().find(node.target);
            hasBuffer |= attribute
                         && (attribute->kind == AttributeKind::Buffer
                             || attribute->kind == AttributeKind::NonPersistentBuffer);
        }
        for (NodeId input : node.inputs()) {
            if (seen.insert(input).second)
                open.push_back(input);
        }
    }
    return hasBuffer;
}

/// _maybe_insert_input_observer_or_fake_quant for one node argument; the node to read instead.
NodeId Inserter::observedNode(NodeId user, NodeId current)
{
    const NodeId original = withoutObservers(current);
    const auto instance = m_instances.at(Point::edge(original, user));
    if (!instance || isMutableBufferDestination(graph().node(user), original) || !*instance)
        return current;
    if (m_instances.at(Point::output(original)) == instance)
        return current; // the observer behind the producer already feeds this user
    for (NodeId sibling : graph().node(current).users) {
        if (instanceOf(graph().node(sibling)) == instance)
            return sibling;
    }
    return insertAfter(current, *instance);
}

Argument Inserter::observedInput(NodeId user, const Argument& argument)
{
    return mapNodes(argument, [&](NodeId id) { return Argument(observedNode(user, id)); });
}

Result<void> Inserter::observeOutput(NodeId id)
{
    const auto instance = m_instances.at(Point::output(id));
    if (!instance || !graph().node(id).val.tensor())
        return {};
    if (!*instance)
        return badInput("prepare: node '" + graph().node(id).name + "'",
                        "its output shares the observer of a point that is not observed (torchao "
                        "raises AttributeError here)");
    const NodeId observer = insertAfter(id, *instance);
    m_editor.replaceAllUses(id, observer, [observer](NodeId user) { return user == observer; });
    return {};
}

Result<void> Inserter::visit(NodeId id)
{
    if (!m_state.annotations.find(id))
        return {};
    const Node node = graph().node(id);
    Arguments args;
    for (const Argument& argument : node.args)
        args.push_back(observedInput(id, argument));
    for (const auto& [name, argument] : node.kwargs) {
        bool hasNode = false;
        forEachNode(argument, [&](NodeId) { hasNode = true; });
        if (hasNode)
            return fail(ErrorCode::Unsupported, "prepare: node '" + node.name + "'",
                        "keyword argument '" + name
                            + "' holds a node (torchao raises AssertionError here)");
    }
    // Also when nothing changed: the re-assignment moves the node to the end of its inputs' users.
    m_editor.setArgs(id, std::move(args));
    return observeOutput(id);
}

} // namespace

Result<void> insertObserverNodes(GraphEditor& editor, PrepareState& state)
{
    PT2E_ASSIGN(state.sharing, shareGroups(editor.graph(), state.annotations));
    Instances instances(editor.graph(), state);
    PT2E_TRY(instances.create());
    Inserter inserter(editor, state, instances);
    for (NodeId id : editor.graph().order())
        PT2E_TRY(inserter.visit(id));
    return {};
}

namespace {

/// One graph, then the bodies that quantization visits; instances and groups are numbered on.
Result<GraphPtr> prepareGraph(const GraphPtr& graph, const std::string& path,
                              const AnnotationTable& annotations, PreparedGraph& prepared,
                              const JobContext& context)
{
    PrepareState state{annotations, {}, std::move(prepared.instances), {}, {}, {}};
    PT2E_ASSIGN(const GraphPtr after,
                runPassesOn(graph, path, kPreparePasses, state, prepared.passes, context));
    prepared.instances = std::move(state.instances);
    prepared.sharing.add(std::move(state.sharing));
    prepared.instanceOf.merge(state.instanceOf);
    prepared.diagnostics.insert(prepared.diagnostics.end(), state.diagnostics.begin(),
                                state.diagnostics.end());
    const std::string around = path.empty() ? "" : path + "/";
    return inBodies(after, around, [&](const GraphPtr& body, const std::string& bodyPath) {
        return prepareGraph(body, bodyPath, annotations, prepared, context);
    });
}

} // namespace

Result<PreparedGraph> insertObservers(const GraphPtr& folded, const AnnotationTable& annotations,
                                      const JobContext& context)
{
    PreparedGraph prepared;
    PT2E_ASSIGN(prepared.graph, prepareGraph(folded, "", annotations, prepared, context));
    return prepared;
}

} // namespace pt2e
