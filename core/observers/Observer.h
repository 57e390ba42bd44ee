// Observers: statistics of the values at a point, and the qparams that follow from them.
//
// State lives outside the graph, keyed by observer id. Formulas and numerics: torchao 0.18
// torchao/quantization/pt2e/observer.py (pt2e-semantics 4); everything in float32 as there.
#pragma once

#include "core/base/JobContext.h"
#include "core/base/Result.h"
#include "core/quant/Spec.h"
#include "core/tensor/Tensor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pt2e {

/// scale and zero point; one element each, or one per channel.
struct QParams
{
    std::vector<float> scale;
    std::vector<std::int64_t> zeroPoint;
    DType zeroPointDtype = DType::Int64; ///< int32 on the affine path, int64 on the symmetric one
    friend bool operator==(const QParams&, const QParams&) = default;
};

/// What an instance is made from (one of the specs of its group) with torchao's constructor rules applied.
struct ObserverConfig
{
    ObserverKind kind = ObserverKind::Histogram;
    DType dtype = DType::Int8;
    std::int64_t quantMin = -128;
    std::int64_t quantMax = 127;
    bool hasCustomRange = true; ///< both bounds were given
    QScheme qscheme = QScheme::PerTensorAffine;
    std::int64_t chAxis = -1; ///< -1: none
    bool isDynamic = false;
    float eps = 1.1920929e-07f;
    double averagingConstant = 0.01;
    std::int64_t bins = 2048;
    std::optional<double> fixedScale; ///< FixedQParams
    std::int64_t fixedZeroPoint = 0;
    std::vector<ObserverId> derivedFrom; ///< Derived
    DeriveRule rule = DeriveRule::ProductOfScales;
};

/// Makes the config of a spec; fails where torchao's constructor raises (bad range, per-tensor scheme for a
/// per-channel class, …). Shared specs and None have no observer of their own.
Result<ObserverConfig> observerConfig(const Spec& spec);

/// Statistics so far: an immutable value that can be published while calibration goes on.
struct ObserverState
{
    std::vector<float> minVal; ///< empty: nothing seen; one element, or one per channel
    std::vector<float> maxVal;
    std::vector<float> histogram; ///< bins counts, only Histogram
    std::int64_t valuesSeen = 0; ///< elements observed (ours, for display)
};
/// Shared by all that calibration hands on: histograms are most of it. Never null where not said otherwise.
using ObserverStatePtr = std::shared_ptr<const ObserverState>;

/// A running observer. Not thread-safe; different instances may run side by side.
class Observer
{
public:
    virtual ~Observer() = default;
    /// forward(): the tensor must be readable; dtype is cast to float32. Fails where torchao raises (NaN …).
    virtual Result<void> observe(const Tensor& tensor) = 0;
    virtual ObserverState state() const = 0;
    virtual void restore(const ObserverState& state) = 0;
};

/// Needs kernels(); Placeholder, Fixed and Derived observe nothing.
Result<std::unique_ptr<Observer>> makeObserver(const ObserverConfig& config);

/// calculate_qparams(). `derived` gives the qparams of the instances a Derived observer names.
/// Not calibrated: scale 1, zero point 0, with hasData = false. Placeholder has none (nullopt inside).
struct QParamsResult
{
    std::optional<QParams> qparams;
    bool hasData = true;
};
Result<QParamsResult> calculateQParams(
    const ObserverConfig& config, const ObserverState& state,
    const std::function<Result<QParams>(ObserverId)>& derived = {});

} // namespace pt2e
