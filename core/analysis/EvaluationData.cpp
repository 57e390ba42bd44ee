#include "core/analysis/EvaluationData.h"

#include "core/pipeline/Pipeline.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e {

namespace {

/// The batches from `first` on, at most `count`.
Result<Batches> tail(const Batches& all, std::size_t first, std::size_t count,
                     std::string description)
{
    Batches part;
    const std::size_t end = std::min(all.batches.size(), first + count);
    part.batches.assign(all.batches.begin() + static_cast<std::ptrdiff_t>(first),
                        all.batches.begin() + static_cast<std::ptrdiff_t>(end));
    part.description = std::move(description);
    PT2E_TRY(hashBatches(part));
    return part;
}

std::string descriptionOf(std::size_t fresh, std::size_t seen, const CalibrationChoice& calibration)
{
    if (calibration.source == CalibrationChoice::Source::File)
        return fresh == 1 ? fmt::format("1 batch after the {} of calibration in {}", seen,
                                        calibration.path)
                          : fmt::format("{} batches after the {} of calibration in {}", fresh, seen,
                                        calibration.path);
    return fresh == 1 ? fmt::format("1 random batch after the {} of calibration", seen)
                      : fmt::format("{} random batches after the {} of calibration", fresh, seen);
}

} // namespace

Result<Batches> evaluationBatches(const Model& model, const CalibrationChoice& calibration,
                                  std::int64_t count)
{
    using Source = CalibrationChoice::Source;
    const auto wanted = static_cast<std::size_t>(std::max<std::int64_t>(count, 1));
    if (calibration.source == Source::Examples) {
        PT2E_ASSIGN(Batches same, loadBatches(model, calibration));
        same.description += ", which calibration saw too";
        return same;
    }
    // Calibration's batches come first in both other sources.
    PT2E_ASSIGN(const Batches seen, loadBatches(model, calibration));
    CalibrationChoice more = calibration;
    more.batches = static_cast<std::int64_t>(seen.batches.size() + wanted);
    PT2E_ASSIGN(const Batches all, loadBatches(model, more));
    const std::size_t fresh = all.batches.size() - seen.batches.size();
    if (fresh == 0) {
        Batches same = seen;
        same.description += ", which calibration saw too";
        return same;
    }
    return tail(all, seen.batches.size(), fresh,
                descriptionOf(fresh, seen.batches.size(), calibration));
}

Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                std::int64_t samples, std::int64_t batchCount)
{
    if (!model.data || !model.data->isInstalled()) {
        PT2E_ASSIGN(Batches batches, evaluationBatches(model, calibration, batchCount));
        return dataOf(std::move(batches));
    }
    PT2E_ASSIGN(auto data, openData({model.data->evaluation, calibration.format, samples, false},
                                    *model.exported));
    PT2E_TRY(data->readLabels(model.data->labels));
    data->setClassNames(model.data->classNames);
    return data;
}

Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                const EvaluationChoice& choice,
                                                std::int64_t samples, std::int64_t batches)
{
    if (choice.path.empty()) {
        if (!choice.labels.empty())
            return badInput(choice.labels, "labels need the data that they belong to");
        return evaluationData(model, calibration, samples, batches);
    }
    PT2E_ASSIGN(auto data, openData({choice.path, choice.format, samples, false}, *model.exported));
    if (!choice.labels.empty())
        PT2E_TRY(data->readLabels(choice.labels));
    return data;
}

SampleReader::SampleReader(ModelPtr model, std::shared_ptr<const DataSet> data)
    : m_model(std::move(model)),
      m_data(std::move(data))
{}

Result<Tensor> SampleReader::read(std::int64_t sample)
{
    if (sample < 0 || sample >= m_data->sampleCount())
        return badInput(m_data->description(), fmt::format("there is no sample {}", sample));
    const std::int64_t number = m_data->batchOf(sample);
    if (number != m_batchNumber) {
        PT2E_ASSIGN(m_batch, m_data->read(number));
        m_batchNumber = number;
    }
    const auto row = std::find(m_batch.samples.begin(), m_batch.samples.end(), sample);
    const auto first = std::find_if(m_batch.inputs.begin(), m_batch.inputs.end(),
                                    [](const Value& value) { return value.tensor() != nullptr; });
    if (row == m_batch.samples.end() || first == m_batch.inputs.end())
        return badInput(m_data->description(), fmt::format("sample {} was left out", sample));
    const Tensor& all = *first->tensor();
    if (all.shape().empty())
        return all;
    const std::vector<std::int64_t> shape(all.shape().begin() + 1, all.shape().end());
    return Tensor(all.storage(), all.dtype(), shape,
                  {all.strides().begin() + 1, all.strides().end()},
                  all.offset() + (row - m_batch.samples.begin()) * all.strides().front());
}

} // namespace pt2e
