// The modules of a graph as they were called, and which of them stand as one box.
//
// A call is a run of ops in the order they were traced, so nothing that depends on it and is needed by it can lie
// outside: shown as one box it closes no cycle. A module that is called twice has two calls and two boxes.
#pragma once

#include "core/ir/Graph.h"
#include "core/view/ModuleFolding.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace pt2e {

struct ModuleCall
{
    std::string path; ///< "layers.0"
    std::string className; ///< last part, "DecoderLayer"
    int depth = 0; ///< 1: called by the model itself
    int parent = -1; ///< index of the call around it; -1: the model
    int begin = 0; ///< its ops, those of inner calls included: ModuleTree::ops [begin, end)
    int end = 0;
    int size() const { return end - begin; }
};

class ModuleTree
{
public:
    /// From the module stacks of a graph's ops: those of the exported graph, which other stages inherit.
    explicit ModuleTree(const Graph& exported);

    const std::vector<NodeId>& ops() const { return m_ops; } ///< as traced, without q and dq
    const std::vector<ModuleCall>& calls() const { return m_calls; } ///< outer before inner
    const ModuleCall& call(int i) const { return m_calls[static_cast<std::size_t>(i)]; }
    /// The innermost call an op is in; -1: none.
    int callOf(NodeId op) const;
    bool isTraced(NodeId op) const { return m_indexOf.contains(op); }
    int deepest() const; ///< largest depth of a call with more than one op, 0 without modules
    /// Same ops, wired in the same way, with the same shapes and settings; weights and their names may differ.
    bool areAlike(int call, int other) const;

private:
    void add(const Node& node, std::vector<int>& open);
    std::uint64_t structureOf(const ModuleCall& call) const;

    const Graph& m_graph;
    std::vector<NodeId> m_ops;
    std::vector<int> m_callOf; ///< per op
    std::unordered_map<NodeId, int> m_indexOf;
    std::vector<ModuleCall> m_calls;
    std::vector<std::string> m_keys; ///< per call: tells two calls of one module apart
    mutable std::vector<std::uint64_t> m_structures; ///< per call, 0: not computed yet
};

/// A call, or a run of calls alike, that is shown as one.
struct ModuleBox
{
    std::string title; ///< "layers.0", "layers.0 … layers.23 × 24"
    std::string className;
    std::vector<std::string> paths; ///< of each call in it
    int ops = 0;
};

struct ModuleBoxes
{
    std::vector<ModuleBox> boxes;
    std::unordered_map<NodeId, int> boxOf; ///< of ops
};

/// A module with one op alone stands for itself and becomes no box.
ModuleBoxes foldModules(const ModuleTree& tree, const ModuleFolding& folding);

} // namespace pt2e
