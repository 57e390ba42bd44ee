// Distances between two tensors. All sums in double.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

namespace pt2e {

struct TensorError
{
    double sqnrDb = 0; ///< 20·log10(‖reference‖ / ‖reference − actual‖); +inf when equal
    double cosine = 1; ///< cosine similarity; 1 when both are zero
    double mse = 0;
    double maxAbs = 0;
    double meanError = 0; ///< mean(actual − reference)
    std::int64_t count = 0; ///< elements compared
    std::int64_t nonFinite = 0; ///< elements left out because either side is NaN or inf
};

/// The signal is the reference. (torchao's compute_sqnr takes the quantized tensor as signal; the header of each
/// table says which is shown.) Shapes must be equal.
Result<TensorError> compareTensors(const Tensor& reference, const Tensor& actual);

} // namespace pt2e
