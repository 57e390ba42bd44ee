#include "core/engine/xnnpack/Emitter.h"

#include <cmath>

namespace pt2e::xnn {

namespace {

/// Both orders are the same bytes: one channel, or one pixel.
bool isDegenerate(const Shape& natural)
{
    std::int64_t pixels = 1;
    for (std::size_t i = 2; i < natural.size(); ++i)
        pixels *= natural[i];
    return natural[1] == 1 || pixels == 1;
}

} // namespace

TensorSpec int8Spec(const Shape& shape, const QuantType& type)
{
    return {shape, false, type.scale, type.zeroPoint};
}

TensorSpec floatSpec(const Shape& shape) { return {shape, true, 1, 0}; }

bool isImage(const Shape& shape) { return shape.size() == 3 || shape.size() == 4; }

std::vector<std::size_t> layoutPermutation(std::size_t rank, DataLayout to)
{
    std::vector<std::size_t> order{0};
    if (to == DataLayout::Nhwc) {
        for (std::size_t i = 2; i < rank; ++i)
            order.push_back(i);
        order.push_back(1);
    } else {
        order.push_back(rank - 1);
        for (std::size_t i = 1; i + 1 < rank; ++i)
            order.push_back(i);
    }
    return order;
}

Shape toNhwc(const Shape& shape)
{
    if (!isImage(shape))
        return shape;
    Shape result;
    for (const std::size_t axis : layoutPermutation(shape.size(), DataLayout::Nhwc))
        result.push_back(shape[axis]);
    return result;
}

std::size_t Emitter::axis(std::size_t natural, std::size_t rank) const
{
    if (m_layout != DataLayout::Nhwc || (rank != 3 && rank != 4) || natural == 0)
        return natural;
    return natural == 1 ? rank - 1 : natural - 1;
}

Shape Emitter::ordered(const Shape& natural) const
{
    return m_layout == DataLayout::Nhwc ? toNhwc(natural) : natural;
}

TensorSpec Emitter::specOf(NodeId node, DataLayout layout) const
{
    const Shape& natural = *m_plan.view->shape(node);
    const Shape shape = layout == DataLayout::Nhwc ? toNhwc(natural) : natural;
    const QuantType* type = m_plan.view->typeOf(node);
    return type ? int8Spec(shape, *type) : floatSpec(shape);
}

Result<CompiledPartition> Emitter::compile(const Plan& plan, std::size_t step,
                                           const ThreadPool& pool, const RuntimeOptions& options)
{
    CompiledPartition partition;
    Emitter emitter(plan, plan.steps[step]);
    PT2E_TRY(emitter.definePorts(partition));
    for (const std::size_t i : plan.steps[step].units) {
        const Unit& unit = plan.units[i];
        emitter.m_subgraph->setOwner(unit.node);
        if (auto done = emitter.emitUnit(unit); !done) {
            Error error = done.error();
            error.where = plan.view->graph().node(unit.node).name;
            error.what = done.error().message();
            return tl::unexpected<Error>(std::move(error));
        }
    }
    partition.transposes = emitter.m_transposes;
    PT2E_ASSIGN(partition.runtime, Runtime::build(std::move(emitter.m_subgraph), pool, options));
    return partition;
}

Result<void> Emitter::definePorts(CompiledPartition& partition)
{
    const std::size_t count = m_step.inputs.size() + m_step.outputs.size();
    PT2E_ASSIGN(m_subgraph, Subgraph::create(static_cast<std::uint32_t>(count)));
    ValueId id = 0;
    for (const bool isInput : {true, false}) {
        for (const NodeId node : isInput ? m_step.inputs : m_step.outputs) {
            const QuantType* type = m_plan.view->typeOf(node);
            // Outside of partitions float values are in the graph's order.
            const DataLayout home = m_plan.layoutOf(node);
            const DataLayout layout = m_plan.unrolled.contains(node) ? DataLayout::Nhwc
                                      : type                         ? home
                                                                     : DataLayout::Natural;
            const TensorSpec spec = m_plan.specOf(node);
            PT2E_TRY(isInput ? m_subgraph->externalInput(id, spec)
                             : m_subgraph->externalOutput(id, spec));
            if (isInput || layout == home)
                m_values[{node, layout}] = id;
            else
                m_latePorts[node] = id;
            (isInput ? partition.inputs : partition.outputs)
                .push_back({node, spec, type && type->isShifted});
            ++id;
        }
    }
    return {};
}

Result<void> Emitter::emitUnit(const Unit& unit)
{
    m_unit = &unit;
    m_layout = m_plan.layoutOf(unit.writes.front());
    if (unit.kind == Unit::Kind::Op) {
        if (unit.decision.layout != DataLayout::Any)
            m_layout = unit.decision.layout;
        PT2E_TRY(unit.rule->emit(unit.call, *this));
    } else {
        PT2E_ASSIGN(const ValueId from, value(unit.reads.front(), m_layout));
        PT2E_ASSIGN(const ValueId to, output());
        PT2E_TRY(m_subgraph->convert(from, to));
    }
    return fillLatePorts(unit);
}

Result<void> Emitter::fillLatePorts(const Unit& unit)
{
    for (const NodeId node : unit.writes) {
        const auto port = m_latePorts.find(node);
        if (port == m_latePorts.end())
            continue;
        PT2E_TRY(changeLayout(node, m_values.at({node, DataLayout::Nhwc}), DataLayout::Natural,
                              port->second));
        m_values[{node, DataLayout::Natural}] = port->second;
    }
    return {};
}

Result<ValueId> Emitter::value(NodeId node, DataLayout layout)
{
    if (!isImage(*m_plan.view->shape(node)))
        layout = DataLayout::Natural;
    if (const auto known = m_values.find({node, layout}); known != m_values.end())
        return known->second;
    PT2E_ASSIGN(const ValueId id, m_subgraph->internal(specOf(node, layout)));
    const DataLayout other = layout == DataLayout::Nhwc ? DataLayout::Natural : DataLayout::Nhwc;
    if (const auto home = m_values.find({node, other}); home != m_values.end())
        PT2E_TRY(changeLayout(node, home->second, layout, id));
    m_values[{node, layout}] = id;
    return id;
}

Result<void> Emitter::changeLayout(NodeId node, ValueId from, DataLayout to, ValueId target)
{
    const Shape& natural = *m_plan.view->shape(node);
    if (isDegenerate(natural))
        return m_subgraph->reshape(to == DataLayout::Nhwc ? toNhwc(natural) : natural, from,
                                   target);
    ++m_transposes;
    return m_subgraph->transpose(layoutPermutation(natural.size(), to), from, target);
}

const UnrolledInput* Emitter::unrolled(const Operand& operand) const
{
    const auto it = m_plan.unrolled.find(operand.quantize);
    return operand.quantize && it != m_plan.unrolled.end() ? &it->second : nullptr;
}

Result<ValueId> Emitter::input(const Operand& operand, std::size_t rank)
{
    switch (operand.kind) {
    case Operand::Kind::Int8: return value(operand.quantize, m_layout);
    case Operand::Kind::Float: return value(operand.node, m_layout);
    default: return constantOperand(operand, rank);
    }
}

Result<ValueId> Emitter::constantOperand(const Operand& operand, std::size_t rank)
{
    const bool isInt8 = operand.kind == Operand::Kind::Int8Constant;
    Tensor values;
    if (isInt8) {
        values = operand.constant->values;
    } else {
        PT2E_ASSIGN(values, m_plan.view->constantValue(operand.node));
    }
    Shape shape = values.shape();
    std::vector<std::int64_t> strides = values.strides();
    while (shape.size() < rank) {
        shape.insert(shape.begin(), 1);
        strides.insert(strides.begin(), 1);
    }
    if (isImage(shape) && m_layout == DataLayout::Nhwc) {
        shape = toNhwc(shape);
        strides = toNhwc(strides);
    }
    // A view in the other order, made contiguous.
    const Tensor view(values.storage(), values.dtype(), shape, strides, values.offset());
    PT2E_ASSIGN(values, view.contiguous());
    PT2E_ASSIGN(const auto bytes, values.bytes());
    if (!isInt8)
        return m_subgraph->constant({shape, DType::Float32, bytes, {}, 0, 0});
    return m_subgraph->constant({shape, DType::Int8, bytes, operand.constant->scales, 0,
                                 operand.constant->zeroPoints.front()});
}

Result<ValueId> Emitter::output() { return value(m_unit->writes.front(), m_layout); }

Result<ValueId> Emitter::temporary(const Shape& shape, const QuantType& type)
{
    return plainTemporary(ordered(shape), type);
}

Result<ValueId> Emitter::plainTemporary(const Shape& shape, const QuantType& type)
{
    return m_subgraph->internal(m_unit->call.isFloat ? floatSpec(shape) : int8Spec(shape, type));
}

bool Emitter::isPlainOutput(const QuantType& type) const
{
    const OpCall& call = m_unit->call;
    if (call.isFloat)
        return std::isinf(call.range.low) && std::isinf(call.range.high);
    return type.sameParameters(call.output.type) && call.bounds.isTrivial();
}

OutputRange Emitter::outputRange() const
{
    const OpCall& call = m_unit->call;
    if (call.isFloat)
        return {static_cast<float>(call.range.low), static_cast<float>(call.range.high)};
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    const Bounds& bounds = call.bounds;
    const QuantType& type = call.output.type;
    const auto real = [&](std::int32_t value) {
        return static_cast<float>(value - type.zeroPoint) * type.scale;
    };
    return {bounds.low <= -128 ? -kInfinity : real(bounds.low),
            bounds.high >= 127 ? kInfinity : real(bounds.high)};
}

Result<ValueId> Emitter::requantized(ValueId value, const Shape& shape, const QuantType& to)
{
    // Through float: XNNPACK's own requantization is off by one step in some 5 % of values, and its
    // optimizer would take a clamp between different parameters into the op before it.
    PT2E_ASSIGN(const ValueId real, m_subgraph->internal(floatSpec(ordered(shape))));
    PT2E_TRY(m_subgraph->convert(value, real));
    PT2E_ASSIGN(const ValueId result, m_subgraph->internal(int8Spec(ordered(shape), to)));
    PT2E_TRY(m_subgraph->convert(real, result));
    return result;
}

Result<void> Emitter::finish(ValueId value, const QuantType& type)
{
    const OpCall& call = m_unit->call;
    PT2E_ASSIGN(const ValueId end, output());
    if (isPlainOutput(type))
        return m_subgraph->copy(value, end);
    if (call.isFloat || type.sameParameters(call.output.type))
        return m_subgraph->clamp(outputRange(), value, end);
    if (!call.bounds.isTrivial()) {
        PT2E_ASSIGN(value, requantized(value, call.outputShape, call.output.type));
        return m_subgraph->clamp(outputRange(), value, end);
    }
    PT2E_ASSIGN(const ValueId real, m_subgraph->internal(floatSpec(ordered(call.outputShape))));
    PT2E_TRY(m_subgraph->convert(value, real));
    return m_subgraph->convert(real, end);
}

} // namespace pt2e::xnn
