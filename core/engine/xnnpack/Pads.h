// Paddings by zero before int8 convolutions: the border of a convolution is the zero point, as theirs,
// so they are added to its own. XNNPACK itself does that in float only.
#pragma once

#include "core/engine/xnnpack/Plan.h"

namespace pt2e::xnn {

/// Takes the paddings that one convolution alone reads out of the units. Gives them, each with that
/// convolution.
std::unordered_map<NodeId, NodeId> absorbPads(std::vector<Unit>& units, const ConvertedView& view);

} // namespace pt2e::xnn
