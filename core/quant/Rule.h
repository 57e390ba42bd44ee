// A quantizer rule (torchao: an annotator) and what its implementations share.
#pragma once

#include "core/quant/Config.h"
#include "core/quant/Filter.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

/// One configuration at one level: the rules go over the graph once for each.
struct ConfigRun
{
    ConfigSpecs specs;
    bool isDynamic = false; ///< of the configuration, not of the quantizer
    ModuleFilter filter;
    std::span<const std::string_view> shareList; ///< the quantizer's
};

/// What a rule reads when it decides: nothing else influences it.
struct RuleView
{
    const Graph& graph;
    const AnnotationTable& annotations;
    const ConfigRun& run;
};

/// What a rule is given to annotate with.
struct RuleScope
{
    const Graph& graph;
    AnnotationTable& annotations;
    const ConfigRun& run;
    const ConfigSpecs& specs() const { return run.specs; }
    RuleView view() const { return {graph, annotations, run}; }
};

/// Why a rule that looks at a node did not take it.
using Refusal = Reason;

/// One entry of a quantizer's ordered list. Both functions use the same check, so they cannot disagree.
struct Rule
{
    std::string_view name; ///< torchao's annotator name: "conv_relu"
    /// Scans the graph in node order and annotates. Fails where the real annotator raises.
    Result<void> (*annotate)(RuleScope& scope);
    /// Why the rule left this node out, seen from the finished table; nothing if it does not look at such nodes.
    std::optional<Refusal> (*refusal)(const RuleView& view, const Node& node);
};

/// What a check found: the nodes of a match, or a refusal, or neither (not an op of this rule).
template<typename Match>
struct Checked
{
    std::optional<Match> match;
    std::optional<Refusal> refusal;
};

// ---- shared by the rule files

bool isOneOf(const Node& node,
             std::span<const std::string_view> targets); ///< a call of one of them
bool isRelu(const Node& node); ///< aten.relu.default or aten.relu_.default
/// Argument i if it is a node, else nullptr.
const Node* nodeArgument(const Graph& graph, const Node& node, std::size_t i);
/// torchao's _is_annotated on a list: the first of them that carries the flag, or nullptr.
const Node* firstAnnotated(const RuleView& view, std::span<const NodeId> nodes);
/// torchao's _mark_nodes_as_annotated: those without annotation get an empty one that carries the flag.
void markAnnotated(RuleScope& scope, std::span<const NodeId> nodes, std::string_view rule);
/// "its weight a_weight is already taken by rule conv".
Refusal alreadyTaken(const RuleView& view, const Node& taken);
/// Filtered, if the run's filter keeps one of the nodes away.
std::optional<Refusal> refuseFiltered(const RuleView& view, std::span<const NodeId> nodes);
/// Already taken, or filtered: what every rule asks of its partition.
std::optional<Refusal> refuseUnlessFree(const RuleView& view, std::span<const NodeId> nodes);
/// The users of a node that are relu or relu_.
const Node* reluUser(const Graph& graph, const Node& node);

} // namespace pt2e
