// A DataFormat in a recipe.
#pragma once

#include "core/data/DataFormat.h"
#include "core/pipeline/JsonPlace.h"

#include <string>

namespace pt2e::json {

/// {"mean": [0.5], "std": [0.25], "resize": 256, "raw_shape": [1, 28, 28], "raw_dtype": "uint8", "batch_size": 32}; what
/// is at its default is left out.
std::string dataFormat(const DataFormat& format);
/// Unknown keys are errors with their place.
Result<void> readDataFormat(const Place& place, DataFormat& format);

} // namespace pt2e::json
