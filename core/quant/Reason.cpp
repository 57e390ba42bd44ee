#include "core/quant/Reason.h"

namespace pt2e {

namespace {

struct Row
{
    ReasonKey key;
    ReasonKind kind;
    std::string_view name;
    std::string_view text;
};

using K = ReasonKey;
using Kind = ReasonKind;

/// In the order of ReasonKey. A reason of its own (Reason::because) comes behind the parameters.
constexpr Row kRows[] = {
    {K::NoRule, Kind::NoRule, "no-rule", "the %1 quantizer has no rule for %2"},
    {K::ReluInPlace, Kind::NoRule, "relu-in-place",
     "relu_ is annotated only behind a convolution, linear, add or mul; in place it does not share "
     "its input's observer"},
    {K::DynamicRulesOnly, Kind::NoRule, "dynamic-rules-only",
     "with a dynamic configuration only these rules run: %1"},
    {K::CatWithoutSource, Kind::NotMatched, "cat-without-source",
     "the quantizer looks for torch.cat in source_fn_stack, which this program does not carry"},
    {K::CatOtherSource, Kind::NotMatched, "cat-other-source",
     "the quantizer looks for torch.cat in source_fn_stack, where this node has %1"},
    {K::MoreUsers, Kind::ConditionFailed, "more-users",
     "%1 has more users than %2, so the two are not fused"},
    {K::TextPadding, Kind::ConditionFailed, "text-padding",
     "a convolution whose padding is given as text is annotated only together with a relu that is "
     "its only user"},
    {K::ConvNeedsRelu, Kind::ConditionFailed, "conv-needs-relu",
     "a %1 is annotated only together with a relu that is its only user"},
    {K::TransposeNeedsRelu, Kind::ConditionFailed, "transpose-needs-relu",
     "a transposed convolution is annotated only together with a relu that is its only user"},
    {K::TransposeGroups, Kind::ConditionFailed, "transpose-groups",
     "a transposed convolution with %1 groups is left out"},
    {K::LeftToReluDynamic, Kind::ConditionFailed, "left-to-relu-dynamic",
     "its only user is %1: it is left to a rule for both, and there is none for dynamic "
     "configurations"},
    {K::LeftToRelu, Kind::ConditionFailed, "left-to-relu",
     "its only user is %1: it is left to rule %2"},
    {K::LeftToReluRefused, Kind::ConditionFailed, "left-to-relu-refused",
     "its only user is %1, so it is left to rule %2, which leaves it out, too: %3"},
    {K::DynamicDimensions, Kind::ConditionFailed, "dynamic-dimensions",
     "with a dynamic configuration only two-dimensional convolutions are taken"},
    {K::DynamicDepthwise, Kind::ConditionFailed, "dynamic-depthwise",
     "with a dynamic configuration a convolution that reads one channel per group (depthwise) is "
     "left out"},
    {K::PoolCalledTwice, Kind::ConditionFailed, "pool-called-twice",
     "its module is called more than once: only the first call, %1, is annotated by the rule"},
    {K::CatCallTaken, Kind::ConditionFailed, "cat-call-taken",
     "another node of the same torch.cat call is annotated instead"},
    {K::InsideGru, Kind::ConditionFailed, "inside-gru",
     "inside a GRU: only its inputs and results are annotated"},
    {K::FollowsUnannotated, Kind::Starved, "follows-unannotated",
     "follows %1, which has no annotation because %2"},
    {K::FollowsChain, Kind::Starved, "follows-chain",
     "follows %1, which has no annotation: the chain starts at %2"},
    {K::FollowsInput, Kind::Starved, "follows-input",
     "follows the graph input %1: it shares its producer's observer, and inputs have none of "
     "their own"},
    {K::FollowsConstant, Kind::Starved, "follows-constant",
     "follows the constant %1: it shares its producer's observer, and constants have none of "
     "their own"},
    {K::FollowsNoOutput, Kind::Starved, "follows-no-output",
     "follows %1, whose output is not annotated"},
    {K::FollowsNoNode, Kind::Starved, "follows-no-node", "its first argument is not a node"},
    {K::Taken, Kind::AlreadyTaken, "taken", "%1 is already taken by rule %2"},
    {K::WeightTaken, Kind::AlreadyTaken, "weight-taken",
     "its weight %1 is already taken by rule %2: a weight that two convolutions read is taken only "
     "once"},
    {K::PartOfMatch, Kind::AlreadyTaken, "part-of-match",
     "is part of what rule %1 annotated, without a spec of its own"},
    {K::LargeScalar, Kind::Guard, "large-scalar",
     "its input %1 is a constant with an absolute value above 3.4028235e15"},
    {K::NotATensor, Kind::Guard, "not-a-tensor", "its input %1 is not a tensor"},
    {K::NotFloat32, Kind::Guard, "not-float32", "its input %1 is %2, not float32"},
    {K::Edited, Kind::Edited, "edited", "an edit took its annotation away"},
    {K::LeftOut, Kind::Edited, "left-out", "%1 of the recipe leaves it out"},
    {K::OwnSetting, Kind::Filtered, "own-setting",
     "%1 is in '%2', which has a setting of its own: no other configuration reaches it"},
    {K::OutsideModule, Kind::Filtered, "outside-module",
     "%1 is outside module '%2', and no other configuration reaches it"},
    {K::OutsideType, Kind::Filtered, "outside-type",
     "%1 is outside modules of type '%2', and no other configuration reaches it"},
    {K::ParameterOfModule, Kind::Filtered, "parameter-of-module",
     "the setting for module '%2' does not reach %1: parameters belong to no module, and this rule "
     "wants its weight reached, too"},
    {K::ParameterOfType, Kind::Filtered, "parameter-of-type",
     "the setting for modules of type '%2' does not reach %1: parameters belong to no module, and "
     "this rule wants its weight reached, too"},
    {K::NoConfigForOp, Kind::Filtered, "no-config-for-op",
     "no configuration reaches it: there is no global one, and none for %1"},
    {K::InSubGraph, Kind::SubGraph, "in-sub-graph",
     "stands in a sub-graph of %1 (%2), which prepare does not go into"},
    {K::NoQuantizer, Kind::NoQuantizer, "no-quantizer", "no quantizer is chosen"},
    {K::NoConfig, Kind::NoQuantizer, "no-config",
     "the quantizer has no global configuration and no other one"},
};
static_assert(std::size(kRows) == kReasonKeyCount);

constexpr bool isInOrder()
{
    for (std::size_t i = 0; i < std::size(kRows); ++i) {
        if (static_cast<std::size_t>(kRows[i].key) != i)
            return false;
    }
    return true;
}
static_assert(isInOrder());

const Row& rowOf(ReasonKey key) { return kRows[static_cast<std::size_t>(key)]; }

} // namespace

ReasonKind Reason::kind() const { return rowOf(key).kind; }

std::string Reason::text() const
{
    std::vector<std::string> all = parameters;
    for (const Reason& inner : because)
        all.push_back(inner.text());
    return fillTemplate(rowOf(key).text, all);
}

std::string_view reasonName(ReasonKey key) { return rowOf(key).name; }

std::string_view reasonTemplate(ReasonKey key) { return rowOf(key).text; }

std::array<ReasonKey, kReasonKeyCount> allReasonKeys()
{
    std::array<ReasonKey, kReasonKeyCount> keys{};
    for (std::size_t i = 0; i < kReasonKeyCount; ++i)
        keys[i] = kRows[i].key;
    return keys;
}

std::string fillTemplate(std::string_view text, const std::vector<std::string>& parameters)
{
    std::string filled;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char digit = text[i] == '%' && i + 1 < text.size() ? text[i + 1] : '\0';
        const auto at = static_cast<std::size_t>(digit - '1');
        if (digit >= '1' && digit <= '9' && at < parameters.size()) {
            filled += parameters[at];
            ++i;
        } else {
            filled += text[i];
        }
    }
    return filled;
}

} // namespace pt2e
