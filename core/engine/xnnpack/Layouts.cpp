// NHWC or the graph's order for each 4-D int8 value.
//
// Convolutions and pools fix NHWC, reshapes and linear the graph's order; elementwise ops only want
// one layout for all they touch, so their values form groups, and a group takes NHWC as soon as one
// of its values is made or read by an op that needs it. Transposes then stand only where a group
// meets an op of the other kind, and always on int8.
#include "core/engine/xnnpack/Plan.h"

namespace pt2e::xnn {

namespace {

class Groups
{
public:
    NodeId find(NodeId id)
    {
        NodeId root = id;
        while (m_parent.contains(root))
            root = m_parent[root];
        while (id != root) {
            const NodeId next = m_parent[id];
            m_parent[id] = root;
            id = next;
        }
        return root;
    }
    void join(NodeId a, NodeId b)
    {
        const NodeId x = find(a);
        const NodeId y = find(b);
        if (x != y)
            m_parent[x] = y;
    }

private:
    std::unordered_map<NodeId, NodeId> m_parent;
};

} // namespace

std::unordered_map<NodeId, DataLayout> chooseLayouts(const std::vector<Unit>& units,
                                                     const ConvertedView& view)
{
    const auto is4d = [&](NodeId id) { return view.shape(id) && view.shape(id)->size() == 4; };
    // Only what an op makes has a choice: conversions make and take the graph's order.
    std::unordered_map<NodeId, const Unit*> makers;
    for (const Unit& unit : units) {
        if (unit.kind == Unit::Kind::Op && is4d(unit.writes.front()))
            makers[unit.writes.front()] = &unit;
    }
    Groups groups;
    for (const auto& [value, unit] : makers) {
        if (unit->decision.layout != DataLayout::Any)
            continue;
        for (const NodeId read : unit->reads) {
            if (makers.contains(read))
                groups.join(value, read);
        }
    }
    std::set<NodeId> nhwcGroups;
    for (const Unit& unit : units) {
        if (unit.kind != Unit::Kind::Op || unit.decision.layout != DataLayout::Nhwc)
            continue;
        for (const NodeId id : unit.reads)
            nhwcGroups.insert(groups.find(id));
        for (const NodeId id : unit.writes)
            nhwcGroups.insert(groups.find(id));
    }
    std::unordered_map<NodeId, DataLayout> layouts;
    for (const auto& [value, unit] : makers) {
        const DataLayout wanted = unit->decision.layout;
        layouts[value] = wanted != DataLayout::Any                 ? wanted
                         : nhwcGroups.contains(groups.find(value)) ? DataLayout::Nhwc
                                                                   : DataLayout::Natural;
    }
    return layouts;
}

} // namespace pt2e::xnn
