// What runs where: the graph cut into units, each decided for, then into steps run one after another.
#pragma once

#include "core/engine/Engine.h"
#include "core/engine/xnnpack/ByteTable.h"
#include "core/engine/xnnpack/Ops.h"
#include "core/engine/xnnpack/OwnKernel.h"

#include <set>
#include <unordered_map>
#include <vector>

namespace pt2e::xnn {

/// The smallest thing that is placed: an op with what is fused into it, a conversion, a chain of
/// elementwise ops as a byte table, an op with a kernel of ours, or one node left to LibTorch.
struct Unit
{
    enum class Kind { Op, Quantize, Dequantize, Table, Own, Torch };
    Kind kind = Kind::Torch;
    NodeId node; ///< the op, a chain's last one; the quantize or dequantize node
    std::vector<NodeId> reads; ///< float values and typed quantize nodes; no constants
    std::vector<NodeId> writes;
    const OpRule* rule = nullptr; ///< Op, Own
    OpCall call; ///< Op, Own
    Decision decision; ///< Op, Own: kernel and layout; Torch: the reason
    Reason int8Reason; ///< Op in float, Own: why not in int8
    QuantizedFunction function; ///< Table
    std::shared_ptr<const ByteTable> table; ///< Table
    std::shared_ptr<const OwnKernel> kernel; ///< Own
    bool isOwn() const { return kind == Kind::Table || kind == Kind::Own; }
    bool isXnnpack() const { return kind != Kind::Torch && !isOwn(); }
};

/// Units that run together: one XNNPACK runtime, kernels of ours, or one piece of graph on LibTorch.
struct Step
{
    bool isXnnpack = false;
    bool isOwn = false; ///< byte tables and other kernels of ours
    int partition = -1; ///< XNNPACK: number among the partitions
    std::vector<std::size_t> units; ///< in an order in which they can run
    std::vector<NodeId> inputs; ///< values from before
    std::vector<NodeId> outputs; ///< values needed after
};

struct Plan
{
    std::shared_ptr<const ConvertedView> view;
    std::vector<Unit> units;
    std::vector<Step> steps;
    /// DataLayout of each 3-D or 4-D value that XNNPACK makes; others are Natural.
    std::unordered_map<NodeId, DataLayout> layouts;
    /// Ops that are part of another: padding → convolution.
    std::unordered_map<NodeId, NodeId> absorbed;
    /// Quantized inputs that only a convolution reads, in the form that it wants.
    std::unordered_map<NodeId, UnrolledInput> unrolled;
    /// Set when the whole graph has to stay on LibTorch.
    Reason wholeGraphReason;

    DataLayout layoutOf(NodeId node) const;
    bool hasTorch() const; ///< a step that runs on LibTorch
    /// How a value lies in memory between steps.
    TensorSpec specOf(NodeId node) const;
    std::vector<Assignment> assignments() const;
};

struct PlanOptions
{
    std::span<const OpRule> table{};
    /// Ops that XNNPACK itself refused although the rule accepted them, with what it said; and those
    /// that are not worth a partition.
    std::unordered_map<NodeId, Reason> refused{};
    bool hasFloat = true; ///< float ops may run on XNNPACK
    bool keepsValues = false; ///< every value that a unit makes is an output of its step
};
Plan makePlan(GraphPtr graph, const PlanOptions& options);

// ---- the parts of it, in their own files
/// Units of the graph in execution order (Units.cpp).
std::vector<Unit> makeUnits(const ConvertedView& view, const PlanOptions& options);
/// Steps by the epoch method: all ready units of one kind to a fixpoint, then all of another
/// (Steps.cpp). Every XNNPACK step is convex by construction.
std::vector<Step> makeSteps(const std::vector<Unit>& units, const ConvertedView& view,
                            bool keepsValues);
/// The one unit that reads a value that is read only once and is no output; else nullptr.
const Unit* onlyReader(const std::vector<Unit>& units, const ConvertedView& view, NodeId value);
/// A layout for every 3-D and 4-D value that XNNPACK makes (Layouts.cpp).
std::unordered_map<NodeId, DataLayout> chooseLayouts(const std::vector<Unit>& units,
                                                     const ConvertedView& view);
/// Why a graph that writes tensors in place cannot be cut; empty if it can.
Reason whyUncuttable(const ConvertedView& view, const std::vector<Unit>& units);

} // namespace pt2e::xnn
