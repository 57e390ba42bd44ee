// To which node of the graph each line of XNNPACK's profile belongs.
#pragma once

#include "core/base/Ids.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e::xnn {

/// An operator as it was defined, before XNNPACK's optimizer.
struct OwnedOperator
{
    NodeId owner;
    std::string_view what; ///< "convolution_2d"
};

/// One owner for each name of the profile, which has the operators in the order of their definition without those
/// that the optimizer took into a neighbour: clamps, paddings, copies and reshapes. Invalid owners where
/// the two cannot be brought together.
std::vector<NodeId> ownersOf(std::span<const OwnedOperator> operators,
                             std::span<const std::string> profile);

} // namespace pt2e::xnn
