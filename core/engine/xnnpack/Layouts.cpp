// Channels last or the graph's order for each 3-D and 4-D value that XNNPACK makes.
//
// Convolutions and pools fix NHWC, reshapes and linear the graph's order; elementwise ops only want
// one layout for all they touch, so their values form groups, and a group takes NHWC as soon as one
// of its values is made or read by an op that needs it. Transposes then stand only where a group
// meets an op of the other kind, on int8 wherever the value is int8.
#include "core/engine/xnnpack/Plan.h"

#include <algorithm>

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

namespace {

class Chooser
{
public:
    Chooser(const std::vector<Unit>& units, const ConvertedView& view)
        : m_units(units),
          m_view(view)
    {}

    std::unordered_map<NodeId, DataLayout> choose()
    {
        // Only what is made here has a choice: what comes from outside is in the graph's order.
        for (const Unit& unit : m_units) {
            if (hasChoice(unit) || isBetweenInt8(unit))
                m_makers[unit.writes.front()] = &unit;
        }
        for (const auto& [value, unit] : m_makers)
            join(value, *unit);
        for (const Unit& unit : m_units)
            markNhwc(unit);
        std::unordered_map<NodeId, DataLayout> layouts;
        for (const auto& [value, unit] : m_makers)
            layouts[value] = layoutOf(value, *unit);
        for (const Unit& unit : m_units) {
            if (unit.kind == Unit::Kind::Dequantize && isWantedNhwc(unit.writes.front(), layouts))
                layouts[unit.writes.front()] = DataLayout::Nhwc;
        }
        return layouts;
    }

private:
    bool isImageValue(NodeId id) const
    {
        const Shape* shape = m_view.shape(id);
        return shape && (shape->size() == 3 || shape->size() == 4);
    }

    static bool isElementwise(const Unit& unit)
    {
        return unit.kind != Unit::Kind::Op || unit.decision.layout == DataLayout::Any;
    }

    bool hasChoice(const Unit& unit) const
    {
        if (unit.kind == Unit::Kind::Torch || !isImageValue(unit.writes.front()))
            return false;
        if (unit.kind == Unit::Kind::Op)
            return true;
        // Tables into float and dequantized values are made as their readers want them (below).
        return m_view.typeOf(unit.writes.front()) && m_makers.contains(unit.reads.front());
    }

    /// A dequantized value made here that is only quantized again: it stays in the order it has.
    bool isBetweenInt8(const Unit& unit) const
    {
        if (unit.kind != Unit::Kind::Dequantize || !isImageValue(unit.writes.front())
            || !m_makers.contains(unit.reads.front()))
            return false;
        const NodeId value = unit.writes.front();
        const auto outputs = m_view.graph().output()->inputs();
        return std::find(outputs.begin(), outputs.end(), value) == outputs.end()
               && std::all_of(m_units.begin(), m_units.end(), [&](const Unit& reader) {
                      return std::find(reader.reads.begin(), reader.reads.end(), value)
                                 == reader.reads.end()
                             || reader.kind == Unit::Kind::Quantize;
                  });
    }

    void join(NodeId value, const Unit& unit)
    {
        if (!isElementwise(unit))
            return;
        for (const NodeId read : unit.reads) {
            if (m_makers.contains(read))
                m_groups.join(value, read);
        }
    }

    void markNhwc(const Unit& unit)
    {
        if (unit.kind != Unit::Kind::Op || unit.decision.layout != DataLayout::Nhwc)
            return;
        for (const auto* values : {&unit.reads, &unit.writes}) {
            for (const NodeId id : *values)
                m_nhwcGroups.insert(m_groups.find(id));
        }
    }

    DataLayout layoutOf(NodeId value, const Unit& unit)
    {
        if (!isElementwise(unit))
            return unit.decision.layout;
        return m_nhwcGroups.contains(m_groups.find(value)) ? DataLayout::Nhwc : DataLayout::Natural;
    }

    /// A dequantized value is made in NHWC where every reader in XNNPACK works in it.
    bool isWantedNhwc(NodeId value, const std::unordered_map<NodeId, DataLayout>& layouts) const
    {
        if (!isImageValue(value))
            return false;
        bool isRead = false;
        for (const Unit& unit : m_units) {
            if (std::find(unit.reads.begin(), unit.reads.end(), value) == unit.reads.end())
                continue;
            if (unit.kind != Unit::Kind::Op)
                return false;
            const auto made = layouts.find(unit.writes.front());
            const DataLayout wanted = unit.decision.layout != DataLayout::Any ? unit.decision.layout
                                      : made != layouts.end()                 ? made->second
                                                                              : DataLayout::Natural;
            if (wanted != DataLayout::Nhwc)
                return false;
            isRead = true;
        }
        return isRead;
    }

    const std::vector<Unit>& m_units;
    const ConvertedView& m_view;
    std::unordered_map<NodeId, const Unit*> m_makers; ///< by value
    Groups m_groups;
    std::set<NodeId> m_nhwcGroups;
};

} // namespace

std::unordered_map<NodeId, DataLayout> chooseLayouts(const std::vector<Unit>& units,
                                                     const ConvertedView& view)
{
    return Chooser(units, view).choose();
}

} // namespace pt2e::xnn
