#include "core/engine/xnnpack/Plan.h"

#include "core/engine/xnnpack/Emitter.h"
#include "core/engine/xnnpack/Pads.h"
#include "core/engine/xnnpack/Unroll.h"

#include <algorithm>
#include <fmt/format.h>

namespace pt2e::xnn {

namespace {

/// Fills in what no unit stands for: inputs, constants, conversions that became types.
class Assigner
{
public:
    explicit Assigner(const Plan& plan) : m_plan(plan), m_graph(plan.view->graph()) {}

    std::vector<Assignment> run()
    {
        for (const Step& step : m_plan.steps) {
            for (const std::size_t i : step.units)
                addUnit(m_plan.units[i], step.partition);
        }
        std::vector<Assignment> result;
        for (const Node& node : m_graph) {
            const auto known = m_known.find(node.id);
            result.push_back(known != m_known.end() ? known->second : passive(node));
        }
        return result;
    }

private:
    using Where = Assignment::Where;

    void addUnit(const Unit& unit, int partition)
    {
        const Node& node = m_graph.node(unit.node);
        if (unit.kind == Unit::Kind::Table) {
            addTable(unit);
            return;
        }
        if (unit.kind == Unit::Kind::Own) {
            const bool isFloat = !m_plan.view->typeOf(node.id);
            m_known[node.id] = {node.id, isFloat ? Where::XnnpackFloat : Where::XnnpackInt8, -1,
                                unit.decision.kernel, unit.int8Reason};
            return;
        }
        if (!unit.isXnnpack()) {
            m_known[node.id] = {node.id, Where::LibTorch, -1, node.target, unit.decision.reason};
            return;
        }
        // A conversion is as much int8 as float.
        m_known[node.id] = {
            node.id,
            unit.call.isFloat && !unit.call.isDynamic ? Where::XnnpackFloat : Where::XnnpackInt8,
            partition, unit.decision.kernel, unit.call.isDynamic ? Reason() : unit.int8Reason};
        const OutputMatch& output = unit.call.output;
        if (output.activation)
            m_known[output.activation] = {
                output.activation, Where::Absorbed, partition, "fused into " + node.name, {}};
        for (const NodeId quantize : output.quantizes)
            m_known[quantize] = {
                quantize, Where::Absorbed, partition, "type of " + node.name + "'s output", {}};
    }

    /// The ops of a chain are one function: the last one stands for it.
    void addTable(const Unit& unit)
    {
        for (const NodeId id : unit.function.nodes) {
            if (!isQuantizeOrDequantize(m_graph.node(id)) && id != unit.node)
                m_known.emplace(id, Assignment{id,
                                               Where::Absorbed,
                                               -1,
                                               "in the table of " + m_graph.node(unit.node).name,
                                               {}});
        }
        m_known[unit.node] = {unit.node, Where::XnnpackInt8, -1, unit.decision.kernel, {}};
        for (const NodeId quantize : unit.call.output.quantizes)
            m_known[quantize] = {quantize,
                                 Where::Absorbed,
                                 -1,
                                 "type of " + m_graph.node(unit.node).name + "'s output",
                                 {}};
    }

    Assignment passive(const Node& node) const
    {
        if (const auto op = m_plan.absorbed.find(node.id); op != m_plan.absorbed.end()) {
            const Node& into = m_graph.node(op->second);
            return {node.id,
                    Where::Absorbed,
                    m_known.at(into.id).partition,
                    "fused into " + into.name,
                    {}};
        }
        if (node.is(OpKind::Placeholder) || node.is(OpKind::Output))
            return {node.id, Where::Absorbed, -1, std::string(opKindName(node.kind)), {}};
        if (node.is(OpKind::GetAttr) || (isLookup(node) && m_plan.view->isConstant(node.id)))
            return {node.id, Where::Constant, -1, "constant", {}};
        // A conversion without a unit: its users took its type, or it is a constant's.
        Assignment assignment{node.id, Where::Absorbed, -1, "not needed", {}};
        for (const NodeId user : node.users) {
            const auto known = m_known.find(user);
            if (known == m_known.end())
                continue;
            if (known->second.where == Where::LibTorch)
                return {node.id, Where::LibTorch, -1, node.target,
                        m_graph.node(user).name + " runs on LibTorch"};
            assignment.partition = known->second.partition;
            assignment.kernel = "type of " + m_graph.node(user).name + "'s input";
        }
        return assignment;
    }

    const Plan& m_plan;
    const Graph& m_graph;
    std::unordered_map<NodeId, Assignment> m_known;
};

} // namespace

DataLayout Plan::layoutOf(NodeId node) const
{
    const auto it = layouts.find(node);
    return it == layouts.end() ? DataLayout::Natural : it->second;
}

bool Plan::hasTorch() const
{
    return std::any_of(steps.begin(), steps.end(),
                       [](const Step& step) { return !step.isXnnpack && !step.isOwn; });
}

TensorSpec Plan::specOf(NodeId node) const
{
    const QuantType* type = view->typeOf(node);
    if (const auto it = unrolled.find(node); it != unrolled.end())
        return int8Spec(it->second.shape, *type);
    const Shape& natural = *view->shape(node);
    if (!type)
        return floatSpec(natural); // outside of partitions always in the graph's order
    return int8Spec(layoutOf(node) == DataLayout::Nhwc ? toNhwc(natural) : natural, *type);
}

std::vector<Assignment> Plan::assignments() const { return Assigner(*this).run(); }

namespace {

/// A partition that only moves values is not worth its conversions: they are left to LibTorch. False
/// if there is none.
bool dissolveIdlePartitions(const Plan& plan, PlanOptions& options)
{
    bool hasAny = false;
    for (const Step& step : plan.steps) {
        if (!step.isXnnpack)
            continue;
        std::vector<NodeId> ops;
        bool isIdle = true;
        for (const std::size_t i : step.units) {
            const Unit& unit = plan.units[i];
            if (unit.kind != Unit::Kind::Op)
                continue;
            ops.push_back(unit.node);
            isIdle = isIdle && unit.rule->onlyMoves && unit.call.isFloat;
        }
        if (!isIdle)
            continue;
        for (const NodeId op : ops) {
            hasAny = true;
            options.refused[op] = "it only moves values, and no neighbour runs on XNNPACK";
        }
    }
    return hasAny;
}

} // namespace

Plan makePlan(GraphPtr graph, const PlanOptions& wanted)
{
    Plan plan;
    PlanOptions options = wanted;
    plan.view = std::make_shared<ConvertedView>(std::move(graph));
    do {
        plan.units = makeUnits(*plan.view, options);
        plan.wholeGraphReason = whyUncuttable(*plan.view, plan.units);
        if (!plan.wholeGraphReason.empty()) {
            plan.units = makeUnits(*plan.view, PlanOptions{});
            for (Unit& unit : plan.units)
                unit.decision.reason = plan.wholeGraphReason;
        }
        if (plan.wholeGraphReason.empty() && !options.keepsValues) {
            plan.absorbed = absorbPads(plan.units, *plan.view);
            plan.unrolled = unrollInputs(plan.units, *plan.view);
        }
        plan.steps = makeSteps(plan.units, *plan.view, options.keepsValues);
    } while (dissolveIdlePartitions(plan, options));
    plan.layouts = chooseLayouts(plan.units, *plan.view);
    return plan;
}

} // namespace pt2e::xnn
