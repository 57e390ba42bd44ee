#include "core/engine/xnnpack/Specialize.h"

#include "core/ir/GraphEditor.h"

#include <unordered_map>

namespace pt2e::xnn {

namespace {

ValueMeta metaOf(const Value& value)
{
    if (const Tensor* tensor = value.tensor())
        return {tensor->meta()};
    if (const Value::List* list = value.list()) {
        std::vector<ValueMeta> parts;
        for (const Value& part : *list)
            parts.push_back(metaOf(part));
        return {std::move(parts)};
    }
    return {};
}

/// A number as an argument; None for everything else.
Argument numberArgument(const Value& value)
{
    if (const auto* integer = std::get_if<std::int64_t>(&value.data))
        return *integer;
    if (const auto* real = std::get_if<double>(&value.data))
        return *real;
    if (const auto* flag = std::get_if<bool>(&value.data))
        return *flag;
    return {};
}

} // namespace

bool fitsExactly(const Graph& graph, std::span<const Value> inputs)
{
    const std::vector<NodeId> placeholders = graph.placeholders();
    for (std::size_t i = 0; i < placeholders.size() && i < inputs.size(); ++i) {
        const TensorMeta* meta = graph.node(placeholders[i]).val.tensor();
        const Tensor* tensor = inputs[i].tensor();
        if (!meta || !tensor)
            continue;
        if (meta->shape.size() != tensor->shape().size())
            return false;
        for (std::size_t axis = 0; axis < meta->shape.size(); ++axis) {
            if (meta->shape[axis].isSymbolic()
                || meta->shape[axis].value() != tensor->shape()[axis])
                return false;
        }
    }
    return true;
}

Result<GraphPtr> specializeGraph(const GraphPtr& graph, std::span<const Value> inputs,
                                 const JobContext& context)
{
    std::unordered_map<NodeId, ValueMeta> metas;
    std::unordered_map<NodeId, Argument> numbers;
    RunOptions options;
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        metas[id] = metaOf(value);
        if (Argument number = numberArgument(value); !number.isNone())
            numbers[id] = std::move(number);
        return {};
    };
    PT2E_ASSIGN(const auto program, makeReferenceProgram(graph));
    PT2E_TRY(program->run(inputs, options, context));
    GraphEditor editor(*graph);
    const std::vector<NodeId> placeholders = graph->placeholders();
    for (std::size_t i = 0; i < placeholders.size() && i < inputs.size(); ++i) {
        if (inputs[i].tensor())
            editor.setVal(placeholders[i], metaOf(inputs[i]));
    }
    const auto folded = [&](NodeId id) {
        const auto number = numbers.find(id);
        return number == numbers.end() ? Argument(id) : number->second;
    };
    for (const NodeId id : graph->order()) {
        const Node& node = graph->node(id);
        if (const auto meta = metas.find(id);
            meta != metas.end() && !meta->second.isNone() && !node.is(OpKind::Placeholder))
            editor.setVal(id, meta->second);
        if (numbers.empty() || node.is(OpKind::Placeholder) || node.is(OpKind::GetAttr))
            continue;
        Arguments args;
        for (const Argument& argument : node.args)
            args.push_back(mapNodes(argument, folded));
        KeywordArguments kwargs;
        for (const auto& [name, argument] : node.kwargs)
            kwargs.emplace_back(name, mapNodes(argument, folded));
        if (!(args == node.args) || !(kwargs == node.kwargs))
            editor.setArgsAndKwargs(id, std::move(args), std::move(kwargs));
    }
    return std::move(editor).publish();
}

} // namespace pt2e::xnn
