// The graph: a value shaped like an FX graph together with the module state it refers to.
//
// Built privately through GraphEditor, then published as std::shared_ptr<const Graph> and never changed again.
// A copy has the same node ids; ids are unique over a graph and all its sub-graphs. Copies share what
// stays as it is, node by node: a graph after each pass costs what the pass changed.
#pragma once

#include "core/base/OrderedMap.h"
#include "core/ir/Namespace.h"
#include "core/ir/Node.h"
#include "core/tensor/Tensor.h"

#include <atomic>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

enum class AttributeKind : std::uint8_t { Parameter, Buffer, NonPersistentBuffer, Constant };

/// A parameter, buffer or constant of the module, under its fully qualified name.
struct Attribute
{
    Tensor value;
    AttributeKind kind = AttributeKind::Parameter;
};

/// A child module called by call_module nodes: an observer instance.
struct ModuleRef
{
    std::string className; ///< "HistogramObserver"
    ObserverId instance;
};

/// Notices that what it is a member of was copied.
class CopyMark
{
public:
    CopyMark() = default;
    CopyMark(const CopyMark& other) noexcept { other.m_isCopied = true; }
    CopyMark& operator=(const CopyMark& other) noexcept
    {
        other.m_isCopied = true;
        m_isCopied = false;
        return *this;
    }
    /// Since the last call.
    bool wasCopied() { return m_isCopied && m_isCopied.exchange(false); }

private:
    mutable std::atomic<bool> m_isCopied = false; ///< graphs are copied in several threads
};

class Graph
{
public:
    /// Forward iteration in execution order.
    class Iterator
    {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = Node;
        using difference_type = std::ptrdiff_t;
        using pointer = const Node*;
        using reference = const Node&;
        Iterator() = default;
        Iterator(const Graph* graph, std::uint32_t slot) : m_graph(graph), m_slot(slot) {}
        reference operator*() const { return *m_graph->m_slots[m_slot].node; }
        pointer operator->() const { return &**this; }
        Iterator& operator++()
        {
            m_slot = m_graph->m_slots[m_slot].next;
            return *this;
        }
        Iterator operator++(int)
        {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator&, const Iterator&) = default;

    private:
        const Graph* m_graph = nullptr;
        std::uint32_t m_slot = 0;
    };

    Graph();
    Iterator begin() const { return {this, m_slots[0].next}; }
    Iterator end() const { return {this, 0}; }
    std::size_t size() const { return m_size; }

    bool contains(NodeId id) const { return slotOf(id) != 0; }
    /// The node; it must be in this graph (not in a sub-graph). While the graph is edited: until this node is.
    const Node& node(NodeId id) const;
    /// The node or nullptr.
    const Node* find(NodeId id) const;
    const Node* findByName(std::string_view name) const;
    /// Ids in execution order, a snapshot.
    std::vector<NodeId> order() const;
    NodeId nextOf(NodeId id) const; ///< invalid at the end
    NodeId previousOf(NodeId id) const; ///< invalid at the begin
    std::vector<NodeId> placeholders() const;
    /// The output node, or nullptr while the graph is being built.
    const Node* output() const;

    const OrderedMap<Attribute>& attributes() const { return *m_attributes; }
    const OrderedMap<ModuleRef>& modules() const { return *m_modules; }
    /// Bodies of scan, while_loop, cond, no_grad regions, keyed by the attribute that get_attr nodes name.
    const OrderedMap<std::shared_ptr<const Graph>>& subgraphs() const { return m_subgraphs; }

private:
    friend class GraphEditor;
    friend class Iterator;
    struct Slot
    {
        std::shared_ptr<const Node> node; ///< null in the sentinel and where a node was erased
        std::uint32_t previous = 0;
        std::uint32_t next = 0;
    };
    std::uint32_t slotOf(NodeId id) const
    {
        return id.value < m_slotById.size() ? m_slotById[id.value] : 0;
    }

    std::vector<Slot> m_slots; ///< slot 0 is the list's sentinel
    std::vector<std::uint32_t> m_slotById; ///< 0 = not here
    std::size_t m_size = 0;
    std::uint32_t m_nextId = 0;
    std::shared_ptr<const Namespace> m_names;
    std::shared_ptr<const OrderedMap<Attribute>> m_attributes;
    std::shared_ptr<const OrderedMap<ModuleRef>> m_modules;
    OrderedMap<std::shared_ptr<const Graph>> m_subgraphs;
    CopyMark m_copyMark; ///< for the editor: all it made may be shared now
};

using GraphPtr = std::shared_ptr<const Graph>;

} // namespace pt2e
