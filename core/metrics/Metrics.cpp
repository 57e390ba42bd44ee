#include "core/metrics/Metrics.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace pt2e {

namespace {

/// Sums over the pairs where both sides are finite.
struct Sums
{
    double signal = 0; ///< Σ reference²
    double other = 0; ///< Σ actual²
    double product = 0; ///< Σ reference·actual
    double noise = 0; ///< Σ (actual − reference)²
    double error = 0; ///< Σ (actual − reference)
};

double ratioInDecibel(double signal, double noise)
{
    if (noise == 0)
        return std::numeric_limits<double>::infinity();
    if (signal == 0)
        return -std::numeric_limits<double>::infinity();
    // From the squared norms: 20·log10(√a / √b) = 10·log10(a / b), taken apart so that the quotient cannot overflow.
    return 10 * (std::log10(signal) - std::log10(noise));
}

double cosineOf(const Sums& sums)
{
    if (sums.signal == 0 || sums.other == 0)
        return sums.signal == sums.other ? 1 : 0;
    return std::clamp(sums.product / (std::sqrt(sums.signal) * std::sqrt(sums.other)), -1.0, 1.0);
}

} // namespace

Result<TensorError> compareTensors(const Tensor& reference, const Tensor& actual)
{
    if (!reference.isValid() || !actual.isValid())
        return badInput("", "one of the tensors has no value");
    if (reference.shape() != actual.shape())
        return badInput("",
                        fmt::format("shapes differ: {} and {}", shapeText(reference.meta().shape),
                                    shapeText(actual.meta().shape)));
    PT2E_ASSIGN(const std::vector<double> wanted, reference.toDoubles());
    PT2E_ASSIGN(const std::vector<double> got, actual.toDoubles());
    TensorError error;
    Sums sums;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!std::isfinite(wanted[i]) || !std::isfinite(got[i])) {
            ++error.nonFinite;
            continue;
        }
        const double difference = got[i] - wanted[i];
        sums.signal += wanted[i] * wanted[i];
        sums.other += got[i] * got[i];
        sums.product += wanted[i] * got[i];
        sums.noise += difference * difference;
        sums.error += difference;
        error.maxAbs = std::max(error.maxAbs, std::abs(difference));
        ++error.count;
    }
    error.sqnrDb = ratioInDecibel(sums.signal, sums.noise);
    error.cosine = cosineOf(sums);
    if (error.count > 0) {
        error.mse = sums.noise / static_cast<double>(error.count);
        error.meanError = sums.error / static_cast<double>(error.count);
    }
    return error;
}

} // namespace pt2e
