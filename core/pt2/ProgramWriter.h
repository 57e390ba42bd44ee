// Private to the writer: a graph as the JSON of a program, and the weights it lifts.
#pragma once

#include "core/pt2/Writer.h"

#include <memory>
#include <string>
#include <vector>

namespace pt2e::pt2 {

struct LiftedWeight
{
    std::string fqn;
    Attribute attribute;
    bool requiresGrad = false;
    bool isInWeights() const
    {
        return attribute.kind == AttributeKind::Parameter
               || attribute.kind == AttributeKind::Buffer;
    }
};

struct WrittenProgram
{
    std::string json; ///< models/<name>.json
    std::vector<LiftedWeight> weights; ///< in placeholder order
};

Result<WrittenProgram> writeProgramJson(const Graph& graph, const WriteOptions& options);

/// {"dtype": …, "sizes": …, …} of a weight.
std::string tensorMetaJson(const Tensor& tensor, bool requiresGrad);

} // namespace pt2e::pt2
