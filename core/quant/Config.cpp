#include "core/quant/Config.h"

namespace pt2e {

namespace {

constexpr double kEps = 0.000244140625; // 2^-12, bound in both XNNPACK quantizers

} // namespace

ConfigSpecs symmetricConfig(const QuantizationConfig& config)
{
    ObservedSpec activation;
    activation.dtype = DType::Int8;
    activation.observer.kind = config.dynamic ? ObserverKind::Placeholder : ObserverKind::Histogram;
    activation.observer.eps = kEps;
    activation.quantMin = config.actQmin;
    activation.quantMax = config.actQmax;
    activation.qscheme = QScheme::PerTensorAffine;
    activation.isDynamic = config.dynamic;

    ObservedSpec weight;
    weight.dtype = DType::Int8;
    weight.observer.kind =
        config.perChannel ? ObserverKind::PerChannelMinMax : ObserverKind::MinMax;
    weight.observer.eps = kEps;
    weight.quantMin = config.weightQmin;
    weight.quantMax = config.weightQmax;
    weight.qscheme = config.perChannel ? QScheme::PerChannelSymmetric : QScheme::PerTensorSymmetric;
    weight.chAxis = 0; // also per tensor, as in the original

    ConfigSpecs specs;
    specs.inputActivation = activation;
    if (!config.dynamic)
        specs.outputActivation = activation;
    specs.weight = weight;
    return specs;
}

} // namespace pt2e
