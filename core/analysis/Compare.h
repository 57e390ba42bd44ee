// What quantizing costs, and what the int8 kernels add: three runs on the same data.
//
//   float      the exported graph on LibTorch
//   simulated  the converted graph on LibTorch: q/dq around float ops, what PyTorch computes
//   XNNPACK    the converted graph in int8
//
// "XNNPACK against simulated" is what the int8 kernels add; it is a number of its own, apart from what
// quantizing costs. Seven questions are answered, for outputs and for each operator (NodeErrors.h):
//
//   alone              fed with float, only this operator quantized
//   cumulative         simulated against float
//   weights only       the converted graph with float activations against float
//   activations only   the converted graph with float weights against float
//   kernels            XNNPACK against simulated
//   against float      XNNPACK against float
//   end to end         outputs, and with labels what becomes of the predictions (Classified.h)
#pragma once

#include "core/analysis/Classified.h"
#include "core/analysis/NodeErrors.h"
#include "core/data/DataSet.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/metrics/Metrics.h"
#include "core/pipeline/Snapshot.h"

#include <optional>
#include <string>
#include <vector>

namespace pt2e {

/// A difference counted in quantization steps of the output.
struct StepError
{
    double scale = 0; ///< of one step
    std::int64_t maxSteps = 0;
    std::int64_t differing = 0; ///< elements at least one step apart
    std::int64_t farApart = 0; ///< elements more than one step apart
    std::int64_t count = 0;
};

struct OutputComparison
{
    std::string name; ///< the exported graph's node
    std::vector<std::int64_t> shape; ///< of the first batch
    TensorError simulated; ///< signal: float
    TensorError xnnpack; ///< signal: float
    TensorError kernels; ///< XNNPACK; signal: simulated
    std::optional<TensorError> weightsOnly; ///< signal: float; over the batches of the node errors
    std::optional<TensorError> activationsOnly; ///< signal: float; over these batches
    std::optional<StepError>
        steps; ///< of `kernels`; absent where the output is not dequantized int8
};

struct CompareReport
{
    std::string data; ///< description of the batches
    std::string dataHash; ///< over batchHashes
    std::vector<std::string> batchHashes; ///< one per batch compared
    Diagnostics problems; ///< data that were left out, with file and reason
    std::int64_t batches = 0;
    std::int64_t samples = 0; ///< 0 where the first axis is no batch
    std::int64_t samplesInAll = 0; ///< of the data, with those that were not asked for
    std::vector<SeenInput> inputs; ///< those of real numbers, over all batches
    std::vector<OutputComparison> outputs; ///< over all batches; tensors only
    NodeErrorReport nodes; ///< over the first batches
    std::optional<Classified> classified; ///< of labelled data
    GraphPtr converted;
    std::vector<Assignment> assignments; ///< of the converted graph's nodes
    std::vector<int> transposes; ///< XnnpackProgram::transposes
    /// What each operator of XNNPACK takes on the first batch (OperatorTimes.h); empty where it was not asked for.
    std::vector<XnnpackProgram::OperatorTime> operators;
    XnnpackInfo xnnpackInfo;
    TorchInfo torchInfo;
    int threads = 1;
};

/// The operators of a model with fewer multiply-accumulates are too short to be shared out: threads that spin while they
/// wait take the processors from each other, and from other programs. Its three runs stand side by side instead.
inline constexpr std::int64_t kSmallModelMacs = 200'000'000;

struct CompareOptions
{
    int threads = 1; ///< at most, of XNNPACK; a small model's runs have one each, on LibTorch too
    std::int64_t nodeBatches = 2; ///< on so many batches the operators are compared too; 0: none
    bool hasTimes = false; ///< operators too, for a third of a second
};

/// Runs all on the batches. The snapshot needs the converted stage; its error is this one's where it has none. Bad
/// batches are left out (problems); an error if none is left, or if labels do not go with the first output.
Result<CompareReport> compareEngines(const Snapshot& snapshot, const DataSet& data,
                                     const CompareOptions& options, const JobContext& context);
/// The same on batches in memory.
Result<CompareReport> compareEngines(const Snapshot& snapshot, const Batches& data, int threads,
                                     const JobContext& context);

} // namespace pt2e
