#include "core/ir/Graph.h"

#include <cassert>

namespace pt2e {

Graph::Graph()
    : m_slots(1),
      m_names(std::make_shared<const Namespace>()),
      m_attributes(std::make_shared<const OrderedMap<Attribute>>()),
      m_modules(std::make_shared<const OrderedMap<ModuleRef>>())
{}

const Node& Graph::node(NodeId id) const
{
    const std::uint32_t slot = slotOf(id);
    assert(slot != 0 && "node is not in this graph");
    return *m_slots[slot].node;
}

const Node* Graph::find(NodeId id) const
{
    const std::uint32_t slot = slotOf(id);
    return slot == 0 ? nullptr : m_slots[slot].node.get();
}

const Node* Graph::findByName(std::string_view name) const
{
    for (const Node& node : *this) {
        if (node.name == name)
            return &node;
    }
    return nullptr;
}

std::vector<NodeId> Graph::order() const
{
    std::vector<NodeId> ids;
    ids.reserve(m_size);
    for (const Node& node : *this)
        ids.push_back(node.id);
    return ids;
}

NodeId Graph::nextOf(NodeId id) const
{
    const std::uint32_t next = m_slots[slotOf(id)].next;
    return next == 0 ? NodeId{} : m_slots[next].node->id;
}

NodeId Graph::previousOf(NodeId id) const
{
    const std::uint32_t previous = m_slots[slotOf(id)].previous;
    return previous == 0 ? NodeId{} : m_slots[previous].node->id;
}

std::vector<NodeId> Graph::placeholders() const
{
    std::vector<NodeId> ids;
    for (const Node& node : *this) {
        if (node.is(OpKind::Placeholder))
            ids.push_back(node.id);
    }
    return ids;
}

const Node* Graph::output() const
{
    const std::uint32_t last = m_slots[0].previous;
    return last != 0 && m_slots[last].node->is(OpKind::Output) ? m_slots[last].node.get() : nullptr;
}

} // namespace pt2e
