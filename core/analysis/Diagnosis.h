// Known illnesses of a quantized model: what is wrong where, the numbers that show it, and what mends it. Read from the
// stages and, where there is one, from a comparison; nothing is run for it.
#pragma once

#include "core/analysis/Compare.h"
#include "core/pipeline/Snapshot.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pt2e {

enum class DiagnosisKind : std::uint8_t {
    /// Weights quantized per tensor, of which one output channel is so much larger than most that those have few steps.
    OutlierChannel,
    /// A value is quantized although all that reads it clamps it (relu6 behind a convolution, which torchao's quantizer
    /// does not take together): its range is that of what is cut off.
    PreClamp,
    /// Values nearly all of one sign on a symmetric grid: half of its codes are not used.
    OneSided,
    /// Inputs of a cat (or of another operator) share their parameters, and one of them has so small a range that few
    /// codes are left for it.
    UnbalancedInputs,
    /// Ranges still grow with the last batches of calibration.
    FewBatches,
    /// An operator's own quantization moves the mean of a channel of its result; nothing behind it takes that back.
    BiasShift,
    /// Channels that are the same whatever comes in: weights that are all zero, or, in data that are not random, a ReLU that
    /// lets nothing through.
    DeadChannels,
    /// Calibration saw other values than the model was made for: than its example inputs, than the statistics its first
    /// batch norm kept of its training, or than the data it is judged on.
    Preprocessing
};
const char* diagnosisName(DiagnosisKind kind); ///< "outlier channel", …

struct Diagnosis
{
    DiagnosisKind kind;
    std::vector<NodeId> nodes; ///< of the annotated and prepared graphs; the operator first
    std::string name; ///< of the operator
    const char* evidence; ///< a sentence with %1 for:
    std::string numbers;
    double severity = 0; ///< how many times worse than well; sorts
    const char* mend; ///< what its edits do; what would mend it where the recipe cannot
    std::vector<Edit> edits = {}; ///< on top of the recipe
    std::optional<CalibrationChoice> calibration = {}; ///< instead of the recipe's

    /// Whether the recipe can mend it.
    bool isMendable() const { return !edits.empty() || calibration.has_value(); }
};

/// The recipe with the edits made, or with the other calibration.
Recipe mendedRecipe(Recipe recipe, const Diagnosis& diagnosis);

/// One outlier channel has so many times the largest weight of the median channel: that one is left with 8 steps.
inline constexpr double kOutlierRatio = 16;
/// So large a share of the range is cut off behind.
inline constexpr double kClampedShare = 0.25;
/// The smaller side has less than this of the larger one.
inline constexpr double kOneSidedShare = 0.25;
/// An input uses less than this share of the codes: 5 bits of 8.
inline constexpr double kFewCodesShare = 0.125;
/// The second half of the batches makes a range so much wider; and so large a share of the ranges does that.
inline constexpr double kMovingRange = 0.25;
inline constexpr double kMovingShare = 0.5;
/// The mean of a channel moves by so much of its standard deviation.
inline constexpr double kBiasShift = 0.25;
/// A channel is dead if its weights, or its values, cover no more than this share of the whole tensor's.
inline constexpr double kDeadShare = 1e-6;
/// Spread of the calibration data against what is expected, and the distance of the means in units of the larger spread.
inline constexpr double kSpreadRatio = 4;
inline constexpr double kMeanShift = 2;

/// The worst first. Empty as long as the snapshot is not calibrated. report: of this snapshot's converted stage, for what
/// can be seen only in runs; may be null, and one of another stage counts for nothing.
std::vector<Diagnosis> diagnose(const Snapshot& snapshot, const CompareReport* report = nullptr);

} // namespace pt2e
