#include "tests/analysis/OpAlone.h"

#include "core/engine/xnnpack/OutOfPlace.h"
#include "core/engine/xnnpack/Specialize.h"
#include "core/engine/xnnpack/Spread.h"
#include "core/engine/xnnpack/XnnpackProgram.h"
#include "core/ir/GraphEditor.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace pt2e::test {

namespace {

const char* const kQuantize = "quantized_decomposed.quantize_per_tensor.default";
const char* const kDequantize = "quantized_decomposed.dequantize_per_tensor.default";

NewNode placeholderLike(const xnn::Operand& operand, std::size_t number)
{
    NewNode placeholder;
    placeholder.kind = OpKind::Placeholder;
    placeholder.target = "alone_" + std::to_string(number);
    TensorMeta meta;
    meta.shape.assign(operand.shape.begin(), operand.shape.end());
    placeholder.val = {meta};
    return placeholder;
}

/// All that the output does not need; ops that write in place, too.
void eraseOthers(GraphEditor& editor)
{
    const Graph& graph = editor.graph();
    std::set<NodeId> needed;
    std::vector<NodeId> open{graph.output()->id};
    while (!open.empty()) {
        const NodeId id = open.back();
        open.pop_back();
        if (!needed.insert(id).second)
            continue;
        for (const NodeId input : graph.node(id).inputs())
            open.push_back(input);
    }
    std::vector<NodeId> order = graph.order();
    std::reverse(order.begin(), order.end());
    for (const NodeId id : order) {
        if (!needed.contains(id) && !graph.node(id).is(OpKind::Placeholder))
            editor.erase(id);
    }
}

Result<Deviations> difference(const Tensor& expected, const Tensor& actual, double scale)
{
    PT2E_ASSIGN(const auto x, expected.toDoubles());
    PT2E_ASSIGN(const auto y, actual.toDoubles());
    if (x.size() != y.size())
        return fail(ErrorCode::Internal, "op alone", "results of other sizes");
    Deviations found{1, 0, 0, 0};
    for (std::size_t i = 0; i < x.size(); ++i) {
        ++found.elements;
        if (std::isnan(x[i]) && std::isnan(y[i]))
            continue;
        const double steps = x[i] == y[i] ? 0 : std::fabs(x[i] - y[i]) / scale;
        found.most = std::max(found.most, std::isnan(steps) ? INFINITY : steps);
        found.differing += steps > 0.01 ? 1 : 0;
    }
    return found;
}

} // namespace

Deviations& Deviations::operator+=(const Deviations& more)
{
    ops += more.ops;
    elements += more.elements;
    differing += more.differing;
    most = std::max(most, more.most);
    return *this;
}

double allowedShare(const std::string& kernel)
{
    constexpr std::pair<std::string_view, double> kShares[] = {
        {"convolution_2d", 0.01},
        {"depthwise_convolution_2d", 0.01},
        {"deconvolution_2d", 0.01},
        {"fully_connected", 0.01},
        {"add", 0.001},
        {"subtract", 0.001},
        {"multiply", 0.001},
        {"static_mean", 0.001},
        {"static_resize_bilinear_2d", 0.1},
    };
    for (const auto& [name, share] : kShares) {
        if (kernel.starts_with(name))
            return share;
    }
    return 0;
}

Result<OpsAlone> OpsAlone::make(GraphPtr converted, const Values& inputs)
{
    OpsAlone ops;
    if (!xnn::fitsExactly(*converted, inputs)) {
        PT2E_ASSIGN(converted, xnn::specializeGraph(converted, inputs, {}));
    }
    ops.m_graph = xnn::spreadQuantization(xnn::writeOutOfPlace(converted));
    ops.m_inputs = inputs;
    RunOptions options;
    options.onValue = [&](NodeId id, const Value& value) -> Result<void> {
        ops.m_simulated[id] = value;
        return {};
    };
    PT2E_ASSIGN(const auto reference, makeReferenceProgram(ops.m_graph));
    PT2E_TRY(reference->run(inputs, options, {}));
    xnn::PlanOptions planOptions;
    planOptions.table = xnn::opTable();
    planOptions.keepsValues = true; // each op by itself, no padding taken into another
    ops.m_plan = xnn::makePlan(ops.m_graph, planOptions);
    return ops;
}

std::vector<const xnn::Unit*> OpsAlone::units() const
{
    std::vector<const xnn::Unit*> found;
    for (const xnn::Unit& unit : m_plan.units) {
        if (unit.kind == xnn::Unit::Kind::Table
            || (unit.kind == xnn::Unit::Kind::Op && !unit.call.isFloat))
            found.push_back(&unit);
    }
    return found;
}

