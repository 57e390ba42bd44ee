// How good the quantized model is after fewer batches of calibration: when more data stop to matter for its outputs.
//
// Calibration is not run again and again: its observers see the kept values once more, and what they have come to after
// 1, 2, 4 … batches is converted and run (simulated) on the data to judge by. Bit by bit the model that calibrating on
// these batches alone would have given.
#pragma once

#include "core/analysis/Sensitivity.h"
#include "core/pipeline/Pipeline.h"

#include <functional>
#include <string>
#include <vector>

namespace pt2e {

struct OutputConvergence
{
    struct Point
    {
        std::size_t batches = 0; ///< of calibration
        SensitivityScore score;
        /// Parameters of values (not weights) whose scale is more than Convergence::kTolerance from that after all batches.
        std::size_t moved = 0;
    };
    std::string calibration; ///< description of the data calibrated on
    std::string data; ///< and judged on
    std::size_t scales = 0; ///< how many could move
    std::vector<Point> points; ///< ascending; the last is what the snapshot is calibrated to
    std::size_t wanted = 0; ///< how many there will be
    /// From so many batches on the SQNR stays within kEnoughDb of the last one; 0 as long as points are missing.
    std::size_t enough = 0;
    static constexpr double kEnoughDb = 0.5;
};

/// 1, 2, 4 … and all: the numbers of batches that are tried.
std::vector<std::size_t> convergenceCounts(std::size_t batches);

/// What is converted and run for each number of batches, before it is; from the pipeline that made the snapshot.
using CalibratedStages = std::vector<std::shared_ptr<const CalibratedStage>>;

/// The snapshot has its converted stage; `stages` are its pipeline's calibratedAfter(convergenceCounts()). onPoint is
/// called on the calling thread after each.
Result<OutputConvergence> outputConvergence(
    const Snapshot& snapshot, const CalibratedStages& stages, const SensitivityData& data,
    const JobContext& context, const std::function<void(const OutputConvergence&)>& onPoint = {});

} // namespace pt2e
