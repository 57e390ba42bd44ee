// How far a quantized model is from the float model, as one number or another.
#pragma once

#include "core/data/DataSet.h"
#include "core/metrics/Metrics.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pt2e {

struct SensitivityScore
{
    TensorError output; ///< signal: float; of the output with the lowest SQNR, over all batches
    /// Share of the samples put into the class that the float model puts them into; absent where the first output is
    /// no scores of classes.
    std::optional<double> agreement;
    std::optional<double> accuracy; ///< of labelled data
};

enum class SensitivityMetric : std::uint8_t { Sqnr, Cosine, Mse, Agreement, Accuracy };
inline constexpr std::array kSensitivityMetrics{
    SensitivityMetric::Sqnr, SensitivityMetric::Cosine, SensitivityMetric::Mse,
    SensitivityMetric::Agreement, SensitivityMetric::Accuracy};
const char* metricName(SensitivityMetric metric); ///< "sqnr", "cosine", …
std::optional<SensitivityMetric> metricFromName(const std::string& name);

/// In the metric's own unit: dB, 1, squared values, shares; nothing where the data do not give it.
std::optional<double> valueOf(const SensitivityScore& score, SensitivityMetric metric);
/// Whether a value is at least as good as the target: larger, or smaller for the mean squared error.
bool meets(double value, double target, SensitivityMetric metric);
/// Whether a is better than b under the metric; equal ones go by SQNR. What has no value is worst.
bool isBetter(const SensitivityScore& a, const SensitivityScore& b, SensitivityMetric metric);

/// Outputs held against those of the float model, batch by batch in order, so that sums do not depend on threads.
class Scorer
{
public:
    Scorer(std::vector<Values> floats, std::span<const DataBatch> batches,
           std::vector<std::int64_t> labels)
        : m_floats(std::move(floats)),
          m_batches(batches),
          m_labels(std::move(labels))
    {}
    /// One entry per batch. An error if an output has another shape than the float model's.
    Result<SensitivityScore> score(const std::vector<Values>& outputs) const;
    /// Of the float model itself: exact, and its accuracy.
    Result<SensitivityScore> floatScore() const { return score(m_floats); }

private:
    std::vector<Values> m_floats;
    std::span<const DataBatch> m_batches;
    std::vector<std::int64_t> m_labels;
};

} // namespace pt2e
