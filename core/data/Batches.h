// Calibration and evaluation data: batches of flat inputs.
#pragma once

#include "core/base/Diagnostic.h"
#include "core/base/Result.h"
#include "core/ir/Graph.h"
#include "core/kernels/Kernels.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

struct Batches
{
    std::string description; ///< "8 random batches", "calib.npz"
    std::vector<Values> batches; ///< per batch one value per placeholder
    std::vector<std::string> hashes; ///< per batch: sha256 over its bytes, shapes and dtypes
    std::string hash; ///< sha256 over these, so that a run can be repeated
    Diagnostics problems; ///< what was bad in the data and left out
};

/// All batches of a file of arrays: b<batch>_i<input> of an .npz, or one .npy whose first axis runs over the batches
/// (interfaces.md). One that is bad is an error here; DataSet.h has other data, and leaves bad batches out.
/// The error names file and array; shapes and dtypes are checked against the graph's placeholders. A placeholder that
/// is a plain number in the graph needs no array. limit: read no more than so many batches; -1: all.
Result<Batches> readBatches(const std::string& path, const Graph& graph, std::int64_t limit = -1);
/// randn of each float input's shape from manual_seed(seed); integer inputs are an error that says what to give.
/// shapesFrom: example inputs whose shapes are taken instead of the graph's; needed where a size is a symbol.
Result<Batches> randomBatches(const Graph& graph, std::int64_t count, std::uint64_t seed,
                              const Values* shapesFrom = nullptr);
/// As randomBatches, going on in a stream that was used before (built-in models: interfaces.md).
Result<Batches> drawBatches(const Graph& graph, std::int64_t count, RandomStream& stream,
                            const Values* shapesFrom = nullptr);
/// Over all bytes, shapes and dtypes of one batch: what Batches::hashes holds.
Result<std::string> hashOf(const Values& batch);
std::string hashOfHashes(std::span<const std::string> hashes);
/// Fills hashes and hash.
Result<void> hashBatches(Batches& batches);
/// Writes b<batch>_o<output> arrays, stored, atomically. Numbers become arrays without dimensions; None is left out.
Result<void> writeOutputs(const std::string& path, const std::vector<Values>& outputs);

} // namespace pt2e