std::string OpsAlone::kernelOf(const xnn::Unit& unit)
{
    return unit.kind == xnn::Unit::Kind::Table ? "byte table" : unit.decision.kernel;
}

Result<Deviations> OpsAlone::deviations(const xnn::Unit& unit) const
{
    return unit.kind == xnn::Unit::Kind::Table ? ofTable(unit) : ofOp(unit);
}

/// The graph with one op of it alone: each int8 input comes from a placeholder of its own, the result
/// is dequantized. `sources` are the dequantize nodes whose values go in.
GraphPtr OpsAlone::opAlone(const xnn::Unit& unit, std::vector<NodeId>& sources) const
{
    GraphEditor editor(*m_graph);
    InsertPoint begin = InsertPoint::before(*m_graph->order().begin());
    InsertPoint beforeOp = InsertPoint::before(unit.node);
    std::vector<xnn::Operand> operands = unit.call.operands;
    operands.insert(operands.end(), unit.call.items.begin(), unit.call.items.end());
    for (const xnn::Operand& operand : operands) {
        if (std::find(sources.begin(), sources.end(), operand.node) != sources.end())
            continue; // one value at two places
        if (operand.kind != xnn::Operand::Kind::Int8)
            continue;
        NewNode quantize;
        quantize.target = kQuantize;
        quantize.args = m_graph->node(operand.node).args;
        quantize.args[0] = editor.insert(begin, placeholderLike(operand, sources.size()));
        NewNode dequantize;
        dequantize.target = kDequantize;
        dequantize.args = m_graph->node(operand.node).args;
        dequantize.args[0] = editor.insert(beforeOp, quantize);
        const NodeId fresh = editor.insert(beforeOp, dequantize);
        editor.replaceInput(unit.node, operand.node, fresh);
        sources.push_back(operand.node);
    }
    const NodeId quantize = unit.call.output.quantizes.front();
    const NodeId end = m_graph->node(quantize).users.front();
    editor.setArgs(m_graph->output()->id, {Argument::tuple({Argument(end)})});
    eraseOthers(editor);
    return std::move(editor).publish();
}

Result<Deviations> OpsAlone::ofOp(const xnn::Unit& unit) const
{
    std::vector<NodeId> sources;
    const GraphPtr alone = opAlone(unit, sources);
    Values inputs;
    for (const NodeId source : sources)
        inputs.push_back(m_simulated.at(source));
    inputs.insert(inputs.end(), m_inputs.begin(), m_inputs.end());
    PT2E_ASSIGN(const auto reference, makeReferenceProgram(alone));
    PT2E_ASSIGN(const auto xnnpack, makeXnnpackProgram(alone, {}));
    for (const Assignment& one : xnnpack->assignments()) {
        if (one.node == unit.node
            && (one.where != Assignment::Where::XnnpackInt8 || one.kernel != unit.decision.kernel))
            return fail(ErrorCode::Internal, nameOf(unit),
                        "alone it runs on " + one.kernel + ": " + one.reason);
    }
    PT2E_ASSIGN(const RunReport expected, reference->run(inputs, {}, {}));
    PT2E_ASSIGN(const RunReport actual, xnnpack->run(inputs, {}, {}));
    return difference(*expected.outputs.at(0).tensor(), *actual.outputs.at(0).tensor(),
                      unit.call.output.type.scale);
}

/// The table looked up with the simulation's int8 values.
Result<Deviations> OpsAlone::ofTable(const xnn::Unit& unit) const
{
    PT2E_ASSIGN(const xnn::ByteTable table, xnn::evaluateTable(*m_plan.view, unit.function));
    const xnn::QuantType& type = *m_plan.view->typeOf(unit.function.source);
    PT2E_ASSIGN(const auto codes, m_simulated.at(unit.function.source).tensor()->toDoubles());
    const NodeId end = unit.function.quantize ? unit.function.quantize : unit.node;
    const Tensor& expected = *m_simulated.at(end).tensor();
    const int shift = expected.dtype() == DType::UInt8 ? 128 : 0;
    std::vector<float> results;
    for (const double code : codes) {
        const auto i = static_cast<std::size_t>(code + (type.isShifted ? 0 : 128));
        results.push_back(unit.function.quantize ? static_cast<float>(table.bytes.at(i) + shift)
                                                 : table.floats.at(i));
    }
    const Tensor actual =
        Tensor::fromBytes(DType::Float32, expected.shape(), std::as_bytes(std::span(results)));
    return difference(expected, actual, 1);
}

} // namespace pt2e::test
