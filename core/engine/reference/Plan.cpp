#include "core/engine/reference/Plan.h"

#include "core/engine/reference/HigherOrder.h"
#include "core/engine/reference/ScalarOps.h"

namespace pt2e::reference {

namespace {

void resolveCall(Step& step, const Kernels& torch)
{
    const std::string& target = step.node->target;
    if (target == "getitem" || target == "_operator.getitem") {
        step.kind = StepKind::GetItem;
        return;
    }
    if (step.function = higherOrderFunction(target); !step.function.empty()) {
        step.kind = StepKind::HigherOrder;
        return;
    }
    if (step.function = scalarFunction(target); !step.function.empty()) {
        step.kind = StepKind::Scalar;
        return;
    }
    step.kind = StepKind::Kernel;
    if (target.find('.') == std::string::npos) {
        step.error = Error{ErrorCode::Unsupported, target,
                           "is a higher-order operator that is not known here; it cannot be run"};
        return;
    }
    auto kernel = torch.find(target);
    if (kernel)
        step.kernel = std::move(*kernel);
    else
        step.error = kernel.error();
}

Step makeStep(const Graph& graph, const Node& node, std::size_t slot, const Kernels& torch)
{
    Step step;
    step.node = &node;
    step.slot = slot;
    switch (node.kind) {
    case OpKind::Placeholder: step.kind = StepKind::Input; break;
    case OpKind::GetAttr:
        step.kind =
            graph.subgraphs().contains(node.target) ? StepKind::Subgraph : StepKind::Attribute;
        break;
    case OpKind::CallModule: step.kind = StepKind::Module; break;
    case OpKind::Output: step.kind = StepKind::Output; break;
    case OpKind::CallFunction: resolveCall(step, torch); break;
    }
    return step;
}

void findLastUses(Plan& plan)
{
    std::vector<bool> isRead(plan.steps.size(), false);
    for (std::size_t i = plan.steps.size(); i-- > 0;) {
        Step& step = plan.steps[i];
        for (const NodeId input : step.node->inputs()) {
            const std::size_t slot = plan.slotOf(input);
            if (!isRead[slot])
                step.lastUses.push_back(slot);
            isRead[slot] = true;
        }
        if (!isRead[step.slot])
            step.lastUses.push_back(step.slot);
    }
}

} // namespace

Result<PlanPtr> makePlan(GraphPtr graph)
{
    PT2E_ASSIGN(const Kernels* const torch, kernels());
    auto plan = std::make_shared<Plan>();
    plan->graph = std::move(graph);
    for (const Node& node : *plan->graph) {
        const std::size_t slot = plan->steps.size();
        plan->slots.emplace(node.id, slot);
        plan->steps.push_back(makeStep(*plan->graph, node, slot, *torch));
    }
    findLastUses(*plan);
    for (const auto& [name, attribute] : plan->graph->attributes()) {
        if (attribute.value.isValid())
            plan->attributesOf[attribute.value.storage().get()].push_back(name);
    }
    for (const auto& [name, body] : plan->graph->subgraphs()) {
        PT2E_ASSIGN(PlanPtr made, makePlan(body));
        plan->bodies.emplace(name, std::move(made));
    }
    return PlanPtr(std::move(plan));
}

} // namespace pt2e::reference
