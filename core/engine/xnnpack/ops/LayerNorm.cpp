// aten.layer_norm in float, a kernel of ours: XNNPACK has none, composed of its operators it passes
// over the values seven times, and a call of LibTorch costs more than the norm itself.
#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/OwnKernel.h"

#include <array>
#include <cmath>

namespace pt2e::xnn {

namespace {

enum Argument : std::size_t { kInput, kShape, kWeight, kBias, kEpsilon };

constexpr std::size_t kLanes = 16;
using Lanes = std::array<float, kLanes>;

struct Norm
{
    std::size_t width = 0; ///< elements that are normalized together
    std::vector<float> weight; ///< as many; ones where there is none
    std::vector<float> bias;
    double epsilon = 0;
};

[[gnu::always_inline]] inline float sumOf(Lanes lanes)
{
    for (std::size_t k = 0; k < 8; ++k)
        lanes[k] += lanes[k + 8];
    for (std::size_t k = 0; k < 4; ++k)
        lanes[k] += lanes[k + 4];
    return (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
}

/// torch.nn.functional.layer_norm: (x - mean) / sqrt(variance + eps) · weight + bias, the variance
/// without Bessel's correction. x and y are not the same memory.
[[gnu::always_inline]] inline void normalizeRow(const Norm& norm, const float* __restrict x,
                                                float* __restrict y)
{
    const std::size_t width = norm.width;
    const std::size_t whole = width / kLanes * kLanes;
    const auto count = static_cast<float>(width);
    Lanes sums{};
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k)
            sums[k] += x[i + k];
    }
    for (std::size_t i = whole; i < width; ++i)
        sums[i - whole] += x[i];
    const float mean = sumOf(sums) / count;
    Lanes squares{};
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k)
            squares[k] += (x[i + k] - mean) * (x[i + k] - mean);
    }
    for (std::size_t i = whole; i < width; ++i)
        squares[i - whole] += (x[i] - mean) * (x[i] - mean);
    const auto variance = static_cast<double>(sumOf(squares) / count);
    const auto factor = static_cast<float>(1 / std::sqrt(variance + norm.epsilon));
    const float* const __restrict weight = norm.weight.data();
    const float* const __restrict bias = norm.bias.data();
    for (std::size_t i = 0; i < whole; i += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k)
            y[i + k] = (x[i + k] - mean) * factor * weight[i + k] + bias[i + k];
    }
    for (std::size_t i = whole; i < width; ++i)
        y[i] = (x[i] - mean) * factor * weight[i] + bias[i];
}

void normalizeAny(const Norm& norm, const float* x, float* y, std::size_t rows)
{
    for (std::size_t row = 0; row < rows; ++row)
        normalizeRow(norm, x + row * norm.width, y + row * norm.width);
}

PT2E_XNN_AVX2 void normalizeAvx2(const Norm& norm, const float* x, float* y, std::size_t rows)
{
    for (std::size_t row = 0; row < rows; ++row)
        normalizeRow(norm, x + row * norm.width, y + row * norm.width);
}

class LayerNorm final : public OwnKernel
{
public:
    explicit LayerNorm(Norm norm) : m_norm(std::move(norm)) {}
    void run(std::span<const float> in, void* out, const ThreadPool& pool) const override
    {
        float* const to = static_cast<float*>(out);
        const auto normalize = hasAvx2() ? normalizeAvx2 : normalizeAny;
        pool.forParts(in.size() / m_norm.width, m_norm.width,
                      [&](std::size_t begin, std::size_t end) {
                          const std::size_t at = begin * m_norm.width;
                          normalize(m_norm, in.data() + at, to + at, end - begin);
                      });
    }

private:
    Norm m_norm;
};

Reason checkParameter(const Operand& operand, const Shape& shape, const char* name)
{
    if (operand.kind == Operand::Kind::None)
        return {};
    if (operand.kind != Operand::Kind::FloatConstant || operand.shape != shape)
        return std::string("its ") + name + " is not a constant of the normalized shape";
    return {};
}

Result<std::vector<float>> parameterOf(const OpCall& call, std::size_t i, std::size_t width,
                                       float missing)
{
    const Operand& operand = call.operand(i);
    if (operand.kind == Operand::Kind::None)
        return std::vector<float>(width, missing);
    ConvertedView::Floats floats = call.view->floats(operand);
    if (!floats.reason.empty())
        return badInput(call.node->name, floats.reason);
    return std::move(floats.values);
}

} // namespace

Decision decideLayerNorm(const OpCall& call)
{
    const Operand& input = call.operand(kInput);
    const auto shape = listOf(call.node->arg(kShape));
    if (!call.isActivation(input))
        return Decision::no("its input is not an activation");
    if (!shape || shape->empty() || shape->size() > input.shape.size()
        || !std::equal(shape->rbegin(), shape->rend(), input.shape.rbegin()))
        return Decision::no("its normalized shape is not that of the last axes");
    for (const auto& [i, name] : {std::pair{kWeight, "weight"}, {kBias, "bias"}}) {
        if (Reason reason = checkParameter(call.operand(i), *shape, name); !reason.empty())
            return Decision::no(std::move(reason));
    }
    if ((!call.node->arg(kEpsilon).isNone() && !numberOf(call.node->arg(kEpsilon)))
        || hasKeywords(*call.node))
        return Decision::no("its arguments are not fixed numbers");
    return Decision::yes("layer_norm f32 (own kernel)", DataLayout::Natural);
}

Result<std::shared_ptr<const OwnKernel>> makeLayerNorm(const OpCall& call)
{
    Norm norm;
    norm.width = static_cast<std::size_t>(elementCount(*listOf(call.node->arg(kShape))));
    norm.epsilon = numberOf(call.node->arg(kEpsilon)).value_or(1e-5);
    PT2E_ASSIGN(norm.weight, parameterOf(call, kWeight, norm.width, 1));
    PT2E_ASSIGN(norm.bias, parameterOf(call, kBias, norm.width, 0));
    return std::make_shared<LayerNorm>(std::move(norm));
}

} // namespace pt2e::xnn
