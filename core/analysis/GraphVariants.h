// The converted graph with some of its quantization taken out again: what the questions about errors are asked of.
// All have the float model's operators under their own ids.
#pragma once

#include "core/metrics/QuantizationError.h"
#include "core/pipeline/Snapshot.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace pt2e {

/// A quantize node and the dequantize nodes that read it.
struct QuantizePair
{
    NodeId quantize;
    std::vector<NodeId> dequantizes;
    NodeId value; ///< what is quantized
    bool isConstant = false; ///< a weight or bias: computed from attributes alone
};

/// Whether no input of the graph has a part in the node's value; `known` is filled on the way.
bool isConstant(const Graph& graph, NodeId id, std::unordered_map<NodeId, bool>& known);
/// The converted graph as convert makes it with fold_quantize off: weights are quantized in the graph, so that they
/// can be left float. The snapshot has its converted stage.
Result<GraphPtr> unfoldedGraph(const Snapshot& snapshot, const JobContext& context);
/// In execution order; pairs of integers that are constants already have no quantize node and are not in it.
std::vector<QuantizePair> quantizePairs(const Graph& graph);
/// The pair's parameters, or nothing where they are computed from the data (dynamic).
std::optional<QuantizationGrid> gridOf(const Graph& graph, const QuantizePair& pair);

enum class Quantized : std::uint8_t { Weights, Activations };
/// Only that part is quantized, the rest is float.
GraphPtr onlyQuantized(const Graph& unfolded, Quantized part);

/// The float model, and beside it each operator once more, quantized as in the converted graph but fed with the float
/// model's values. Operators that share a pair of quantize nodes around them (convolution and ReLU) go together.
struct EachAlone
{
    GraphPtr graph;
    std::unordered_map<NodeId, NodeId>
        resultOf; ///< operator → the node with its value when quantized alone
};
EachAlone eachAlone(const Graph& unfolded);

/// Whether errors are shown for it: a call that is no quantize or dequantize and gives one tensor.
bool isOperator(const Node& node);
/// The node with the operator's value as others read it: the dequantize behind it, or itself.
NodeId valueNodeOf(const Graph& graph, NodeId operation);

} // namespace pt2e
