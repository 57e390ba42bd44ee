// How much of what the model computes during calibration is kept for later edits.
#pragma once

#include <cstdint>

namespace pt2e {

struct ActivationLimits
{
    std::uint64_t memory = 0; ///< bytes
    std::uint64_t file = 0; ///< bytes of a temporary file, for what finds no room in memory

    /// Memory: a quarter of the RAM, at most 4 GiB. File: 16 GiB.
    static ActivationLimits defaults();
    /// Keeps nothing: takes a fraction of the memory and is faster; for a pipeline that runs once.
    static ActivationLimits none() { return {}; }
    friend bool operator==(const ActivationLimits&, const ActivationLimits&) = default;
};

} // namespace pt2e
