#include "core/metrics/Metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pt2e {

namespace {

double ratioInDecibel(double signal, double noise)
{
    if (noise == 0)
        return std::numeric_limits<double>::infinity();
    if (signal == 0)
        return -std::numeric_limits<double>::infinity();
    // From the squared norms: 20·log10(√a / √b) = 10·log10(a / b), taken apart so that the quotient cannot overflow.
    return 10 * (std::log10(signal) - std::log10(noise));
}

} // namespace

void ErrorSums::add(double reference, double actual)
{
    if (!std::isfinite(reference) || !std::isfinite(actual)) {
        ++nonFinite;
        return;
    }
    const double difference = actual - reference;
    signal += reference * reference;
    other += actual * actual;
    product += reference * actual;
    noise += difference * difference;
    error += difference;
    maxAbs = std::max(maxAbs, std::abs(difference));
    ++count;
}

ErrorSums& ErrorSums::operator+=(const ErrorSums& more)
{
    signal += more.signal;
    other += more.other;
    product += more.product;
    noise += more.noise;
    error += more.error;
    maxAbs = std::max(maxAbs, more.maxAbs);
    count += more.count;
    nonFinite += more.nonFinite;
    return *this;
}

double ErrorSums::sqnrDb() const { return ratioInDecibel(signal, noise); }

double ErrorSums::cosine() const
{
    if (signal == 0 || other == 0)
        return signal == other ? 1 : 0;
    return std::clamp(product / (std::sqrt(signal) * std::sqrt(other)), -1.0, 1.0);
}

std::size_t elementsOf(const Tensor& tensor, std::int64_t samples)
{
    const auto all = static_cast<std::size_t>(tensor.elementCount());
    if (samples <= 0 || tensor.shape().empty() || tensor.shape().front() <= samples)
        return all;
    return all / static_cast<std::size_t>(tensor.shape().front())
           * static_cast<std::size_t>(samples);
}

Result<void> RunningError::add(const Tensor& reference, const Tensor& actual, std::int64_t samples)
{
    if (!reference.isValid() || !actual.isValid())
        return badInput("", "one of the tensors has no value");
    if (reference.shape() != actual.shape())
        return badInput("",
                        fmt::format("shapes differ: {} and {}", shapeText(reference.meta().shape),
                                    shapeText(actual.meta().shape)));
    PT2E_ASSIGN(const std::vector<double> wanted, reference.toDoubles());
    PT2E_ASSIGN(const std::vector<double> got, actual.toDoubles());
    const bool hasRows =
        samples > 0 && !reference.shape().empty() && reference.shape().front() >= samples;
    const std::int64_t rows = hasRows ? samples : 1;
    const std::size_t size =
        hasRows ? wanted.size() / static_cast<std::size_t>(reference.shape().front())
                : wanted.size();
    ErrorSums batch;
    for (std::int64_t row = 0; row < rows; ++row) {
        ErrorSums sample;
        const std::size_t first = static_cast<std::size_t>(row) * size;
        for (std::size_t i = first; i < first + size; ++i)
            sample.add(wanted[i], got[i]);
        m_cosines += sample.cosine();
        batch += sample;
    }
    m_samples += rows;
    m_worstDb = m_batches == 0 ? batch.sqnrDb() : std::min(m_worstDb, batch.sqnrDb());
    ++m_batches;
    m_sums += batch;
    return {};
}

TensorError RunningError::error() const
{
    TensorError error;
    error.sqnrDb = m_sums.sqnrDb();
    error.worstDb = m_batches == 0 ? error.sqnrDb : m_worstDb;
    error.cosine = m_samples == 0 ? 1 : m_cosines / static_cast<double>(m_samples);
    error.maxAbs = m_sums.maxAbs;
    error.count = m_sums.count;
    error.nonFinite = m_sums.nonFinite;
    if (error.count > 0) {
        error.mse = m_sums.noise / static_cast<double>(error.count);
        error.meanError = m_sums.error / static_cast<double>(error.count);
    }
    return error;
}

Result<TensorError> compareTensors(const Tensor& reference, const Tensor& actual)
{
    RunningError running;
    PT2E_TRY(running.add(reference, actual));
    return running.error();
}

} // namespace pt2e
