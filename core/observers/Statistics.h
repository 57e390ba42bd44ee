// What observers compute over the elements of a tensor. Exactly defined, so done here and not through ATen:
// smallest and largest value do not depend on the order, bin counts neither.
#pragma once

#include "core/base/Result.h"
#include "core/tensor/Tensor.h"

#include <optional>
#include <span>
#include <vector>

namespace pt2e {

/// A tensor's elements in row-major order as float32: the tensor's own memory where it can be.
class FloatView
{
public:
    static Result<FloatView> of(const Tensor& tensor);
    std::span<const float> values() const { return m_values; }

private:
    Tensor m_contiguous; ///< keeps the memory alive
    std::vector<float> m_converted; ///< of another dtype
    std::span<const float> m_values;
};

struct MinMaxPair
{
    float min = 0;
    float max = 0;
};

/// torch.aminmax; NaN in both if there is any NaN. The span is not empty.
MinMaxPair minMaxOf(std::span<const float> values);

/// torch.histc(values, bins, low, high) of float32, counts up to 2^24 as float32 addition of ones has them.
/// low == high stands for [low - 1, high + 1]; values outside are skipped. Fails for a range that is not finite.
Result<std::vector<float>> histc(std::span<const float> values, std::int64_t bins, float low,
                                 float high);

} // namespace pt2e
