#include "core/analysis/SensitivityScore.h"

#include "core/metrics/Classification.h"

#include <cmath>
#include <limits>
#include <map>

namespace pt2e {

namespace {

/// Predictions counted over the batches.
class Predictions
{
public:
    explicit Predictions(const std::vector<std::int64_t>& labels) : m_labels(labels) {}

    void add(const Values& floats, const Values& actual, const DataBatch& batch)
    {
        const auto rows = static_cast<std::int64_t>(batch.samples.size());
        const auto expected = classesOf(floats, rows);
        const auto got = classesOf(actual, rows);
        if (!expected || !got || rows == 0) {
            m_isKnown = false;
            return;
        }
        for (std::size_t i = 0; i < expected->size(); ++i) {
            const auto sample = static_cast<std::size_t>(batch.samples[i]);
            ++m_samples;
            m_agreeing += (*expected)[i] == (*got)[i] ? 1 : 0;
            if (sample < m_labels.size())
                m_right += m_labels[sample] == (*got)[i] ? 1 : 0;
        }
    }
    void into(SensitivityScore& score) const
    {
        if (!m_isKnown || m_samples == 0)
            return;
        const auto all = static_cast<double>(m_samples);
        score.agreement = static_cast<double>(m_agreeing) / all;
        if (!m_labels.empty())
            score.accuracy = static_cast<double>(m_right) / all;
    }

private:
    static Result<std::vector<std::int64_t>> classesOf(const Values& outputs, std::int64_t rows)
    {
        const Tensor* scores = outputs.empty() ? nullptr : outputs.front().tensor();
        if (!scores)
            return badInput("", "no tensor");
        return predictedClasses(*scores, rows);
    }

    const std::vector<std::int64_t>& m_labels;
    bool m_isKnown = true;
    std::int64_t m_samples = 0, m_agreeing = 0, m_right = 0;
};

} // namespace

const char* metricName(SensitivityMetric metric)
{
    switch (metric) {
    case SensitivityMetric::Sqnr: return "sqnr";
    case SensitivityMetric::Cosine: return "cosine";
    case SensitivityMetric::Mse: return "mse";
    case SensitivityMetric::Agreement: return "agreement";
    case SensitivityMetric::Accuracy: break;
    }
    return "accuracy";
}

std::optional<SensitivityMetric> metricFromName(const std::string& name)
{
    for (const SensitivityMetric metric : kSensitivityMetrics) {
        if (name == metricName(metric))
            return metric;
    }
    return std::nullopt;
}

std::optional<double> valueOf(const SensitivityScore& score, SensitivityMetric metric)
{
    switch (metric) {
    case SensitivityMetric::Sqnr: return score.output.sqnrDb;
    case SensitivityMetric::Cosine: return score.output.cosine;
    case SensitivityMetric::Mse: return score.output.mse;
    case SensitivityMetric::Agreement: return score.agreement;
    case SensitivityMetric::Accuracy: break;
    }
    return score.accuracy;
}

bool meets(double value, double target, SensitivityMetric metric)
{
    return metric == SensitivityMetric::Mse ? value <= target : value >= target;
}

bool isBetter(const SensitivityScore& a, const SensitivityScore& b, SensitivityMetric metric)
{
    const auto goodness = [&](const SensitivityScore& score) {
        const std::optional<double> value = valueOf(score, metric);
        if (!value || std::isnan(*value))
            return -std::numeric_limits<double>::infinity();
        return metric == SensitivityMetric::Mse ? -*value : *value;
    };
    const double x = goodness(a), y = goodness(b);
    return x != y ? x > y : a.output.sqnrDb > b.output.sqnrDb;
}

Result<SensitivityScore> Scorer::score(const std::vector<Values>& outputs) const
{
    std::map<std::size_t, RunningError> errors;
    Predictions predictions(m_labels);
    for (std::size_t batch = 0; batch < m_floats.size(); ++batch) {
        const Values& floats = m_floats[batch];
        const Values& actual = outputs.at(batch);
        const auto samples = static_cast<std::int64_t>(m_batches[batch].samples.size());
        for (std::size_t i = 0; i < std::min(floats.size(), actual.size()); ++i) {
            const Tensor* expected = floats[i].tensor();
            const Tensor* got = actual[i].tensor();
            if (expected && got && isFloatingPoint(expected->dtype()))
                PT2E_TRY(errors[i].add(*expected, *got, samples));
        }
        predictions.add(floats, actual, m_batches[batch]);
    }
    if (errors.empty())
        return badInput("sensitivity", "the model has no output of real numbers to judge by");
    SensitivityScore score;
    bool isFirst = true;
    for (const auto& [output, sums] : errors) {
        const TensorError error = sums.error();
        if (isFirst || error.sqnrDb < score.output.sqnrDb)
            score.output = error;
        isFirst = false;
    }
    predictions.into(score);
    return score;
}

} // namespace pt2e
