// Running a graph: Engine → Program → RunReport. Both engines give the same report, so comparing does not care who ran.
#pragma once

#include "core/base/JobContext.h"
#include "core/ir/Graph.h"
#include "core/kernels/Value.h"

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

/// Told of every value a node produces while a graph runs, in execution order.
using ValueSink = std::function<Result<void>(NodeId, const Value&)>;

/// What a run leaves behind in the module: attributes that it wrote (a buffer that is updated in place), by name.
/// Given to the next run it goes on from there, as a Python module called again does.
struct RunState
{
    OrderedMap<Tensor> attributes;
};

struct RunOptions
{
    ValueSink onValue; ///< may be empty
    /// Whether the sink wants this node (asked before it is computed); empty: all.
    std::function<bool(NodeId)> wants;
    /// Read at the start, updated when the run succeeds. Null: the run starts from the graph's attributes and what it
    /// writes is forgotten: a module called once.
    RunState* state = nullptr;
};

struct RunReport
{
    Values outputs; ///< flat, in the order of the output node
    std::chrono::nanoseconds time{0};
};

/// Which part of a graph runs where, and why.
struct Assignment
{
    enum class Where : std::uint8_t { XnnpackInt8, XnnpackFloat, LibTorch, Constant, Absorbed };
    NodeId node;
    Where where = Where::LibTorch;
    int partition = -1;
    std::string kernel; ///< "convolution_2d qcint8", or the ATen op
    std::string reason; ///< why not XNNPACK int8; empty when it is
};

class Program
{
public:
    virtual ~Program() = default;
    /// inputs: one per placeholder, flat, in order. The error names the node.
    virtual Result<RunReport> run(std::span<const Value> inputs, const RunOptions& options,
                                  const JobContext& context) = 0;
    /// Empty for the reference engine.
    virtual std::vector<Assignment> assignments() const { return {}; }
};

/// Walks the graph over kernels/ (LibTorch). Modules (observers) pass their input through unchanged. Neither the graph's
/// attributes nor the inputs are ever written; within a run later reads see what an op wrote. A node that cannot be run
/// is an error when it is reached, not here. run() may be called from several threads.
Result<std::unique_ptr<Program>> makeReferenceProgram(GraphPtr graph);

} // namespace pt2e
