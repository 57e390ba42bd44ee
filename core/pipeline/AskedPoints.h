// Every point that something is asked for at, and which of them go together: what looks over a whole annotation table
// stands on this.
#pragma once

#include "core/pipeline/NodeNames.h"
#include "core/pipeline/Snapshot.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace pt2e {

/// A point with the spec that stands there (never None).
struct AskedPoint
{
    Point at;
    NodeId owner; ///< the node whose annotation asks
    const Spec* spec = nullptr;
};

class AskedPoints
{
public:
    /// The stage must outlive it.
    explicit AskedPoints(const AnnotatedStage& stage);

    /// In the order of the nodes, of each its inputs and then its output; bodies behind.
    const std::vector<AskedPoint>& all() const { return m_points; }
    const NodeNames& names() const { return m_names; }
    /// The spec at a point, or nullptr where nothing is asked for.
    const Spec* specAt(const Point& point) const;
    /// The end of a chain of shared specs; an invalid point where it leads in a circle or nowhere.
    Point root(Point point) const;
    /// A parameter, buffer or constant is read there.
    bool isConstant(const Point& point) const;

    /// The points that must change together, so that no value is given in one format and read in another: what gives and
    /// reads the same value, what shares, and what is derived from it.
    const std::vector<std::size_t>& together(std::size_t index) const;
    /// The place of a point in all().
    std::optional<std::size_t> indexOf(const Point& point) const;

private:
    std::size_t classOf(std::size_t index) const;
    void unite(std::size_t a, const Point& other);

    const AnnotationTable& m_annotations;
    NodeNames m_names;
    std::vector<AskedPoint> m_points;
    std::unordered_map<Point, std::size_t> m_indexOf;
    mutable std::vector<std::size_t> m_parent; ///< union-find over m_points
    std::unordered_map<std::size_t, std::vector<std::size_t>> m_classes;
};

} // namespace pt2e
