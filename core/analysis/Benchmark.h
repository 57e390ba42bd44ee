// How fast the float and the int8 model run, all engines taking turns in the same process.
#pragma once

#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/kernels/Kernels.h"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

struct BenchmarkOptions
{
    int threads = 1; ///< of XNNPACK; LibTorch's were set at start
    int warmUps = 10; ///< rounds that are not counted
    int rounds = 30;
    std::chrono::milliseconds most{
        0}; ///< no further round after this time, at least 5 of them; 0: all rounds
    bool hasOperators = false; ///< also times each operator of the int8 program, in runs of its own
};

struct EngineTimes
{
    std::string engine; ///< "int8 on XNNPACK"
    double compileMs = 0; ///< packing of weights included; no part of any run
    std::vector<double> milliseconds; ///< one a round, ascending

    double median() const;
    /// Distance between the quartiles.
    double spread() const;
    /// 95 % interval of the median, from order statistics: no assumption on the distribution.
    struct Interval
    {
        double low;
        double high;
    };
    Interval medianInterval() const;
};

struct BenchmarkReport
{
    std::vector<EngineTimes> engines; ///< float on LibTorch, float on XNNPACK, int8 on XNNPACK
    /// int8 against the faster of the float ones by median; absent without a float graph.
    struct SpeedUp
    {
        double factor;
        std::string against;
    };
    std::optional<SpeedUp> speedUp;
    std::vector<XnnpackProgram::OperatorTime> operators; ///< median of each over the rounds
    std::vector<Assignment> assignments; ///< of the int8 program
    std::int64_t floatBytes = 0; ///< of the weights that the float graph reads
    std::int64_t int8Bytes = 0; ///< of those that the converted graph reads, scales included
    XnnpackInfo xnnpackInfo;
    TorchInfo torchInfo;
    BenchmarkOptions options;
};

/// Rounds of one run per engine each, in turn, so that all meet the same weather. floatGraph may be
/// null. The outputs of the two float engines are compared first: an error if they are not the same
/// within 1e-3 of their range.
Result<BenchmarkReport> benchmark(const GraphPtr& floatGraph, const GraphPtr& converted,
                                  const Values& inputs, const BenchmarkOptions& options,
                                  const JobContext& context);

/// The float model and two int8 ones, in the same rounds.
struct PairedTimes
{
    std::array<EngineTimes, 2> floats; ///< on LibTorch, on XNNPACK
    std::array<EngineTimes, 2> int8; ///< of the first and the second converted graph, on XNNPACK
    BenchmarkOptions options;

    /// Of the two the faster by median.
    const EngineTimes& fasterFloat() const;
};
/// As benchmark(), with a second converted graph; operators are not timed.
Result<PairedTimes> benchmarkBoth(const GraphPtr& floatGraph, const GraphPtr& first,
                                  const GraphPtr& second, const Values& inputs,
                                  const BenchmarkOptions& options, const JobContext& context);

/// Bytes of the attributes that get_attr nodes of the graph name, each once.
std::int64_t attributeBytes(const Graph& graph);

} // namespace pt2e
