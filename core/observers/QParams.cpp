// calculate_qparams(): UniformQuantizationObserverBase._calculate_qparams in float32, step by step.
#include "core/observers/HistogramSearch.h"
#include "core/observers/Observer.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pt2e {

namespace {

/// Tensor.to(torch.int) of one float: what x86 converts to when it does not fit.
std::int32_t toInt32(float value)
{
    if (!(value > -2147483904.0f && value < 2147483648.0f))
        return std::numeric_limits<std::int32_t>::min();
    return static_cast<std::int32_t>(value);
}

std::int64_t symmetricZeroPoint(const ObserverConfig& config)
{
    if (config.dtype == DType::UInt8) {
        if (!config.hasCustomRange)
            return 128;
        return static_cast<std::int64_t>(
            std::floor(static_cast<double>(config.quantMin + config.quantMax) / 2));
    }
    return config.dtype == DType::UInt16 ? 32768 : 0;
}

void addSymmetric(const ObserverConfig& config, float low, float high, QParams& qparams)
{
    const float largest = std::max(-low, high);
    const auto half =
        static_cast<float>(static_cast<double>(config.quantMax - config.quantMin) / 2);
    qparams.scale.push_back(std::max(largest / half, config.eps));
    qparams.zeroPoint.push_back(symmetricZeroPoint(config));
    qparams.zeroPointDtype = DType::Int64;
}

void addAffine(const ObserverConfig& config, float low, float high, QParams& qparams)
{
    const auto range = static_cast<float>(static_cast<double>(config.quantMax - config.quantMin));
    const float scale = std::max((high - low) / range, config.eps);
    // Divides by the rounded scale; int32 arithmetic wraps as in the original.
    const std::int32_t rounded = toInt32(std::nearbyint(low / scale));
    const auto zeroPoint = static_cast<std::int32_t>(
        static_cast<std::uint32_t>(static_cast<std::int32_t>(config.quantMin))
        - static_cast<std::uint32_t>(rounded));
    qparams.scale.push_back(scale);
    qparams.zeroPoint.push_back(
        std::clamp<std::int64_t>(zeroPoint, config.quantMin, config.quantMax));
    qparams.zeroPointDtype = DType::Int32;
}

bool isSymmetric(QScheme scheme)
{
    return scheme == QScheme::PerTensorSymmetric || scheme == QScheme::PerChannelSymmetric;
}

QParamsResult defaults() { return {QParams{{1.0f}, {0}, DType::Int64}, false}; }

Result<QParamsResult> fromRange(const ObserverConfig& config, const std::vector<float>& lows,
                                const std::vector<float>& highs)
{
    if (lows.empty() || highs.empty())
        return defaults();
    if (config.qscheme == QScheme::PerChannelAffineFloatQParams)
        return fail(ErrorCode::Unsupported, std::string(observerClassName(config.kind)),
                    "per_channel_affine_float_qparams has zero points that are not integers");
    QParamsResult result{QParams{}, true};
    for (std::size_t i = 0; i < lows.size(); ++i) {
        if (!(lows[i] <= highs[i]))
            return badInput(std::string(observerClassName(config.kind)),
                            "the smallest value seen is not below the largest one (NaN among the "
                            "values?)");
        const float low = std::min(lows[i], 0.0f);
        const float high = std::max(highs[i], 0.0f);
        if (isSymmetric(config.qscheme))
            addSymmetric(config, low, high, *result.qparams);
        else
            addAffine(config, low, high, *result.qparams);
    }
    return result;
}

/// scale = s0 · s1 in float32, zero point 0 (int64): the usual derive_qparams_fn of an int32 bias.
Result<QParamsResult> derivedQParams(const ObserverConfig& config,
                                     const std::function<Result<QParams>(ObserverId)>& derived)
{
    if (config.derivedFrom.size() != 2 || !derived)
        return badInput("DerivedObserverOrFakeQuantize",
                        "a product of scales needs exactly two observers");
    PT2E_ASSIGN(const QParams first, derived(config.derivedFrom[0]));
    PT2E_ASSIGN(const QParams second, derived(config.derivedFrom[1]));
    const std::size_t count = std::max(first.scale.size(), second.scale.size());
    const auto fits = [count](std::size_t size) { return size == 1 || size == count; };
    if (!fits(first.scale.size()) || !fits(second.scale.size()))
        return badInput("DerivedObserverOrFakeQuantize",
                        "the two scales have different numbers of channels");
    QParamsResult result{QParams{}, true};
    const auto at = [](const std::vector<float>& scales, std::size_t i) {
        return scales.size() == 1 ? scales[0] : scales[i];
    };
    for (std::size_t i = 0; i < count; ++i) {
        result.qparams->scale.push_back(at(first.scale, i) * at(second.scale, i));
        result.qparams->zeroPoint.push_back(0);
    }
    return result;
}

} // namespace

Result<QParamsResult> calculateQParams(const ObserverConfig& config, const ObserverState& state,
                                       const std::function<Result<QParams>(ObserverId)>& derived)
{
    switch (config.kind) {
    case ObserverKind::Placeholder: return QParamsResult{std::nullopt, true};
    case ObserverKind::FixedQParams:
        return QParamsResult{QParams{{static_cast<float>(config.fixedScale.value_or(1.0))},
                                     {config.fixedZeroPoint},
                                     DType::Int32},
                             true};
    case ObserverKind::Derived: return derivedQParams(config, derived);
    case ObserverKind::Histogram: {
        if (state.minVal.empty() || state.maxVal.empty())
            return defaults();
        PT2E_ASSIGN(const HistogramRange range, searchHistogramRange(config, state));
        return fromRange(config, {range.low}, {range.high});
    }
    case ObserverKind::MinMax:
    case ObserverKind::MovingAverageMinMax:
    case ObserverKind::PerChannelMinMax:
    case ObserverKind::MovingAveragePerChannelMinMax:
        return fromRange(config, state.minVal, state.maxVal);
    }
    return fail(ErrorCode::Internal, "calculateQParams", "unknown observer");
}

} // namespace pt2e
