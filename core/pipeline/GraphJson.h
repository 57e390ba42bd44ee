// A graph as JSON: the GRAPH, NODE, ARG and TENSOR of a stage dump.
#pragma once

#include "core/ir/Graph.h"
#include "core/pipeline/JsonText.h"

#include <map>
#include <string>

namespace pt2e::json {

class GraphWriter
{
public:
    explicit GraphWriter(bool tensorHashes) : m_tensorHashes(tensorHashes) {}
    /// Expanded one node a line, `depth` levels inside the object. Fails if a tensor cannot be read.
    Result<std::string> graph(const Graph& graph, int depth);

private:
    Result<std::string> tensors(const Graph& graph, int depth);
    Result<std::string> tensor(const Tensor& tensor);

    bool m_tensorHashes;
    /// Stages share most weights, so each is hashed once: storage, offset and shape make the key.
    std::map<std::string, std::string> m_hashes;
};

std::string argument(const Graph& graph, const Argument& argument);

} // namespace pt2e::json
