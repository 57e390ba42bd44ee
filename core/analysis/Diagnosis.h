// Known illnesses of a quantized model: what is wrong where, the numbers that show it, and the edits that mend it. Read
// from the stages alone; nothing is run.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <cstdint>
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
    OneSided
};
const char* diagnosisName(DiagnosisKind kind); ///< "outlier channel", …
const char* diagnosisMend(DiagnosisKind kind); ///< what its edits do

struct Diagnosis
{
    DiagnosisKind kind;
    std::vector<NodeId> nodes; ///< of the annotated and prepared graphs; the operator first
    std::string name; ///< of the operator
    const char* evidence; ///< a sentence with %1 for:
    std::string numbers;
    double severity = 0; ///< how many times worse than well; sorts
    std::vector<Edit> edits; ///< on top of the recipe
};

/// One outlier channel has so many times the largest weight of the median channel: that one is left with 8 steps.
inline constexpr double kOutlierRatio = 16;
/// So large a share of the range is cut off behind.
inline constexpr double kClampedShare = 0.25;
/// The smaller side has less than this of the larger one.
inline constexpr double kOneSidedShare = 0.25;

/// The worst first. Empty as long as the snapshot is not calibrated.
std::vector<Diagnosis> diagnose(const Snapshot& snapshot);

} // namespace pt2e
