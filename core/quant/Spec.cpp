#include "core/quant/Spec.h"

#include <array>
#include <utility>

namespace pt2e {

std::string_view qschemeName(QScheme scheme)
{
    switch (scheme) {
    case QScheme::PerTensorAffine: return "per_tensor_affine";
    case QScheme::PerTensorSymmetric: return "per_tensor_symmetric";
    case QScheme::PerChannelAffine: return "per_channel_affine";
    case QScheme::PerChannelSymmetric: return "per_channel_symmetric";
    case QScheme::PerChannelAffineFloatQParams: return "per_channel_affine_float_qparams";
    }
    return "";
}

bool isPerChannel(QScheme scheme)
{
    return scheme == QScheme::PerChannelAffine || scheme == QScheme::PerChannelSymmetric
           || scheme == QScheme::PerChannelAffineFloatQParams;
}

namespace {

constexpr std::array<std::pair<ObserverKind, std::string_view>, 8> kClassNames = {{
    {ObserverKind::MinMax, "MinMaxObserver"},
    {ObserverKind::MovingAverageMinMax, "MovingAverageMinMaxObserver"},
    {ObserverKind::PerChannelMinMax, "PerChannelMinMaxObserver"},
    {ObserverKind::MovingAveragePerChannelMinMax, "MovingAveragePerChannelMinMaxObserver"},
    {ObserverKind::Histogram, "HistogramObserver"},
    {ObserverKind::Placeholder, "PlaceholderObserver"},
    {ObserverKind::FixedQParams, "FixedQParamsObserver"},
    {ObserverKind::Derived, "DerivedObserverOrFakeQuantize"},
}};

} // namespace

std::string_view observerClassName(ObserverKind kind)
{
    for (const auto& [candidate, name] : kClassNames) {
        if (candidate == kind)
            return name;
    }
    return "";
}

std::optional<ObserverKind> observerKindFromName(std::string_view className)
{
    for (const auto& [kind, name] : kClassNames) {
        if (name == className)
            return kind;
    }
    return std::nullopt;
}

} // namespace pt2e
