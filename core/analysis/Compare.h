// How far the quantized model is from the float one: outputs of three runs on the same data.
//
//   float      the exported graph on LibTorch
//   simulated  the converted graph on LibTorch: q/dq around float ops, what PyTorch computes
//   XNNPACK    the converted graph in int8
//
// "XNNPACK against simulated" is what the int8 kernels add; it is a number of its own, apart from what
// quantizing costs.
#pragma once

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
    std::optional<StepError>
        steps; ///< of `kernels`; absent where the output is not dequantized int8
};

struct CompareReport
{
    std::string data; ///< description of the batches
    std::string dataHash;
    std::int64_t batches = 0;
    std::vector<OutputComparison> outputs; ///< over all batches; tensors only
    GraphPtr converted;
    std::vector<Assignment> assignments; ///< of the converted graph's nodes
    XnnpackInfo xnnpackInfo;
    TorchInfo torchInfo;
    int threads = 1;
};

/// Runs all three on the batches. The snapshot needs the converted stage; its error is this one's
/// where it has none. threads: of XNNPACK; LibTorch's were set at start.
Result<CompareReport> compareEngines(const Snapshot& snapshot, const Batches& data, int threads,
                                     const JobContext& context);

} // namespace pt2e
