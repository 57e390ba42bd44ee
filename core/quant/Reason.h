// Why an op is not quantized, as data: a key and what its sentence names. Sentences are made from it, in English
// here, in other languages by the window.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

/// What a reason is about.
enum class ReasonKind : std::uint8_t {
    NoRule, ///< the quantizer has no rule for this op
    NotMatched, ///< a rule exists but could not find it (cat without source_fn_stack)
    ConditionFailed, ///< a rule almost matched; the key names the condition
    Starved, ///< a sharing op whose input has no annotated output
    AlreadyTaken, ///< a weight or op of the pattern was annotated before
    Guard, ///< dtype or large-scalar guard of add and mul
    Edited, ///< the user set it to none, or a rule of the recipe left it out
    Filtered, ///< a filter excluded it
    SubGraph, ///< in a sub-graph that prepare does not go into
    NoQuantizer
};

/// One sentence each; what %1, %2 … stand for is written in Reason.cpp beside it.
enum class ReasonKey : std::uint8_t {
    NoRule,
    ReluInPlace,
    DynamicRulesOnly,
    CatWithoutSource,
    CatOtherSource,
    MoreUsers,
    TextPadding,
    ConvNeedsRelu,
    TransposeNeedsRelu,
    TransposeGroups,
    LeftToReluDynamic,
    LeftToRelu,
    LeftToReluRefused,
    DynamicDimensions,
    DynamicDepthwise,
    PoolCalledTwice,
    CatCallTaken,
    InsideGru,
    FollowsUnannotated,
    FollowsChain,
    FollowsInput,
    FollowsConstant,
    FollowsNoOutput,
    FollowsNoNode,
    Taken,
    WeightTaken,
    PartOfMatch,
    LargeScalar,
    NotATensor,
    NotFloat32,
    Edited,
    LeftOut,
    OwnSetting,
    OutsideModule,
    OutsideType,
    ParameterOfModule,
    ParameterOfType,
    NoConfigForOp,
    InSubGraph,
    NoQuantizer,
    NoConfig
};
inline constexpr std::size_t kReasonKeyCount = static_cast<std::size_t>(ReasonKey::NoConfig) + 1;

struct Reason
{
    ReasonKey key = ReasonKey::NoRule;
    std::vector<std::string> parameters; ///< %1, %2 …: names of nodes, rules, ops, modules
    std::vector<Reason> because; ///< the sentence behind the last parameter, at most one

    ReasonKind kind() const;
    std::string text() const; ///< one sentence, lower case, without full stop
    friend bool operator==(const Reason&, const Reason&) = default;
};

std::string_view reasonName(ReasonKey key); ///< "no-rule", as tables print it in JSON
std::string_view reasonTemplate(ReasonKey key); ///< "the %1 quantizer has no rule for %2"
std::array<ReasonKey, kReasonKeyCount> allReasonKeys();
/// The template with its %1 … %9 replaced; texts put in are not looked at again.
std::string fillTemplate(std::string_view text, const std::vector<std::string>& parameters);

} // namespace pt2e
