// What a program that is quantized already says of its values.
#include "core/pipeline/NodeNames.h"
#include "core/view/Tables.h"

#include <fmt/format.h>

namespace pt2e {

namespace {

bool isCallOf(const Node& node, std::string_view part)
{
    return node.is(OpKind::CallFunction)
           && std::string_view(shortOpName(node.target)).starts_with(part);
}

std::string numberText(const Argument& argument)
{
    if (const double* real = argument.get<double>())
        return fmt::format("{:.4g}", *real);
    if (const std::int64_t* integer = argument.get<std::int64_t>())
        return std::to_string(*integer);
    return "?";
}

/// "0.03299", or for a value in the graph the first of it: "0.0009225 (n=8)"; "computed" where it is none of both.
std::string valueText(const Graph& graph, const Argument& argument)
{
    const Node* node = argument.node() ? graph.find(argument.node()) : nullptr;
    if (!node)
        return numberText(argument);
    const Attribute* attribute =
        node->is(OpKind::GetAttr) ? graph.attributes().find(node->target) : nullptr;
    if (!attribute || !attribute->value.isValid())
        return "computed";
    const auto values = attribute->value.toDoubles();
    if (!values || values->empty())
        return "?";
    const std::string first = fmt::format("{:.4g}", values->front());
    return values->size() == 1 ? first : fmt::format("{} (n={})", first, values->size());
}

/// Where an op has its parameters among its arguments; 0: it has none such.
struct Places
{
    std::size_t scale, zeroPoint, axis, range, dtype;
};

Places placesOf(std::string_view op)
{
    if (op == "fused_moving_avg_obs_fake_quant")
        return {5, 6, 10, 8, 0};
    if (op.starts_with("fake_quantize_per_channel"))
        return {1, 2, 3, 4, 0};
    if (op.starts_with("fake_quantize_per_tensor"))
        return {1, 2, 0, 3, 0};
    return op.find("per_channel") != std::string_view::npos ? Places{1, 2, 3, 4, 6}
                                                            : Places{1, 2, 0, 3, 5};
}

TableRow rowOf(const NodeNames& names, const NodeNames::Entry& entry)
{
    const Node& node = *entry.node;
    const Graph& graph = *entry.graph;
    const std::string op(shortOpName(node.target));
    const Places at = placesOf(op);
    const DType* dtype = at.dtype ? node.arg(at.dtype).get<DType>() : nullptr;
    const std::string range =
        numberText(node.arg(at.range)) + ".." + numberText(node.arg(at.range + 1));
    const std::string axis = at.axis ? numberText(node.arg(at.axis)) : "-1";
    const std::string value = node.arg(0).node() ? names.nameOf(node.arg(0).node()) : "?";
    return {{{value, {}, false},
             {op, {}, false},
             {dtype ? std::string(dtypeName(*dtype)) : "-", {}, false},
             {range, {}, false},
             {valueText(graph, node.arg(at.scale)), {}, false},
             {valueText(graph, node.arg(at.zeroPoint)), {}, false},
             {axis == "-1" ? "-" : axis, {}, false}},
            {node.id}};
}

} // namespace

Table quantizedValuesTable(const Graph& graph, const ProgramForm& form)
{
    Table table;
    table.id = "quantized";
    table.title = form.text();
    table.stages = {StageKind::Exported};
    table.columns = {"value", "op", "dtype", "range", "scale", "zero point", "axis"};
    const NodeNames names(graph);
    for (const NodeNames::Entry& entry : names.entries()) {
        const Node& node = *entry.node;
        if (isCallOf(node, "quantize_per_") || isCallOf(node, "fake_quantize_per_")
            || isCallOf(node, "fused_moving_avg_obs_fake_quant")) {
            table.rows.push_back(rowOf(names, entry));
        } else if (isCallOf(node, "dequantize_per_")) {
            // Of a value that was quantized here the row of its quantize says all.
            const Node* source = entry.graph->find(node.arg(0).node());
            if (source && source->is(OpKind::GetAttr))
                table.rows.push_back(rowOf(names, entry));
        }
    }
    return table;
}

} // namespace pt2e
