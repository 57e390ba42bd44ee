// Where the error comes from: each operator and each quantization by itself.
#pragma once

#include "core/data/DataSet.h"
#include "core/engine/Engine.h"
#include "core/metrics/Moments.h"
#include "core/metrics/QuantizationError.h"
#include "core/pipeline/Snapshot.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

/// Of one operator's value (behind the quantization of its output, if it has one). Absent where it was not computed:
/// fused away, left out, of other shape.
struct NodeError
{
    NodeId node; ///< of the converted graph, and of the stages before
    std::string name;
    std::string target;
    std::optional<TensorError>
        alone; ///< fed with float values, only this operator quantized; signal: float
    std::optional<TensorError> cumulative; ///< simulated; signal: float
    std::optional<TensorError> weightsOnly; ///< signal: float
    std::optional<TensorError> activationsOnly; ///< signal: float
    std::optional<TensorError> kernels; ///< XNNPACK; signal: simulated
    std::optional<TensorError> xnnpack; ///< signal: float
    /// Of `alone`, by channel, where the channels are known (channelAxisOf) and one has moved.
    std::optional<ChannelShift> shift;
};

/// The questions asked of each operator, in the order they are listed.
enum class ErrorQuestion : std::uint8_t {
    Alone,
    WeightsOnly,
    ActivationsOnly,
    Cumulative,
    Kernels,
    AgainstFloat
};
inline constexpr std::array kErrorQuestions{
    ErrorQuestion::Alone,      ErrorQuestion::WeightsOnly, ErrorQuestion::ActivationsOnly,
    ErrorQuestion::Cumulative, ErrorQuestion::Kernels,     ErrorQuestion::AgainstFloat};
const char* questionName(ErrorQuestion question); ///< "alone", "weights only", …
const std::optional<TensorError>& errorOf(const NodeError& error, ErrorQuestion question);

/// What one quantization loses: values before quantize against those after dequantize, in the simulated run.
struct PairError
{
    NodeId quantized; ///< whose value it is
    std::string name;
    bool isConstant = false; ///< a weight or a bias
    QuantizationLoss loss;
};

struct NodeErrorReport
{
    std::int64_t batches = 0; ///< over which the sums run
    std::vector<NodeError> nodes; ///< execution order
    std::vector<PairError> pairs; ///< execution order
};

/// Makes the graphs that are needed once and adds batch after batch.
class NodeErrors
{
public:
    /// xnnpack runs the snapshot's converted graph; it must live as long as this.
    static Result<std::unique_ptr<NodeErrors>> make(const Snapshot& snapshot, Program& xnnpack,
                                                    const JobContext& context);
    virtual ~NodeErrors() = default;
    /// Outputs of the run with only the weights, and of that with only the activations quantized.
    struct Outputs
    {
        Values weightsOnly;
        Values activationsOnly;
    };
    virtual Result<Outputs> add(const DataBatch& batch, const JobContext& context) = 0;
    virtual NodeErrorReport report() const = 0;
};

} // namespace pt2e
