#include "core/quant/Bodies.h"
#include "core/quant/Flavor.h"
#include "core/quant/rules/Rules.h"

#include <algorithm>
#include <unordered_map>

namespace pt2e {

namespace {

/// Reasons for the nodes of one graph. Causes are asked before the nodes they starve; a graph has no cycles.
class Explainer
{
public:
    Explainer(const Graph& graph, const AnnotationTable& annotations,
              const QuantizerSettings& settings)
        : m_graph(graph),
          m_annotations(annotations),
          m_settings(settings),
          m_flavor(flavorOf(settings.flavor)),
          m_runs(m_flavor ? plannedRuns(*m_flavor, settings) : std::vector<PlannedRun>())
    {}

    void add(const Node& node) { m_reasons.emplace(node.id, explain(node)); }
    const WhyNot& reason(NodeId id) const { return m_reasons.at(id); }

private:
    WhyNot explain(const Node& node) const;
    std::optional<WhyNot> refused(const Node& node) const;
    WhyNot withoutRule(const Node& node) const;
    WhyNot starved(const Node& node) const;
    WhyNot make(const Node& node, Reason reason, std::string_view rule = {}) const
    {
        return {node.id, std::string(rule), std::move(reason), {}, node.id};
    }
    WhyNot make(const Node& node, ReasonKey key, std::vector<std::string> parameters = {}) const
    {
        return make(node, Reason{key, std::move(parameters), {}});
    }

