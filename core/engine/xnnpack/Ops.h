// One operator of the graph in XNNPACK: is it supported, why not, and how it is emitted.
//
// To add one: a file in ops/ with a decide and an emit function, a row in OpTable.cpp, a test in
// tests/engine/xnnpack. Support check and emission stand side by side so that they cannot disagree.
#pragma once

#include "core/engine/xnnpack/ConvertedView.h"

#include <limits>
#include <span>
#include <string_view>

namespace pt2e::xnn {

class Emitter;
class OwnKernel;

/// How an op wants its 3-D and 4-D tensors. Tensors of any other rank are always in the graph's
/// own order.
enum class DataLayout {
    Natural, ///< as the graph has it: N, C, H, W
    Nhwc, ///< channels last: N, H, W, C
    Any ///< all of them in the same
};

/// What values are clipped to.
struct ClipRange
{
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
};

/// Pixels around an image.
struct Border
{
    std::uint32_t top = 0, right = 0, bottom = 0, left = 0;
};

/// An op as the graph shows it, in one of two forms: with all its inputs and its output in int8, or
/// with all of them in float32 (int8 ones dequantized before).
struct OpCall
{
    const ConvertedView* view = nullptr;
    const Node* node = nullptr;
    bool isFloat = false; ///< no operand is Int8 or Int8Constant
    /// Float, but the graph quantizes the first operand while running: that is the float value behind
    /// it, and the second operand, the weight, may be an Int8Constant.
    bool isDynamic = false;
    std::vector<Operand> operands; ///< one per positional argument
    std::vector<Operand> items; ///< of the first argument, where it is a list
    OutputMatch output; ///< float: only the activation
    Shape outputShape;
    Bounds bounds; ///< int8: of the fused activation and of a restricted range of the quantizer
    ClipRange range; ///< float: of the fused activation and of the op itself
    Border border; ///< int8: of paddings by zero that were taken into the op (Pads.h)

    const Operand& operand(std::size_t i) const;
    /// The operand is what this form computes with: an activation, or a constant.
    bool isActivation(const Operand& operand) const
    {
        return operand.kind == (isFloat ? Operand::Kind::Float : Operand::Kind::Int8);
    }
    bool isConstant(const Operand& operand) const
    {
        return (operand.kind == Operand::Kind::FloatConstant && isFloat)
               || (operand.kind == Operand::Kind::Int8Constant && (!isFloat || isDynamic));
    }
    /// "qs8" or "f32".
    const char* typeName() const { return isFloat ? "f32" : "qs8"; }
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

/// The input of a convolution with taps of its window in the channels (Unroll.h).
/// Value n, r, o, (i, j, c) is that of channel c in row r · rowStride - top + i · rowDilation and column
/// o · columnStride - left + j of image n, or the zero point outside of it.
struct UnrolledInput
{
    Shape image; ///< N, C, H, W
    Shape shape; ///< of the result
    std::int64_t rowTaps = 1, rowStride = 1, rowDilation = 1, top = 0;
    std::int64_t columnTaps = 1, columnStride = 1, left = 0;
    Window window; ///< of the convolution that is left
};

enum class Forms { Int8, Float, Both };

struct OpRule
{
    std::string_view target; ///< "aten.conv2d.default"
    /// Whether an activation behind it and a restricted range are taken into the kernel.
    bool fusesActivation = false;
    Decision (*decide)(const OpCall& call) = nullptr;
    Result<void> (*emit)(const OpCall& call, Emitter& emitter) = nullptr;
    Forms forms = Forms::Int8; ///< those that decide is asked for
    bool onlyMoves = false; ///< the result is made of the input's values
    /// Instead of emit: the op runs outside of XNNPACK, in float, from its first operand to a result
    /// of the same sizes, both in the graph's order.
    Result<std::shared_ptr<const OwnKernel>> (*make)(const OpCall& call) = nullptr;
};

/// All rules; see OpTable.cpp.
std::span<const OpRule> opTable();
/// The rule for a target, or nullptr.
const OpRule* findRule(std::span<const OpRule> table, std::string_view target);

/// relu, hardtanh, clamp with literal ends: what they clip to in real values.
std::optional<ClipRange> activationOf(const Node& node);
/// The clipping of an op's output in its quantized domain: by the op itself if it is an activation,
/// by a fused one, and by the quantizer's range.
Bounds boundsOf(const Node& op, const OutputMatch& output, const Graph& graph);

// ---- small helpers of the op files
/// Positional argument i as integers: a list, or one number repeated; `missing` where not given.
std::optional<std::vector<std::int64_t>> intsOf(const Node& node, std::size_t i, std::size_t count,
                                                std::int64_t missing);
/// The same for a list of any length.
std::optional<std::vector<std::int64_t>> listOf(const Argument& argument);
std::optional<std::int64_t> intOf(const Node& node, std::size_t i, std::int64_t missing);
std::optional<bool> boolOf(const Node& node, std::size_t i, bool missing);
std::optional<double> numberOf(const Argument& argument);
/// A keyword argument that is given and not its default makes an op another one.
bool hasKeywords(const Node& node);
/// Its result is memory of its own, no view on another tensor's.
bool isFreshResult(const Node& node);
/// An axis in [0, rank), counted from the end where it is negative.
std::optional<std::size_t> axisOf(std::int64_t axis, std::size_t rank);

// ---- decide and emit of each file in ops/
#define PT2E_XNN_OP(Name)                 \
    Decision decide##Name(const OpCall&); \
    Result<void> emit##Name(const OpCall&, Emitter&)
PT2E_XNN_OP(Convolution);
PT2E_XNN_OP(TransposedConvolution);
PT2E_XNN_OP(Linear);
PT2E_XNN_OP(MatMul);
PT2E_XNN_OP(Binary);
PT2E_XNN_OP(Clamp);
PT2E_XNN_OP(Unary);
PT2E_XNN_OP(MaxPool);
PT2E_XNN_OP(AveragePool);
PT2E_XNN_OP(Mean);
PT2E_XNN_OP(Softmax);
PT2E_XNN_OP(ResizeBilinear);
PT2E_XNN_OP(Concatenate);
PT2E_XNN_OP(Pad);
PT2E_XNN_OP(Slice);
PT2E_XNN_OP(Reshape);
PT2E_XNN_OP(Permute);
PT2E_XNN_OP(Copy);
#undef PT2E_XNN_OP
/// The border of an int8 padding by zero over the last two of four axes.
std::optional<Border> zeroBorder(const OpCall&);
/// How the first operand of an int8 convolution is best written down; nothing: as any other value.
std::optional<UnrolledInput> unrolledConvolution(const OpCall&);
Decision decideLayerNorm(const OpCall&);
Result<std::shared_ptr<const OwnKernel>> makeLayerNorm(const OpCall&);

} // namespace pt2e::xnn
