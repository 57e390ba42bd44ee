// Labelled data: accuracy, and whether two runs differ by more than chance.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <vector>

namespace pt2e {

/// Where the largest of each row stands: torch.argmax(logits, 1), the first of equal ones; −1 where a row has a NaN.
/// rows: so many of the first axis. The tensor has two axes of size > 0 (further ones of size 1 do not matter).
Result<std::vector<std::int64_t>> predictedClasses(const Tensor& logits, std::int64_t rows);

struct Proportion
{
    std::int64_t right = 0;
    std::int64_t all = 0;
    double share = 0; ///< right / all
    double low = 0; ///< 95 % interval by Wilson's score
    double high = 0;
};
/// With z = 1.96 (the 0.975 quantile): (p + z²/2n ± z·√(p(1−p)/n + z²/4n²)) / (1 + z²/n).
Proportion wilson(std::int64_t right, std::int64_t all);

/// Two runs on the same samples.
struct PairedDifference
{
    std::int64_t broken = 0; ///< right before, wrong after
    std::int64_t fixed = 0; ///< wrong before, right after
    std::int64_t all = 0;
    double difference = 0; ///< of the accuracies: (fixed − broken) / all
    double low =
        0; ///< 95 % interval by Bonett and Price: Wald's with one added to `fixed` and to `broken`, two to `all`
    double high = 0;
    double p =
        1; ///< McNemar's exact test: how likely a difference of this size is if neither run is better
};
PairedDifference pairedDifference(std::int64_t broken, std::int64_t fixed, std::int64_t all);

/// counts[label][predicted] for classes 0 … classes − 1; samples outside (a NaN, a label without an output) are left out.
struct Confusion
{
    std::vector<std::vector<std::int64_t>> counts;
    std::int64_t leftOut = 0;
};
Confusion confusion(const std::vector<std::int64_t>& labels,
                    const std::vector<std::int64_t>& predicted, std::int64_t classes);

} // namespace pt2e
