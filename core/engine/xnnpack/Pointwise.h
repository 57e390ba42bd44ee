// Finds chains of ops that work element by element on one int8 value, whatever they are: each is a
// function of 256 inputs, and so a byte table (ByteTable.h).
#pragma once

#include "core/engine/xnnpack/ByteTable.h"

#include <functional>
#include <unordered_set>

namespace pt2e::xnn {

class Pointwise
{
public:
    /// isTaken: ops that something else runs.
    Pointwise(const ConvertedView& view, const std::function<bool(const Node&)>& isTaken);

    /// A result that is read outside of the chains.
    struct Exit
    {
        QuantizedFunction function; ///< the quantize is the first of `quantizes`
        NodeId end; ///< the last op
        std::vector<NodeId> quantizes; ///< of equal type; empty: the float value of `end` is read
    };
    const std::vector<Exit>& exits() const { return m_exits; }

private:
    NodeId sourceOf(const Node& node) const;
    void addExits(const Node& node);
    std::vector<NodeId> chainOf(NodeId end) const;

    const ConvertedView& m_view;
    std::unordered_map<NodeId, NodeId> m_source; ///< op or dequantize → typed value
    std::vector<Exit> m_exits;
};

/// "sigmoid, mul": the ops of a function.
std::string functionText(const Graph& graph, const QuantizedFunction& function);

} // namespace pt2e::xnn