    const Graph& m_graph;
    const AnnotationTable& m_annotations;
    const QuantizerSettings& m_settings;
    const Flavor* m_flavor;
    std::vector<PlannedRun> m_runs;
    std::unordered_map<NodeId, WhyNot> m_reasons;
};

/// Of several configurations that refuse a node the one that reaches it has the reason, and of its rules the first one
/// that has another one than its filter; of filters that which reaches the node but not its weight.
int rankOf(const Refusal& refusal, bool reachesNode)
{
    const bool isWeight =
        refusal.key == ReasonKey::ParameterOfModule || refusal.key == ReasonKey::ParameterOfType;
    return (refusal.kind() != ReasonKind::Filtered ? 4 : 0) + (reachesNode ? 2 : 0)
           + (isWeight ? 1 : 0);
}

std::optional<WhyNot> Explainer::refused(const Node& node) const
{
    std::optional<WhyNot> best;
    int bestRank = -1;
    for (const PlannedRun& run : m_runs) {
        const RuleView view{m_graph, m_annotations, run.config};
        for (const Rule* rule : run.rules) {
            const auto refusal = rule->refusal(view, node);
            if (!refusal)
                continue;
            const int rank = rankOf(*refusal, run.config.filter.allows(node));
            if (rank <= bestRank)
                continue;
            bestRank = rank;
            best = make(node, *refusal, rule->name);
        }
    }
    return best;
}

/// No rule that was run looks at such ops.
WhyNot Explainer::withoutRule(const Node& node) const
{
    const bool isDynamic = std::all_of(m_runs.begin(), m_runs.end(),
                                       [](const PlannedRun& run) { return run.config.isDynamic; });
    if (isDynamic) {
        std::string names;
        for (const Rule* rule : m_runs.back().rules)
            names += (names.empty() ? "" : ", ") + std::string(rule->name);
        return make(node, ReasonKey::DynamicRulesOnly, {names});
    }
    for (const RuleEntry& entry : m_flavor->rules) {
        if (isOneOf(node, entry.targets))
            return make(node, {ReasonKey::NoConfigForOp, {node.target}, {}}, entry.rule->name);
    }
    if (node.calls("aten.relu_.default"))
        return make(node, ReasonKey::ReluInPlace);
    return make(node, ReasonKey::NoRule, {std::string(flavorName(m_settings.flavor)), node.target});
}

/// An op that would take over its input's observer if that had one.
WhyNot Explainer::starved(const Node& node) const
{
    const Node* producer = nodeArgument(m_graph, node, 0);
    if (!producer)
        return make(node, {ReasonKey::FollowsNoNode, {}, {}}, "propagate");
    WhyNot why = make(node, {ReasonKey::FollowsNoOutput, {producer->name}, {}}, "propagate");
    why.cause = producer->id;
    why.root = producer->id;
    const auto above = m_reasons.find(producer->id);
    if (above != m_reasons.end()) {
        const Reason& theirs = above->second.reason;
        why.root = above->second.root;
        if (theirs.kind() == ReasonKind::Starved) {
            why.reason.key = ReasonKey::FollowsChain;
            why.reason.parameters.push_back(m_graph.node(why.root).name);
        } else {
            why.reason.key = ReasonKey::FollowsUnannotated;
            why.reason.because.push_back(theirs);
        }
    } else if (producer->is(OpKind::Placeholder)) {
        why.reason.key = ReasonKey::FollowsInput;
    } else if (producer->is(OpKind::GetAttr)) {
        why.reason.key = ReasonKey::FollowsConstant;
    }
    return why;
}

WhyNot Explainer::explain(const Node& node) const
{
    if (m_runs.empty())
        return make(node, m_flavor ? ReasonKey::NoConfig : ReasonKey::NoQuantizer);
    const Annotation* marker = m_annotations.find(node.id);
    if (marker && marker->rule == "edit")
        return make(node, ReasonKey::Edited);
    if (marker && marker->rule.starts_with(kRecipeRule))
        return make(node, {ReasonKey::LeftOut, {marker->rule}, {}});
    if (marker && marker->isAnnotated)
        return make(node, {ReasonKey::PartOfMatch, {marker->rule}, {}}, marker->rule);
    // A sharing op is starved whatever a fusing rule thought of it.
    if (isOneOf(node, m_flavor->shareList))
        return starved(node);
    if (auto why = refused(node))
        return *why;
    return withoutRule(node);
}

/// The call that takes the sub-graph with this attribute name, or nullptr.
const Node* ownerOf(const Graph& graph, std::string_view attribute)
{
    for (const Node& node : graph) {
        if (node.is(OpKind::GetAttr) && node.target == attribute && !node.users.empty())
            return graph.find(node.users.front());
    }
    return nullptr;
}

/// Ops of bodies that no quantizer is asked about: the call that takes the body is the root.
void addBodies(const Graph& graph, const AnnotationTable& annotations, const Node* outer,
               std::vector<WhyNot>& reasons)
{
    const std::vector<std::string> visited = visitedBodies(graph);
    for (const auto& [name, body] : graph.subgraphs()) {
        const bool isVisited =
            !outer && std::find(visited.begin(), visited.end(), name) != visited.end();
        if (isVisited)
            continue;
        const Node* owner = outer ? outer : ownerOf(graph, name);
        if (!body || !owner)
            continue;
        for (const Node& node : *body) {
            if (node.is(OpKind::CallFunction) && node.target != "getitem"
                && !annotations.hasValid(node.id))
                reasons.push_back({node.id,
                                   "",
                                   {ReasonKey::InSubGraph,
                                    {owner->name, std::string(shortOpName(owner->target))},
                                    {}},
                                   owner->id,
                                   owner->id});
        }
        addBodies(*body, annotations, owner, reasons);
    }
}

} // namespace

std::vector<WhyNot> explainUnannotated(const Graph& graph, const AnnotationTable& annotations,
                                       const QuantizerSettings& settings)
{
    Explainer explainer(graph, annotations, settings);
    std::vector<WhyNot> reasons;
    for (const Node& node : graph) {
        if (!node.is(OpKind::CallFunction) || annotations.hasValid(node.id))
            continue;
        explainer.add(node);
        if (node.target != "getitem")
            reasons.push_back(explainer.reason(node.id));
    }
    for (const std::string& name : visitedBodies(graph)) {
        const auto inside =
            explainUnannotated(**graph.subgraphs().find(name), annotations, settings);
        reasons.insert(reasons.end(), inside.begin(), inside.end());
    }
    if (settings.flavor != QuantizerFlavor::None)
        addBodies(graph, annotations, nullptr, reasons);
    return reasons;
}

} // namespace pt2e
