// What became of a node in the other stages.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <string>
#include <vector>

namespace pt2e {

struct Counterpart
{
    NodeId node;
    enum class How : std::uint8_t {
        Same,
        Inserted,
        FusedInto,
        Decomposed,
        Folded,
        Duplicated
    } how = How::Same;
    std::string pass; ///< pass that did it, empty for Same
};

/// Nodes of `to` that correspond to `node` of `from` (either direction along the stages), most direct first;
/// empty: nothing is left of it; removedBy then says which pass took it away.
struct Correspondence
{
    std::vector<Counterpart> nodes;
    std::string removedBy;
};

/// The pass between the stages that took the node away, or empty.
std::string removalPass(const Snapshot& snapshot, StageKind from, NodeId node, StageKind to);

Correspondence correspond(const Snapshot& snapshot, StageKind from, NodeId node, StageKind to);

/// What correspond() finds for each of many nodes, in their order, each once: with one walk over the stages.
std::vector<NodeId> counterparts(const Snapshot& snapshot, StageKind from,
                                 const std::vector<NodeId>& nodes, StageKind to);

} // namespace pt2e
