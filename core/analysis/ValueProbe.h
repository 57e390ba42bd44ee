// The values at one node in the three runs: how they are spread, and what quantizing makes of them.
#pragma once

#include "core/analysis/Classified.h"
#include "core/data/DataSet.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/metrics/QuantizationError.h"
#include "core/pipeline/Snapshot.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

/// Values of one run, those that fill up a batch left out.
struct ValueSpread
{
    std::int64_t count = 0; ///< finite ones
    std::int64_t nonFinite = 0;
    double min = 0;
    double max = 0;
    double mean = 0;
    double std = 0; ///< of the population: torch.std(x, correction=0)
    std::vector<float> counts; ///< equal bins from ValueReport::low to high
};

struct ValueReport
{
    NodeId node; ///< whose value it is
    std::string name;
    std::int64_t batches = 0;
    double low = 0; ///< of the bins: the smallest and largest value of all runs
    double high = 0;
    std::array<std::optional<ValueSpread>, kRunKinds> runs; ///< absent: fused away in that run
    /// Where the value is quantized: how, and what that loses in the simulated run.
    struct Quantized
    {
        QuantizationGrid grid;
        QuantizationLoss loss;
    };
    std::optional<Quantized> quantized;
};

/// Holds the three programs and the first batches of the data; asked node by node.
class ValueProbe
{
public:
    static constexpr int kBins = 96;

    /// The snapshot has its converted stage. threads: of XNNPACK. An error if no batch can be read.
    static Result<std::unique_ptr<ValueProbe>> make(SnapshotPtr snapshot, const DataSet& data,
                                                    int threads, std::int64_t batches = 2);
    /// Of any stage's graph. A quantize, dequantize or observer node stands for the value that it takes. An error if
    /// the float model and the converted graph do not both have that node with one tensor.
    Result<ValueReport> measure(NodeId node, const JobContext& context);
    /// Whether measure() has an answer.
    bool knows(NodeId node) const;

private:
    ValueProbe() = default;
    NodeId sourceOf(NodeId node) const;
    /// Of one run; a node whose value is no tensor is missing.
    Result<std::unordered_map<NodeId, Tensor>> valuesIn(RunKind run,
                                                        const std::vector<NodeId>& nodes,
                                                        const DataBatch& batch,
                                                        const JobContext& context);

    SnapshotPtr m_snapshot;
    GraphPtr
        m_float; ///< batch norms folded, so that its operators are those of the converted graph
    GraphPtr m_converted;
    std::array<std::unique_ptr<Program>, kRunKinds> m_programs;
    std::vector<DataBatch> m_batches;
};

} // namespace pt2e
