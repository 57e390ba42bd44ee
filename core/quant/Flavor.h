// One quantizer as a whole: its ordered rules and the ops that share their input's observer.
#pragma once

#include "core/quant/Rule.h"

namespace pt2e {

/// A rule at its place in a quantizer's list.
struct RuleEntry
{
    const Rule* rule;
    std::span<const std::string_view> targets; ///< operators of set_operator_type that run it
    bool isDynamic = false; ///< runs in dynamic mode (and in static mode)
};

struct Flavor
{
    std::span<const RuleEntry> rules; ///< each scans the whole graph before the next one starts
    std::span<const std::string_view> shareList; ///< ops of propagate_annotation
    /// Dynamic mode is that of each configuration, not that of the global one for all of them.
    bool hasModePerConfig = false;
    bool readsOperatorType = false;
    /// A static configuration also searches for batch norms to fuse (QAT), which removes dead code.
    std::span<const std::string_view> deadCodeTargets = {};
};

/// The flavour's lists, or nullptr if there is no such quantizer here.
const Flavor* flavorOf(QuantizerFlavor flavor);

/// One configuration with the rules that it runs.
struct PlannedRun
{
    ConfigRun config;
    std::vector<const Rule*> rules;
    bool removesDeadCode = false;
};

/// What annotate goes through, in order: names, types, operators where they are read, global. Configurations that are
/// none are left out, but their names and types still keep the global one away.
std::vector<PlannedRun> plannedRuns(const Flavor& flavor, const QuantizerSettings& settings);

} // namespace pt2e
