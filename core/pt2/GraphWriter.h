// Private to the writer: one graph (or body) as a "graph" object, written straight to JSON text.
#pragma once

#include "core/ir/Graph.h"
#include "core/pt2/ArgumentNames.h"
#include "core/pt2/JsonText.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace pt2e::pt2 {

class GraphWriter
{
public:
    /// lifted: names of the placeholders that stand for get_attr nodes, by target; empty for a body.
    GraphWriter(JsonText& json, const Graph& graph,
                const std::unordered_map<std::string, std::string>& lifted)
        : m_json(json),
          m_graph(graph),
          m_lifted(lifted)
    {}
    /// The "graph" object; liftedInputs are the first inputs, as (placeholder name, get_attr node).
    Result<void> write(const std::vector<std::pair<std::string, NodeId>>& liftedInputs);
    /// An Argument object: {"as_tensor": {"name": …}}, …
    Result<void> argument(const Argument& argument, const Node& user);
    /// The name under which a node's value stands in the file.
    const std::string& nameOf(NodeId id) const { return m_names.at(id); }
    /// Gives every node its name; write() does it, too.
    void assignNames();
    /// What the graph's outputs are: the values that mutations copy, then the user's results.
    std::vector<Argument> results() const;
    /// The copy_ nodes at the end that became results: each writes its first argument with its second.
    const std::vector<NodeId>& mutations() const { return m_mutations; }
    /// The value of a placeholder that stands for a literal fixed at export; nothing for real inputs.
    static std::optional<Argument> literalOf(const Node& placeholder);

private:
    Result<void> node(const Node& node);
    Result<void> inputs(const Node& node);
    Result<void> input(std::string_view name, const Argument& argument, const Node& node,
                       bool isKeyword);
    Result<void> outputs(const Node& node, bool returnsList);
    Result<void> output(const std::string& name, const ValueMeta& val, const Node& node);
    Result<void> list(const ArgumentList& list, const Node& user);
    Result<void> reference(NodeId id, const Node& user);
    Result<void> tables();
    bool isFolded(const Node& node) const;
    void findMutations();
    tl::unexpected<Error> wrong(const Node& node, const std::string& what) const;

    JsonText& m_json;
    const Graph& m_graph;
    const std::unordered_map<std::string, std::string>& m_lifted;
    std::unordered_map<NodeId, std::string> m_names;
    std::vector<NodeId> m_mutations;
    std::vector<std::pair<std::string, ValueMeta>> m_values; ///< everything that has a name
};

} // namespace pt2e::pt2
