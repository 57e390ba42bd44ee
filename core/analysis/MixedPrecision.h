// Which groups have to stay float so that the model is good enough.
//
// Greedy: everything is quantized at first; then, one by one, the group that takes away most of the noise at the outputs
// is set to float, until the target holds; then each of them is tried quantized again. What a group takes away is
// measured anew as others have been set to float, but only for those that may be the best: noise powers nearly add up, so
// an older figure is a good guess, and one that is beaten by a fresh figure need not be renewed.
#pragma once

#include "core/analysis/Sensitivity.h"

#include <functional>
#include <string>
#include <vector>

namespace pt2e {

struct MixedPrecisionGoal
{
    SensitivityMetric metric = SensitivityMetric::Sqnr;
    double target = 0; ///< in the metric's unit; the mean squared error is to be no larger
};

/// One set of float groups that was scored, and what it leaves in float.
struct ParetoPoint
{
    std::vector<std::size_t> floatGroups; ///< numbers, in the order they were chosen
    SensitivityScore score;
    double floatMacs =
        0; ///< share of the multiply-accumulates whose values or weights are not quantized
    double floatWeightBytes =
        0; ///< share of the bytes of the weights that everything quantized stores in int8
};

struct MixedPrecisionReport
{
    MixedPrecisionGoal goal;
    SensitivityScore floats; ///< the float model itself
    std::vector<ParetoPoint>
        path; ///< from everything quantized on, each step one group more or less
    ParetoPoint result; ///< the last of them that matters
    bool isMet = false;
    std::vector<Edit> edits; ///< on top of the recipe: empty if nothing has to be float
};

/// onStep (may be empty) is called on the calling thread after each step of the path. Scores come from the store where
/// it has them. Not met: the result is all that could be done. An error if the data give no value for the metric.
Result<MixedPrecisionReport> findMixedPrecision(
    Sensitivity& sensitivity, const MixedPrecisionGoal& goal, SensitivityStore& store,
    const JobContext& context, const std::function<void(const MixedPrecisionReport&)>& onStep = {});

/// What a set leaves in float; index of isOn: group.
ParetoPoint costOf(const Sensitivity& sensitivity, const std::vector<bool>& isOn);

} // namespace pt2e
