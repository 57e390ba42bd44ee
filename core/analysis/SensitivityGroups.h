// What is set to float or quantized together when sensitivity is measured.
#pragma once

#include "core/analysis/SwitchedGraph.h"
#include "core/pipeline/EditSpec.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pt2e {

/// A group is the points of one observer instance that quantizes values (a sharing group: prepare keeps no observer at
/// one of its points without the others), and with it the weights and biases of the operators whose result that
/// instance quantizes. An operator's result may pass through operators annotated with it (the relu of a convolution).
/// Weights of an operator whose result is not quantized are a group of their own.
///
/// So a group is what a person calls a layer: a convolution's weights and its output, which is the next one's input.
/// The graph is legal with any set of groups: a value is quantized for all its readers or for none, and a derived point
/// (an int32 bias) is quantized only where all that it is derived from is.
struct SensitivityGroup
{
    std::string name; ///< of its operators: "conv2d + relu"; unique
    std::vector<NodeId> nodes; ///< its operators and inputs in execution order, of every stage
    std::vector<ObserverId> activations;
    std::vector<ObserverId> weights; ///< and biases
    std::vector<NamedPoint> points; ///< all of them, as a recipe names them

    friend bool operator==(const SensitivityGroup&, const SensitivityGroup&) = default;
};

enum class GroupPart : std::uint8_t { All, Weights, Activations };

/// In execution order of the first operator. Instances that convert makes nothing of are in no group.
std::vector<SensitivityGroup> sensitivityGroups(const Snapshot& snapshot,
                                                const SwitchedGraph& switched);

/// The instances that quantize where those groups do; index of isOn: group.
InstanceSet instancesOf(const Snapshot& snapshot, const std::vector<SensitivityGroup>& groups,
                        const std::vector<bool>& isOn, GroupPart part = GroupPart::All);

/// The edits that leave every annotated point of the other instances unobserved.
std::vector<Edit> floatEdits(const Snapshot& snapshot, const InstanceSet& on);

} // namespace pt2e
