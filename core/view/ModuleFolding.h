// Which modules are shown as one box: the part of ViewOptions a user changes by collapsing and expanding.
#pragma once

#include "core/ir/Graph.h"
#include "core/pipeline/Snapshot.h"

#include <string>
#include <vector>

namespace pt2e {

struct ModuleFolding
{
    int depth =
        0; ///< modules nested this deep are boxes (1: the outermost); 0: none are by their depth
    std::vector<std::string> collapsed; ///< module paths that are boxes whatever their depth
    std::vector<std::string> expanded; ///< module paths that are none in spite of their depth
    bool repeats =
        true; ///< boxes alike that follow each other are one: "layers.0 … layers.23 × 24"

    bool isFlat() const { return depth <= 0 && collapsed.empty(); }
    bool isBox(const std::string& path, int moduleDepth) const;
    void collapse(const std::string& path);
    void expand(const std::string& path);
    friend bool operator==(const ModuleFolding&, const ModuleFolding&) = default;
};

/// How a graph is shown first: flat up to 500 nodes without constants; beyond that collapsed, as deep as no more than
/// a hundred boxes and ops are left, or to its outermost modules. Flat where the nodes name no modules.
ModuleFolding startFolding(const Graph& exported);

/// With as much expanded as it takes to show the nodes of a stage themselves.
ModuleFolding revealed(ModuleFolding folding, const Snapshot& snapshot, StageKind stage,
                       const std::vector<NodeId>& nodes);

/// Paths of the modules of more than one op that a node of a stage is in, outermost first; an observer, q or dq is in
/// those that both its ends are in, a constant in those of its first reader.
std::vector<std::string> modulesAround(const Snapshot& snapshot, StageKind stage, NodeId node);

/// How deep modules of more than one op are nested; 0 where there are none.
int moduleDepth(const Graph& exported);

} // namespace pt2e
