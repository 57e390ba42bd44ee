#include "core/metrics/Classification.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace pt2e {

namespace {

constexpr double kZ = 1.959963984540054; ///< 0.975 quantile of the normal distribution

} // namespace

Result<std::vector<std::int64_t>> predictedClasses(const Tensor& logits, std::int64_t rows)
{
    const std::vector<std::int64_t>& shape = logits.shape();
    const bool isRows =
        shape.size() >= 2 && shape[0] >= rows && shape[1] > 0
        && std::all_of(shape.begin() + 2, shape.end(), [](std::int64_t size) { return size == 1; });
    if (!isRows)
        return badInput("", fmt::format("an output of shape {} has no row of class scores for each "
                                        "of {} samples",
                                        shapeText(logits.meta().shape), rows));
    PT2E_ASSIGN(const std::vector<double> values, logits.toDoubles());
    std::vector<std::int64_t> classes;
    for (std::int64_t row = 0; row < rows; ++row) {
        const auto first = values.begin() + row * shape[1];
        const auto last = first + shape[1];
        const bool hasNaN =
            std::any_of(first, last, [](double value) { return std::isnan(value); });
        classes.push_back(hasNaN ? -1 : std::max_element(first, last) - first);
    }
    return classes;
}

Proportion wilson(std::int64_t right, std::int64_t all)
{
    Proportion result{right, all, 0, 0, 1};
    if (all <= 0)
        return result;
    const auto n = static_cast<double>(all);
    const double p = static_cast<double>(right) / n;
    const double square = kZ * kZ;
    const double middle = p + square / (2 * n);
    const double half = kZ * std::sqrt(p * (1 - p) / n + square / (4 * n * n));
    result.share = p;
    result.low = std::max(0.0, (middle - half) / (1 + square / n));
    result.high = std::min(1.0, (middle + half) / (1 + square / n));
    return result;
}

namespace {

/// 2·P(X ≤ min(broken, fixed)) for X ~ Binomial(broken + fixed, ½), at most 1.
double mcNemar(std::int64_t broken, std::int64_t fixed)
{
    const std::int64_t n = broken + fixed;
    const auto logOfChoose = [n](std::int64_t k) {
        return std::lgamma(static_cast<double>(n) + 1) - std::lgamma(static_cast<double>(k) + 1)
               - std::lgamma(static_cast<double>(n - k) + 1);
    };
    double sum = 0;
    for (std::int64_t k = 0; k <= std::min(broken, fixed); ++k)
        sum += std::exp(logOfChoose(k) - static_cast<double>(n) * std::log(2.0));
    return std::min(1.0, 2 * sum);
}

} // namespace

PairedDifference pairedDifference(std::int64_t broken, std::int64_t fixed, std::int64_t all)
{
    PairedDifference result{broken, fixed, all, 0, -1, 1, mcNemar(broken, fixed)};
    if (all <= 0)
        return result;
    const auto n = static_cast<double>(all);
    result.difference = static_cast<double>(fixed - broken) / n;
    const double up = (static_cast<double>(fixed) + 1) / (n + 2);
    const double down = (static_cast<double>(broken) + 1) / (n + 2);
    const double half = kZ * std::sqrt((up + down - (up - down) * (up - down)) / (n + 2));
    result.low = std::max(-1.0, up - down - half);
    result.high = std::min(1.0, up - down + half);
    return result;
}

Confusion confusion(const std::vector<std::int64_t>& labels,
                    const std::vector<std::int64_t>& predicted, std::int64_t classes)
{
    Confusion result;
    result.counts.assign(static_cast<std::size_t>(classes),
                         std::vector<std::int64_t>(static_cast<std::size_t>(classes)));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        const bool isInside =
            labels[i] >= 0 && labels[i] < classes && predicted[i] >= 0 && predicted[i] < classes;
        if (isInside)
            ++result.counts[static_cast<std::size_t>(labels[i])]
                           [static_cast<std::size_t>(predicted[i])];
        else
            ++result.leftOut;
    }
    return result;
}

} // namespace pt2e
