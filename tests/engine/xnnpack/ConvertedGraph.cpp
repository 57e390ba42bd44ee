#include "tests/engine/xnnpack/ConvertedGraph.h"

#include <cmath>
#include <set>

namespace pt2e::test {

namespace {

const char* const kQuantize = "quantized_decomposed.quantize_per_tensor.default";
const char* const kDequantize = "quantized_decomposed.dequantize_per_tensor.default";
const char* const kDequantizeChannel = "quantized_decomposed.dequantize_per_channel.default";

ValueMeta floatMeta(const std::vector<std::int64_t>& shape)
{
    TensorMeta meta;
    meta.shape.assign(shape.begin(), shape.end());
    return {meta};
}

std::size_t countOf(const std::vector<std::int64_t>& shape)
{
    std::size_t count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<std::size_t>(size);
    return count;
}

} // namespace

QParams s8(double scale, std::int64_t zeroPoint)
{
    return {static_cast<double>(static_cast<float>(scale)), zeroPoint, DType::Int8, -128, 127};
}

QParams u8(double scale, std::int64_t zeroPoint)
{
    return {static_cast<double>(static_cast<float>(scale)), zeroPoint, DType::UInt8, 0, 255};
}

NodeId ConvertedGraph::input(const std::string& name, std::vector<std::int64_t> shape)
{
    NewNode node;
    node.kind = OpKind::Placeholder;
    node.target = name;
    node.val = floatMeta(shape);
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::op(const std::string& target, Arguments args,
                          std::vector<std::int64_t> shape, KeywordArguments kwargs)
{
    NewNode node;
    node.target = target;
    node.args = std::move(args);
    node.kwargs = std::move(kwargs);
    node.nameCandidate = std::string(shortOpName(target));
    node.val = floatMeta(shape);
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::quantize(NodeId value, const QParams& params)
{
    NewNode node;
    node.target = kQuantize;
    node.args = {value,         params.scale,   params.zeroPoint,
                 params.lowest, params.highest, params.dtype};
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::dequantize(NodeId quantized, const QParams& params)
{
    NewNode node;
    node.target = kDequantize;
    node.args = {quantized,     params.scale,   params.zeroPoint,
                 params.lowest, params.highest, params.dtype};
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::qdq(NodeId value, const QParams& params)
{
    return dequantize(quantize(value, params), params);
}

std::vector<std::int8_t> ConvertedGraph::randomBytes(std::size_t count)
{
    std::uniform_int_distribution<int> distribution(-127, 127);
    std::vector<std::int8_t> values(count);
    for (std::int8_t& value : values)
        value = static_cast<std::int8_t>(distribution(m_random));
    return values;
}

NodeId ConvertedGraph::constant(Tensor value)
{
    const std::string name = "_attribute_" + std::to_string(m_attributes++);
    m_editor.setAttribute(name, {std::move(value), AttributeKind::Buffer});
    NewNode node;
    node.kind = OpKind::GetAttr;
    node.target = name;
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::weightPerChannel(std::vector<std::int64_t> shape, std::vector<double> scales,
                                        std::vector<std::int64_t> zeroPoints, std::int64_t axis)
{
    const std::vector<std::int8_t> values = randomBytes(countOf(shape));
    const std::vector<float> singles(scales.begin(), scales.end());
    zeroPoints.resize(scales.size());
    const auto channels = static_cast<std::int64_t>(scales.size());
    NewNode node;
    node.target = kDequantizeChannel;
    node.args = {constant(Tensor::fromValues<std::int8_t>(DType::Int8, shape, values)),
                 constant(Tensor::fromValues<float>(DType::Float32, {channels}, singles)),
                 constant(Tensor::fromValues<std::int64_t>(DType::Int64, {channels}, zeroPoints)),
                 axis,
                 std::int64_t{-127},
                 std::int64_t{127},
                 DType::Int8};
    return m_editor.append(std::move(node));
}

NodeId ConvertedGraph::weightPerTensor(std::vector<std::int64_t> shape, const QParams& params)
{
    std::vector<std::int8_t> values = randomBytes(countOf(shape));
    if (params.dtype == DType::UInt8) {
        for (std::int8_t& value : values)
            value = static_cast<std::int8_t>(value ^ -128);
    }
    return dequantize(constant(Tensor::fromValues<std::int8_t>(params.dtype, shape, values)),
                      params);
}

NodeId ConvertedGraph::floats(std::vector<std::int64_t> shape, double size)
{
    std::uniform_real_distribution<float> distribution(static_cast<float>(-size),
                                                       static_cast<float>(size));
    std::vector<float> values(countOf(shape));
    for (float& value : values)
        value = distribution(m_random);
    return constant(Tensor::fromValues<float>(DType::Float32, std::move(shape), values));
}

NodeId ConvertedGraph::bias(std::int64_t count, double size) { return floats({count}, size); }

GraphPtr ConvertedGraph::finish(const std::vector<NodeId>& outputs)
{
    std::vector<Argument> results(outputs.begin(), outputs.end());
    NewNode node;
    node.kind = OpKind::Output;
    node.target = "output";
    node.args = {Argument::tuple(std::move(results))};
    m_editor.append(std::move(node));
    return std::move(m_editor).publish();
}

Value ConvertedGraph::values(const std::vector<std::int64_t>& shape, double size)
{
    std::uniform_real_distribution<float> distribution(static_cast<float>(-size),
                                                       static_cast<float>(size));
    std::vector<float> values(countOf(shape));
    for (float& value : values)
        value = distribution(m_random);
    return {Tensor::fromValues<float>(DType::Float32, shape, values)};
}

Comparison compareEngines(const GraphPtr& graph, const std::vector<Value>& inputs, double step,
                          const XnnpackOptions& options)
{
    const auto failed = [](const Error& error) { return Comparison{error.message(), 0, 0, 0, 0}; };
    auto reference = makeReferenceProgram(graph);
    if (!reference)
        return failed(reference.error());
    auto xnnpack = makeXnnpackProgram(graph, options);
    if (!xnnpack)
        return failed(xnnpack.error());
    auto expected = (*reference)->run(inputs, {}, {});
    if (!expected)
        return failed(expected.error());
    auto actual = (*xnnpack)->run(inputs, {}, {});
    if (!actual)
        return failed(actual.error());
    const Tensor* a = expected->outputs.at(0).tensor();
    const Tensor* b = actual->outputs.at(0).tensor();
    if (!a || !b || a->shape() != b->shape() || a->dtype() != b->dtype())
        return {"the outputs differ in shape or type", 0, 0, 0, 0};
    const auto x = a->toDoubles();
    const auto y = b->toDoubles();
    if (!x || !y)
        return {"the outputs cannot be read", 0, 0, 0, 0};
    Comparison result;
    std::set<double> distinct;
    std::int64_t differing = 0;
    for (std::size_t i = 0; i < x->size(); ++i) {
        const double steps = std::fabs((*x)[i] - (*y)[i]) / step;
        result.maxSteps = std::isnan(steps) ? INFINITY : std::max(result.maxSteps, steps);
        differing += steps > 0.01 ? 1 : 0;
        distinct.insert((*x)[i]);
    }
    result.count = static_cast<std::int64_t>(x->size());
    result.shareDiffering =
        result.count ? static_cast<double>(differing) / static_cast<double>(result.count) : 0;
    result.distinct = static_cast<std::int64_t>(distinct.size());
    return result;
}

Assignment assignmentOf(const GraphPtr& graph, const std::string& name,
                        const XnnpackOptions& options)
{
    const Node* node = graph->findByName(name);
    auto program = makeXnnpackProgram(graph, options);
    if (!node || !program)
        return {};
    for (Assignment& assignment : (*program)->assignments()) {
        if (assignment.node == node->id)
            return assignment;
    }
    return {};
}

} // namespace pt2e::test
