// Cuts a converted graph into units and decides for each where it runs.
#include "core/engine/xnnpack/Plan.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

class UnitMaker
{
public:
    UnitMaker(const ConvertedView& view, const PlanOptions& options)
        : m_view(view),
          m_options(options)
    {}

    std::vector<Unit> make()
    {
        findNeeded();
        for (const Node& node : m_view.graph()) {
            if (isComputed(node) && !isQuantizeOrDequantize(node))
                decideOp(node);
        }
        resolveAliases();
        for (const auto& [node, unit] : m_ops) {
            for (const Operand& operand : unit.call.operands) {
                if (operand.kind == Operand::Kind::Int8)
                    m_alive.insert(operand.quantize);
            }
            m_alive.insert(unit.writes.begin(), unit.writes.end());
        }
        std::vector<Unit> units;
        for (const Node& node : m_view.graph()) {
            if (isComputed(node) && !m_claimed.contains(node.id))
                addUnit(node, units);
        }
        return units;
    }

private:
    /// XNNPACK aborts on a value that nothing reads, so what no output depends on is left out.
    void findNeeded()
    {
        const std::vector<NodeId> order = m_view.graph().order();
        for (auto id = order.rbegin(); id != order.rend(); ++id) {
            const Node& node = m_view.graph().node(*id);
            const bool isWriter = node.is(OpKind::CallFunction) && mutatesArgument(node.target);
            if (!m_needed.contains(node.id) && !isWriter && !isImpure(node))
                continue;
            m_needed.insert(node.id);
            for (const NodeId input : node.inputs())
                m_needed.insert(input);
        }
    }

    bool isComputed(const Node& node) const
    {
        return m_needed.contains(node.id) && !m_view.isConstant(node.id)
               && !node.is(OpKind::GetAttr) && !node.is(OpKind::Placeholder)
               && !node.is(OpKind::Output);
    }

    void decideOp(const Node& node)
    {
        if (m_claimed.contains(node.id))
            return;
        Unit unit;
        unit.kind = Unit::Kind::Op;
        unit.node = node.id;
        unit.rule = findRule(m_options.table, node.target);
        unit.decision = decide(node, unit);
        if (!unit.decision.reason.empty()) {
            m_reasons[node.id] = unit.decision.reason;
            return;
        }
        if (unit.call.output.activation)
            m_claimed.insert(unit.call.output.activation);
        const auto& quantizes = unit.call.output.quantizes;
        m_claimed.insert(quantizes.begin(), quantizes.end());
        for (const NodeId quantize : quantizes)
            m_alias[quantize] = quantizes.front();
        unit.writes = {quantizes.front()};
        m_ops.emplace(node.id, std::move(unit));
    }

    Decision decide(const Node& node, Unit& unit) const
    {
        if (!node.is(OpKind::CallFunction))
            return Decision::no("it is a module");
        bool hasActivation = false;
        for (const NodeId input : node.inputs()) {
            const Operand operand = m_view.operand(input);
            if (operand.kind == Operand::Kind::Float)
                return Decision::no(operand.reason);
            hasActivation = hasActivation || operand.kind == Operand::Kind::Int8;
        }
        if (!hasActivation)
            return Decision::no("none of its inputs is an int8 activation");
        OpCall& call = unit.call;
        call.output = m_view.outputOf(node, unit.rule && unit.rule->fusesActivation);
        if (!call.output.reason.empty())
            return Decision::no(call.output.reason);
        if (!unit.rule)
            return Decision::no(fmt::format("there is no int8 kernel for {} here", node.target));
        if (const auto refused = m_options.refused.find(node.id);
            refused != m_options.refused.end())
            return Decision::no(refused->second);
        call.view = &m_view;
        call.node = &node;
        for (const Argument& argument : node.args)
            call.operands.push_back(m_view.operand(argument));
        return decideCall(node, unit);
    }

    Decision decideCall(const Node& node, Unit& unit) const
    {
        OpCall& call = unit.call;
        const Shape* shape = m_view.shape(node.id);
        const Shape* typed = m_view.shape(call.output.quantizes.front());
        if (!shape || !typed || *shape != *typed)
            return Decision::no("its shape is not fixed");
        call.outputShape = *shape;
        if (mutatesArgument(node.target)
            && m_view.graph().node(node.arg(0).node()).users.size() > 1)
            return Decision::no("it writes its input in place, which others read");
        call.bounds = boundsOf(node, call.output, m_view.graph());
        if (call.bounds.low >= call.bounds.high)
            return Decision::no("it is clipped to one value");
        return unit.rule->decide(call);
    }

    void resolveAliases()
    {
        for (auto& [node, unit] : m_ops) {
            for (Operand& operand : unit.call.operands) {
                if (operand.kind == Operand::Kind::Int8)
                    operand.quantize = canonical(operand.quantize);
            }
            for (const Operand& operand : unit.call.operands) {
                if (operand.kind == Operand::Kind::Int8)
                    unit.reads.push_back(operand.quantize);
            }
        }
    }

    NodeId canonical(NodeId quantize) const
    {
        const auto it = m_alias.find(quantize);
        return it == m_alias.end() ? quantize : it->second;
    }

