#include "core/engine/xnnpack/Plan.h"

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
        if (!unit.isXnnpack()) {
            m_known[node.id] = {node.id, Where::LibTorch, -1, node.target, unit.decision.reason};
            return;
        }
        m_known[node.id] = {node.id, Where::XnnpackInt8, partition, unit.decision.kernel, {}};
        const OutputMatch& output = unit.call.output;
        if (output.activation)
            m_known[output.activation] = {
                output.activation, Where::Absorbed, partition, "fused into " + node.name, {}};
        for (const NodeId quantize : output.quantizes)
            m_known[quantize] = {
                quantize, Where::Absorbed, partition, "type of " + node.name + "'s output", {}};
    }

    Assignment passive(const Node& node) const
    {
        if (node.is(OpKind::Placeholder) || node.is(OpKind::Output))
            return {node.id, Where::Absorbed, -1, std::string(opKindName(node.kind)), {}};
        if (node.is(OpKind::GetAttr))
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

std::vector<Assignment> Plan::assignments() const { return Assigner(*this).run(); }

Plan makePlan(GraphPtr graph, const PlanOptions& options)
{
    Plan plan;
    plan.view = std::make_shared<ConvertedView>(std::move(graph));
    plan.units = makeUnits(*plan.view, options);
    plan.wholeGraphReason = whyUncuttable(*plan.view, plan.units);
    if (!plan.wholeGraphReason.empty()) {
        const PlanOptions nothing{{}, {}};
        plan.units = makeUnits(*plan.view, nothing);
        for (Unit& unit : plan.units)
            unit.decision.reason = plan.wholeGraphReason;
    }
    plan.steps = makeSteps(plan.units, *plan.view);
    plan.layouts = chooseLayouts(plan.units, *plan.view);
    return plan;
}

} // namespace pt2e::xnn
