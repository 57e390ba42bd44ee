// What becomes of the predictions: labelled data through the three runs.
#pragma once

#include "core/base/Result.h"
#include "core/metrics/Classification.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pt2e {

/// The three runs, in the order they are listed.
enum class RunKind : std::uint8_t { Float, Simulated, Xnnpack };
inline constexpr std::size_t kRunKinds = 3;
const char* runName(RunKind run); ///< "float", "simulated", "XNNPACK"

/// Into which class each run puts a sample. Flipped: not all of them into the same.
struct Flip
{
    std::int64_t sample = 0; ///< number in the data, from 0
    std::int64_t label = 0;
    std::array<std::int64_t, kRunKinds> predicted{}; ///< −1: not a number
};

struct RunComparison
{
    RunKind run;
    RunKind with;
    std::int64_t agreeing = 0; ///< samples in the same class, right or wrong
    PairedDifference difference; ///< of the accuracies
};

struct Classified
{
    std::int64_t samples = 0;
    std::vector<std::string> classNames; ///< one per class; numbers where the data have no names
    std::array<Proportion, kRunKinds> accuracy;
    std::array<Confusion, kRunKinds> confusion;
    std::vector<RunComparison>
        comparisons; ///< simulated with float, XNNPACK with float, XNNPACK with simulated
    std::vector<Flip> flips; ///< in the order of the data
    std::vector<Flip> all; ///< every sample, flipped or not
};

class Classifier
{
public:
    Classifier(std::vector<std::int64_t> labels, std::vector<std::string> classNames);
    /// Scores of the three runs for these samples, row by row. An error where a tensor is no rows of class scores, or
    /// a label is none of its classes.
    Result<void> add(const std::vector<std::int64_t>& samples,
                     const std::array<const Tensor*, kRunKinds>& scores);
    Classified result() const;

private:
    std::vector<std::int64_t> m_labels;
    std::vector<std::string> m_classNames;
    std::int64_t m_classes = 0;
    std::vector<Flip> m_all; ///< every sample, flipped or not
};

} // namespace pt2e
