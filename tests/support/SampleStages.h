// Snapshots of small models, built by hand with GraphEditor: stages as prepare and convert leave them, for tests of what
// is shown. Names and shapes are PyTorch's; the numbers are those of the published notebook.
#pragma once

#include "core/ir/GraphEditor.h"
#include "core/pipeline/Snapshot.h"

#include <string>
#include <vector>

namespace pt2e::testing {

/// Builds a float graph, then its prepared and converted forms.
class StageSketch
{
public:
    StageSketch();

    NodeId input(const std::string& name, std::vector<std::int64_t> shape);
    NodeId weight(const std::string& target, std::vector<std::int64_t> shape);
    NodeId call(const std::string& op, Arguments args, std::vector<std::int64_t> shape);
    void output(std::vector<NodeId> values);

    /// Ends the exported stage.
    void finishExported();
    /// Folds a batch norm into the convolution before it.
    void foldBatchNorm(NodeId convolution, NodeId batchNorm);
    /// Puts the next observer behind a node, for the given users (empty: all).
    NodeId observe(NodeId node, float scale, std::int64_t zeroPoint, std::vector<NodeId> users = {},
                   const std::string& className = "HistogramObserver");
    void unquantized(NodeId node, Reason reason, NodeId root);
    void finishPrepared();
    /// q behind each observed value, one dq per user; weights become int8 constants with per-channel dq.
    void convert();

    SnapshotPtr snapshot() const;

private:
    void convertObserver(NodeId observer);
    NodeId addAfter(InsertPoint& at, OpKind kind, const std::string& target, Arguments args,
                    const std::string& name, NodeId origin);
    GraphEditor m_sketch; ///< of the stage being built
    GraphPtr m_exported;
    GraphPtr m_folded;
    GraphPtr m_prepared;
    GraphPtr m_converted;
    std::vector<NodeId> m_observers;
    std::vector<QParams> m_qparams;
    std::vector<WhyNot> m_unannotated;
    PassRecords m_foldPasses;
    int m_quantizedWeights = 0;
};

/// conv, bn, relu, conv, bn, add, relu; 4×8×16×16.
SnapshotPtr residualStages();
/// two convolutions into cat, max_pool2d, conv, mean, add; cat and max_pool2d have no annotation.
SnapshotPtr catPoolStages();
/// A chain of blocks that all read one mask, with about 12 ops each; exported stage only.
SnapshotPtr decoderExported(int layers);

} // namespace pt2e::testing
