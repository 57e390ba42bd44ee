// A graph made ready to run: what each node needs, looked up once.
#pragma once

#include "core/base/Result.h"
#include "core/ir/Graph.h"
#include "core/kernels/Kernels.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e::reference {

struct Plan;
using PlanPtr = std::shared_ptr<const Plan>;

/// How a node gets its value.
enum class StepKind : std::uint8_t {
    Input,
    Attribute,
    Subgraph,
    Module,
    GetItem,
    Scalar,
    HigherOrder,
    Kernel,
    Output
};

struct Step
{
    const Node* node = nullptr; ///< in the plan's graph
    StepKind kind = StepKind::Kernel;
    std::size_t slot = 0; ///< where the value goes; the number of the node in execution order
    std::string function; ///< Scalar, HigherOrder: the bare name
    std::shared_ptr<const Kernel> kernel;
    std::optional<Error> error; ///< why the node cannot be run; told when it is reached
    std::vector<std::size_t> lastUses; ///< slots that nobody reads after this step
};

struct Plan
{
    GraphPtr graph;
    std::vector<Step> steps;
    std::unordered_map<NodeId, std::size_t> slots;
    std::unordered_map<std::string, PlanPtr> bodies; ///< sub-graphs by attribute name
    /// Attributes by storage: an op that writes one of them must be seen by later reads.
    std::unordered_map<const Storage*, std::vector<std::string>> attributesOf;

    std::size_t slotOf(NodeId id) const { return slots.at(id); }
};

/// Fails only if the kernels cannot be loaded.
Result<PlanPtr> makePlan(GraphPtr graph);

} // namespace pt2e::reference
