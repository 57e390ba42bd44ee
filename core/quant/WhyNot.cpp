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
    WhyNot make(const Node& node, WhyNot::Kind kind, std::string reason) const
    {
        return {node.id, kind, "", std::move(reason), {}, node.id};
    }

    const Graph& m_graph;
    const AnnotationTable& m_annotations;
    const QuantizerSettings& m_settings;
    const Flavor* m_flavor;
    std::vector<PlannedRun> m_runs;
    std::unordered_map<NodeId, WhyNot> m_reasons;
};

/// Of several configurations that refuse a node the one that reaches it has the reason, and of its rules the first one
/// that has another one than its filter.
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
            const int rank = refusal->kind != WhyNot::Kind::Filtered ? 2
                             : run.config.filter.allows(node)        ? 1
                                                                     : 0;
            if (rank <= bestRank)
                continue;
            bestRank = rank;
            best = make(node, refusal->kind, refusal->reason);
            best->rule = rule->name;
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
        return make(node, WhyNot::Kind::NoRule,
                    "with a dynamic configuration only " + names
                        + (m_runs.back().rules.size() == 1 ? " is" : " are") + " annotated");
    }
    for (const RuleEntry& entry : m_flavor->rules) {
        if (isOneOf(node, entry.targets)) {
            WhyNot why = make(node, WhyNot::Kind::Filtered,
                              "no configuration reaches it: there is no global one, and none for "
                                  + node.target);
            why.rule = entry.rule->name;
            return why;
        }
    }
    if (node.calls("aten.relu_.default"))
        return make(node, WhyNot::Kind::NoRule,
                    "relu_ is annotated only behind a convolution, linear, add or mul; in place it "
                    "does not share its input's observer");
    return make(node, WhyNot::Kind::NoRule,
                "the " + std::string(flavorName(m_settings.flavor)) + " quantizer has no rule for "
                    + node.target);
}

/// An op that would take over its input's observer if that had one.
WhyNot Explainer::starved(const Node& node) const
{
    const Node* producer = nodeArgument(m_graph, node, 0);
    if (!producer)
        return make(node, WhyNot::Kind::Starved, "its first argument is not a node");
    WhyNot why = make(node, WhyNot::Kind::Starved, "");
    why.rule = "propagate";
    why.cause = producer->id;
    why.root = producer->id;
    const auto above = m_reasons.find(producer->id);
    if (above != m_reasons.end()) {
        why.root = above->second.root;
        const bool isDirect = above->second.kind != WhyNot::Kind::Starved;
        why.reason = "follows " + producer->name + ", which has no annotation"
                     + (isDirect ? " because " + above->second.reason
                                 : ": the chain starts at " + m_graph.node(why.root).name);
    } else if (producer->is(OpKind::Placeholder)) {
        why.reason = "follows the graph input " + producer->name
                     + ": it shares its producer's observer, and inputs have none of their own";
    } else if (producer->is(OpKind::GetAttr)) {
        why.reason = "follows the constant " + producer->name
                     + ": it shares its producer's observer, and constants have none of their own";
    } else {
        why.reason = "follows " + producer->name + ", whose output is not annotated";
    }
    return why;
}

WhyNot Explainer::explain(const Node& node) const
{
    if (m_runs.empty())
        return make(node, WhyNot::Kind::NoQuantizer,
                    m_flavor ? "the quantizer has no global configuration and no other one"
                             : "no quantizer is chosen");
    const Annotation* marker = m_annotations.find(node.id);
    if (marker && marker->rule == "edit")
        return make(node, WhyNot::Kind::Edited, "an edit took its annotation away");
    if (marker && marker->isAnnotated) {
        WhyNot why =
            make(node, WhyNot::Kind::AlreadyTaken,
                 "is part of what rule " + marker->rule + " annotated, without a spec of its own");
        why.rule = marker->rule;
        return why;
    }
    // A sharing op is starved whatever a fusing rule thought of it.
    if (isOneOf(node, m_flavor->shareList))
        return starved(node);
    if (auto why = refused(node))
        return *why;
    return withoutRule(node);
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
    return reasons;
}

} // namespace pt2e
