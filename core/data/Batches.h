// Calibration and evaluation data: batches of flat inputs.
#pragma once

#include "core/base/Result.h"
#include "core/ir/Graph.h"
#include "core/kernels/Value.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pt2e {

struct Batches
{
    std::string description; ///< "8 random batches", "calib.npz"
    std::vector<Values> batches; ///< per batch one value per placeholder
    std::string hash; ///< sha256 over all bytes, shapes and dtypes, so a run can be repeated
};

/// b<batch>_i<input> arrays of an .npz, or one .npy whose first axis runs over the batches (interfaces.md).
/// The error names file and array; shapes and dtypes are checked against the graph's placeholders.
Result<Batches> readBatches(const std::string& path, const Graph& graph, std::int64_t limit = -1);
/// randn of each float input's shape from manual_seed(seed); integer inputs are an error that says what to give.
Result<Batches> randomBatches(const Graph& graph, std::int64_t count, std::uint64_t seed);
/// Writes b<batch>_o<output> arrays, stored, atomically.
Result<void> writeOutputs(const std::string& path, const std::vector<Values>& outputs);

} // namespace pt2e
