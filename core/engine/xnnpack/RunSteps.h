// The steps of a plan, ready to run: an XNNPACK runtime with its buffers (kernels of ours: OwnStep.h).
#pragma once

#include "core/engine/xnnpack/Emitter.h"
#include "core/kernels/Value.h"

#include <unordered_set>

namespace pt2e::xnn {

/// Values by node while a program runs. int8 ones that XNNPACK or a table made are in the order that
/// the plan chose for them.
using ValueMap = std::unordered_map<NodeId, Value>;

/// What is known about the values between steps.
struct Boundary
{
    /// Made by one of these steps: aligned, with bytes behind the end that may be read.
    std::unordered_set<NodeId> padded;
    /// Read by these steps only: one buffer serves all runs.
    std::unordered_set<NodeId> hidden;
};
Boundary boundaryOf(const Plan& plan);

/// Memory for a result: kept from run to run where nobody outside sees it.
class ResultBuffer
{
public:
    ResultBuffer(NodeId node, TensorSpec spec, bool isHidden);
    void* begin(); ///< memory to fill in this run
    void publish(ValueMap& values);
    NodeId node() const { return m_node; }

private:
    NodeId m_node;
    TensorSpec m_spec;
    bool m_isHidden;
    Storage::Allocation m_memory;
};

/// The error of a value that a step is not made for.
Result<void> checkInput(const std::string& name, const Tensor& tensor, DType dtype,
                        const Shape& shape);

/// One XNNPACK partition with its buffers.
class PartitionStep
{
public:
    PartitionStep(CompiledPartition partition, const Graph& graph, const Boundary& boundary);
    Result<void> run(ValueMap& values);
    const Runtime& runtime() const { return *m_partition.runtime; }
    int transposes() const { return m_partition.transposes; }

private:
    Result<void*> inputMemory(std::size_t input, const Value& value);

    CompiledPartition m_partition;
    const Graph& m_graph;
    std::vector<Storage::Allocation> m_inputs; ///< copies; empty for values that need none
    std::vector<ResultBuffer> m_outputs;
};

} // namespace pt2e::xnn
