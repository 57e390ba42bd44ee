// Which points use one observer instance: torchao's union-find over edges and nodes (pt2e-semantics 3.4, 3.5).
#pragma once

#include "core/base/Result.h"
#include "core/quant/Annotation.h"

#include <unordered_map>
#include <vector>

namespace pt2e {

struct SharingGroups
{
    /// Keys of edge_or_node_to_qspec in order (null specs included).
    std::vector<std::pair<Point, Spec>> specs;
    std::unordered_map<Point, std::size_t> indexOf; ///< place of each key in `specs`
    std::unordered_map<Point, std::size_t>
        groupOf; ///< group number of each key, numbered in key order
    std::size_t groupCount = 0;

    const Spec* specAt(const Point& point) const;
    /// Points of each group in first-seen order.
    std::vector<std::vector<Point>> groups() const;
    /// Adds the keys and groups of another graph (a body) behind these.
    void add(SharingGroups other);
};

/// Fails where the real code raises (a Shared spec whose target is in no map …), naming the nodes.
Result<SharingGroups> shareGroups(const Graph& graph, const AnnotationTable& annotations);

} // namespace pt2e
