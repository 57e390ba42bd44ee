// Data to judge a quantized model with, where the user gave none.
#pragma once

#include "core/data/DataSet.h"
#include "core/pipeline/EvaluationChoice.h"
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
/// Else so many evaluationBatches. The model must live as long as the data.
Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                std::int64_t samples = kOwnSamples,
                                                std::int64_t batches = 2);
/// The same on the user's choice. An error if it cannot be opened, or if its labels do not go with it.
Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                const EvaluationChoice& choice,
                                                std::int64_t samples = kOwnSamples,
                                                std::int64_t batches = 2);

/// One sample of a data set, as the model takes it.
class SampleReader
{
public:
    /// The data set keeps a reference to the model's graph.
    SampleReader(ModelPtr model, std::shared_ptr<const DataSet> data);
    const DataSet& data() const { return *m_data; }
    /// Its row of the first tensor input. One thread at a time; the batch read last is kept.
    Result<Tensor> read(std::int64_t sample);

private:
    ModelPtr m_model;
    std::shared_ptr<const DataSet> m_data;
    std::int64_t m_batchNumber = -1;
    DataBatch m_batch;
};

} // namespace pt2e
