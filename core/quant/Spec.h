// Quantization specs: torchao's QuantizationSpec family as comparable values.
#pragma once

#include "core/base/Ids.h"
#include "core/tensor/DType.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pt2e {

enum class QScheme : std::uint8_t {
    PerTensorAffine,
    PerTensorSymmetric,
    PerChannelAffine,
    PerChannelSymmetric,
    PerChannelAffineFloatQParams
};
std::string_view qschemeName(QScheme scheme); ///< "per_tensor_affine", …
bool isPerChannel(QScheme scheme);

enum class ObserverKind : std::uint8_t {
    MinMax,
    MovingAverageMinMax,
    PerChannelMinMax,
    MovingAveragePerChannelMinMax,
    Histogram,
    Placeholder,
    FixedQParams,
    Derived
};
/// torchao's class name: "HistogramObserver", "DerivedObserverOrFakeQuantize", …
std::string_view observerClassName(ObserverKind kind);
std::optional<ObserverKind> observerKindFromName(std::string_view className);

/// An EdgeOrNode: the output of a node, or the edge from a node to one of its users.
struct Point
{
    NodeId node;
    NodeId user; ///< invalid: the output of `node`

    static Point output(NodeId node) { return {node, {}}; }
    static Point edge(NodeId from, NodeId to) { return {from, to}; }
    bool isEdge() const { return user.isValid(); }
    friend auto operator<=>(const Point&, const Point&) = default;
};

/// observer_or_fake_quant_ctr with its bound arguments.
struct ObserverChoice
{
    ObserverKind kind = ObserverKind::Histogram;
    std::optional<double>
        eps; ///< as bound by the caller (2^-12 in the XNNPACK quantizers); absent: f32 epsilon
    std::optional<double> averagingConstant; ///< absent: 0.01
    std::optional<std::int64_t> bins; ///< Histogram; absent: 2048
    std::optional<bool> reduceRange;
    friend bool operator==(const ObserverChoice&, const ObserverChoice&) = default;
};

struct ObservedSpec
{
    DType dtype = DType::Int8;
    ObserverChoice observer;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    std::optional<std::int64_t> chAxis;
    bool isDynamic = false;
    friend bool operator==(const ObservedSpec&, const ObservedSpec&) = default;
};

struct FixedSpec
{
    DType dtype = DType::Int8;
    double scale = 1;
    std::int64_t zeroPoint = 0;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    bool isDynamic = false;
    friend bool operator==(const FixedSpec&, const FixedSpec&) = default;
};

struct SharedSpec
{
    Point with;
    friend bool operator==(const SharedSpec&, const SharedSpec&) = default;
};

/// derive_qparams_fn, by name instead of a Python function.
enum class DeriveRule : std::uint8_t {
    ProductOfScales ///< scale = s0 · s1 (per channel if s1 is), zero point 0: an int32 bias
};

struct DerivedSpec
{
    std::vector<Point> from;
    DeriveRule rule = DeriveRule::ProductOfScales;
    DType dtype = DType::Int32;
    std::optional<std::int64_t> quantMin;
    std::optional<std::int64_t> quantMax;
    std::optional<QScheme> qscheme;
    std::optional<std::int64_t> chAxis;
    bool isDynamic = false;
    friend bool operator==(const DerivedSpec&, const DerivedSpec&) = default;
};

/// monostate is Python's None: present in a map, but not observed.
using Spec = std::variant<std::monostate, ObservedSpec, FixedSpec, SharedSpec, DerivedSpec>;

inline bool isNone(const Spec& spec) { return spec.index() == 0; }

} // namespace pt2e

template<>
struct std::hash<pt2e::Point>
{
    std::size_t operator()(const pt2e::Point& p) const noexcept
    {
        return (static_cast<std::size_t>(p.node.value) << 32) ^ p.user.value;
    }
};
