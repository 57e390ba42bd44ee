#include "core/quant/Quantizer.h"

#include "core/quant/Bodies.h"
#include "core/quant/Flavor.h"
#include "core/quant/rules/Rules.h"

#include <algorithm>

namespace pt2e {

std::string_view flavorName(QuantizerFlavor flavor)
{
    switch (flavor) {
    case QuantizerFlavor::None: return "none";
    case QuantizerFlavor::TorchAo: return "torchao";
    case QuantizerFlavor::ExecuTorch: return "executorch";
    }
    return "";
}

namespace {

/// The argument as the float32 0-dim tensor that torch.tensor(float(value)) makes; nothing if it is no number.
std::optional<Tensor> scalarTensor(const Argument& argument)
{
    double value = 0;
    if (const auto* number = argument.get<double>())
        value = *number;
    else if (const auto* integer = argument.get<std::int64_t>())
        value = static_cast<double>(*integer);
    else if (const auto* flag = argument.get<bool>())
        value = *flag ? 1 : 0;
    else
        return std::nullopt;
    const float single = static_cast<float>(value);
    return Tensor::fromValues<float>(DType::Float32, {}, std::span(&single, 1));
}

Result<void> scalarsToAttributes(GraphEditor& editor, NodeId id)
{
    const Node op = editor.graph().node(id);
    Arguments args = op.args;
    InsertPoint at = InsertPoint::before(id);
    for (Argument& argument : args) {
        if (argument.node())
            continue;
        const std::optional<Tensor> tensor = scalarTensor(argument);
        if (!tensor)
            return fail(ErrorCode::Unsupported, "transform_for_annotation: node '" + op.name + "'",
                        "an argument is neither a tensor nor a number");
        const std::string name = editor.freeAttributeName("_tensor_constant_");
        editor.setAttribute(name, {*tensor, AttributeKind::Buffer});
        NewNode constant;
        constant.kind = OpKind::GetAttr;
        constant.target = name;
        constant.val.value = tensor->meta();
        constant.origin = {OriginKind::Inserted, id, "transform_for_annotation"};
        argument = editor.insert(at, std::move(constant));
    }
    // Assigned even when nothing changed, as in the original: it re-orders users.
    editor.setArgs(id, std::move(args));
    return {};
}

} // namespace

Result<void> transformForAnnotation(GraphEditor& editor, const QuantizerSettings& settings)
{
    if (settings.flavor == QuantizerFlavor::None)
        return {};
    for (NodeId id : editor.graph().order()) {
        const Node& node = editor.graph().node(id);
        if (node.calls("aten.add.Tensor") || node.calls("aten.mul.Tensor"))
            PT2E_TRY(scalarsToAttributes(editor, id));
    }
    const Flavor* flavor = flavorOf(settings.flavor);
    const auto runs = flavor ? plannedRuns(*flavor, settings) : std::vector<PlannedRun>();
    if (std::any_of(runs.begin(), runs.end(),
                    [](const PlannedRun& run) { return run.removesDeadCode; }))
        editor.eliminateDeadCode();
    return {};
}

namespace {

/// One graph, then the bodies that quantization visits.
Result<void> annotateGraph(const Graph& graph, const Flavor& flavor,
                           const std::vector<PlannedRun>& runs, AnnotationTable& annotations)
{
    for (const PlannedRun& run : runs) {
        RuleScope scope{graph, annotations, run.config};
        for (const Rule* rule : run.rules)
            PT2E_TRY(rule->annotate(scope));
    }
    rules::propagate(graph, annotations, flavor.shareList);
    for (const std::string& name : visitedBodies(graph))
        PT2E_TRY(annotateGraph(**graph.subgraphs().find(name), flavor, runs, annotations));
    return {};
}

} // namespace

Result<AnnotationTable> annotate(const Graph& graph, const QuantizerSettings& settings)
{
    AnnotationTable annotations;
    if (settings.flavor == QuantizerFlavor::None)
        return annotations;
    const Flavor* flavor = flavorOf(settings.flavor);
    if (!flavor)
        return fail(ErrorCode::Unsupported, "annotate",
                    "there is no quantizer " + std::string(flavorName(settings.flavor)));
    PT2E_TRY(annotateGraph(graph, *flavor, plannedRuns(*flavor, settings), annotations));
    return annotations;
}

} // namespace pt2e
