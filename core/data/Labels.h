// Labels: which class each sample belongs to.
#pragma once

#include "core/base/Result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pt2e {

/// One class number a sample, from an IDX file (may be gzipped), a .npy file of integers, or text: a CSV file whose last
/// column is the class (0, 1, …), with or without a line of titles. Errors name file and line. Samples come in the order
/// of the data; for a folder of pictures that is the order of their paths.
Result<std::vector<std::int64_t>> readLabelFile(const std::string& path);

} // namespace pt2e
