// Builds the XNNPACK subgraph of one partition: values by need, layout copies, externals.
#pragma once

#include "core/engine/xnnpack/Plan.h"

#include <map>

namespace pt2e::xnn {

/// A partition ready to run, and where its inputs and outputs are in the graph.
struct CompiledPartition
{
    struct Port
    {
        NodeId node; ///< a float value, or a typed quantize node
        TensorSpec spec; ///< in the order of the buffer
        bool isShifted = false; ///< an int8 value that the graph has as uint8
    };
    std::vector<Port> inputs; ///< external ids 0 …
    std::vector<Port> outputs; ///< … and on
    std::unique_ptr<Runtime> runtime;
};

class Emitter
{
public:
    /// Emits all units of the partition and builds the runtime.
    static Result<CompiledPartition> compile(const Plan& plan, std::size_t step,
                                             const ThreadPool& pool);

    // ---- for the op files
    Subgraph& subgraph() { return *m_subgraph; }
    /// An int8 operand in the layout the op asked for.
    Result<ValueId> input(const Operand& operand);
    /// Its own value for the op's output, in the layout the op asked for.
    Result<ValueId> output();
    /// A value of the op's own: sizes in the graph's order, brought into the op's layout.
    Result<ValueId> temporary(const Shape& shape, const QuantType& type);
    /// Ends an op that cannot change parameters or clip by itself: `value` has the output's shape
    /// and layout, and the parameters of `type`. Exact: as the graph's own dequantize and quantize.
    Result<void> finish(ValueId value, const QuantType& type);
    /// True if finish() would only copy, so that the op can write output() at once.
    bool isPlainOutput(const QuantType& type) const;
    /// The op's output clipping in real values; infinite where nothing is clipped.
    OutputRange outputRange() const;
    /// The layout of this op's 4-D tensors: Natural or Nhwc.
    DataLayout layout() const { return m_layout; }

private:
    struct Key
    {
        NodeId node;
        DataLayout layout;
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    Emitter(const Plan& plan, const Step& step) : m_plan(plan), m_step(step) {}
    Result<void> definePorts(CompiledPartition& partition);
    Result<void> emitUnit(const Unit& unit);
    Result<void> emitConversion(const Unit& unit);
    Result<ValueId> value(NodeId node, DataLayout layout);
    Result<ValueId> inLayout(ValueId value, const Shape& shape, const QuantType& type,
                             DataLayout from, DataLayout to);
    Result<ValueId> constantOperand(const Operand& operand);
    TensorSpec specOf(NodeId node, DataLayout layout) const;

    const Plan& m_plan;
    const Step& m_step;
    std::unique_ptr<Subgraph> m_subgraph;
    std::map<Key, ValueId> m_values;
    const Unit* m_unit = nullptr;
    DataLayout m_layout = DataLayout::Natural;
};

/// N, H, W, C from N, C, H, W; other ranks unchanged.
Shape toNhwc(const Shape& shape);

} // namespace pt2e::xnn