    void addUnit(const Node& node, std::vector<Unit>& units)
    {
        if (const auto op = m_ops.find(node.id); op != m_ops.end()) {
            units.push_back(op->second);
            return;
        }
        if (m_view.typeOf(node.id)) {
            units.push_back(quantizeUnit(node));
            return;
        }
        const NodeId source = isPerTensorDequantize(node) ? node.arg(0).node() : NodeId();
        if (source && m_view.typeOf(source)) {
            if (isNeededAsFloat(node))
                units.push_back(dequantizeUnit(node, canonical(source)));
            return;
        }
        units.push_back(torchUnit(node, reasonOf(node)));
    }

    Reason reasonOf(const Node& node) const
    {
        if (const auto known = m_reasons.find(node.id); known != m_reasons.end())
            return known->second;
        if (isPerTensorQuantize(node))
            return m_view.whyNotTyped(node.id);
        if (isPerTensorDequantize(node)) {
            const NodeId source = node.arg(0).node();
            return source ? m_view.whyNotTyped(source) : Reason("its input is not a tensor");
        }
        return "it is not a conversion with fixed parameters";
    }

    Unit quantizeUnit(const Node& node) const
    {
        if (!m_alive.contains(node.id))
            return torchUnit(node, "no int8 operator reads it");
        if (!m_view.typeOf(node.id)->isFullRange())
            return torchUnit(node, "its range is narrower than int8");
        Unit unit;
        unit.kind = Unit::Kind::Quantize;
        unit.node = node.id;
        unit.reads = {node.arg(0).node()};
        unit.writes = {node.id};
        unit.decision = Decision::yes("convert f32 to qs8", DataLayout::Natural);
        return unit;
    }

    Unit dequantizeUnit(const Node& node, NodeId source) const
    {
        if (!m_alive.contains(source))
            return torchUnit(node, "no int8 operator makes or reads its input");
        Unit unit;
        unit.kind = Unit::Kind::Dequantize;
        unit.node = node.id;
        unit.reads = {source};
        unit.writes = {node.id};
        unit.decision = Decision::yes("convert qs8 to f32", DataLayout::Natural);
        return unit;
    }

    Unit torchUnit(const Node& node, Reason reason) const
    {
        Unit unit;
        unit.kind = Unit::Kind::Torch;
        unit.node = node.id;
        for (const NodeId input : node.inputs()) {
            const Node& source = m_view.graph().node(input);
            if (!m_view.isConstant(input) && !source.is(OpKind::GetAttr))
                unit.reads.push_back(input);
        }
        unit.writes = {node.id};
        unit.decision = Decision::no(std::move(reason));
        return unit;
    }

    bool isNeededAsFloat(const Node& dequantize) const
    {
        return std::any_of(dequantize.users.begin(), dequantize.users.end(), [this](NodeId user) {
            return m_needed.contains(user) && !m_ops.contains(user);
        });
    }

    const ConvertedView& m_view;
    const PlanOptions& m_options;
    std::unordered_map<NodeId, Unit> m_ops; ///< accepted ones, by op
    std::unordered_map<NodeId, Reason> m_reasons; ///< of those not accepted
    std::set<NodeId> m_needed; ///< for an output, or for what they write
    std::set<NodeId> m_claimed; ///< nodes that an op covers besides itself
    std::set<NodeId> m_alive; ///< typed values that an op reads or makes
    std::unordered_map<NodeId, NodeId> m_alias; ///< quantize → the one that stands for it
};

} // namespace

std::vector<Unit> makeUnits(const ConvertedView& view, const PlanOptions& options)
{
    return UnitMaker(view, options).make();
}

Bounds boundsOf(const Node& op, const OutputMatch& output, const Graph& graph)
{
    Bounds bounds{output.type.lowest, output.type.highest};
    for (const Node* node : {&op, graph.find(output.activation)}) {
        const auto range = node ? activationOf(*node) : std::nullopt;
        if (!range)
            continue;
        // Rounding is monotonic, so clipping before it is clipping after it at the rounded ends.
        bounds.low = std::max(bounds.low, quantizeValue(range->low, output.type));
        bounds.high = std::min(bounds.high, quantizeValue(range->high, output.type));
    }
    return bounds;
}

Reason whyUncuttable(const ConvertedView& view, const std::vector<Unit>& units)
{
    constexpr std::string_view kFresh[] = {"conv2d",
                                           "conv1d",
                                           "linear",
                                           "add",
                                           "mul",
                                           "sub",
                                           "cat",
                                           "batch_norm",
                                           "matmul",
                                           "bmm",
                                           "dequantize_per_tensor",
                                           "dequantize_per_channel"};
    for (const NodeId input : view.graph().placeholders()) {
        const Node& node = view.graph().node(input);
        if (node.val.tensor() && !view.shape(input))
            return fmt::format("the graph stays whole: the sizes of {} are symbols ({})", node.name,
                               shapeText(node.val.tensor()->shape));
    }
    for (const Unit& unit : units) {
        const Node& node = view.graph().node(unit.node);
        if (unit.isXnnpack() || !node.is(OpKind::CallFunction) || !mutatesArgument(node.target))
            continue;
        const Node* written = view.graph().find(node.arg(0).node());
        const bool isFresh =
            written && written->is(OpKind::CallFunction)
            && std::find(std::begin(kFresh), std::end(kFresh), shortOpName(written->target))
                   != std::end(kFresh);
        // Written memory may be seen under other names: only a fresh result that nobody else reads
        // is surely private to one part of the graph.
        if (!isFresh || written->users.size() > 1)
            return fmt::format("the graph stays whole: {} writes {} in place", node.name,
                               written ? written->name : "its input");
    }
    return {};
}

} // namespace pt2e::xnn
