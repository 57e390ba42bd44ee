// What a kind of hardware asks of a quantized model, and where a recipe does not give it.
#pragma once

#include "core/pipeline/Snapshot.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pt2e {

/// In the order in which they are best mended: what is mended later does not undo what was mended earlier.
enum class Constraint : std::uint8_t {
    NoDynamic, ///< no scale is computed while the model runs
    Symmetric, ///< zero point 0: signed dtype and a symmetric scheme
    PerTensor, ///< one scale a tensor, weights too
    SameInCatAndPool, ///< cat and pooling: one scale and zero point for inputs and output
    SameInAdd, ///< the same for additions, with the relu that is fused into them
    Int32Bias, ///< bias of a quantized convolution or linear: int32, input scale × weight scale
    PowerOfTwo ///< every scale is a power of two
};
std::string_view constraintName(Constraint constraint); ///< "no-dynamic", …
std::string_view constraintText(Constraint constraint); ///< "no dynamic quantization", …

struct HardwareProfile
{
    std::string_view name; ///< "integer-only"
    std::string_view text; ///< what such hardware is like, one phrase
    std::span<const Constraint> constraints; ///< in their order
};
/// All of them; the list is in HardwareProfile.cpp.
std::span<const HardwareProfile> hardwareProfiles();
const HardwareProfile* profileNamed(std::string_view name); ///< nullptr if there is none

/// One point, or for the "same" constraints one operator, that a constraint does not allow.
struct Violation
{
    Constraint constraint = Constraint::NoDynamic;
    Point at; ///< for the "same" constraints the operator's output
    NodeId node; ///< the operator whose annotation asks for it, in the annotated graph
    std::string op; ///< its target
    std::string point; ///< `at` by name
    std::string detail; ///< "per_tensor_affine", "0.0329", "3": what stands there; may be empty
    std::string message() const; ///< one sentence, lower case, no full stop
    friend bool operator==(const Violation&, const Violation&) = default;
};
/// In the order of the profile's constraints, then of the operators. Which points have one observer is known when the
/// model is prepared, scales when it is calibrated: what needs a stage that the snapshot lacks is not told.
std::vector<Violation> violationsOf(const Snapshot& snapshot, const HardwareProfile& profile);

/// Whether a spec of a point's own breaks one of NoDynamic, Symmetric and PerTensor.
bool breaks(Constraint constraint, const Spec& spec);
/// The next power of two that is not smaller (scale > 0).
double powerOfTwoAbove(double scale);
/// The points of an operator that SameInCatAndPool or SameInAdd looks at: inputs in order, then the output (that of the
/// relu behind an addition whose own is not observed), where something is asked for. Empty for other operators.
std::vector<Point> pointsWithSameQParams(Constraint constraint, const AnnotatedStage& stage,
                                         const Graph& graph, const Node& node);

} // namespace pt2e
