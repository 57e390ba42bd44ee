// Distances between two tensors. All sums in double.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

namespace pt2e {

struct TensorError
{
    double sqnrDb = 0; ///< 20·log10(‖reference‖ / ‖reference − actual‖); +inf when equal
    double worstDb = 0; ///< the smallest sqnrDb of the batches
    double cosine = 1; ///< cosine similarity, the mean over the samples; 1 when both are zero
    double mse = 0;
    double maxAbs = 0;
    double meanError = 0; ///< mean(actual − reference)
    std::int64_t count = 0; ///< elements compared
    std::int64_t nonFinite = 0; ///< elements left out because either side is NaN or inf
};

/// The signal is the reference. (torchao's compute_sqnr takes the quantized tensor as signal; the header of each
/// table says which is shown.) Shapes must be equal. The whole tensor counts as one sample.
Result<TensorError> compareTensors(const Tensor& reference, const Tensor& actual);

/// Sums over the pairs where both sides are finite.
struct ErrorSums
{
    double signal = 0; ///< Σ reference²
    double other = 0; ///< Σ actual²
    double product = 0; ///< Σ reference·actual
    double noise = 0; ///< Σ (actual − reference)²
    double error = 0; ///< Σ (actual − reference)
    double maxAbs = 0;
    std::int64_t count = 0;
    std::int64_t nonFinite = 0;

    void add(double reference, double actual);
    ErrorSums& operator+=(const ErrorSums& more);
    double sqnrDb() const;
    double cosine() const;
};

/// Elements in the first `samples` rows of the first axis; all of them where there are no more rows, or for 0.
std::size_t elementsOf(const Tensor& tensor, std::int64_t samples);

/// The same over many batches, added one by one.
class RunningError
{
public:
    /// samples: so many rows of the first axis are samples of their own, what is behind them does not count; 0: the
    /// tensor is one sample. Shapes must be equal.
    Result<void> add(const Tensor& reference, const Tensor& actual, std::int64_t samples = 0);
    TensorError error() const;

private:
    ErrorSums m_sums;
    double m_worstDb = 0;
    double m_cosines = 0;
    std::int64_t m_batches = 0;
    std::int64_t m_samples = 0;
};

} // namespace pt2e
