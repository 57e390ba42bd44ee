#include "core/engine/xnnpack/Emitter.h"

#include <limits>

namespace pt2e::xnn {

namespace {

constexpr std::size_t kImageRank = 4;
constexpr std::size_t kToNhwc[] = {0, 2, 3, 1};
constexpr std::size_t kToNchw[] = {0, 3, 1, 2};

bool isImage(const Shape& shape) { return shape.size() == kImageRank; }

/// NCHW and NHWC are the same bytes.
bool isDegenerate(const Shape& nchw) { return nchw[1] == 1 || (nchw[2] == 1 && nchw[3] == 1); }

TensorSpec int8Spec(const Shape& shape, const QuantType& type)
{
    return {shape, false, type.scale, type.zeroPoint};
}

} // namespace

Shape toNhwc(const Shape& shape)
{
    return isImage(shape) ? Shape{shape[0], shape[2], shape[3], shape[1]} : shape;
}

TensorSpec Emitter::specOf(NodeId node, DataLayout layout) const
{
    const ConvertedView& view = *m_plan.view;
    const Shape& shape = *view.shape(node);
    if (const QuantType* type = view.typeOf(node))
        return int8Spec(layout == DataLayout::Nhwc ? toNhwc(shape) : shape, *type);
    return {shape, true, 1, 0};
}

Result<CompiledPartition> Emitter::compile(const Plan& plan, std::size_t step,
                                           const ThreadPool& pool)
{
    CompiledPartition partition;
    Emitter emitter(plan, plan.steps[step]);
    PT2E_TRY(emitter.definePorts(partition));
    for (const std::size_t i : plan.steps[step].units) {
        const Unit& unit = plan.units[i];
        if (auto done = emitter.emitUnit(unit); !done) {
            Error error = done.error();
            error.where = plan.view->graph().node(unit.node).name;
            error.what = done.error().message();
            return tl::unexpected<Error>(std::move(error));
        }
    }
    PT2E_ASSIGN(partition.runtime, Runtime::build(std::move(emitter.m_subgraph), pool));
    return partition;
}

Result<void> Emitter::definePorts(CompiledPartition& partition)
{
    const std::size_t count = m_step.inputs.size() + m_step.outputs.size();
    PT2E_ASSIGN(m_subgraph, Subgraph::create(static_cast<std::uint32_t>(count)));
    ValueId id = 0;
    for (const bool isInput : {true, false}) {
        for (const NodeId node : isInput ? m_step.inputs : m_step.outputs) {
            const DataLayout layout = m_plan.layoutOf(node);
            const TensorSpec spec = specOf(node, layout);
            PT2E_TRY(isInput ? m_subgraph->externalInput(id, spec)
                             : m_subgraph->externalOutput(id, spec));
            m_values[{node, layout}] = id++;
            const QuantType* type = m_plan.view->typeOf(node);
            (isInput ? partition.inputs : partition.outputs)
                .push_back({node, spec, type && type->isShifted});
        }
    }
    return {};
}

Result<void> Emitter::emitUnit(const Unit& unit)
{
    m_unit = &unit;
    if (unit.kind != Unit::Kind::Op)
        return emitConversion(unit);
    m_layout = unit.decision.layout == DataLayout::Any ? m_plan.layoutOf(unit.writes.front())
                                                       : unit.decision.layout;
    return unit.rule->emit(unit.call, *this);
}

Result<void> Emitter::emitConversion(const Unit& unit)
{
    m_layout = DataLayout::Natural;
    PT2E_ASSIGN(const ValueId from, value(unit.reads.front(), DataLayout::Natural));
    PT2E_ASSIGN(const ValueId to, value(unit.writes.front(), DataLayout::Natural));
    return m_subgraph->convert(from, to);
}

Result<ValueId> Emitter::value(NodeId node, DataLayout layout)
{
    const Shape& shape = *m_plan.view->shape(node);
    if (!isImage(shape))
        layout = DataLayout::Natural;
    if (const auto known = m_values.find({node, layout}); known != m_values.end())
        return known->second;
    const DataLayout other = layout == DataLayout::Nhwc ? DataLayout::Natural : DataLayout::Nhwc;
    ValueId id = kNoValue;
    if (const auto home = m_values.find({node, other}); home != m_values.end()) {
        PT2E_ASSIGN(id, inLayout(home->second, shape, *m_plan.view->typeOf(node), other, layout));
    } else {
        PT2E_ASSIGN(id, m_subgraph->internal(specOf(node, layout)));
    }
    m_values[{node, layout}] = id;
    return id;
}

Result<ValueId> Emitter::inLayout(ValueId value, const Shape& shape, const QuantType& type,
                                  DataLayout from, DataLayout to)
{
    if (from == to || !isImage(shape))
        return value;
    const Shape target = to == DataLayout::Nhwc ? toNhwc(shape) : shape;
    PT2E_ASSIGN(const ValueId copy, m_subgraph->internal(int8Spec(target, type)));
    if (isDegenerate(shape))
        PT2E_TRY(m_subgraph->reshape(target, value, copy));
    else
        PT2E_TRY(m_subgraph->transpose(to == DataLayout::Nhwc ? kToNhwc : kToNchw, value, copy));
    return copy;
}

Result<ValueId> Emitter::input(const Operand& operand)
{
    if (operand.kind == Operand::Kind::Int8)
        return value(operand.quantize, m_layout);
    return constantOperand(operand);
}

Result<ValueId> Emitter::constantOperand(const Operand& operand)
{
    const QuantizedConstant& constant = *operand.constant;
    Tensor values = constant.values;
    Shape shape = operand.shape;
    if (isImage(shape) && m_layout == DataLayout::Nhwc) {
        // A view in the other order, made contiguous.
        const auto& strides = values.strides();
        shape = toNhwc(shape);
        const Tensor view(values.storage(), values.dtype(), shape,
                          {strides[0], strides[2], strides[3], strides[1]}, values.offset());
        PT2E_ASSIGN(values, view.contiguous());
    }
    PT2E_ASSIGN(const auto bytes, values.bytes());
    return m_subgraph->constant(
        {shape, DType::Int8, bytes, constant.scales, 0, constant.zeroPoints.front()});
}

Result<ValueId> Emitter::output() { return value(m_unit->writes.front(), m_layout); }

Result<ValueId> Emitter::temporary(const Shape& shape, const QuantType& type)
{
    return m_subgraph->internal(
        int8Spec(m_layout == DataLayout::Nhwc ? toNhwc(shape) : shape, type));
}

bool Emitter::isPlainOutput(const QuantType& type) const
{
    return type.sameParameters(m_unit->call.output.type) && m_unit->call.bounds.isTrivial();
}

OutputRange Emitter::outputRange() const
{
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Bounds& bounds = m_unit->call.bounds;
    const QuantType& type = m_unit->call.output.type;
    const auto real = [&](std::int32_t value) {
        return static_cast<float>(value - type.zeroPoint) * type.scale;
    };
    return {bounds.low <= -128 ? -kInfinity : real(bounds.low),
            bounds.high >= 127 ? kInfinity : real(bounds.high)};
}

Result<void> Emitter::finish(ValueId value, const QuantType& type)
{
    const OpCall& call = m_unit->call;
    PT2E_ASSIGN(const ValueId end, output());
    if (isPlainOutput(type))
        return m_subgraph->copy(value, end);
    if (!type.sameParameters(call.output.type)) {
        // Through float: XNNPACK's own requantization is off by one step in some 5 % of values, and
        // its optimizer would take a clamp between different parameters into the op before it.
        const Shape shape =
            m_layout == DataLayout::Nhwc ? toNhwc(call.outputShape) : call.outputShape;
        PT2E_ASSIGN(const ValueId real, m_subgraph->internal({shape, true, 1, 0}));
        PT2E_TRY(m_subgraph->convert(value, real));
        if (call.bounds.isTrivial())
            return m_subgraph->convert(real, end);
        PT2E_ASSIGN(value, temporary(call.outputShape, call.output.type));
        PT2E_TRY(m_subgraph->convert(real, value));
    }
    return m_subgraph->clamp(outputRange(), value, end);
}

} // namespace pt2e::xnn
