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
        : m_view{graph, annotations},
          m_settings(settings),
          m_flavor(flavorOf(settings.flavor))
    {}

    void add(const Node& node) { m_reasons.emplace(node.id, explain(node)); }
    const WhyNot& reason(NodeId id) const { return m_reasons.at(id); }

private:
    WhyNot explain(const Node& node) const;
    std::optional<WhyNot> refused(const Node& node) const;
    WhyNot starved(const Node& node) const;
    WhyNot make(const Node& node, WhyNot::Kind kind, std::string reason) const
    {
        return {node.id, kind, "", std::move(reason), {}, node.id};
    }

    RuleView m_view;
    const QuantizerSettings& m_settings;
    const Flavor* m_flavor;
    std::unordered_map<NodeId, WhyNot> m_reasons;
};

std::optional<WhyNot> Explainer::refused(const Node& node) const
{
    for (const Rule* rule : m_flavor->staticRules) {
        if (const auto refusal = rule->refusal(m_view, node)) {
            WhyNot why = make(node, refusal->kind, refusal->reason);
            why.rule = rule->name;
            return why;
        }
    }
    return std::nullopt;
}

/// An op that would take over its input's observer if that had one.
WhyNot Explainer::starved(const Node& node) const
{
    const Node* producer = nodeArgument(m_view.graph, node, 0);
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
                                 : ": the chain starts at " + m_view.graph.node(why.root).name);
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
    if (!m_flavor || !m_settings.global)
        return make(node, WhyNot::Kind::NoQuantizer,
                    m_flavor ? "the quantizer has no global configuration"
                             : "no quantizer is chosen");
    const Annotation* marker = m_view.annotations.find(node.id);
    if (marker && marker->rule == "edit")
        return make(node, WhyNot::Kind::Edited, "an edit took its annotation away");
    if (marker && marker->isAnnotated) {
        WhyNot why =
            make(node, WhyNot::Kind::AlreadyTaken,
                 "is part of what rule " + marker->rule + " annotated, without a spec of its own");
        why.rule = marker->rule;
        return why;
    }
    const bool isSharing = isOneOf(node, m_flavor->shareList);
    if (m_settings.global->dynamic)
        return isSharing ? starved(node)
                         : make(node, WhyNot::Kind::NoRule,
                                "with a dynamic configuration only linear is annotated");
    // A sharing op is starved whatever a fusing rule thought of it.
    if (isSharing)
        return starved(node);
    if (auto why = refused(node))
        return *why;
    if (node.calls("aten.relu_.default"))
        return make(node, WhyNot::Kind::NoRule,
                    "relu_ is annotated only behind a convolution, linear, add or mul; in place it "
                    "does not share its input's observer");
    return make(node, WhyNot::Kind::NoRule,
                "the " + std::string(flavorName(m_settings.flavor)) + " quantizer has no rule for "
                    + node.target);
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
    return reasons;
}

} // namespace pt2e
