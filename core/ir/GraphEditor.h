// The only way to change a graph. Every call keeps FX's rules: users order, naming, insertion points.
#pragma once

#include "core/ir/Graph.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace pt2e {

/// Where the next node goes. Several nodes at one Before point stand one after another, all before it; at one
/// After point each new node follows the one inserted last (torch.fx.Graph.inserting_before / inserting_after).
class InsertPoint
{
public:
    static InsertPoint atEnd() { return InsertPoint(Kind::End, {}); }
    static InsertPoint before(NodeId id) { return InsertPoint(Kind::Before, id); }
    static InsertPoint after(NodeId id) { return InsertPoint(Kind::After, id); }

private:
    friend class GraphEditor;
    enum class Kind { End, Before, After };
    InsertPoint(Kind kind, NodeId node) : m_kind(kind), m_node(node) {}
    Kind m_kind;
    NodeId m_node; ///< advanced by the editor for After
};

/// Everything about a new node that is not derived.
struct NewNode
{
    OpKind kind = OpKind::CallFunction;
    std::string target;
    Arguments args;
    KeywordArguments kwargs;
    std::string nameCandidate; ///< empty: FX's candidate for the target
    ValueMeta val;
    std::shared_ptr<const FileMeta> fileMeta;
    Origin origin;
};

class GraphEditor
{
public:
    GraphEditor(); ///< an empty graph
    explicit GraphEditor(Graph graph); ///< continues with a copy
    /// Node ids of a body start where its parent's stand; hand the count back with setNextId.
    explicit GraphEditor(std::uint32_t firstId);
    std::uint32_t nextId() const { return m_graph.m_nextId; }
    void setNextId(std::uint32_t id);

    const Graph& graph() const { return m_graph; }
    /// Ends editing.
    GraphPtr publish() &&;

    // ---- nodes
    NodeId insert(InsertPoint& at, NewNode node);
    NodeId append(NewNode node);
    /// A copy of a node at the point: its name is the naming candidate, meta is shared, origin = Duplicated.
    NodeId copy(InsertPoint& at, NodeId source);
    /// Erases a node without users.
    void erase(NodeId id);

    /// Assigning arguments re-orders users even when nothing changes: the node is taken out of the users of all
    /// its old inputs, then appended to those of all its new ones (pt2e-semantics 0.4.4).
    void setArgs(NodeId id, Arguments args);
    void setKwargs(NodeId id, KeywordArguments kwargs);
    void setArgsAndKwargs(NodeId id, Arguments args, KeywordArguments kwargs);
    /// Node.replace_input_with: every occurrence, one re-assignment.
    void replaceInput(NodeId id, NodeId oldInput, NodeId newInput);
    /// Node.replace_all_uses_with on a snapshot of the users, in order; users for which keep() is true stay.
    void replaceAllUses(NodeId from, NodeId to, const std::function<bool(NodeId)>& keep = {});

    void setTarget(NodeId id, std::string target);
    /// Changes kind and target (a folded quantize becomes a get_attr).
    void morph(NodeId id, OpKind kind, std::string target);
    /// Sets the name directly, bypassing the namespace as `node.name = …` does.
    void setName(NodeId id, std::string name);
    void setVal(NodeId id, ValueMeta val);
    void setOrigin(NodeId id, Origin origin);
    void setFileMeta(NodeId id, std::shared_ptr<const FileMeta> meta);

    /// One reverse sweep; erases nodes without users unless impure. Returns how many were erased.
    std::size_t eliminateDeadCode(const std::function<bool(const Node&)>& isImpureModule = {});

    // ---- module state
    void setAttribute(std::string name, Attribute value);
    bool eraseAttribute(const std::string& name);
    void setModule(std::string name, ModuleRef module);
    bool eraseModule(const std::string& name);
    void setSubgraph(std::string name, GraphPtr body);
    /// prefix + the smallest number that is no attribute, module or sub-graph of the root yet ("_scale_0").
    std::string freeAttributeName(const std::string& prefix) const;

private:
    Node& mutableNode(NodeId id);
    /// What `shared` points to, to be changed: a copy the first time, as other graphs may have it too.
    template<typename T>
    T& own(std::shared_ptr<const T>& shared, T*& mine)
    {
        if (m_graph.m_copyMark.wasCopied())
            forgetOwn();
        if (!mine) {
            auto copy = std::make_shared<T>(*shared);
            mine = copy.get();
            m_replaced.push_back(std::exchange(shared, std::move(copy)));
        }
        return *mine;
    }
    Namespace& names();
    void forgetOwn();
    void unlink(std::uint32_t slot);
    void linkBefore(std::uint32_t slot, std::uint32_t at);
    void removeFromUsers(const Node& node);
    void addToUsers(const Node& node);
    Graph m_graph;
    /// What no other graph has, or null: nodes by slot.
    std::vector<Node*> m_ownNodes;
    Namespace* m_ownNames = nullptr;
    OrderedMap<Attribute>* m_ownAttributes = nullptr;
    OrderedMap<ModuleRef>* m_ownModules = nullptr;
    /// References to what was there before stay valid until the graph is published.
    std::vector<std::shared_ptr<const void>> m_replaced;
};

/// FX's Node.is_impure for what can stand in our graphs.
bool isImpure(const Node& node);

} // namespace pt2e
