// Builds the XNNPACK subgraph of one partition: values by need, layout copies, externals.
#pragma once

#include "core/engine/xnnpack/Plan.h"
#include "core/engine/xnnpack/XnnAdapter.h"

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
    int transposes = 0; ///< changes of layout that move bytes
};

class Emitter
{
public:
    /// Emits all units of the partition and builds the runtime.
    static Result<CompiledPartition> compile(const Plan& plan, std::size_t step,
                                             const ThreadPool& pool,
                                             const RuntimeOptions& options = {});

    // ---- for the op files
    Subgraph& subgraph() { return *m_subgraph; }
    /// An operand in the layout the op asked for; a constant with ones in front of its sizes up to
    /// `rank` dimensions.
    Result<ValueId> input(const Operand& operand, std::size_t rank = 0);
    /// The form of an operand that is unrolled for this op; nullptr: it is as ever.
    const UnrolledInput* unrolled(const Operand& operand) const;
    /// Its own value for the op's output, in the layout the op asked for.
    Result<ValueId> output();
    /// A value of the op's own, of the given type or, in a float op, in float: sizes in the graph's
    /// order, brought into the op's layout.
    Result<ValueId> temporary(const Shape& shape, const QuantType& type);
    /// The same with the sizes as they are to be.
    Result<ValueId> plainTemporary(const Shape& shape, const QuantType& type);
    /// Ends an op that cannot change parameters or clip by itself: `value` has the output's shape
    /// and layout, and the parameters of `type`. Exact: as the graph's own dequantize and quantize.
    Result<void> finish(ValueId value, const QuantType& type);
    /// An op's last value in the parameters of `type`: emit(id) makes it, straight in output() where that is plain,
    /// else in a value of its own that finish() ends.
    template<typename Emit>
    Result<void> into(const QuantType& type, Emit emit);
    /// True if finish() would only copy, so that the op can write output() at once.
    bool isPlainOutput(const QuantType& type) const;
    /// An int8 value with other parameters, exactly: through float.
    Result<ValueId> requantized(ValueId value, const Shape& shape, const QuantType& to);
    /// The op's output clipping in real values; infinite where nothing is clipped.
    OutputRange outputRange() const;
    /// The layout of this op's 3-D and 4-D tensors: Natural or Nhwc.
    DataLayout layout() const { return m_layout; }
    /// An axis of the graph's order in the order of the op's layout.
    std::size_t axis(std::size_t natural, std::size_t rank) const;
    /// Sizes (or anything else with one number per axis) in the order of the op's layout.
    Shape ordered(const Shape& natural) const;

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
    Result<void> fillLatePorts(const Unit& unit);
    Result<ValueId> value(NodeId node, DataLayout layout);
    Result<void> changeLayout(NodeId node, ValueId from, DataLayout to, ValueId target);
    Result<ValueId> constantOperand(const Operand& operand, std::size_t rank);
    TensorSpec specOf(NodeId node, DataLayout layout) const;

    const Plan& m_plan;
    const Step& m_step;
    std::unique_ptr<Subgraph> m_subgraph;
    std::map<Key, ValueId> m_values;
    std::map<NodeId, ValueId> m_latePorts; ///< float outputs that are made in NHWC
    int m_transposes = 0;
    const Unit* m_unit = nullptr;
    DataLayout m_layout = DataLayout::Natural;
};

template<typename Emit>
Result<void> Emitter::into(const QuantType& type, Emit emit)
{
    const bool isPlain = isPlainOutput(type);
    PT2E_ASSIGN(const ValueId result,
                isPlain ? output() : temporary(m_unit->call.outputShape, type));
    PT2E_TRY(emit(result));
    return isPlain ? Result<void>() : finish(result, type);
}

TensorSpec int8Spec(const Shape& shape, const QuantType& type);
TensorSpec floatSpec(const Shape& shape);
/// Has a channels-last order: 3 or 4 dimensions.
bool isImage(const Shape& shape);
/// N, H, W, C from N, C, H, W; N, L, C from N, C, L; other ranks unchanged.
Shape toNhwc(const Shape& shape);
/// N, L, C as N, 1, L, C: a 1-D image as one row, the same bytes.
inline Shape rowOf(const Shape& nlc) { return {nlc[0], 1, nlc[1], nlc[2]}; }
/// The permutation from the graph's order to channels last, or the one back.
std::vector<std::size_t> layoutPermutation(std::size_t rank, DataLayout to);

} // namespace pt2e::xnn
