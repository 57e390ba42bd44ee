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

const char* plural(std::size_t count) { return count == 1 ? "batch" : "batches"; }

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
    const char* kind = calibration.source == Source::Random ? "random " : "";
    return tail(all, seen.batches.size(), fresh,
                fmt::format("{} {}{} after the {} of calibration{}", fresh, kind, plural(fresh),
                            seen.batches.size(),
                            calibration.source == Source::File ? " in " + calibration.path : ""));
}

Result<std::unique_ptr<DataSet>> evaluationData(const Model& model,
                                                const CalibrationChoice& calibration,
                                                std::int64_t samples)
{
    if (!model.data || !model.data->isInstalled()) {
        PT2E_ASSIGN(Batches batches, evaluationBatches(model, calibration));
        return dataOf(std::move(batches));
    }
    PT2E_ASSIGN(auto data, openData({model.data->evaluation, calibration.format, samples, false},
                                    *model.exported));
    PT2E_TRY(data->readLabels(model.data->labels));
    data->setClassNames(model.data->classNames);
    return data;
}

} // namespace pt2e
