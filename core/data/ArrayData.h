// Batches in .npz and .npy files.
#pragma once

#include "core/data/DataSet.h"

#include <cstdint>

namespace pt2e {

/// Each file is a .npz with arrays b<batch>_i<input>, or a .npy whose first axis runs over the batches (interfaces.md); one
/// after another. hasNaN: whether values may be NaN. A file that cannot be opened is a problem of the data set; an error
/// if none can.
Result<std::unique_ptr<DataSet>> openArrays(const std::vector<std::string>& paths,
                                            const Graph& graph, std::int64_t samples, bool hasNaN);

} // namespace pt2e
