// From a spec to what an observer is constructed with: the constructor rules of torchao's observer classes.
#include "core/observers/Observer.h"

#include <cmath>
#include <limits>

namespace pt2e {

namespace {

struct Range
{
    std::int64_t low = 0;
    std::int64_t high = 0;
};

/// Limits when no bounds are given: UniformQuantizationObserverBase / calculate_qmin_qmax.
Range defaultRange(DType dtype, bool reduce)
{
    switch (dtype) {
    case DType::Int8: return reduce ? Range{-64, 63} : Range{-128, 127};
    case DType::UInt8: return reduce ? Range{0, 127} : Range{0, 255};
    case DType::Int16: return {-32768, 32767};
    case DType::UInt16: return {0, 65535};
    case DType::Int32:
        return {std::numeric_limits<std::int32_t>::min(), std::numeric_limits<std::int32_t>::max()};
    default: return {0, 15};
    }
}

bool isObservable(DType dtype)
{
    switch (dtype) {
    case DType::Int8:
    case DType::UInt8:
    case DType::Int16:
    case DType::Int32:
    case DType::UInt16:
    case DType::Float8E5M2:
    case DType::Float8E4M3FN: return true;
    default: return false;
    }
}

bool needsPerChannelScheme(ObserverKind kind)
{
    return kind == ObserverKind::PerChannelMinMax
           || kind == ObserverKind::MovingAveragePerChannelMinMax;
}

Result<void> checkCustomRange(const ObserverConfig& config, const std::string& where)
{
    if (config.quantMin > 0 || config.quantMax < 0)
        return badInput(where, "the range " + std::to_string(config.quantMin) + ".."
                                   + std::to_string(config.quantMax) + " must contain 0");
    if (config.quantMin >= config.quantMax)
        return badInput(where, "quant_min must be less than quant_max");
    const std::int64_t length = config.quantMax - config.quantMin + 1;
    const bool isByte = config.dtype == DType::Int8 || config.dtype == DType::UInt8;
    const std::int64_t longest = isByte ? 256 : std::int64_t(1) << 32;
    if (length > longest)
        return badInput(where, "a range of " + std::to_string(length) + " values does not fit "
                                   + std::string(dtypeName(config.dtype)));
    return {};
}

/// UniformQuantizationObserverBase.__init__.
Result<void> setUniformRange(ObserverConfig& config, const ObservedSpec& spec,
                             const std::string& where)
{
    if (!isObservable(config.dtype))
        return badInput(where,
                        "dtype " + std::string(dtypeName(config.dtype)) + " cannot be observed");
    const bool reduce = spec.observer.reduceRange.value_or(false);
    config.hasCustomRange = spec.quantMin && spec.quantMax;
    if (!config.hasCustomRange) {
        const Range range = defaultRange(config.dtype, reduce);
        config.quantMin = range.low;
        config.quantMax = range.high;
        return {};
    }
    config.quantMin = *spec.quantMin;
    config.quantMax = *spec.quantMax;
    PT2E_TRY(checkCustomRange(config, where));
    if (reduce) {
        // Python's floor division of both bounds.
        config.quantMin = static_cast<std::int64_t>(std::floor(config.quantMin / 2.0));
        config.quantMax = config.quantMax / 2;
    }
    return {};
}

Result<void> checkScheme(ObserverConfig& config, const ObservedSpec& spec, const std::string& where)
{
    config.isDynamic = spec.isDynamic;
    if (config.kind == ObserverKind::Placeholder)
        return {};
    if (!spec.qscheme)
        return badInput(where, "a qscheme is needed");
    if (needsPerChannelScheme(config.kind)) {
        if (!isPerChannel(*spec.qscheme))
            return badInput(where, "a per-channel observer needs a per-channel qscheme, not "
                                       + std::string(qschemeName(*spec.qscheme)));
        if (spec.isDynamic)
            return badInput(where, "a per-channel observer cannot be dynamic");
        if (!spec.chAxis)
            return badInput(where, "a per-channel observer needs an axis");
        config.chAxis = *spec.chAxis;
    } else if (isPerChannel(*spec.qscheme)) {
        return badInput(where, "qscheme " + std::string(qschemeName(*spec.qscheme))
                                   + " needs a per-channel observer");
    }
    const bool isMinMax = config.kind == ObserverKind::MinMax;
    if (spec.isDynamic && !isMinMax && config.kind != ObserverKind::MovingAverageMinMax)
        return badInput(where, "cannot be dynamic");
    const bool isMoving = config.kind == ObserverKind::MovingAverageMinMax;
    if (spec.isDynamic && isMoving && config.averagingConstant != 1)
        return badInput(where, "a dynamic moving average needs averaging_constant 1");
    return {};
}

Result<ObserverConfig> observedConfig(const ObservedSpec& spec)
{
    ObserverConfig config;
    config.kind = spec.observer.kind;
    const std::string where = std::string(observerClassName(config.kind));
    if (config.kind == ObserverKind::FixedQParams || config.kind == ObserverKind::Derived)
        return badInput(where, "is made from a fixed or derived spec only");
    config.dtype = spec.dtype;
    config.qscheme = spec.qscheme.value_or(QScheme::PerTensorAffine);
    if (spec.observer.eps)
        config.eps = static_cast<float>(*spec.observer.eps);
    config.averagingConstant = spec.observer.averagingConstant.value_or(0.01);
    config.bins = spec.observer.bins.value_or(2048);
    if (config.bins < 1 || config.bins > (1 << 20))
        return badInput(where, "bins must be between 1 and 1048576");
    PT2E_TRY(checkScheme(config, spec, where));
    if (config.kind != ObserverKind::Placeholder) {
        PT2E_TRY(setUniformRange(config, spec, where));
    } else {
        const Range range = defaultRange(config.dtype, false);
        config.hasCustomRange = spec.quantMin && spec.quantMax;
        config.quantMin = spec.quantMin.value_or(range.low);
        config.quantMax = spec.quantMax.value_or(range.high);
    }
    return config;
}

ObserverConfig fixedConfig(const FixedSpec& spec)
{
    ObserverConfig config;
    config.kind = ObserverKind::FixedQParams;
    config.dtype = spec.dtype;
    const Range range = defaultRange(spec.dtype, false);
    config.hasCustomRange = spec.quantMin && spec.quantMax;
    config.quantMin = spec.quantMin.value_or(range.low);
    config.quantMax = spec.quantMax.value_or(range.high);
    config.qscheme = spec.qscheme.value_or(QScheme::PerTensorAffine);
    config.isDynamic = spec.isDynamic;
    config.fixedScale = spec.scale;
    config.fixedZeroPoint = spec.zeroPoint;
    return config;
}

Result<ObserverConfig> derivedConfig(const DerivedSpec& spec)
{
    ObserverConfig config;
    config.kind = ObserverKind::Derived;
    config.dtype = spec.dtype;
    const Range range = defaultRange(spec.dtype, false);
    config.hasCustomRange = spec.quantMin && spec.quantMax;
    config.quantMin = spec.quantMin.value_or(range.low);
    config.quantMax = spec.quantMax.value_or(range.high);
    config.qscheme = spec.qscheme.value_or(QScheme::PerTensorAffine);
    config.chAxis = spec.chAxis.value_or(-1);
    config.isDynamic = spec.isDynamic;
    config.rule = spec.rule;
    if (isPerChannel(config.qscheme) && !spec.chAxis)
        return badInput("DerivedObserverOrFakeQuantize", "a per-channel qscheme needs an axis");
    return config;
}

} // namespace

Result<ObserverConfig> observerConfig(const Spec& spec)
{
    if (const auto* observed = std::get_if<ObservedSpec>(&spec))
        return observedConfig(*observed);
    if (const auto* fixed = std::get_if<FixedSpec>(&spec))
        return fixedConfig(*fixed);
    if (const auto* derived = std::get_if<DerivedSpec>(&spec))
        return derivedConfig(*derived);
    return fail(ErrorCode::Internal, "observerConfig",
                "a shared spec or none has no observer of its own");
}

} // namespace pt2e
