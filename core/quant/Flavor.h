// One quantizer as a whole: its ordered rules and the ops that share their input's observer.
#pragma once

#include "core/quant/Rule.h"

namespace pt2e {

struct Flavor
{
    std::span<const Rule* const>
        staticRules; ///< each scans the whole graph before the next one starts
    std::span<const Rule* const> dynamicRules;
    std::span<const std::string_view> shareList; ///< ops of propagate_annotation
};

/// The flavour's lists, or nullptr if there is no such quantizer here.
const Flavor* flavorOf(QuantizerFlavor flavor);

} // namespace pt2e
