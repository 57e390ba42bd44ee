#include "ui/models/ModelFacts.h"

#include "ui/models/NodeFacts.h"

#include <algorithm>
#include <map>
#include <set>

namespace pt2e::ui {

namespace {

void addOutputs(ModelFacts& facts, const Graph& graph, const Argument& argument)
{
    forEachNode(argument, [&](NodeId id) {
        if (const Node* node = graph.find(id))
            facts.outputs.emplace_back(QString::fromStdString(node->name), valueText(node->val));
    });
}

/// A storage that several names read is there once: tied weights.
void addParameters(ModelFacts& facts, const Graph& graph)
{
    std::set<const Storage*> seen;
    for (const Node& node : graph) {
        const Attribute* attribute =
            node.is(OpKind::GetAttr) ? graph.attributes().find(node.target) : nullptr;
        if (!attribute || !attribute->value.isValid()
            || !seen.insert(attribute->value.storage().get()).second)
            continue;
        facts.parameters += attribute->value.elementCount();
        facts.parameterBytes += static_cast<std::int64_t>(attribute->value.byteCount());
    }
}

std::vector<OpFact> opsOf(const Snapshot& snapshot, StageKind stage)
{
    const GraphPtr graph = snapshot.graph(stage);
    std::map<std::string, OpFact, std::less<>> byName;
    for (const Node& node : *graph) {
        if (!node.is(OpKind::CallFunction) || node.target == "getitem")
            continue;
        const std::string name(shortOpName(node.target));
        OpFact& op = byName[name];
        op.name = QString::fromStdString(name);
        op.stage = stage;
        op.nodes.push_back(node.id);
        ++op.count;
        op.quantized += snapshot.annotated && snapshot.annotated->annotations.hasValid(node.id);
    }
    std::vector<OpFact> ops;
    for (auto& [name, op] : byName)
        ops.push_back(std::move(op));
    std::stable_sort(ops.begin(), ops.end(),
                     [](const OpFact& a, const OpFact& b) { return a.count > b.count; });
    return ops;
}

std::vector<std::pair<QString, int>> observersOf(const PreparedGraph& prepared)
{
    std::map<QString, int> counts;
    for (const ObserverInstance& instance : prepared.instances)
        ++counts[QString::fromUtf8(observerClassName(instance.config.kind).data())];
    return {counts.begin(), counts.end()};
}

} // namespace

ModelFacts gatherModelFacts(const Snapshot& snapshot)
{
    ModelFacts facts;
    const Graph& graph = *snapshot.model->exported;
    facts.name = QString::fromStdString(snapshot.model->name);
    facts.origin = QString::fromStdString(snapshot.model->path);
    for (const NodeId id : graph.placeholders()) {
        const Node& node = graph.node(id);
        facts.inputs.emplace_back(QString::fromStdString(node.name), valueText(node.val));
    }
    if (const Node* output = graph.output()) {
        for (const Argument& argument : output->args)
            addOutputs(facts, graph, argument);
    }
    addParameters(facts, graph);
    facts.isAnnotated = snapshot.annotated != nullptr;
    facts.ops = opsOf(snapshot, facts.isAnnotated ? StageKind::Annotated : StageKind::Exported);
    if (snapshot.prepared)
        facts.observers = observersOf(*snapshot.prepared);
    return facts;
}

} // namespace pt2e::ui
