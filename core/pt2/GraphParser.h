// Private to the parser of graphs: what is known while one graph is being read.
#pragma once

#include "core/ir/Namespace.h"
#include "core/pt2/RawGraph.h"

#include <string_view>
#include <unordered_map>

namespace pt2e::pt2 {

/// Counts over a program and all its sub-graphs.
struct ProgramLimits
{
    static constexpr std::size_t kMaxNodes = 2'000'000;
    static constexpr std::size_t kMaxGraphs = 2'000;
    /// A published graph keeps one number per id up to its highest; ids run over all graphs.
    static constexpr std::size_t kMaxIdTable = 50'000'000;
    static constexpr int kMaxGraphDepth = 32;
    std::size_t nodes = 0;
    std::size_t graphs = 0;
    std::size_t idTable = 0;
};

class GraphParser
{
public:
    GraphParser(Remarks& remarks, ProgramLimits& limits, int depth)
        : m_remarks(remarks),
          m_limits(limits),
          m_depth(depth)
    {}
    Result<std::shared_ptr<const RawGraph>> parse(const Json& graph, const Place& place,
                                                  const std::vector<std::string>& literalNames);

private:
    using Names = std::unordered_map<std::string_view, const Json*>;

    // ---- GraphParser.cpp
    Result<void> indexValues(const Json& graph, const Place& place);
    Result<void> parseInputs(const Json& graph, const Place& place,
                             const std::vector<std::string>& literalNames);
    Result<void> parseOutputs(const Json& graph, const Place& place);
    Result<void> parseNode(const Json& node, const Place& place);
    Result<void> parseNodeInputs(const Json& node, const Place& place, RawNode& out);
    Result<std::size_t> addNode(RawNode node, std::string_view candidate, const Place& place);
    Result<void> define(std::size_t index, std::string_view name, const Place& place);
    /// What the tables say about a name; none, with a remark, if they do not know it.
    Result<ValueMeta> valueOf(std::string_view name);
    static Result<ValueMeta> symbolValue(const Json& value, const char* type, const Place& place);

    // ---- NodeOutputs.cpp
    /// The name asked for in the file, or FX's candidate for the target.
    Result<std::string> nameCandidate(const Json& node, const Json& outputs, const RawNode& out,
                                      const Place& place) const;
    Result<void> parseNodeOutputs(const Json& node, const Json& outputs, const Place& place,
                                  std::size_t index);
    /// One getitem of a node with several results; fills its entry of the producer's value.
    Result<void> getitem(std::size_t producer, std::size_t position, const JsonUnion& output,
                         const Place& place, std::vector<ValueMeta>& values);
    Result<void> getitems(std::size_t producer, const JsonUnion& list, const Place& place,
                          std::vector<ValueMeta>& values);

    // ---- ArgumentParser.cpp
    Result<Argument> argument(const Json& value, const Place& place);
    Result<Argument> scalar(const JsonUnion& value, const Place& place);
    Result<Argument> list(const JsonUnion& value, const Place& place);
    Result<Argument> listItem(std::string_view variant, const Json& item, const Place& place);
    Result<Argument> subgraph(const Json& value, const Place& place);
    Result<Argument> dictionary(const Json& value, const Place& place);
    Result<Argument> reference(std::string_view name, const Place& place) const;
    Result<Argument> symbolic(const Json& value, const Place& place) const;
    Argument unknown(const std::string& variant);

    Remarks& m_remarks;
    ProgramLimits& m_limits;
    int m_depth;
    const Place* m_place = nullptr; ///< of the graph, while it is parsed
    RawGraph m_graph;
    Namespace m_names;
    std::unordered_map<std::string_view, std::uint32_t> m_defined; ///< names as in the file
    Names m_tensors;
    Names m_symInts;
    Names m_symFloats;
    Names m_symBools;
    Names m_objects;
    std::string m_currentNode; ///< for remarks
    std::shared_ptr<const FileMeta> m_currentMeta;
};

/// "as_tensor" → the name inside; also accepts the plain string of schema 2.
Result<std::string_view> tensorName(const Json& value, const Place& place);

} // namespace pt2e::pt2
