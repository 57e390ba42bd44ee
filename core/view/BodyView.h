// Looking into a sub-graph: the body of a scan or while_loop, a branch of cond, a no_grad region.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace pt2e {

/// The sub-graph at a path ("body", "body/inner"), the graph itself for an empty one, or null.
GraphPtr bodyAt(const GraphPtr& graph, const std::string& path);
/// The path of the graph that a node stands in ("" for the top graph), or nothing if it is in none.
std::optional<std::string> bodyOf(const Graph& graph, NodeId node);
/// "loop" of "loop/inner"; empty for a body of the top graph.
std::string parentOf(const std::string& path);
/// Paths of the sub-graphs that a node takes, in argument order, relative to the graph it stands in; for the get_attr
/// that names one, that one.
std::vector<std::string> bodiesOf(const Graph& graph, const Node& node);
/// The snapshot as seen from inside a body: each stage's graph is the body's, with what the passes did there. So
/// scenes, correspondence and facts of nodes work as for the whole. Edits in the body stand in its recipe by the names
/// they have there. The snapshot itself for an empty path; null where the exported graph has no such body.
SnapshotPtr snapshotOfBody(const SnapshotPtr& snapshot, const std::string& path);

} // namespace pt2e
