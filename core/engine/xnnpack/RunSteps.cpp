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

} // namespace

Boundary boundaryOf(const Plan& plan)
{
    Boundary boundary;
    for (const Step& step : plan.steps) {
        if (!step.isXnnpack && !step.isOwn)
            continue;
        boundary.padded.insert(step.outputs.begin(), step.outputs.end());
    }
    boundary.hidden = boundary.padded;
    for (const Step& step : plan.steps) {
        if (step.isXnnpack || step.isOwn)
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

Result<void> checkInput(const std::string& name, const Tensor& tensor, DType dtype,
                        const Shape& shape)
{
    if (tensor.shape() == shape && tensor.dtype() == dtype)
        return {};
    return badInput(name, fmt::format("is {} {}; the program is made for {} {}",
                                      dtypeName(tensor.dtype()), shapeText(tensor.shape()),
                                      dtypeName(dtype), shapeText(shape)));
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
    if (auto fits = checkInput(name, *tensor, isShifted ? DType::UInt8 : wanted, port.spec.shape);
        !fits)
        return passOn(fits);
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

} // namespace pt2e::xnn
