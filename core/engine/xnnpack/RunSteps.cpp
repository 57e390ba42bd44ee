#include "core/engine/xnnpack/RunSteps.h"

#include <cstring>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

std::size_t bytesOf(const TensorSpec& spec)
{
    return static_cast<std::size_t>(elementCount(spec.shape))
           * elementSize(spec.isFloat ? DType::Float32 : DType::Int8);
}

/// out[i] = table[in[i]], and from N, pixels, C to N, C, pixels where the order changes.
template<typename T>
void lookUp(std::span<const std::byte> in, const std::array<T, 256>& table, std::uint8_t flip,
            const Shape& natural, bool changesOrder, T* out)
{
    std::array<T, 256> byByte; // the table's entries are for -128 … 127
    for (std::size_t i = 0; i < 256; ++i)
        byByte[i ^ flip] = table[i];
    const auto entry = [&](std::size_t i) { return byByte[std::to_integer<std::uint8_t>(in[i])]; };
    if (!changesOrder) {
        for (std::size_t i = 0; i < in.size(); ++i)
            out[i] = entry(i);
        return;
    }
    const auto images = static_cast<std::size_t>(natural[0]);
    const auto channels = static_cast<std::size_t>(natural[1]);
    const std::size_t pixels = in.size() / images / channels;
    for (std::size_t n = 0; n < images; ++n) {
        for (std::size_t c = 0; c < channels; ++c) {
            for (std::size_t p = 0; p < pixels; ++p)
                *out++ = entry((n * pixels + p) * channels + c);
        }
    }
}

} // namespace

Boundary boundaryOf(const Plan& plan)
{
    Boundary boundary;
    for (const Step& step : plan.steps) {
        if (!step.isXnnpack && !step.isTables)
            continue;
        boundary.padded.insert(step.outputs.begin(), step.outputs.end());
    }
    boundary.hidden = boundary.padded;
    for (const Step& step : plan.steps) {
        if (step.isXnnpack || step.isTables)
            continue;
        for (const NodeId id : step.inputs)
            boundary.hidden.erase(id);
    }
    for (const NodeId id : plan.view->graph().output()->inputs())
        boundary.hidden.erase(id);
    return boundary;
}

ResultBuffer::ResultBuffer(NodeId node, TensorSpec spec, bool isHidden)
    : m_node(node),
      m_spec(std::move(spec)),
      m_isHidden(isHidden)
{
    if (m_isHidden)
        m_memory = Storage::allocate(bytesOf(m_spec));
}

void* ResultBuffer::begin()
{
    if (!m_isHidden)
        m_memory = Storage::allocate(bytesOf(m_spec));
    return m_memory.data.data();
}

void ResultBuffer::publish(ValueMap& values)
{
    auto storage = std::make_shared<Storage>(Storage::Bytes{m_memory.memory, m_memory.data});
    values[m_node].data = Tensor(std::move(storage), m_spec.isFloat ? DType::Float32 : DType::Int8,
                                 m_spec.shape, Tensor::contiguousStrides(m_spec.shape));
    if (!m_isHidden)
        m_memory = {};
}

PartitionStep::PartitionStep(CompiledPartition partition, const Graph& graph,
                             const Boundary& boundary)
    : m_partition(std::move(partition)),
      m_graph(graph)
{
    for (const CompiledPartition::Port& port : m_partition.inputs)
        m_inputs.push_back(boundary.padded.contains(port.node)
                               ? Storage::Allocation{}
                               : Storage::allocate(bytesOf(port.spec)));
    for (const CompiledPartition::Port& port : m_partition.outputs)
        m_outputs.emplace_back(port.node, port.spec, boundary.hidden.contains(port.node));
}

Result<void> PartitionStep::run(ValueMap& values)
{
    std::vector<void*> externals;
    for (std::size_t i = 0; i < m_inputs.size(); ++i) {
        PT2E_ASSIGN(void* const memory, inputMemory(i, values.at(m_partition.inputs[i].node)));
        externals.push_back(memory);
    }
    for (ResultBuffer& output : m_outputs)
        externals.push_back(output.begin());
    PT2E_TRY(m_partition.runtime->run(externals));
    for (ResultBuffer& output : m_outputs)
        output.publish(values);
    return {};
}

Result<void*> PartitionStep::inputMemory(std::size_t input, const Value& value)
{
    const CompiledPartition::Port& port = m_partition.inputs[input];
    const std::string& name = m_graph.node(port.node).name;
    const Tensor* tensor = value.tensor();
    if (!tensor)
        return badInput(name, "is not a tensor");
    const DType wanted = port.spec.isFloat ? DType::Float32 : DType::Int8;
    const bool isShifted = port.isShifted && tensor->dtype() == DType::UInt8;
    if (tensor->shape() != port.spec.shape || (tensor->dtype() != wanted && !isShifted))
        return badInput(name, fmt::format("is {} {}; the program is made for {} {}",
                                          dtypeName(tensor->dtype()), shapeText(tensor->shape()),
                                          dtypeName(wanted), shapeText(port.spec.shape)));
    PT2E_ASSIGN(const Tensor contiguous, tensor->contiguous());
    PT2E_ASSIGN(const auto bytes, contiguous.bytes());
    const std::span<std::byte> buffer = m_inputs[input].data;
    if (buffer.empty()) // one of our own results; XNNPACK does not write its inputs
        return const_cast<std::byte*>(bytes.data());
    std::memcpy(buffer.data(), bytes.data(), buffer.size());
    if (isShifted) {
        for (std::byte& byte : buffer)
            byte ^= std::byte{0x80};
    }
    return buffer.data();
}

TableStep::TableStep(const Plan& plan, const Step& step, const Boundary& boundary)
{
    for (const std::size_t i : step.units) {
        const Unit& unit = plan.units[i];
        const NodeId from = unit.reads.front();
        const NodeId to = unit.writes.front();
        const Shape& natural = *plan.view->shape(to);
        const bool isFloat = !plan.view->typeOf(to);
        const DataLayout in = plan.layoutOf(from);
        const DataLayout out = plan.layoutOf(to);
        const TensorSpec spec{out == DataLayout::Nhwc ? toNhwc(natural) : natural, isFloat, 1, 0};
        m_lookups.push_back({from, unit.table, isFloat, in != out, natural,
                             ResultBuffer(to, spec, boundary.hidden.contains(to))});
    }
}

Result<void> TableStep::run(ValueMap& values)
{
    for (Lookup& lookup : m_lookups) {
        const Tensor* tensor = values.at(lookup.from).tensor();
        if (!tensor)
            return fail(ErrorCode::Internal, "byte table", "its input is not a tensor");
        PT2E_ASSIGN(const Tensor contiguous, tensor->contiguous());
        PT2E_ASSIGN(const auto bytes, contiguous.bytes());
        const bool isUnsigned = contiguous.dtype() == DType::UInt8;
        const std::uint8_t flip = isUnsigned ? 0 : 0x80;
        void* const memory = lookup.result.begin();
        if (lookup.isFloat)
            lookUp(bytes, lookup.table->floats, flip, lookup.natural, lookup.changesOrder,
                   static_cast<float*>(memory));
        else
            lookUp(bytes, lookup.table->bytes, flip, lookup.natural, lookup.changesOrder,
                   static_cast<std::int8_t*>(memory));
        lookup.result.publish(values);
    }
    return {};
}

} // namespace pt2e::xnn
