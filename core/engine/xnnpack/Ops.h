// One operator of the graph in XNNPACK: is it supported, why not, and how it is emitted.
//
// To add one: a file in ops/ with a decide and an emit function, a row in OpTable.cpp, a test in
// tests/engine/xnnpack. Support check and emission stand side by side so that they cannot disagree.
#pragma once

#include "core/engine/xnnpack/ConvertedView.h"

#include <span>
#include <string_view>

namespace pt2e::xnn {

class Emitter;

/// How an op wants its 4-D tensors. Tensors of any other rank are always in the graph's own order.
enum class DataLayout {
    Natural, ///< as the graph has it: N, C, H, W
    Nhwc,
    Any ///< all of them in the same
};

/// An op with all its inputs and its output in int8, as the graph shows it.
struct OpCall
{
    const ConvertedView* view = nullptr;
    const Node* node = nullptr;
    std::vector<Operand> operands; ///< one per positional argument
    OutputMatch output;
    Shape outputShape;
    Bounds bounds; ///< of the fused activation and of a restricted range of the quantizer

    const Operand& operand(std::size_t i) const;
};

struct Decision
{
    Reason reason; ///< empty: supported
    std::string kernel; ///< "convolution_2d qcint8"
    DataLayout layout = DataLayout::Any;

    static Decision no(Reason reason) { return {std::move(reason), {}, DataLayout::Any}; }
    static Decision yes(std::string kernel, DataLayout layout)
    {
        return {{}, std::move(kernel), layout};
    }
};

struct OpRule
{
    std::string_view target; ///< "aten.conv2d.default"
    /// Whether an activation behind it and a restricted range are taken into the kernel.
    bool fusesActivation = false;
    Decision (*decide)(const OpCall& call) = nullptr;
    Result<void> (*emit)(const OpCall& call, Emitter& emitter) = nullptr;
};

/// All rules; see OpTable.cpp.
std::span<const OpRule> opTable();
/// The rule for a target, or nullptr.
const OpRule* findRule(std::span<const OpRule> table, std::string_view target);

/// relu, hardtanh, clamp with literal ends: what they clip to in real values.
struct ClipRange
{
    double low;
    double high;
};
std::optional<ClipRange> activationOf(const Node& node);
/// The clipping of an op's output in its quantized domain: by the op itself if it is an activation,
/// by a fused one, and by the quantizer's range.
Bounds boundsOf(const Node& op, const OutputMatch& output, const Graph& graph);

// ---- small helpers of the op files
/// Positional argument i as integers: a list, or one number repeated; `missing` where not given.
std::optional<std::vector<std::int64_t>> intsOf(const Node& node, std::size_t i, std::size_t count,
                                                std::int64_t missing);
std::optional<std::int64_t> intOf(const Node& node, std::size_t i, std::int64_t missing);
std::optional<bool> boolOf(const Node& node, std::size_t i, bool missing);
/// A keyword argument that is given and not its default makes an op another one.
bool hasKeywords(const Node& node);

// ---- decide and emit of each file in ops/
Decision decideConvolution(const OpCall& call);
Result<void> emitConvolution(const OpCall& call, Emitter& emitter);
Decision decideLinear(const OpCall& call);
Result<void> emitLinear(const OpCall& call, Emitter& emitter);
Decision decideAdd(const OpCall& call);
Result<void> emitAdd(const OpCall& call, Emitter& emitter);
Decision decideClamp(const OpCall& call);
Result<void> emitClamp(const OpCall& call, Emitter& emitter);
Decision decideMaxPool(const OpCall& call);
Result<void> emitMaxPool(const OpCall& call, Emitter& emitter);
Decision decideMean(const OpCall& call);
Result<void> emitMean(const OpCall& call, Emitter& emitter);
Decision decideReshape(const OpCall& call);
Result<void> emitReshape(const OpCall& call, Emitter& emitter);
Decision decideDropout(const OpCall& call);
Result<void> emitDropout(const OpCall& call, Emitter& emitter);

} // namespace pt2e::xnn
