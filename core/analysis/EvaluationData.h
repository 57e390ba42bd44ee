// Data to judge a quantized model with, where the user gave none.
#pragma once

#include "core/pipeline/Model.h"
#include "core/pipeline/Recipe.h"

namespace pt2e {

/// Batches that calibration did not see, if there are any: `count` random ones that go on in the
/// calibration's random stream, or those of the calibration file behind the calibrated ones. Else the
/// calibration's own. The description says which.
Result<Batches> evaluationBatches(const Model& model, const CalibrationChoice& calibration,
                                  std::int64_t count = 2);

} // namespace pt2e
