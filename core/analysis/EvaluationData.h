// Data to judge a quantized model with, where the user gave none.
#pragma once

#include "core/data/DataSet.h"
#include "core/pipeline/Model.h"
#include "core/pipeline/Recipe.h"

namespace pt2e {

/// Batches that calibration did not see, if there are any: `count` random ones that go on in the
/// calibration's random stream, or those of the calibration file behind the calibrated ones. Else the
/// calibration's own. The description says which.
Result<Batches> evaluationBatches(const Model& model, const CalibrationChoice& calibration,
                                  std::int64_t count = 2);

/// The first so many samples of the data that come with a model are judged on where nothing else is said.
inline constexpr std::int64_t kOwnSamples = 1000;
/// Where the model has data of its own and they are installed: the first `samples` of them (0: all) with their labels.
/// Else evaluationBatches. The model must live as long as the data.
Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                std::int64_t samples = kOwnSamples);

} // namespace pt2e
