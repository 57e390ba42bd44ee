// A converted graph seen as typed tensors: q/dq pairs become types, weights become constants.
//
// "Typed" is a quantize node all of whose users are dequantize nodes with the same parameters: its
// value is an int8 tensor with one QuantType, and the pair itself need not be executed.
#pragma once

#include "core/engine/xnnpack/Quantization.h"
#include "core/engine/xnnpack/XnnSubgraph.h"

#include <memory>
#include <unordered_map>

namespace pt2e::xnn {

/// An int8 constant with its scales: a weight, or a constant operand.
struct QuantizedConstant
{
    Tensor values; ///< int8, contiguous; uint8 shifted by -128
    std::vector<float> scales; ///< one, or one per index of axis
    std::vector<std::int32_t> zeroPoints; ///< as many as scales
    std::int64_t axis = -1; ///< -1: per tensor
    bool isSymmetric() const; ///< all zero points are 0
};

/// What stands at one argument of an op.
struct Operand
{
    enum class Kind { None, Literal, Int8, Int8Constant, FloatConstant, Float };
    Kind kind = Kind::None;
    NodeId node; ///< what the argument names: a dequantize node, a constant, …
    NodeId quantize; ///< Int8: the typed quantize node
    QuantType type; ///< Int8
    std::shared_ptr<const QuantizedConstant> constant; ///< Int8Constant
    Shape shape; ///< of everything but None and Literal; empty for a scalar
    Reason reason; ///< Float: why it is not Int8
    bool isInt8() const { return kind == Kind::Int8 || kind == Kind::Int8Constant; }
};

/// What happens to the value of an op: [activation →] quantize.
struct OutputMatch
{
    NodeId activation; ///< a relu or the like between op and quantize, or invalid
    std::vector<NodeId> quantizes; ///< typed, of equal type; never empty when there is no reason
    QuantType type;
    Reason reason; ///< why the output is not int8
};

class ConvertedView
{
public:
    explicit ConvertedView(GraphPtr graph);

    const Graph& graph() const { return *m_graph; }
    const GraphPtr& graphPtr() const { return m_graph; }
    /// Fixed sizes, or nullptr when they are unknown or symbolic.
    const Shape* shape(NodeId id) const;
    /// Computed from get_attr nodes alone, by quantize, dequantize and embedding ops.
    bool isConstant(NodeId id) const { return m_constants.contains(id); }
    /// The type of a typed quantize node, or nullptr.
    const QuantType* typeOf(NodeId quantize) const;
    /// Why a quantize node is not typed; empty if it is.
    Reason whyNotTyped(NodeId quantize) const;

    /// The value of a constant node; kept.
    Result<Tensor> constantValue(NodeId constant) const;

    Operand operand(const Argument& argument) const;
    /// The same where an op computes in float: Float (a float32 tensor of fixed sizes, the reason
    /// says why not), FloatConstant, Literal or None.
    Operand floatOperand(const Argument& argument) const;
    /// The float value that a dequantize node gives back with parameters chosen while running, or an
    /// invalid id if the node is no such.
    NodeId dynamicSource(NodeId dequantize) const;
    /// mayFuse: whether an activation in between is allowed.
    OutputMatch outputOf(const Node& op, bool mayFuse) const;
    /// A FloatConstant operand's values, flat; the reason says why they cannot be had.
    struct Floats
    {
        std::vector<float> values;
        Reason reason;
    };
    Floats floats(const Operand& operand) const;

private:
    void findShapes();
    void findConstants();
    void findTypes();
    Reason typeReason(const Node& quantize, QuantType& type) const;
    Operand dequantized(const Node& dequantize) const;
    std::shared_ptr<const QuantizedConstant> quantizedConstant(const Node& dequantize) const;

    GraphPtr m_graph;
    std::unordered_map<NodeId, Shape> m_shapes;
    std::unordered_map<NodeId, bool> m_constants;
    std::unordered_map<NodeId, QuantType> m_types;
    std::unordered_map<NodeId, Reason> m_reasons;
    mutable std::unordered_map<NodeId, Tensor> m_evaluated;
};

/// "4x8x16x16".
std::string shapeText(const Shape& shape);
std::int64_t elementCount(const Shape& shape);

} // namespace pt2e::xnn
