// Runs a graph on XNNPACK, converted ones in int8, and what XNNPACK cannot do on LibTorch. Read this
// first, then Plan.h.
#pragma once

#include "core/engine/Engine.h"

#include <string>
#include <vector>

namespace pt2e {

struct XnnpackOptions
{
    int threads = 1; ///< of XNNPACK; the calling thread included
    bool isProfiled = false; ///< for operatorTimes(); costs some time itself
    /// Ops that cannot be int8 may run in float on XNNPACK; else they run on LibTorch.
    bool hasFloat = true;
};

class XnnpackProgram : public Program
{
public:
    /// One operator of an XNNPACK runtime, one kernel of ours or one node on LibTorch, in execution order.
    struct OperatorTime
    {
        int partition = -1; ///< -1: not XNNPACK
        std::string name; ///< XNNPACK's own; fused operators are gone
        std::chrono::nanoseconds time{0};
        /// Of the graph: what it computes, changes of layout and type for it included. Invalid where only the whole
        /// is timed, or where XNNPACK's list cannot be told apart.
        NodeId node{};
    };
    /// Of the last run, if profiled: XNNPACK's clock has microseconds.
    virtual std::vector<OperatorTime> operatorTimes() const = 0;
    /// For each partition, how often a value changes its layout (channels last or not) inside of it.
    virtual std::vector<int> transposes() const = 0;
};

/// Plans the graph, packs the weights and builds one XNNPACK runtime per partition. assignments() has
/// an entry for each node of the graph.
///
/// run() takes inputs of other sizes as well where the graph does: the first run with new ones plans
/// anew, after one run on LibTorch that finds all sizes; the last few are kept. onValue is told of
/// every value that a unit of the plan makes (the first such run builds runtimes that keep them): ops
/// in float, quantize and dequantize nodes; not of what was fused away.
/// The program runs on one thread at a time, any thread.
Result<std::unique_ptr<XnnpackProgram>> makeXnnpackProgram(GraphPtr graph,
                                                           const XnnpackOptions& options);

/// Facts about the XNNPACK in use, printed with every figure.
struct XnnpackInfo
{
    std::string snapshot; ///< "2024-11-08 (4ea82e5)", or what the package says
    std::vector<std::string>
        instructionSets; ///< of this CPU, as far as XNNPACK has kernels for them
};
XnnpackInfo xnnpackInfo();

} // namespace pt2e
